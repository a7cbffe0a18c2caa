//! What is counted of channels and lanes in the measured time.

use crate::engine::link::lanes::Lanes;
use crate::engine::link::links::Links;
use crate::engine::link::snapshot::Snapshot;
use crate::model::units::Time;
use crate::power::Policy;

use super::trunks::Trunks;

impl Trunks {
    /// Returns when a channel or some of its lanes were last woken.
    pub fn last_woken<P: Policy>(&self, links: &Links<P>) -> u64 {
        self.lanes.iter().map(Lanes::settled).fold(links.last_settled(), u64::max)
    }

    /// Begins to count anew at time `t` what channels do.
    pub fn count_from<P: Policy>(&mut self, links: &mut Links<P>, t: u64) {
        for trunk in 0..self.all.len() {
            let sent = self.flits_sent(links, trunk);
            let before = &mut self.all[trunk].sent;
            *before = before.wrapping_sub(sent);
        }
        for trunk in &self.all {
            let port = self.ports[trunk.first as usize] as usize;
            if let (Some(place), Some(states)) = (trunk.lanes, links.class(port).states) {
                self.lanes[place as usize].count_from(t, &states);
            }
        }
        links.count_from(t);
    }

    /// Ends what is counted at time `t`, and returns what all channels have done from the first that is a link on; to be
    /// called once.
    pub fn snapshot<P: Policy>(&mut self, links: &mut Links<P>, first: u32, t: u64) -> Snapshot {
        let measured = Time(t - links.since);
        let records = (first as usize..links.hot.len()).map(|channel| {
            let mut record = links.record(channel, t);
            // A channel whose lanes are governed is a trunk of its own.
            let trunk = self.of.get(channel).and_then(|&trunk| self.all.get(trunk as usize));
            let lanes = trunk.and_then(|trunk| trunk.lanes);
            if let (Some(place), Some(states)) = (lanes, links.class(channel).states) {
                let (lanes, class) = (&mut self.lanes[place as usize], links.hot[channel].class);
                if let Some(over_time) = &mut links.over_time
                    && let Some(group) = over_time.group(channel, class)
                {
                    lanes.account_by_interval(t, &states, group, over_time);
                }
                lanes.record(t, &states, &mut record);
            }
            record
        });
        let snapshot = Snapshot::new(measured, records);
        links.over_time.iter_mut().for_each(|over_time| over_time.end(t));
        links.wake_log.iter_mut().for_each(|log| log.end());
        snapshot
    }
}
