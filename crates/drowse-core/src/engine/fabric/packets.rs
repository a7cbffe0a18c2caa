//! The network of packets: NICs that segment messages, switches, and links that sleep.

use crate::engine::endpoint::fabric::Fabric;
use crate::engine::endpoint::message::MessageSlab;
use crate::engine::event::Events;
use crate::engine::fabric::nic::Nics;
use crate::engine::switch::switches::Switches;
use crate::power::Policy;

/// The NICs, switches and links of a shard.
pub struct PacketFabric<'a, P: Policy> {
    /// Its switches and channels.
    pub switches: Switches<'a, P>,
    /// Its NICs.
    pub nics: Nics,
}

impl<P: Policy> Fabric for PacketFabric<'_, P> {
    #[inline]
    fn events(&mut self) -> &mut Events {
        &mut self.switches.events
    }

    #[inline]
    fn messages(&mut self) -> &mut MessageSlab {
        &mut self.nics.messages
    }

    #[inline]
    fn next_sequence(&mut self, node: u32) -> u32 {
        self.nics.next_sequence(node)
    }

    #[inline]
    fn send(&mut self, message: u32, t: u64) {
        self.nics.send(&mut self.switches, message, t);
    }

    #[inline]
    fn send_segmented(&mut self, message: u32, t: u64) {
        self.nics.send_segmented(&mut self.switches, message, t);
    }

    #[inline]
    fn wake_delay_of_send(&mut self, rank: u32, send: u32) -> u64 {
        self.nics.slept.remove(&(rank, send)).unwrap_or(0)
    }
}
