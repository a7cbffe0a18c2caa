//! How long channels must be on for what comes to them.
//!
//! A flow shares all channels of its route from its first bit on, although its bits come to the later ones later. So
//! flows that come by unequal ways may pass a channel together, at more than its bandwidth. The channel is on for as
//! long as it takes for them, one after the other: for whole flits, as they are counted on it. A flow whose last bit
//! would have passed it before it can have sent them leaves it then, and comes as much later to what lies behind.

use drowse_flows::DENOMINATOR;

use crate::engine::event::node::later;
use crate::engine::link::channel::Channel;
use crate::model::units::Time;
use crate::power::Policy;

use super::agenda::Due;
use super::come::Come;
use super::fabric::FlowFabric;
use super::flows::Flows;
use super::volume::{of_bytes, time_for};

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Adds to the channels of a level what of a flow has not been counted there: it comes from time `t` on.
    pub(super) fn add_work(&mut self, id: u32, level: usize, t: u64) {
        let flow = &mut self.flows.flows[id];
        if !flow.levels[level].sleeps {
            return;
        }
        let flits = flow.flits - flow.levels[level].sent;
        flow.levels[level].coming = flits;
        self.change_work(id, level, flits, |work, time, awake_at| {
            // A part that goes by a channel that wakes goes by it later than the others by theirs.
            work.until = later(work.until.max(t).max(awake_at), Time(time));
            work.coming = work.coming.saturating_add(time);
        });
    }

    /// Takes back from the channels of a level what of a flow has not been counted there: it does not come.
    pub(super) fn take_work(&mut self, id: u32, level: usize) {
        let flow = &self.flows.flows[id];
        if flow.levels[level].sleeps {
            let flits = flow.flits - flow.levels[level].sent;
            self.change_work(id, level, flits, |work, time, _| work.until = work.until.saturating_sub(time));
            self.all_has_come(id, level);
        }
    }

    /// Plans that the last bit of a flow, which could pass a level at a time, leaves its channels, some of which may
    /// sleep. Returns when it passes the level: no sooner than these can have sent all that has come to them, but for
    /// what may still be coming of other flows.
    pub(super) fn leave_channels(&mut self, id: u32, level: usize, mut at: u64) -> u64 {
        self.all_has_come(id, level);
        let Flows { flows, work, agenda, routes, .. } = &mut *self.flows;
        let steps = &flows[id].steps[flows[id].steps_of(level)];
        let hot = &self.under.switches.links.hot;
        for step in steps.iter().filter(|step| routes.may_sleep(hot[step.channel as usize].class)) {
            let work = work[step.channel as usize];
            at = at.max(work.until.saturating_sub(work.coming));
        }
        for step in steps.iter().filter(|step| hot[step.channel as usize].has(Channel::SLEEPS)) {
            agenda.put(at, Due::Leaves { channel: step.channel });
        }
        at
    }

    /// Notes that it is known when a flow leaves the channels of a level.
    fn all_has_come(&mut self, id: u32, level: usize) {
        let flits = self.flows.flows[id].levels[level].coming;
        self.change_work(id, level, flits, |work, time, _| work.coming = work.coming.saturating_sub(time));
    }

    /// Changes what has come to the channels of a level by so many flits of a flow.
    fn change_work(&mut self, id: u32, level: usize, flits: u64, change: impl Fn(&mut Come, u64, u64)) {
        let Flows { flows, work, passages, .. } = &mut *self.flows;
        let flow = &flows[id];
        for step in &flow.steps[flow.steps_of(level)] {
            let place = step.channel as usize;
            let channel = &self.under.switches.links.hot[place];
            if channel.has(Channel::SLEEPS) {
                // No more than these are counted: a share of flits that is no whole number may count as one more.
                let part = (u128::from(flits) * u128::from(step.share)).div_ceil(u128::from(DENOMINATOR)) as u64;
                let time = time_for(of_bytes(part * passages.flit), passages.of(channel.class).rate);
                change(&mut work[place], time, channel.awake_at);
            }
        }
    }
}
