//! Checks the conservation laws between two buckets. A violation is a defect of ours, so it panics.

use crate::power::Policy;

use super::fabric::Fabric;

/// Checks the credits of a part; packets are counted over all parts, residencies when they are read.
///
/// # Panics
///
/// Panics when credits and occupancy differ from capacity.
pub fn check<P: Policy>(fabric: &Fabric<P>, capacity: u16) {
    let vcs = fabric.vcs;
    let mut occupied = vec![0u64; fabric.queues.len()];
    for packet in fabric.packets.iter() {
        occupied[packet.place as usize] += u64::from(packet.flits);
    }
    let ports = fabric.part.ports();
    for channel in 0..fabric.part.channels() {
        let hot = &fabric.channels.hot[channel as usize];
        let port = match channel.checked_sub(ports) {
            Some(node) => fabric.part.node_port[node as usize],
            None => fabric.part.peer[channel as usize],
        };
        // Nodes take everything; credits of a channel that is cut lie on both sides.
        if port >= ports {
            continue;
        }
        for vc in 0..vcs {
            let returning = fabric.channels.credits_under_way(channel as usize);
            let returning: u64 = returning.filter(|(v, _)| usize::from(*v) == vc).map(|(_, f)| u64::from(f)).sum();
            let sum = u64::from(hot.credits(vc)) + returning + occupied[fabric.queue_of(port, vc as u8) as usize];
            assert_eq!(sum, u64::from(capacity), "credits + occupancy = capacity, channel {channel}, vc {vc}");
        }
    }
}
