//! How the processes of a run reach each other.

use crate::error::RunError;

/// A letter, and the process that it is for, or from.
pub type Letter = (usize, Vec<u8>);

/// The processes of a run, as one of them sees them. All call the same methods in the same order.
pub trait Peers {
    /// Returns the number of this process, from 0.
    fn number(&self) -> usize;

    /// Returns the number of processes.
    fn count(&self) -> usize;

    /// Returns how many of them are on this machine.
    fn here(&self) -> usize;

    /// Tells all processes something, and returns what each of them tells, in their order.
    fn tell_all(&mut self, what: &[u8]) -> Result<Vec<Vec<u8>>, RunError>;

    /// Sends letters to other processes, at most one to each, and receives those that some of the others have for this
    /// one, in the order in which these are named.
    fn exchange(&mut self, letters: &[Letter], from: &[usize]) -> Result<Vec<Vec<u8>>, RunError>;

    /// Ends all processes at once: this one cannot go on, and the others would wait for it for ever.
    fn abort(&self);
}
