//! What a shard records over time, where a probe wants it.

use super::shard::Shard;
use crate::engine::endpoint::ranks::Ranks;
use crate::measure::over_time::{ChannelGroups, LinksOverTime};
use crate::measure::series::{IntervalLength, Series};
use crate::power::Policy;

impl<P: Policy> Shard<'_, P> {
    /// Records what its channels and its ranks do over time, before the run begins.
    pub(crate) fn record_over_time(&mut self, length: IntervalLength, groups: Option<&ChannelGroups>) {
        let switches = &mut self.fabric.switches;
        let classes = switches.network.classes.len();
        let links = match groups {
            None => LinksOverTime::new(length, classes),
            Some(ChannelGroups { count, of }) => {
                let of_channel = |channel| of[switches.partition.channel_id(switches.network, channel).index()];
                let of_shard = (0..switches.partition.channels()).map(of_channel).collect();
                LinksOverTime::by_group(length, classes, (*count, of_shard))
            }
        };
        switches.links.over_time = Some(Box::new(links));
        self.ranks_mut().into_iter().for_each(|ranks| ranks.record_load(length));
    }

    /// Takes what was recorded of its channels and its ranks over time.
    pub(crate) fn take_over_time(&mut self) -> Option<(Series, Option<Series>)> {
        let links = self.fabric.switches.links.over_time.take()?;
        Some((links.into_series(), self.ranks_mut().and_then(Ranks::take_load)))
    }
}
