//! How switches are dealt out to partitions.

use super::spans::Spans;
use crate::topology::geometry::levels::Levels;
use crate::topology::{Geometry, Network};

/// A node costs as much as this many ports: its messages are generated, received and segmented.
const NODE_IN_PORTS: u64 = 1;

/// Deals the switches out to at most `parts` partitions with about the same work: ports, and nodes besides.
///
/// Trees are cut into subtrees, with a share of the switches above them: a packet crosses from one to another at most
/// twice, far from its nodes. Other networks are cut into consecutive switches.
pub fn deal(network: &Network, parts: usize) -> Vec<Spans> {
    let switches = network.switches();
    if switches == 0 {
        return vec![Spans::default()];
    }
    let parts = parts.clamp(1, switches as usize);
    let dealt = match &network.geometry {
        Geometry::Levels(levels) => by_level(levels, parts),
        _ => consecutive(network, parts),
    };
    dealt.into_iter().filter(|spans| spans.count() > 0).collect()
}

/// Cuts each level of a tree into parts: a switch belongs to the part in which the leaves below it lie, if it is one.
fn by_level(levels: &Levels, parts: usize) -> Vec<Spans> {
    let counts = levels.blocks.iter().zip(&levels.width).map(|(&blocks, &width)| u64::from(blocks) * u64::from(width));
    let part = |i: u64| {
        let share = |first: &mut u64, count: u64| {
            let cut = |i: u64| (*first + count * i / parts as u64) as u32;
            let share = cut(i)..cut(i + 1);
            *first += count;
            Some(share)
        };
        Spans::new(counts.clone().scan(0, share))
    };
    (0..parts as u64).map(part).collect()
}

/// Cuts the row of all switches.
fn consecutive(network: &Network, parts: usize) -> Vec<Spans> {
    let (switches, parts) = (network.switches(), parts as u64);
    // Nodes are numbered in the order of their ports.
    let before = |port: u32| u64::from(port) + NODE_IN_PORTS * network.node_port.partition_point(|&p| p < port) as u64;
    let all = before(network.ports());
    let cut =
        |i: u64| network.first_port.partition_point(|&port| before(port) < all * i / parts).min(switches as usize);
    let cuts: Vec<u32> = (0..=parts).map(|i| if i == parts { switches } else { cut(i) as u32 }).collect();
    cuts.windows(2).map(|pair| Spans::one(pair[0]..pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::partition::Owners;
    use crate::model::ids::ChannelId;
    use crate::topology::{End, ThinTree, TopologySpec};

    /// Where the parts are subtrees, packets cross at the top only, by as few channels as can be.
    #[test]
    fn trees_are_cut_at_the_top() {
        let network = TopologySpec::Tree(ThinTree { down: 4, up: 4, levels: 3 }).build().unwrap();
        for parts in [2, 4] {
            let owners = Owners::new(&network, &deal(&network, parts));
            let crosses = |&port: &u32| match network.target(ChannelId(port)) {
                End::Port(to) => owners.of(port) != owners.of(to.0),
                End::Node(_) => false,
            };
            let crossing: Vec<u32> = (0..network.ports()).filter(crosses).collect();
            assert!(crossing.iter().all(|&port| network.channel_class(ChannelId(port)) == 2));
            // Each of the 16 switches at the top has one link to each of four subtrees, both ways.
            assert_eq!(crossing.len(), 2 * 16 * 4 * (parts - 1) / parts);
        }
    }
}
