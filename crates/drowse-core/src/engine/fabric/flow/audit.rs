//! Checks laws of flows during a run in audit mode. A violation is a defect of ours, so it panics.
//!
//! Bytes are conserved: a route brings to its end what it takes from its NIC, and leaves at each switch what it brings
//! there; all of a flow has moved when it ends; the bytes counted on a channel are the sum over the flows that went by
//! it. Rates keep their definition, whatever was solved anew. Channels are on that carry something, and what counts as
//! their use are the flows that use them.

use drowse_flows::DENOMINATOR;

use crate::engine::link::channel::Channel;
use crate::power::Policy;

use super::agenda::Due;
use super::fabric::FlowFabric;
use super::ledger::Ledger;
use super::slab::{Flow, REST};

/// So many solves are followed by a check of all rates, for each flow that there is: an audit takes a few times as long
/// as the run then.
const SOLVES_PER_FLOW: usize = 8;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Checks the route of a flow that begins.
    pub(super) fn audit_route(&mut self, id: u32) {
        let Some(ledger) = &mut self.flows.ledger else { return };
        let flow = &self.flows.flows[id];
        ledger.begun += flow.flits;
        self.audit_levels(&self.flows.flows[id]);
    }

    /// Checks that what comes to each switch by the channels of a level leaves by those of the next, or has come to
    /// its last switch.
    pub(super) fn audit_levels(&self, flow: &Flow) {
        if self.flows.ledger.is_none() {
            return;
        }
        let (switches, last) = (&self.under.switches, flow.levels.len() - 1);
        let shares =
            |level: usize| flow.steps[flow.steps_of(level)].iter().map(|step| u64::from(step.share)).sum::<u64>();
        let all = u64::from(DENOMINATOR);
        assert_eq!((shares(0), shares(last)), (all, all), "a flow begins and ends with another volume: {flow:?}");
        let (network, ports) = (switches.network, switches.partition.ports());
        let from = |channel: u32| {
            network.port_switch(switches.partition.all_ports.whole(channel - switches.partition.outputs) as usize)
        };
        let mut at = Vec::new();
        for level in 1..last {
            let mut came: Vec<(u32, i64)> = std::mem::take(&mut at);
            for step in &flow.steps[flow.steps_of(level)] {
                assert!(step.channel < ports, "a NIC's channel is within a route: {flow:?}");
                let port = switches.partition.all_ports.whole(step.channel - switches.partition.outputs);
                let to = network.port_switch(network.peer[port as usize] as usize);
                at.push((to, i64::from(step.share)));
                came.push((from(step.channel), -i64::from(step.share)));
            }
            if level > 1 {
                came.sort_unstable();
                let stays = came.chunk_by(|a, b| a.0 == b.0).map(|of| of.iter().map(|(_, share)| share).sum::<i64>());
                let stays: Vec<i64> = stays.filter(|&sum| sum != 0).collect();
                assert!(
                    stays.len() <= 1 && stays.iter().all(|&sum| sum > 0),
                    "a switch sends what has not come: {flow:?}"
                );
                at.extend(stays.first().map(|&sum| (self.last_switch(flow), sum)));
            }
        }
    }

    /// Returns the switch at which a flow leaves the network.
    fn last_switch(&self, flow: &Flow) -> u32 {
        let to = self.under.nics.messages[flow.message].to_node;
        self.under.switches.network.node_switch[to as usize]
    }

    /// Counts flits of a flow that have gone by a level once more.
    pub(super) fn audit_sent(&mut self, id: u32, level: usize, flits: u64) {
        let Some(ledger) = &mut self.flows.ledger else { return };
        let since = self.under.switches.links.since;
        if ledger.since != since {
            ledger.since = since;
            ledger.crossed.fill((0, 0));
        }
        let flow = &self.flows.flows[id];
        for step in &flow.steps[flow.steps_of(level)] {
            let (volume, times) = &mut ledger.crossed[step.channel as usize];
            *volume += u128::from(flits) * u128::from(step.share);
            *times += 1;
            let counted = u128::from(self.under.switches.links.hot[step.channel as usize].flits);
            let rounding = u128::from(DENOMINATOR) * u128::from(*times);
            let difference = (counted * u128::from(DENOMINATOR)).abs_diff(*volume);
            assert!(difference <= rounding, "channel {} counts other bytes than its flows", step.channel);
        }
    }

    /// Checks a flow that ends.
    pub(super) fn audit_end(&mut self, id: u32) {
        let Some(ledger) = &mut self.flows.ledger else { return };
        let flow = &self.flows.flows[id];
        ledger.ended += flow.flits;
        assert!(flow.left == 0 && flow.slot == REST, "a flow ends before all of it has moved: {flow:?}");
    }

    /// Checks all flows at the end of an instant at time `t`, after rates have been solved.
    pub(super) fn audit(&mut self, t: u64) {
        let Some(mut ledger) = self.flows.ledger.take() else { return };
        ledger.solves += 1;
        if ledger.solves * SOLVES_PER_FLOW >= self.flows.live() {
            ledger.solves = 0;
            if let Some(broken) = self.flows.rates.broken() {
                panic!("rates at {t} ps: {broken}");
            }
            self.audit_use(&ledger, t);
        }
        self.flows.ledger = Some(ledger);
    }

    /// Checks what is under way, which channels it uses, and that these are on.
    fn audit_use(&self, ledger: &Ledger, t: u64) {
        let (flows, links) = (&self.flows, &self.under.switches.links);
        let mut under_way = 0;
        let mut users = vec![0; flows.users.len()];
        for flow in flows.flows.iter() {
            under_way += flow.flits;
            let asks = usize::from(flow.stage) + usize::from(flow.asked != u64::MAX);
            for level in usize::from(flow.gone)..asks {
                for step in &flow.steps[flow.steps_of(level)] {
                    let (channel, sleeps) = (step.channel as usize, flow.levels[level].sleeps);
                    if sleeps && links.hot[channel].has(Channel::SLEEPS) {
                        users[channel] += 1;
                        let path = flow.steps_of(level).len() == 1;
                        let passed = path && level < usize::from(flow.stage) && flow.slot != REST;
                        assert!(!passed || links.is_on(channel, t), "channel {channel} is used and not on at {t} ps");
                    }
                }
            }
        }
        for due in flows.agenda.iter() {
            if let Due::Leaves { channel } = due {
                users[channel as usize] += 1;
            }
        }
        assert_eq!(ledger.begun - ledger.ended, under_way, "bytes are lost at {t} ps");
        assert_eq!(users, flows.users, "channels are in use by other flows at {t} ps");
    }
}
