//! Checks that credits are conserved.

use crate::power::Policy;

use crate::engine::switch::switches::Switches;

/// Checks the credits of a partition; packets are counted over all partitions, residencies when they are read. The
/// capacities are those of a virtual channel of an input, and of an output.
///
/// # Panics
///
/// Panics when credits and occupancy differ from capacity.
pub fn check<P: Policy>(switches: &Switches<P>, capacities: [u16; 2]) {
    let vcs = switches.layout.vcs;
    let mut occupied = vec![0u64; switches.buffers.queues.len()];
    for packet in switches.buffers.packets.iter() {
        occupied[switches.layout.buffer_of(packet.place) as usize] += u64::from(packet.flits);
    }
    let ports = switches.partition.ports();
    let mut returning = vec![0u64; vcs];
    for channel in 0..switches.partition.channels() {
        let hot = &switches.links.hot[channel as usize];
        let port = switches.partition.leads_to(channel);
        let capacity = capacities[usize::from(switches.partition.crosses(channel as usize))];
        // Nodes take everything; the credits of a channel between partitions lie on both sides.
        if port >= ports {
            continue;
        }
        let dropper = switches.dropper.as_ref().filter(|_| !switches.partition.crosses(channel as usize));
        if let Some(dropper) = dropper {
            for vc in 0..vcs as u8 {
                let queued = switches.layout.queues_of(port, vc).flat_map(|place| switches.buffers.in_queue(place));
                let queued: u64 = queued.map(|id| u64::from(switches.buffers.packets[id].flits)).sum();
                let held = u64::from(dropper.held(port, vc, &switches.layout));
                assert_eq!(held, queued, "what a port holds, channel {channel}, vc {vc}");
                assert!(held <= 2 * u64::from(capacity), "more than there is room for, channel {channel}, vc {vc}");
            }
            continue;
        }
        returning.fill(0);
        for (vc, flits) in switches.links.credits_under_way(channel as usize) {
            returning[usize::from(vc)] += u64::from(flits);
        }
        for (vc, returning) in returning.iter().enumerate() {
            let occupied = occupied[switches.layout.queue_of(port, vc as u8) as usize];
            if let Some(held) = switches.links.held(channel as usize, vc as u8) {
                assert_eq!(held, occupied, "what a sender knows of the queue, channel {channel}, vc {vc}");
                assert!(occupied <= u64::from(capacity), "a sender has paused too late, channel {channel}, vc {vc}");
                continue;
            }
            let sum = u64::from(hot.credits(vc)) + returning + occupied;
            assert_eq!(sum, u64::from(capacity), "credits + occupancy = capacity, channel {channel}, vc {vc}");
        }
    }
}
