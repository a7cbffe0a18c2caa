//! Distances by breadth-first search, for networks without a closed form: from 64 switches at a time, one bit each.

use super::geometry::Geometry;
use super::metrics::Metrics;
use super::network::{End, Network};
use crate::model::ids::{ChannelId, NodeId};

/// About as many steps from switch to switch, for 64 sources each, as take a second or two.
const MOST_STEPS: u64 = 1 << 29;

/// Distances that a search has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Searched {
    /// What it has found.
    pub metrics: Metrics,
    /// Switches that it has started from.
    pub sources: u32,
    /// Whether these stand for all that have nodes; else the mean is that of a sample, and the diameter may be larger.
    pub complete: bool,
}

/// Searches from all switches that have nodes, or from those of one group where all groups are alike; in very large
/// networks from as many, evenly spread, as take about a second. `None` where some cannot be reached from others, or
/// none has nodes.
///
/// ```
/// use drowse_core::topology::{Hypercube, TopologySpec, search};
///
/// let cube = TopologySpec::Hypercube(Hypercube { dimension: 3, nodes: 1 });
/// let found = search(&cube.build()?).expect("all are connected");
/// // Two numbers of three bits differ in each bit with probability 1/2.
/// assert_eq!((found.metrics.diameter, found.metrics.mean_distance), (3, 3.0 / 2.0));
/// // The closed form says the same.
/// assert_eq!(cube.metrics(), Some(found.metrics));
/// # Ok::<(), drowse_core::topology::NetworkError>(())
/// ```
pub fn search(network: &Network) -> Option<Searched> {
    let nodes = nodes_by_switch(network);
    let looked_at = match &network.geometry {
        Geometry::Groups(groups) if groups.are_alike() => groups.size,
        _ => network.switches(),
    };
    let mut sources: Vec<u32> = (0..looked_at).filter(|&switch| nodes[switch as usize] > 0).collect();
    let batches = (MOST_STEPS / (u64::from(network.ports()) + u64::from(network.switches())).max(1)).max(1);
    let every = (sources.len() as u64).div_ceil(64 * batches).max(1);
    let complete = every == 1;
    sources = sources.into_iter().step_by(every as usize).collect();
    let metrics = search_from(network, &nodes, &sources)?;
    Some(Searched { metrics, sources: sources.len() as u32, complete })
}

/// Counts the nodes of each switch.
fn nodes_by_switch(network: &Network) -> Vec<u64> {
    let mut nodes = vec![0; network.switches() as usize];
    (0..network.node_port.len() as u32).for_each(|node| nodes[network.node_switch(NodeId(node)).index()] += 1);
    nodes
}

fn search_from(network: &Network, nodes: &[u64], sources: &[u32]) -> Option<Metrics> {
    let neighbours = Neighbours::of(network);
    let (mut diameter, mut sum, mut from) = (0, 0u128, 0u64);
    for batch in sources.chunks(64) {
        let starts: Vec<u64> = batch.iter().map(|&switch| nodes[switch as usize]).collect();
        let alike = starts.iter().all(|&count| count == starts[0]);
        // Nodes of the sources whose bits are set.
        let starting = |bits: u64| {
            if alike {
                return starts[0] * u64::from(bits.count_ones());
            }
            (0..starts.len()).filter(|bit| bits >> bit & 1 == 1).map(|bit| starts[bit]).sum()
        };
        let mut frontier = vec![0u64; nodes.len()];
        batch.iter().enumerate().for_each(|(bit, &switch)| frontier[switch as usize] |= 1 << bit);
        let (mut seen, mut next) = (frontier.clone(), vec![0u64; nodes.len()]);
        for distance in 1.. {
            neighbours.step(&frontier, &mut next);
            let mut reached = 0;
            for ((next, seen), &count) in next.iter_mut().zip(&mut seen).zip(nodes) {
                *next &= !*seen;
                *seen |= *next;
                reached |= *next;
                if *next != 0 && count > 0 {
                    sum += u128::from(distance) * u128::from(count * starting(*next));
                    diameter = diameter.max(distance);
                }
            }
            if reached == 0 {
                break;
            }
            std::mem::swap(&mut frontier, &mut next);
        }
        let all = u64::MAX >> (64 - batch.len());
        if seen.iter().any(|&bits| bits != all) {
            return None;
        }
        from += starts.iter().sum::<u64>();
    }
    let (pairs, to) = (from as f64 * f64::from(network.nodes), f64::from(network.nodes) - 1.0);
    (from > 0).then(|| Metrics {
        diameter,
        mean_distance: sum as f64 / pairs,
        mean_distance_distinct: if to > 0.0 { sum as f64 / (from as f64 * to) } else { 0.0 },
    })
}

/// The neighbours of each switch, side by side.
struct Neighbours {
    first: Vec<u32>,
    switches: Vec<u32>,
}

impl Neighbours {
    fn of(network: &Network) -> Self {
        let (mut first, mut switches) = (vec![0], Vec::with_capacity(network.ports() as usize));
        for ports in network.first_port.windows(2) {
            let begin = switches.len();
            for port in ports[0]..ports[1] {
                if let End::Port(peer) = network.target(ChannelId(port)) {
                    switches.push(network.port_switch(peer.index()));
                }
            }
            switches[begin..].sort_unstable();
            let mut kept = begin;
            for at in begin..switches.len() {
                // Parallel links lead nowhere else.
                if at == begin || switches[at] != switches[kept - 1] {
                    switches[kept] = switches[at];
                    kept += 1;
                }
            }
            switches.truncate(kept);
            first.push(kept as u32);
        }
        Neighbours { first, switches }
    }

    /// Takes the bits of each switch to all its neighbours.
    fn step(&self, from: &[u64], to: &mut [u64]) {
        to.fill(0);
        for (switch, &bits) in from.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            for &next in &self.switches[self.first[switch] as usize..self.first[switch + 1] as usize] {
                to[next as usize] |= bits;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Arrangement, Dragonfly, DragonflyPlus, TopologySpec};

    /// Where all groups are alike, one of them tells as much as all; where they are not, nobody says so.
    #[test]
    fn one_group_stands_for_all() {
        for arrangement in [Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree] {
            for (a, h, groups) in [(4, 2, 9), (4, 2, 5), (3, 1, 4), (6, 2, 6), (1, 3, 4)] {
                let specs = [
                    TopologySpec::Dragonfly(Dragonfly { p: 2, a, h, groups, arrangement }),
                    TopologySpec::DragonflyPlus(DragonflyPlus {
                        nodes: 2,
                        leaves: 3,
                        spines: a,
                        h,
                        groups,
                        arrangement,
                    }),
                ];
                for network in specs.map(|spec| spec.build().expect("a network")) {
                    let nodes = nodes_by_switch(&network);
                    let all: Vec<u32> = (0..network.switches()).filter(|&switch| nodes[switch as usize] > 0).collect();
                    let searched = search(&network).expect("all can be reached");
                    let found = search_from(&network, &nodes, &all).expect("all can be reached");
                    assert_eq!((searched.metrics.diameter, searched.complete), (found.diameter, true));
                    assert!((searched.metrics.mean_distance - found.mean_distance).abs() < 1e-12);
                    assert_eq!((searched.sources as usize) < all.len(), arrangement != Arrangement::Absolute);
                }
            }
        }
    }
}
