//! Checks the conservation laws between two buckets. A violation is a defect of ours, so it panics.

use crate::ids::ChannelId;
use crate::power::Policy;
use crate::topology::End;

use super::channel::Channel;
use super::fabric::Fabric;

/// Checks packets and credits; the channels' residencies are checked when they are read.
///
/// # Panics
///
/// Panics when packets injected differ from those delivered and in flight, or credits and occupancy from capacity.
pub fn check<P: Policy>(fabric: &Fabric<P>, capacity: u16, injected: u64, delivered: u64) {
    let in_flight = u64::from(fabric.packets.live());
    assert_eq!(injected, delivered + in_flight, "packets injected = delivered + in flight");
    let vcs = fabric.vcs;
    let mut occupied = vec![0u64; fabric.network.ports() as usize * vcs];
    for packet in fabric.packets.iter() {
        occupied[packet.port as usize * vcs + usize::from(packet.vc)] += u64::from(packet.flits);
    }
    for channel in 0..fabric.network.channels() {
        let hot = &fabric.channels.hot[channel as usize];
        let End::Port(port) = fabric.network.target(ChannelId(channel)) else { continue };
        debug_assert!(!hot.has(Channel::EJECTS));
        for vc in 0..vcs {
            let returning = fabric.channels.credits_under_way(channel as usize);
            let returning: u64 = returning.filter(|(v, _)| usize::from(*v) == vc).map(|(_, f)| u64::from(f)).sum();
            let sum = u64::from(hot.credits[vc]) + returning + occupied[port.index() * vcs + vc];
            assert_eq!(sum, u64::from(capacity), "credits + occupancy = capacity, channel {channel}, vc {vc}");
        }
    }
}
