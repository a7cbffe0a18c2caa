//! PolarFly (Lakhotia et al., SC 2022): the polarity graphs of Erdős and Rényi (1962) and Brown (1966), of diameter 2.
//!
//! The switches are the points of the projective plane over a field of q elements: vectors of three elements, of which
//! those that are multiples of each other are one. Two different switches are joined where their scalar product is 0.
//! Of the q^2 + q + 1 switches, q + 1 are orthogonal to themselves (quadrics) and have q links, the others have q + 1.
//! Every two switches that are not joined have exactly one common neighbour, the cross product of their vectors.

use serde::Deserialize;

use super::error::{NetworkError, check_range};
use super::field::Field;
use super::geometry::graph::{TableKind, Trunk};
use super::graph::Graph;
use super::member::Topology;
use super::metrics::Metrics;
use super::network::Network;

/// A PolarFly (Lakhotia et al. 2022): a graph of diameter 2 with q^2 + q + 1 switches of q + 1 links, some of q.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PolarFly {
    /// Number of elements of the field that the graph is made of: a power of a prime.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [5]), extend("x-hint" = "a power of a prime"), range(min = 2, max = 127)))]
    pub q: u32,
    /// Compute nodes of each switch. Default: half of q + 1, rounded up.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), range(min = 1, max = 2048)))]
    pub nodes: Option<u32>,
    /// Which paths are put into tables.
    #[serde(skip)]
    pub tables: TableKind,
}

impl PolarFly {
    /// Returns the number of switches.
    fn switches(self) -> u32 {
        self.q * self.q + self.q + 1
    }

    /// Returns the compute nodes of a switch.
    fn nodes(self) -> u32 {
        self.nodes.unwrap_or_else(|| (self.q + 1).div_ceil(2))
    }

    /// Returns the field, or what is wrong with the parameters.
    fn field(self) -> Result<Field, NetworkError> {
        let reason =
            "a PolarFly has a prime power from 2 to 127, such as 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 31 or 32";
        let wrong = || NetworkError::OutOfRange { key: "network.q", value: self.q.to_string(), reason };
        let field = Some(self.q).filter(|q| (2..=127).contains(q)).and_then(Field::new).ok_or_else(wrong)?;
        check_range("network.nodes", self.nodes(), 1..=2048, "a switch has 1 to 2048 nodes")?;
        Ok(field)
    }

    /// Returns the number of ports between switches: q + 1 of each but the q + 1 quadrics, which have one less.
    fn links(self) -> u64 {
        (u64::from(self.switches()) - 1) * u64::from(self.q + 1)
    }

    /// Returns the graph.
    pub fn graph(self) -> Result<Graph, NetworkError> {
        let field = self.field()?;
        let (points, field) = (points(self.q), Products::new(&field, self.q));
        let mut trunks = Vec::new();
        for (a, point) in (0..).zip(&points) {
            let after = (0..).zip(&points).skip(a as usize + 1);
            let orthogonal = after.filter(|(_, other)| field.scalar(point, other) == 0);
            trunks.extend(orthogonal.map(|(b, _)| Trunk { ends: [a, b], class: 0, links: 1 }));
        }
        Ok(Graph {
            classes: vec!["link".into()],
            nodes: vec![self.nodes(); self.switches() as usize],
            trunks,
            tables: self.tables,
            ..Graph::default()
        })
    }
}

impl Topology for PolarFly {
    fn kind(&self) -> &'static str {
        "polarfly"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.field()?;
        Ok(self.links() + u64::from(self.switches()) * u64::from(self.nodes()))
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.graph()?.build()
    }

    fn metrics(&self) -> Option<Metrics> {
        // What a switch is not joined with is two links away.
        let (switches, links) = (f64::from(self.switches()), self.links() as f64);
        let nodes = switches * f64::from(self.nodes());
        let mean = (2.0 * switches * (switches - 1.0) - links) / (switches * switches);
        let distinct = mean * nodes / (nodes - 1.0);
        Some(Metrics { diameter: 2, mean_distance: mean, mean_distance_distinct: distinct })
    }

    fn routing_bytes(&self, _ports: u64) -> u64 {
        self.tables.bytes(u64::from(self.switches()))
    }
}

/// Returns the points of the projective plane, as the vectors whose first element beside 0 is 1.
fn points(q: u32) -> Vec<[u32; 3]> {
    let plane = (0..q).flat_map(|y| (0..q).map(move |z| [1, y, z]));
    plane.chain((0..q).map(|z| [0, 1, z])).chain([[0, 0, 1]]).collect()
}

/// Sums and products of all pairs of elements.
struct Products {
    q: u32,
    sums: Vec<u32>,
    products: Vec<u32>,
}

impl Products {
    fn new(field: &Field, q: u32) -> Self {
        let pairs = || (0..q).flat_map(|a| (0..q).map(move |b| (a, b)));
        let (sums, products) = pairs().map(|(a, b)| (field.sum(a, b), field.product(a, b))).unzip();
        Products { q, sums, products }
    }

    /// Returns the scalar product of two vectors.
    fn scalar(&self, a: &[u32; 3], b: &[u32; 3]) -> u32 {
        a.iter().zip(b).fold(0, |sum, (a, b)| {
            let product = self.products[(a * self.q + b) as usize];
            self.sums[(sum * self.q + product) as usize]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::geometry::graph::adjacency::Adjacency;
    use crate::topology::geometry::graph::distances::Distances;
    use crate::topology::search;

    fn polarfly(q: u32) -> PolarFly {
        PolarFly { q, nodes: None, tables: TableKind::Shortest }
    }

    /// The q + 1 quadrics, which are orthogonal to themselves, have degree q, all others q + 1; the diameter is 2.
    #[test]
    fn closed_forms() {
        for q in [2, 3, 4, 5, 7, 8, 9, 11, 13] {
            let graph = polarfly(q).graph().expect("a prime power");
            let adjacency = Adjacency::new(graph.nodes.len(), &graph.trunks);
            let field = Products::new(&Field::new(q).expect("a field"), q);
            assert_eq!(graph.switches(), q * q + q + 1);
            let mut quadrics = 0;
            for (switch, point) in (0..).zip(points(q)) {
                let quadric = field.scalar(&point, &point) == 0;
                quadrics += u32::from(quadric);
                let neighbours = adjacency.of(switch);
                assert_eq!(neighbours.len() as u32, q + u32::from(!quadric), "q = {q}, switch {switch}");
                assert!(neighbours.iter().all(|neighbour| neighbour.links == 1 && neighbour.to != switch));
            }
            assert_eq!(quadrics, q + 1);
            assert_eq!(Distances::new(&adjacency, &graph.nodes).between_any, 2, "q = {q}");
            assert_eq!(graph.nodes[0], (q + 1).div_ceil(2));
            assert_eq!(polarfly(q).ports(), graph.ports());
        }
    }

    /// Every two switches have one common neighbour, or are joined and one of them is a quadric.
    #[test]
    fn one_path_of_two_links() {
        let graph = polarfly(5).graph().expect("a prime power");
        let adjacency = Adjacency::new(graph.nodes.len(), &graph.trunks);
        let of = |switch: u32| adjacency.of(switch).iter().map(|neighbour| neighbour.to).collect::<Vec<u32>>();
        for (a, b) in (0..31).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let common = of(a).iter().filter(|next| of(b).contains(next)).count();
            let quadric = of(a).len().min(of(b).len()) == 5;
            assert_eq!(common, usize::from(!(of(a).contains(&b) && quadric)), "{a}, {b}");
        }
    }

    #[test]
    fn distances_are_those_of_a_search() {
        for (q, nodes) in [(2, None), (4, Some(1)), (7, Some(3)), (9, None)] {
            let polarfly = PolarFly { nodes, ..polarfly(q) };
            let searched = search(&polarfly.build().expect("a network")).expect("connected").metrics;
            let closed = polarfly.metrics().expect("a closed form");
            assert_eq!(searched.diameter, closed.diameter);
            assert!((searched.mean_distance - closed.mean_distance).abs() < 1e-12, "q = {q}");
            assert!((searched.mean_distance_distinct - closed.mean_distance_distinct).abs() < 1e-12, "q = {q}");
        }
    }

    #[test]
    fn others_are_refused() {
        for q in [0, 1, 6, 10, 12, 100, 128, 1_000_000] {
            assert!(polarfly(q).graph().is_err(), "{q}");
        }
    }
}
