//! Flows: which rank sends how much to which in an iteration, without times (Totoni et al. 2014, section 2.4).
//!
//! A program is asked rank by rank. No list of all pairs is made, so hundreds of thousands of ranks need no memory.
//! [`Communication::to_all`] states separately what every rank sends to every other, so that it can be counted without
//! visiting each pair. Messages of collective operations are those of their expansion in [`collectives`].

use std::fmt::Debug;

use crate::workload::collectives::{self, Member};
use crate::workload::operation::{Collective, Operation};

/// Messages of one size from a rank to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The receiving rank; it may be the sender itself.
    pub to: u32,
    /// The number of messages.
    pub messages: u64,
    /// The size of each.
    pub bytes: u64,
}

/// What the ranks of a program send in one iteration.
pub trait Communication: Debug + Send + Sync {
    /// Returns the number of ranks.
    fn ranks(&self) -> u32;

    /// Calls `visit` with what a rank sends in one iteration, except what [`Self::to_all`] covers. A destination may
    /// come several times.
    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow));

    /// Returns the size of the message that every rank sends to every other in one iteration, if there is one.
    fn to_all(&self) -> Option<u64> {
        None
    }
}

/// The size of a Fortran number of type `double precision`.
pub(super) const DOUBLE: u64 = 8;

/// Calls `visit` with the messages that one rank sends in a collective operation.
pub(super) fn collective(operation: &Collective, rank: u32, size: u32, visit: &mut dyn FnMut(Flow)) {
    let mut operations = Vec::new();
    collectives::expand(operation, Member { rank, size }, &mut operations);
    operations.iter().filter_map(sent).for_each(visit);
}

/// Returns the message that an operation sends.
pub fn sent(operation: &Operation) -> Option<Flow> {
    match *operation {
        Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => Some(Flow { to, messages: 1, bytes }),
        _ => None,
    }
}
