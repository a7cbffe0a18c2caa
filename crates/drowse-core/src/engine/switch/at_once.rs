//! Outputs that take no time to wake.
//!
//! Which heads are looked at at an edge without need depends on the partition. So an output that a head wakes while
//! heads select is on for that head only: the others see it wake, and find it on at the next edge. One that is woken
//! before heads select is on for all that wait for it.

/// Outputs that have been woken at this edge and take no time to wake.
#[derive(Debug, Default)]
pub struct AtOnce {
    /// Nobody has been told of these.
    pub(super) woken: Vec<u32>,
    /// These seem to wake until all heads have selected.
    pub(super) hidden: Vec<u32>,
}

impl AtOnce {
    /// Returns whether the head that selects has woken an output that takes no time to wake.
    #[inline]
    pub fn some_woken(&self) -> bool {
        !self.woken.is_empty()
    }
}
