//! What a run records on request: of ranks, and of links over time.

use std::sync::Arc;

use crate::measure::over_time::ChannelGroups;
use crate::measure::rank_waits::RankWaits;
use crate::measure::series::IntervalLength;
use crate::measure::timeline::{Excerpt, RankTimeline};
use crate::measure::wakes::Wakes;
use crate::power::Policy;

use super::endpoint::ranks::Ranks;
use super::parallel::shard::Shard;
use super::simulation::Simulation;

impl<P: Policy> Simulation<'_, P> {
    /// Records over time what the ranks of an excerpt do, before the run begins.
    pub fn record_ranks(&mut self, excerpt: &Arc<Excerpt>) {
        self.shards.iter_mut().filter_map(Shard::ranks_mut).for_each(|ranks| ranks.record(excerpt));
    }

    /// Counts the time of ranks by kind of operation, before the run begins.
    pub fn count_operations(&mut self) {
        self.shards.iter_mut().filter_map(Shard::ranks_mut).for_each(Ranks::count_operations);
    }

    /// Records for whom ranks wait, before the run begins.
    pub fn record_waits(&mut self) {
        self.shards.iter_mut().filter_map(Shard::ranks_mut).for_each(Ranks::record_waits);
    }

    /// Takes what was recorded of the waits of ranks in a run that is done, in the order of the ranks.
    pub fn take_waits(&mut self) -> Vec<RankWaits> {
        self.stop_ranks();
        let ranks = self.shards.iter_mut().filter_map(Shard::ranks_mut);
        let mut waits: Vec<RankWaits> = ranks.flat_map(Ranks::take_waits).collect();
        waits.sort_unstable_by_key(|waits| waits.rank);
        waits
    }

    /// Records for which wakes of links messages wait, before the run begins; for runs with a
    /// [probe](crate::power::Probe) before their policy.
    pub fn record_wakes(&mut self) {
        self.shards.iter_mut().for_each(Shard::record_wakes);
    }

    /// Takes what was recorded of wakes in a run that is done.
    pub fn take_wakes(&mut self) -> Wakes {
        Wakes::joined(self.shards.iter_mut().map(Shard::take_wakes))
    }

    /// Records what links and ranks do in each interval of the run, before it begins; for runs with a
    /// [probe](crate::power::Probe) before their policy.
    pub fn record_over_time(&mut self, length: IntervalLength) {
        self.record_over_time_by_group(length, None);
    }

    /// Does as [`Simulation::record_over_time`], where channels are summed up by other groups than their classes.
    pub fn record_over_time_by_group(&mut self, length: IntervalLength, groups: Option<&ChannelGroups>) {
        self.over_time = Some(length);
        self.shards.iter_mut().for_each(|shard| shard.record_over_time(length, groups));
    }

    /// Takes what was recorded of ranks in a run that is done, in their order.
    pub fn take_timelines(&mut self) -> Vec<RankTimeline> {
        self.stop_ranks();
        let ranks = self.shards.iter_mut().filter_map(Shard::ranks_mut);
        let mut timelines: Vec<RankTimeline> = ranks.flat_map(Ranks::take_timelines).collect();
        timelines.sort_unstable_by_key(|timeline| timeline.rank);
        timelines
    }
}
