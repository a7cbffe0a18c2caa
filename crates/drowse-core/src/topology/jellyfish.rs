//! Jellyfish (Singla et al., NSDI 2012): a random regular graph.
//!
//! As in the paper, section 3, links are drawn between switches that have free ports and are not joined yet, until no
//! such two are left. A switch that then has two free ports breaks a drawn link in two and takes both ends; two
//! switches that are joined and have one free port each take one end each. Graphs that are not connected are drawn
//! again.

use serde::Deserialize;

use std::collections::HashSet;

use super::error::{NetworkError, check_range};
use super::geometry::graph::{TableKind, Trunk};
use super::graph::{Graph, MAX_SWITCHES};
use super::member::Topology;
use super::network::Network;
use crate::model::rng::{Purpose, Stream};

/// A Jellyfish (Singla et al. 2012): a random regular graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Jellyfish {
    /// Number of switches.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [16]), range(min = 3, max = 16384)))]
    pub switches: u32,
    /// Links of each switch, each to another switch.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), range(min = 2, max = 2048)))]
    pub degree: u32,
    /// Compute nodes of each switch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 2048)))]
    #[serde(default = "super::one")]
    pub nodes: u32,
    /// Seed of the random links.
    #[serde(default = "super::first_seed")]
    pub seed: u64,
    /// Which paths are put into tables.
    #[serde(skip)]
    pub tables: TableKind,
}

/// How many graphs are drawn at most: of regular graphs of degree 3 or more, next to none is not connected.
const MOST_DRAWS: u32 = 1000;

impl Jellyfish {
    /// Refuses parameters of which there is no connected regular graph.
    fn check(self) -> Result<(), NetworkError> {
        check_range("network.degree", self.degree, 2..=2048, "a switch has 2 to 2048 links to others")?;
        let reason = "a Jellyfish has at most 16384 switches, and more than the links of one, which all lead to others";
        check_range("network.switches", self.switches, self.degree + 1..=MAX_SWITCHES, reason)?;
        check_range("network.nodes", self.nodes, 1..=2048, "a switch has 1 to 2048 nodes")?;
        if self.switches % 2 == 1 && self.degree % 2 == 1 {
            let what = format!("{} switches of {} links each have half a link left over", self.switches, self.degree);
            let cure = "make the number of switches or their links even".into();
            return Err(NetworkError::Refused { key: "network.switches".into(), what, cure });
        }
        Ok(())
    }

    /// Returns the graph.
    pub fn graph(self) -> Result<Graph, NetworkError> {
        self.check()?;
        let drawn = (0..MOST_DRAWS).filter_map(|draw| {
            let links = Draw::new(self, Stream::new(self.seed, Purpose::Topology, draw)).links()?;
            let trunk = |ends| Trunk { ends, class: 0, links: 1 };
            Some(Graph {
                classes: vec!["link".into()],
                nodes: vec![self.nodes; self.switches as usize],
                trunks: links.into_iter().map(trunk).collect(),
                tables: self.tables,
                ..Graph::default()
            })
        });
        drawn.into_iter().find(|graph| graph.components().len() == 1).ok_or_else(|| NetworkError::Refused {
            key: "network.degree".into(),
            what: format!("none of {MOST_DRAWS} random graphs of {} links each switch is connected", self.degree),
            cure: "write a larger degree".into(),
        })
    }
}

impl Topology for Jellyfish {
    fn kind(&self) -> &'static str {
        "jellyfish"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.check()?;
        Ok(u64::from(self.switches) * u64::from(self.degree + self.nodes))
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.graph()?.build()
    }

    fn routing_bytes(&self, _ports: u64) -> u64 {
        self.tables.bytes(u64::from(self.switches))
    }
}

/// A graph while it is drawn.
struct Draw {
    stream: Stream,
    /// The links, the lower end of each first.
    links: Vec<[u32; 2]>,
    joined: HashSet<[u32; 2]>,
    /// By switch: the ports without a link.
    free: Vec<u32>,
}

impl Draw {
    fn new(jellyfish: Jellyfish, stream: Stream) -> Self {
        let free = vec![jellyfish.degree; jellyfish.switches as usize];
        Draw { stream, links: Vec::new(), joined: HashSet::new(), free }
    }

    /// Draws all links and returns them in the order of the switches; `None` where ports are left that no link can take
    /// in.
    fn links(mut self) -> Option<Vec<[u32; 2]>> {
        self.join_free_ports();
        while let Some(switch) = self.free.iter().position(|&free| free > 0) {
            self.take_in(switch as u32)?;
        }
        self.links.sort_unstable();
        Some(self.links)
    }

    /// Joins switches with free ports at random while two of them are not joined yet.
    fn join_free_ports(&mut self) {
        let mut open: Vec<u32> = (0..self.free.len() as u32).collect();
        let mut misses = 0;
        while open.len() > 1 {
            let [a, b] = [(); 2].map(|()| open[self.stream.below(open.len() as u32) as usize]);
            if a == b || self.is_joined(a, b) {
                misses += 1;
                if misses > 8 * open.len() {
                    if !self.any_to_join(&open) {
                        return;
                    }
                    misses = 0;
                }
                continue;
            }
            self.join(a, b);
            for end in [a, b].into_iter().filter(|&end| self.free[end as usize] == 0) {
                open.retain(|&switch| switch != end);
            }
        }
    }

    fn any_to_join(&self, open: &[u32]) -> bool {
        open.iter().enumerate().any(|(place, &a)| open[..place].iter().any(|&b| !self.is_joined(a, b)))
    }

    /// Breaks a drawn link for a switch with free ports, which takes both ends, or one where it has one free port only.
    fn take_in(&mut self, first: u32) -> Option<()> {
        // The sum of all free ports is even.
        let second = if self.free[first as usize] > 1 {
            first
        } else {
            self.free.iter().rposition(|&free| free > 0).map_or(first, |switch| switch as u32)
        };
        let start = self.stream.below((self.links.len() as u32).max(1)) as usize;
        let places = (start..self.links.len()).chain(0..start);
        let (place, [a, b]) = places.flat_map(|place| [(place, 0), (place, 1)]).find_map(|(place, turned)| {
            let ends @ [a, b] = [self.links[place][turned], self.links[place][1 - turned]];
            let apart = ends.iter().all(|end| ![first, second].contains(end));
            (apart && !self.is_joined(a, first) && !self.is_joined(b, second)).then_some((place, ends))
        })?;
        let broken = self.links.swap_remove(place);
        self.joined.remove(&broken);
        broken.into_iter().for_each(|end| self.free[end as usize] += 1);
        self.join(a, first);
        self.join(b, second);
        Some(())
    }

    fn is_joined(&self, a: u32, b: u32) -> bool {
        self.joined.contains(&[a.min(b), a.max(b)])
    }

    fn join(&mut self, a: u32, b: u32) {
        let ends = [a.min(b), a.max(b)];
        self.links.push(ends);
        self.joined.insert(ends);
        ends.into_iter().for_each(|end| self.free[end as usize] -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::geometry::graph::adjacency::Adjacency;
    use crate::topology::geometry::graph::distances::Distances;

    fn jellyfish(switches: u32, degree: u32, seed: u64) -> Jellyfish {
        Jellyfish { switches, degree, nodes: 2, seed, tables: TableKind::Shortest }
    }

    /// Every switch has as many neighbours as it has links, none of them itself, and all can be reached.
    #[test]
    fn regular_simple_and_connected() {
        let small = (3..14).flat_map(|switches| (2..switches).map(move |degree| (switches, degree)));
        for (switches, degree) in small.chain([(50, 7), (200, 3), (245, 14), (100, 2)]) {
            for seed in 1..=3 {
                let graph = jellyfish(switches, degree, seed).graph();
                if switches * degree % 2 == 1 {
                    assert!(graph.is_err());
                    continue;
                }
                let graph = graph.expect("a graph");
                let adjacency = Adjacency::new(graph.nodes.len(), &graph.trunks);
                for switch in 0..switches {
                    let neighbours = adjacency.of(switch);
                    assert_eq!(neighbours.len() as u32, degree, "{switches}, {degree}: all different");
                    assert!(neighbours.iter().all(|neighbour| neighbour.links == 1 && neighbour.to != switch));
                }
                assert!(Distances::new(&adjacency, &graph.nodes).between_any < switches, "connected");
                assert_eq!(graph.trunks.len() as u32, switches * degree / 2);
                let ports = jellyfish(switches, degree, seed).ports();
                assert_eq!((ports.clone(), ports), (graph.ports(), Ok(u64::from(switches * (degree + 2)))));
            }
        }
    }

    #[test]
    fn the_seed_decides() {
        let links = |seed| jellyfish(40, 5, seed).graph().expect("a graph").trunks;
        assert_eq!(links(1), links(1));
        assert_ne!(links(1), links(2));
    }

    /// A random regular graph is an expander: with 3 links a switch, the diameter grows with the logarithm of the
    /// switches.
    #[test]
    fn short_paths() {
        let graph = jellyfish(1000, 3, 1).graph().expect("a graph");
        let adjacency = Adjacency::new(graph.nodes.len(), &graph.trunks);
        assert!(Distances::new(&adjacency, &graph.nodes).between_any <= 16);
    }

    #[test]
    fn others_are_refused() {
        for (switches, degree) in [(2, 1), (2, 2), (10, 1), (10, 10), (9, 3), (16_385, 4)] {
            assert!(jellyfish(switches, degree, 1).graph().is_err(), "{switches}, {degree}");
        }
    }
}
