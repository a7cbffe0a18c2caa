//! How packets fall behind each other at clock edges, where a packet does not take a whole number of clock periods.
//!
//! A switch grants at the edges of its clock. The first packet of a message waits for one, and so does each other; the
//! later ones wait for a little more or less, and what one has waited more all behind it have. After some packets, as
//! many as bring the same edges again, it becomes no more.

use crate::power::Policy;

use super::fabric::FlowFabric;

/// So many packets are followed at most; those behind them fall behind as the last of these.
const MOST: u64 = 65_536;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Prepares for how the packets of a flow fall behind each other, from its pivot on.
    pub(super) fn find_drift(&mut self, id: u32) {
        self.flows.starts.clear();
        let (flow, passages) = (&self.flows.flows[id], &self.flows.passages);
        let pivot = usize::from(flow.pivot);
        let rate = passages.rate(flow, pivot);
        let levels = flow.levels.len() - pivot;
        let alike = (pivot..flow.levels.len()).all(|level| passages.rate(flow, level) == rate);
        if flow.steps.len() != flow.levels.len() || !alike {
            return;
        }
        let period = self.under.switches.events.clock.period();
        let packet = passages.time(flow, pivot, passages.packet_flits);
        if flow.packets < 2 || packet.is_multiple_of(period) {
            return;
        }
        let same_again = period / gcd(packet, period);
        let count = flow.packets.min(same_again * levels as u64).min(MOST);
        let class = &self.under.switches.links.classes[usize::from(flow.levels[pivot].class)];
        let at = flow.levels[pivot].at;
        self.flows.starts.extend((0..count).map(|packet| at + class.time_of(packet * passages.packet_flits)));
        self.flows.drifted = flow.pivot;
    }

    /// Returns by how much the last packet of a flow has fallen behind at a level, one after the other from the pivot
    /// on.
    pub(super) fn drift_at(&mut self, id: u32, level: usize) -> u64 {
        if self.flows.starts.is_empty() {
            return 0;
        }
        while usize::from(self.flows.drifted) < level {
            self.go_on(id);
        }
        let flow = &self.flows.flows[id];
        let class = &self.under.switches.links.classes[usize::from(flow.levels[level].class)];
        let last = self.flows.starts.len() - 1;
        let undisturbed = flow.levels[level].at + class.time_of(last as u64 * self.flows.passages.packet_flits);
        self.flows.starts[last].saturating_sub(undisturbed)
    }

    /// Lets the packets of a flow go by the next level.
    fn go_on(&mut self, id: u32) {
        self.flows.drifted += 1;
        let level = usize::from(self.flows.drifted);
        let (flow, passages) = (&self.flows.flows[id], &self.flows.passages);
        let packet = passages.packet_flits;
        let hop = passages.hop(flow, level - 1);
        // What comes as a whole comes the sooner the shorter it is, as the last packet may be.
        let stored = |flits| if passages.stores { passages.time(flow, level, flits) } else { 0 };
        let (of_others, of_last) = (stored(packet), stored(passages.last(flow)));
        let last = flow.packets - 1;
        let crossing = passages.crossing;
        let class = &self.under.switches.links.classes[usize::from(flow.levels[level].class)];
        let clock = self.under.switches.events.clock;
        let edge = |t: u64| clock.edge(clock.first_from(t)).time;
        let first = flow.levels[level].at;
        let mut before = first;
        for (packets, start) in (0..).zip(&mut self.flows.starts) {
            let follows = if packets == 0 { first } else { before + class.time_of(packet) };
            let stored = if packets == last { of_last } else { of_others };
            let comes = edge(edge(*start + stored + hop) + crossing);
            *start = comes.max(follows);
            before = *start;
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
