//! What of flows has gone by each channel, counted as flits and packets.
//!
//! A flow is counted when it has been delivered, and where a measured time begins or ends, or a trunk is examined, while
//! it is under way: what has gone by each channel until then. A head runs ahead of the clock over channels that do not
//! sleep, so what is counted follows from times and not from how far the head is.

use drowse_flows::DENOMINATOR;

use crate::power::Policy;

use super::fabric::FlowFabric;
use super::slab::Flow;
use super::volume::{bytes_of, moved};

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Counts what of all flows has gone by channels until time `t`.
    pub fn count_all(&mut self, t: u64) {
        (0..self.flows.flows.ids()).for_each(|id| self.count_flow(id, t));
    }

    /// Counts what of a flow has gone by its channels until time `t`.
    pub(super) fn count_flow(&mut self, id: u32, t: u64) {
        for level in 0..self.flows.flows[id].levels.len() {
            let volume = passed(&self.flows.flows[id], level, t);
            self.count_sent(id, level, bytes_of(volume) / self.flows.passages.flit);
        }
    }

    /// Counts a flow that has been delivered on all its channels.
    pub(super) fn count_whole(&mut self, id: u32) {
        for level in 0..self.flows.flows[id].levels.len() {
            self.count_sent(id, level, u64::MAX);
        }
    }

    /// Counts so many flits of a flow, those counted before included, and their packets on the channels of a level.
    pub(super) fn count_sent(&mut self, id: u32, level: usize, flits: u64) {
        let packet_flits = self.flows.passages.packet_flits;
        let flow = &mut self.flows.flows[id];
        let before = flow.levels[level].sent;
        // A packet counts when it begins, as a whole.
        let after = flits.div_ceil(packet_flits).saturating_mul(packet_flits).min(flow.flits).max(before);
        if after == before {
            return;
        }
        flow.levels[level].sent = after;
        let new = after - before;
        let new_packets = after.div_ceil(packet_flits) - before.div_ceil(packet_flits);
        let part = |of: u64, share: u64| (u128::from(of) * u128::from(share) / u128::from(DENOMINATOR)) as u64;
        let (mut share, flow) = (0, &self.flows.flows[id]);
        for step in &flow.steps[flow.steps_of(level)] {
            let until = share + u64::from(step.share);
            let hot = &mut self.under.switches.links.hot[step.channel as usize];
            hot.packets += part(new_packets, until) - part(new_packets, share);
            hot.flits += part(new, until) - part(new, share);
            share = until;
        }
        // Parts that have come to their last switch by fewer hops do not go by this level.
        let packets = part(new_packets, share);
        self.under.nics.injected += if level == 0 { packets } else { 0 };
        self.under.switches.hops += if level > 0 { packets } else { 0 };
        self.flows.delivered += if level + 1 == flow.levels.len() { packets } else { 0 };
        self.audit_sent(id, level, new);
    }
}

/// Returns the volume of a flow that has gone by a level until time `t`.
///
/// Behind its pivot comes what had gone by this as much earlier as the head did; where the flow has become faster since,
/// less is counted than has come, by no more than it moves in that time. Before the pivot, buffers have filled.
pub fn passed(flow: &Flow, level: usize, t: u64) -> u128 {
    let at = flow.levels[level].at;
    if level >= usize::from(flow.stage) || at >= t {
        return 0;
    }
    if level < usize::from(flow.gone) {
        // What is under way behind it.
        return flow
            .volume
            .saturating_sub(moved(flow.levels[level].rate, flow.levels[level].gone_at.saturating_sub(t)));
    }
    let pivot = usize::from(flow.pivot);
    let delay = if level > pivot { at.saturating_sub(flow.levels[pivot].at) } else { 0 };
    let gone_by_pivot = flow.volume - flow.left.saturating_sub(moved(flow.rate, t.saturating_sub(flow.counted)));
    let behind = if level < pivot { flow.room(level, pivot) } else { 0 };
    let up_to_head = if flow.held { flow.room(level, flow.stage.into()) } else { 0 };
    let here = (gone_by_pivot + behind).saturating_sub(moved(flow.alone, delay)).max(up_to_head);
    here.min(flow.volume).min(moved(flow.rate_until(level), t - at))
}
