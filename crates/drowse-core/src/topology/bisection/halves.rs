//! Bisections of networks without a closed form: halves that are improved switch by switch.
//!
//! Some halves to begin with, by number and by distance, are improved as by Fiduccia and Mattheyses ("A linear-time
//! heuristic for improving network partitions", DAC 1982): all switches change sides once, each time the one that
//! lessens the cut most, or enlarges it least, from the half with more nodes; the best halves so far are kept, until
//! none are better. What is found is an upper bound.

use std::collections::{BTreeSet, VecDeque};

use super::cut::{Basis, Bisection};
use crate::model::ids::{ChannelId, NodeId};
use crate::topology::network::{End, Network};

/// The most ports of networks whose halves are improved; in larger ones the best of the first halves counts.
const MOST_PORTS: u32 = 1 << 20;

/// Finds halves with little between them.
pub fn bisection(network: &Network, weights: &[u64]) -> Bisection {
    let graph = Graph::new(network, weights);
    let starts = [graph.by_number(1), graph.by_number(2), graph.by_distance()];
    let improved = starts.into_iter().map(|mut halves| {
        while network.ports() <= MOST_PORTS && graph.improve(&mut halves) {}
        (graph.cut(&halves), halves)
    });
    let (_, halves) = improved.min().unwrap_or_default();
    let mut links = vec![0; network.classes.len()];
    for port in 0..network.ports() {
        if let End::Port(peer) = network.target(ChannelId(port))
            && peer.0 > port
        {
            let ends = [port, peer.0].map(|port| halves[network.port_switch(port as usize) as usize]);
            links[usize::from(network.port_class[port as usize])] += u64::from(ends[0] != ends[1]);
        }
    }
    Bisection { links, basis: Basis::Bound }
}

/// The weights between switches.
struct Graph {
    nodes: Vec<u64>,
    all_nodes: u64,
    /// Nodes by which the halves may differ: those of one switch.
    slack: u64,
    /// Neighbours of each switch, and the weight of the links to them.
    links: Vec<Vec<(usize, i128)>>,
}

impl Graph {
    fn new(network: &Network, weights: &[u64]) -> Self {
        let mut nodes = vec![0; network.switches() as usize];
        (0..network.nodes).for_each(|node| nodes[network.node_switch(NodeId(node)).index()] += 1);
        let to = |port: u32| match network.target(ChannelId(port)) {
            End::Port(peer) => {
                let weight = weights[usize::from(network.port_class[port as usize])];
                Some((network.port_switch(peer.index()) as usize, i128::from(weight)))
            }
            End::Node(_) => None,
        };
        let links = |ports: &[u32]| {
            let mut links: Vec<(usize, i128)> = (ports[0]..ports[1]).filter_map(to).collect();
            links.sort_unstable();
            let sum = |links: &[(usize, i128)]| (links[0].0, links.iter().map(|(_, weight)| weight).sum());
            links.chunk_by(|a, b| a.0 == b.0).map(sum).collect()
        };
        Graph {
            all_nodes: nodes.iter().sum(),
            slack: nodes.iter().copied().max().unwrap_or(0),
            links: network.first_port.windows(2).map(links).collect(),
            nodes,
        }
    }

    /// Puts switches into the first half in an order until it has half of the nodes.
    fn first_of(&self, order: impl Iterator<Item = usize>) -> Vec<bool> {
        let (mut halves, mut nodes) = (vec![true; self.nodes.len()], 0);
        for switch in order {
            if 2 * nodes + self.nodes[switch] <= self.all_nodes {
                nodes += self.nodes[switch];
                halves[switch] = false;
            }
        }
        halves
    }

    /// Makes the halves of the first switches, of each so many.
    fn by_number(&self, every: usize) -> Vec<bool> {
        let count = self.nodes.len();
        self.first_of((0..every).flat_map(move |first| (first..count).step_by(every)))
    }

    /// Makes the halves of the switches that are nearest to the first, and of the others.
    fn by_distance(&self) -> Vec<bool> {
        let (mut seen, mut order) = (vec![false; self.nodes.len()], Vec::with_capacity(self.nodes.len()));
        for start in 0..self.nodes.len() {
            let mut queue = VecDeque::from([start]);
            while let Some(at) = queue.pop_front() {
                if !std::mem::replace(&mut seen[at], true) {
                    order.push(at);
                    queue.extend(self.links[at].iter().map(|&(next, _)| next).filter(|&next| !seen[next]));
                }
            }
        }
        self.first_of(order.into_iter())
    }

    /// Returns the weight between halves.
    fn cut(&self, halves: &[bool]) -> i128 {
        let of = |switch: usize| -> i128 {
            self.links[switch].iter().filter(|(to, _)| halves[*to] && !halves[switch]).map(|(_, weight)| weight).sum()
        };
        (0..halves.len()).map(of).sum()
    }

    /// Returns how much smaller the cut is when a switch changes sides.
    fn gain(&self, halves: &[bool], switch: usize) -> i128 {
        self.links[switch].iter().map(|&(to, weight)| if halves[to] == halves[switch] { -weight } else { weight }).sum()
    }

    /// Moves every switch once; keeps the best halves so far and returns whether they are better than before.
    fn improve(&self, halves: &mut [bool]) -> bool {
        let mut gains: Vec<i128> = (0..halves.len()).map(|switch| self.gain(halves, switch)).collect();
        let mut free = [BTreeSet::new(), BTreeSet::new()];
        gains
            .iter()
            .enumerate()
            .for_each(|(switch, &gain)| _ = free[usize::from(halves[switch])].insert((gain, switch)));
        let mut nodes = [0, 0];
        (0..halves.len()).for_each(|switch| nodes[usize::from(halves[switch])] += self.nodes[switch]);
        let (mut moved, mut sum, mut best) = (Vec::new(), 0, (0, 0));
        loop {
            let from = match nodes[0].cmp(&nodes[1]) {
                std::cmp::Ordering::Greater => 0,
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => usize::from(free[1].last() > free[0].last()),
            };
            let Some((gain, switch)) = free[from].pop_last() else { break };
            halves[switch] = from == 0;
            nodes[from] -= self.nodes[switch];
            nodes[1 - from] += self.nodes[switch];
            moved.push(switch);
            sum += gain;
            if sum > best.0 && nodes[0].abs_diff(nodes[1]) <= self.slack {
                best = (sum, moved.len());
            }
            for &(other, weight) in &self.links[switch] {
                let side = usize::from(halves[other]);
                if free[side].remove(&(gains[other], other)) {
                    gains[other] += if side == from { 2 * weight } else { -2 * weight };
                    free[side].insert((gains[other], other));
                }
            }
        }
        moved[best.1..].iter().for_each(|&switch| halves[switch] = !halves[switch]);
        best.0 > 0
    }
}
