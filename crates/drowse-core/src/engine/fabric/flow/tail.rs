//! When the last bit of a flow passes the channels behind that at which it is known.

use crate::power::Policy;

use super::fabric::FlowFabric;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Returns when the last bit of a flow could pass a level, which is its pivot or comes after it; that of the level
    /// before is known.
    ///
    /// It comes as much later than at the pivot as the head did. By a channel that is faster than one before it, it
    /// goes as soon as it has come.
    pub(super) fn tail_at(&mut self, id: u32, level: usize) -> u64 {
        let drift = self.drift_at(id, level);
        let (flow, passages) = (&self.flows.flows[id], &self.flows.passages);
        let pivot = usize::from(flow.pivot);
        if level == pivot {
            return flow.ended;
        }
        let slowest = (pivot..level).map(|level| passages.rate(flow, level)).min().unwrap_or(u64::MAX);
        if passages.rate(flow, level) <= slowest {
            return flow.ended + (flow.levels[level].at - flow.levels[pivot].at) + drift;
        }
        let last = passages.last(flow);
        let [before, here] = [level - 1, level].map(|level| passages.time(flow, level, last));
        let comes = flow.tail.saturating_sub(flow.shift) + passages.hop(flow, level - 1);
        let head = if passages.stores { comes } else { comes.saturating_sub(before) };
        let goes = self.edge(self.edge(head) + passages.crossing) + here;
        // Parts by several ways have one head, which may go by later than what it follows from here.
        goes.max(comes).max(flow.levels[level].at + here)
    }
}
