//! Recording what the ranks of a shard do over time.

use crate::measure::over_time::RANKS;
use crate::measure::series::{IntervalLength, Series};

use super::ranks::Ranks;

impl Ranks {
    /// Records what these ranks do over time from now on.
    pub fn record_load(&mut self, length: IntervalLength) {
        self.load = Some(Box::new(Series::new(length, RANKS)));
        self.ranks.iter_mut().for_each(|rank| rank.load = Some(Box::default()));
    }

    /// Adds the times of a rank to the sums.
    pub(super) fn add_load(&mut self, number: u32) {
        if let Some(mut sums) = self.load.take() {
            self.rank(number).load.iter_mut().for_each(|load| load.add_to(&mut sums));
            self.load = Some(sums);
        }
    }

    /// Takes what was recorded.
    pub fn take_load(&mut self) -> Option<Series> {
        let mut sums = self.load.take()?;
        self.ranks.iter_mut().flat_map(|rank| &mut rank.load).for_each(|load| load.add_to(&mut sums));
        Some(*sums)
    }
}
