//! Flows that wait behind the head of another, as packets of an input queue do.
//!
//! While a head waits for a channel to wake, those that come later by the channel before it wait, too, if their packets
//! would be on the same virtual channel. Which one that is, the numbers of messages tell: they take turns.

use crate::power::Policy;

use super::agenda::Due;
use super::blocks::LANES;
use super::fabric::FlowFabric;
use super::flows::Flows;
use super::slab::REST;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Returns the place of the queue in which the head of a flow is that asks for a level; `None` where nobody waits
    /// behind others, or at a NIC.
    fn queue_of(&self, id: u32, stage: usize) -> Option<usize> {
        let before = stage.checked_sub(1).filter(|_| !self.flows.blocks.heads.is_empty())?;
        let flow = &self.flows.flows[id];
        let channel = flow.steps[flow.steps_of(before).start].channel;
        let lane = flow.lane % u32::from(flow.levels[before].lanes.max(1));
        Some((channel * LANES + lane) as usize)
    }

    /// Returns whether the head of a flow waits behind that of another at time `t`, for it to be called when that goes.
    pub(super) fn is_blocked(&mut self, id: u32, t: u64) -> bool {
        let stage = usize::from(self.flows.flows[id].stage);
        let Some(queue) = self.queue_of(id, stage) else { return false };
        let head = self.flows.blocks.heads[queue];
        let flow = &mut self.flows.flows[id];
        if head == REST || head == id {
            let since = std::mem::replace(&mut flow.behind_since, u64::MAX);
            flow.waited_behind += t.saturating_sub(since);
            return false;
        }
        flow.behind_since = flow.behind_since.min(t);
        self.flows.blocks.behind.push((queue as u32, id));
        true
    }

    /// Lets others wait behind a flow whose head waits for the channels that it asks for.
    pub(super) fn block(&mut self, id: u32) {
        let stage = usize::from(self.flows.flows[id].stage);
        if let Some(queue) = self.queue_of(id, stage) {
            self.flows.blocks.heads[queue] = id;
        }
    }

    /// Calls those that wait behind a flow whose head goes by a level at time `t`.
    pub(super) fn unblock(&mut self, id: u32, stage: usize, t: u64) {
        let Some(queue) = self.queue_of(id, stage).filter(|&queue| self.flows.blocks.heads[queue] == id) else {
            return;
        };
        self.flows.blocks.heads[queue] = REST;
        let Flows { agenda, flows, blocks, .. } = &mut *self.flows;
        blocks.behind.retain(|&(place, flow)| {
            let calls = place as usize == queue;
            if calls {
                agenda.put(t, Due::Head { number: flows[flow].number, flow });
            }
            !calls
        });
    }
}
