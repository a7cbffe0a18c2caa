//! How long channels must be on for what comes to them.
//!
//! A flow shares all channels of its route from its first bit on, although its bits come to the later ones later. So
//! flows that come by unequal ways may pass a channel together, at more than its bandwidth. The channel is on for as
//! long as it takes for them, one after the other.

use drowse_flows::DENOMINATOR;

use crate::engine::event::node::later;
use crate::engine::link::channel::Channel;
use crate::model::units::Time;
use crate::power::Policy;

use super::fabric::FlowFabric;
use super::volume::time_for;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Adds what comes of a flow to the channels of a level from time `t` on: so much of it.
    pub(super) fn add_work(&mut self, id: u32, level: usize, (volume, t): (u128, u64)) {
        self.change_work(id, level, volume, |work, time, awake_at| {
            // A part that goes by a channel that wakes goes by it later than the others by theirs.
            *work = later((*work).max(t).max(awake_at), Time(time));
        });
    }

    /// Takes back so much of a flow that does not come to the channels of a level.
    pub(super) fn take_work(&mut self, id: u32, level: usize, volume: u128) {
        self.change_work(id, level, volume, |work, time, _| *work = work.saturating_sub(time));
    }

    fn change_work(&mut self, id: u32, level: usize, volume: u128, change: impl Fn(&mut u64, u64, u64)) {
        let flow = &self.flows.flows[id];
        if !flow.levels[level].sleeps {
            return;
        }
        let rate = self.flows.passages.rate(flow, level);
        for step in &flow.steps[flow.steps_of(level)] {
            let channel = &self.under.switches.links.hot[step.channel as usize];
            if channel.has(Channel::SLEEPS) {
                let time = time_for(volume * u128::from(step.share) / u128::from(DENOMINATOR), rate);
                change(&mut self.flows.work[step.channel as usize], time, channel.awake_at);
            }
        }
    }
}
