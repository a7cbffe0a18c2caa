//! For which wakes messages waited, where a probe wants it.

use crate::engine::endpoint::ranks::Ranks;
use crate::measure::wakes::{WakeLog, Wakes};
use crate::power::Policy;

use super::shard::Shard;

impl<P: Policy> Shard<'_, P> {
    /// Records for which wakes messages wait, before the run begins.
    pub(crate) fn record_wakes(&mut self) {
        self.fabric.switches.links.wake_log = Some(Box::new(WakeLog::default()));
        self.ranks_mut().into_iter().for_each(Ranks::record_causes);
    }

    /// Names the messages that have just waited for wakes, while they are here.
    #[inline]
    pub(super) fn name_waiting(&mut self) {
        if let Some(log) = &mut self.fabric.switches.links.wake_log {
            // Packets of open-loop traffic have no message here, and those of nodes that answer each other name none.
            let messages = self.fabric.nics.transports.is_none().then_some(&self.fabric.nics.messages);
            log.name(|id| messages?.name(id));
        }
    }

    /// Takes what was recorded of wakes.
    pub(crate) fn take_wakes(&mut self) -> Wakes {
        let switches = &mut self.fabric.switches;
        let (partition, network) = (&switches.partition, switches.network);
        let whole = |channel| partition.channel_id(network, channel).0;
        let log = switches.links.wake_log.as_mut();
        let mut wakes = log.map(|log| log.take(whole)).unwrap_or_default();
        wakes.causes = self.ranks_mut().map(Ranks::take_causes).unwrap_or_default();
        wakes
    }
}
