//! A shard in which flows move in place of packets.

use crate::engine::event::node::Phase;
use crate::engine::fabric::FlowFabric;
use crate::engine::fabric::flow::Flows;
use crate::engine::parallel::shard::Shard;
use crate::power::Policy;

impl<P: Policy> Shard<'_, P> {
    /// Lets flows move in place of packets.
    pub(crate) fn with_flows(mut self, flows: Flows) -> Self {
        if self.ideal.is_none() {
            self.flows = Some(Box::new(flows));
        }
        self
    }

    /// Returns whether messages move as a whole, and not in packets.
    pub(super) fn moves_whole(&self) -> bool {
        self.ideal.is_some() || self.flows.is_some()
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
    }
}
