//! How switches are assigned to partitions.

use std::cmp::Reverse;

use super::spans::Spans;
use crate::topology::geometry::grid::Grid;
use crate::topology::geometry::levels::Levels;
use crate::topology::{Geometry, Network};

/// A node costs as much as this many ports: its messages are generated, received and segmented.
const NODE_IN_PORTS: u64 = 1;

/// The most spans of a block of a torus: the owner of a port is searched among all spans, for all that crosses.
const MOST_SPANS: u32 = 16;

/// Assigns the switches to at most `parts` partitions with about the same work: ports, and nodes besides.
///
/// Trees are cut into subtrees, with a share of the switches above them: a packet crosses from one to another at most
/// twice, far from its nodes. Tori are cut into blocks, where these can be of one size. Other networks are cut into
/// consecutive switches.
pub fn assign(network: &Network, parts: usize) -> Vec<Spans> {
    let switches = network.switches();
    if switches == 0 {
        return vec![Spans::default()];
    }
    let parts = parts.clamp(1, switches as usize);
    let assigned = match &network.geometry {
        Geometry::Levels(levels) => by_level(levels, parts),
        Geometry::Grid(grid) => by_block(grid, parts).unwrap_or_else(|| consecutive(network, parts)),
        _ => consecutive(network, parts),
    };
    assigned.into_iter().filter(|spans| spans.count() > 0).collect()
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

/// Cuts a torus into so many blocks of the same size, such that packets to nodes drawn at random cross as few of their
/// borders as can be; `None` where there are no such blocks.
fn by_block(grid: &Grid, parts: usize) -> Option<Vec<Spans>> {
    let switches: u32 = grid.dims.iter().product();
    let few_spans = |cuts: &Vec<u32>| switches / run(&grid.dims, cuts) / parts as u32 <= MOST_SPANS;
    // A ring that is cut has as many borders as pieces.
    let borders = |cuts: &Vec<u32>| cuts.iter().filter(|&&cut| cut > 1).sum::<u32>();
    let choices = if grid.wraps.contains(&false) { Vec::new() } else { all_cuts(&grid.dims, parts as u32) };
    let best = choices.into_iter().filter(few_spans).min_by_key(|cuts| (borders(cuts), Reverse(run(&grid.dims, cuts))));
    let cuts = best?;
    let mut blocks = vec![Vec::new(); parts];
    let length = run(&grid.dims, &cuts);
    for first in (0..switches).step_by(length as usize) {
        let (mut block, mut each, mut place) = (0, 1, first);
        for (&size, &cut) in grid.dims.iter().zip(&cuts) {
            block += place % size / (size / cut) * each;
            (each, place) = (each * cut, place / size);
        }
        blocks[block as usize].push(first..first + length);
    }
    Some(blocks.into_iter().map(Spans::new).collect())
}

/// Returns into how many pieces of the same size each dimension can be cut, so that there are so many parts in all.
fn all_cuts(dims: &[u32], parts: u32) -> Vec<Vec<u32>> {
    let Some((&last, before)) = dims.split_last() else {
        return if parts == 1 { vec![Vec::new()] } else { Vec::new() };
    };
    let pieces = (1..=parts.min(last)).filter(|&cut| last.is_multiple_of(cut) && parts.is_multiple_of(cut));
    let with = |cut: u32| all_cuts(before, parts / cut).into_iter().map(move |cuts| [cuts, vec![cut]].concat());
    pieces.flat_map(with).collect()
}

/// Returns how many consecutive switches the blocks of a torus have: the first dimension counts up first.
fn run(dims: &[u32], cuts: &[u32]) -> u32 {
    let whole = cuts.iter().take_while(|&&cut| cut == 1).count();
    dims[..whole].iter().product::<u32>() * dims.get(whole).map_or(1, |&size| size / cuts[whole])
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
    use crate::topology::{End, PerDimension, ThinTree, TopologySpec, Torus};

    /// Returns the ports whose channels lead from one part to another.
    fn crossing(network: &Network, parts: usize) -> Vec<u32> {
        let owners = Owners::new(network, &assign(network, parts));
        let crosses = |&port: &u32| match network.target(ChannelId(port)) {
            End::Port(to) => owners.of(port) != owners.of(to.0),
            End::Node(_) => false,
        };
        (0..network.ports()).filter(crosses).collect()
    }

    /// Where the parts are subtrees, packets cross at the top only, by as few channels as can be.
    #[test]
    fn trees_are_cut_at_the_top() {
        let network = TopologySpec::Tree(ThinTree { down: 4, up: 4, levels: 3 }).build().unwrap();
        for parts in [2, 4] {
            let crossing = crossing(&network, parts);
            assert!(crossing.iter().all(|&port| network.channel_class(ChannelId(port)) == 2));
            // Each of the 16 switches at the top has one link to each of four subtrees, both ways.
            assert_eq!(crossing.len(), 2 * 16 * 4 * (parts - 1) / parts);
        }
    }

    /// Blocks have equally many switches, and rings as many borders as pieces: two and four here, for eight blocks, and
    /// eight where only the last dimension can be cut so often. Seven parts are no blocks.
    #[test]
    fn tori_are_cut_into_blocks() {
        for (dims, parts, borders) in [([8, 8, 8], 8, 6), ([3, 5, 64], 8, 8), ([16, 16, 16], 64, 12)] {
            let torus = Torus::new(dims.to_vec(), PerDimension::All(1), 1);
            let network = TopologySpec::Torus(torus).build().unwrap();
            let pieces = assign(&network, parts);
            assert!(pieces.iter().all(|piece| piece.count() as usize * parts == network.switches() as usize));
            assert!(pieces.iter().all(|piece| piece.ranges().count() <= MOST_SPANS as usize));
            // A border of a dimension has a link for each of its rings, both ways.
            let per_border = 2 * network.switches() / dims[2];
            assert_eq!(crossing(&network, parts).len() as u32, borders * per_border, "{dims:?}");
            assert_eq!(assign(&network, 7).len(), 7);
        }
    }
}
