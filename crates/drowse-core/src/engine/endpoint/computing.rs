//! Computing: the program's, which keeps the rank busy, and a collective's beside it, which does not.

use crate::engine::event::node::later;
use crate::model::units::Time;

use super::fabric::Fabric;
use super::ids::ActivityOf;
use super::rank::{Blocked, PROGRAM, Rank};
use super::ranks::goes_on;

impl Rank {
    /// Computes for a time from `t` on; returns whether the activity goes on at once, because the time is zero. A
    /// collective that computes beside the program does not keep the rank busy.
    pub(super) fn compute_from<F: Fabric>(
        &mut self,
        fabric: &mut F,
        ActivityOf { number, activity }: ActivityOf,
        time: Time,
        t: u64,
    ) -> bool {
        if time == Time::ZERO {
            return true;
        }
        self.block(activity, Blocked::Busy);
        let start = if activity == PROGRAM { self.busy_until_free(t) } else { t };
        self.computes(activity, time);
        if activity == PROGRAM {
            self.processor.compute(later(start, time), self.path(activity));
        } else {
            self.computes_beside(activity, later(start, time));
        }
        fabric.events().put_rank(goes_on(later(start, time), number, activity), self.group);
        false
    }
}
