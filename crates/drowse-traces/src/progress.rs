//! How far a rank is whose steps are in memory.

use crate::compute::Computed;

/// The number of steps that become operations at a time.
const BLOCK: usize = 128;

/// The steps of a rank that have become operations, and how long these compute.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    next: usize,
    pub computed: Computed,
}

impl Progress {
    /// Returns the next steps, and moves behind them.
    pub fn take<'s, Step>(&mut self, steps: &'s [Step]) -> &'s [Step] {
        let left = &steps[self.next..];
        let taken = &left[..left.len().min(BLOCK)];
        self.next += taken.len();
        taken
    }
}
