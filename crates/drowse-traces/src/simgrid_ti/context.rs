//! What the meaning of a line depends on.

use super::datatype::Datatype;

/// What the meaning of a line depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineContext {
    /// The rank that the line belongs to.
    pub rank: u32,
    /// The number of ranks of the trace.
    pub ranks: u32,
    /// The datatype of lines without one, from the rank's `init`.
    pub default: Datatype,
}
