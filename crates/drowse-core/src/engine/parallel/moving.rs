//! A shard in which flows move in place of packets.

use crate::engine::control::wakeups;
use crate::engine::endpoint::ranks::Ranks;
use crate::engine::event::node::Phase;
use crate::engine::fabric::FlowFabric;
use crate::engine::fabric::flow::{Flows, Governed};
use crate::engine::parallel::shard::Shard;
use crate::power::Policy;

impl<P: Policy> Shard<'_, P> {
    /// Lets flows move in place of packets.
    pub(crate) fn with_flows(mut self, mut flows: Flows) -> Self {
        if self.ideal.is_none() {
            flows.governed = Governed::new(self.trunks.all_ports());
            flows.is_kept = !flows.governed.is_empty()
                || self.sources.open_loop.is_some()
                || self.ranks().is_some_and(Ranks::have_jobs_again);
            self.flows = Some(Box::new(flows));
        }
        self
    }

    /// Returns whether messages move as a whole, and not in packets.
    pub(super) fn moves_whole(&self) -> bool {
        self.ideal.is_some() || self.flows.is_some()
    }

    /// Counts what flows have sent until time `t`, where some are under way.
    pub(crate) fn count_flows(&mut self, t: u64) {
        if let Some(flows) = self.flows.as_mut().filter(|flows| flows.live() > 0) {
            FlowFabric::of(flows, &mut self.fabric).count_all(t);
        }
    }

    /// Lets flows move on at time `t`.
    #[inline(never)]
    pub(super) fn move_flows(&mut self, phase: Phase, t: u64) {
        let Some(flows) = &mut self.flows else { return };
        let mut fabric = FlowFabric::of(flows, &mut self.fabric);
        match phase {
            Phase::Flow => fabric.happen(t),
            _ => fabric.end_instant(t),
        }
        while let Some(port) = self.fabric.switches.outgoing.on_trunks.pop() {
            self.trunks.used_by_flow(&mut self.fabric.switches, port);
        }
    }

    /// Acts on what controls links, where flows move: what trunks have sent is counted before they are examined.
    #[inline(never)]
    pub(super) fn act_on_trunks(&mut self) {
        let Some(flows) = &mut self.flows else { return };
        FlowFabric::of(flows, &mut self.fabric).count_due(&mut self.trunks.waits);
        wakeups::act(&mut self.trunks, &mut self.fabric.switches);
        FlowFabric::of(flows, &mut self.fabric).plan_spread();
    }
}
