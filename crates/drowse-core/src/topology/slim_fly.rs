//! Slim Fly (Besta and Hoefler, SC 2014): the graphs of McKay, Miller and Siran (1998), of diameter 2 and nearly as
//! large as any.
//!
//! There are two kinds of switches, each with two coordinates of a finite field of q = 4 w + d elements, d one of -1, 0
//! and 1. Two switches of the first kind with the same x are joined where their y differ by an element of one set of
//! generators, two of the second kind with the same m where their c differ by one of another set (Hafner 2004); (x, y)
//! is joined with (m, c) where y = m x + c. Switch (x, y) has the number q x + y, and switch (m, c) q^2 + q m + c.

use serde::Deserialize;

use super::error::{NetworkError, check_range};
use super::field::Field;
use super::geometry::graph::{TableKind, Trunk};
use super::graph::Graph;
use super::member::Topology;
use super::metrics::Metrics;
use super::network::Network;

/// A Slim Fly (Besta and Hoefler 2014): a graph of diameter 2 with 2 q^2 switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SlimFly {
    /// Number of elements of the field that the graph is made of: a power of a prime.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [5]), extend("x-hint" = "a power of a prime"), range(min = 3, max = 89)))]
    pub q: u32,
    /// Compute nodes of each switch. Default: half of its links to others, rounded up.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), range(min = 1, max = 2048)))]
    pub nodes: Option<u32>,
    /// Which paths are put into tables.
    #[serde(skip)]
    pub tables: TableKind,
}

impl SlimFly {
    /// Returns the graph.
    pub fn graph(&self) -> Result<Graph, NetworkError> {
        let reason = "a Slim Fly has a prime power from 3 to 89, such as 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25 or 27";
        let wrong = || NetworkError::OutOfRange { key: "network.q", value: self.q.to_string(), reason };
        // Of prime powers, only 2 is 2 more than a multiple of 4.
        let field = Some(self.q).filter(|q| (3..=89).contains(q)).and_then(Field::new).ok_or_else(wrong)?;
        let q = self.q;
        let [first, second] = generators(q).map(|set| set.into_iter().map(|e| field.power(e)).collect::<Vec<u32>>());
        let nodes = self.nodes.unwrap_or((q + first.len() as u32).div_ceil(2));
        check_range("network.nodes", nodes, 1..=2048, "a switch has 1 to 2048 nodes")?;
        let mut trunks = Vec::new();
        let mut join = |ends, class| trunks.push(Trunk { ends, class, links: 1 });
        for (row, kind) in (0..q).flat_map(|row| [(row, 0), (row, 1)]) {
            let set = if kind == 0 { &first } else { &second };
            for (a, &step) in (0..q).flat_map(|a| set.iter().map(move |step| (a, step))) {
                let b = field.sum(a, step);
                // The sets hold with each element its negative.
                if a < b {
                    join([a, b].map(|place| (kind * q + row) * q + place), 0);
                }
            }
        }
        for (x, m) in (0..q).flat_map(|x| (0..q).map(move |m| (x, m))) {
            let product = field.product(m, x);
            (0..q).for_each(|c| join([q * x + field.sum(product, c), q * (q + m) + c], 1));
        }
        Ok(Graph {
            classes: ["local", "global"].map(String::from).to_vec(),
            nodes: vec![nodes; 2 * (q * q) as usize],
            trunks,
            tables: self.tables,
            ..Graph::default()
        })
    }
}

impl Topology for SlimFly {
    fn kind(&self) -> &'static str {
        "slim-fly"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.graph()?.ports()
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.graph()?.build()
    }

    fn metrics(&self) -> Option<Metrics> {
        // What a switch is not joined with is two links away.
        let degree = f64::from(self.q) + generators(self.q)[0].len() as f64;
        let switches = 2.0 * f64::from(self.q).powi(2);
        let nodes = switches * self.nodes.map_or((degree / 2.0).ceil(), f64::from);
        let mean = (degree + 2.0 * (switches - 1.0 - degree)) / switches;
        let distinct = mean * nodes / (nodes - 1.0);
        Some(Metrics { diameter: 2, mean_distance: mean, mean_distance_distinct: distinct })
    }

    fn routing_bytes(&self, _ports: u64) -> u64 {
        self.tables.bytes(2 * u64::from(self.q) * u64::from(self.q))
    }
}

/// Returns the two sets of generators, as powers of a primitive element.
fn generators(q: u32) -> [Vec<u32>; 2] {
    let w = (q + 1) / 4;
    match q % 4 {
        3 => [
            (0..w).map(|i| 2 * i).chain((0..w).map(|i| 2 * (w + i) - 1)).collect(),
            (0..w).map(|i| 2 * i + 1).chain((0..w).map(|i| 2 * (w + i))).collect(),
        ],
        _ => [(0..q / 2).map(|i| 2 * i).collect(), (0..q / 2).map(|i| 2 * i + 1).collect()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::geometry::graph::adjacency::Adjacency;
    use crate::topology::geometry::graph::distances::Distances;

    /// Closed forms of the graphs: 2 q^2 switches of degree (3 q - d) / 2, diameter 2, all trunks single.
    #[test]
    fn closed_forms() {
        for q in [3u32, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19] {
            let graph = SlimFly { q, nodes: None, tables: TableKind::Shortest }.graph().expect("a prime power");
            let adjacency = Adjacency::new(graph.nodes.len(), &graph.trunks);
            let degree = match q % 4 {
                3 => (3 * q).div_ceil(2),
                0 => 3 * q / 2,
                _ => (3 * q - 1) / 2,
            };
            assert_eq!(graph.switches(), 2 * q * q);
            for switch in 0..graph.switches() {
                let neighbours = adjacency.of(switch);
                assert_eq!(neighbours.len() as u32, degree, "q = {q}: all different");
                assert!(neighbours.iter().all(|neighbour| neighbour.links == 1 && neighbour.to != switch));
            }
            let distances = Distances::new(&adjacency, &graph.nodes);
            assert_eq!(distances.between_any, 2, "q = {q}");
            // At most 1 + k + k (k - 1) switches of degree k lie within distance 2 (Moore).
            assert!(graph.switches() <= 1 + degree * degree);
            assert!(3 * graph.switches() >= 2 * (1 + degree * degree), "q = {q}: nearly as many");
            assert_eq!(graph.nodes[0], degree.div_ceil(2));
        }
    }

    /// The graph of Hoffman and Singleton, the largest of degree 7 and diameter 2; and the network that the paper
    /// builds.
    #[test]
    fn known_ones() {
        let singleton = SlimFly { q: 5, nodes: None, tables: TableKind::Shortest }.graph().expect("a graph");
        assert_eq!((singleton.switches(), singleton.trunks.len()), (1 + 7 * 7, 50 * 7 / 2));
        let paper = SlimFly { q: 19, nodes: None, tables: TableKind::Shortest }.graph().expect("a graph");
        assert_eq!((paper.switches(), paper.nodes.iter().sum::<u32>(), paper.nodes[0]), (722, 10_830, 15));
    }

    #[test]
    fn others_are_refused() {
        for q in [0, 1, 2, 6, 10, 12, 14, 15, 91, 1_000_000] {
            assert!(SlimFly { q, nodes: None, tables: TableKind::Shortest }.graph().is_err(), "{q}");
        }
    }
}
