//! Twisted tori (Cámara et al. 2010, "Twisted torus topologies for enhanced interconnection networks"), as the slices of
//! TPU v4 that are twice as long in some dimensions as in others (Jouppi et al., ISCA 2023, section 2).
//!
//! Sizes are a and 2a. Who leaves a dimension of size a by the link that closes its ring comes back at the other end of
//! it, and half-way around each dimension of size 2a. So the long rings are no longer than the short ones on the way
//! to most switches: on 4 x 4 x 8 switches the mean distance falls from 4 to 3.4 links, and the load of the long
//! dimension from twice that of the others to as much.
//!
//! Switches are numbered as in a torus, the first dimension fastest. Paths are found as on any graph.

use serde::Deserialize;

use super::error::{NetworkError, check_range, check_size};
use super::geometry::graph::{TableKind, Trunk};
use super::graph::{Graph, MAX_SWITCHES};
use super::member::Topology;
use super::network::Network;
use super::per_dimension::PerDimension;

/// A twisted torus (Cámara et al. 2010): a torus with dimensions of two sizes, one twice the other.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TwistedTorus {
    /// Switches in each of 2 to 6 dimensions: at least one of some size from 3, and at least one of twice as many.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[4, 4, 8]])))]
    pub dims: Vec<u32>,
    /// Parallel links between neighbours, 1 to 256: one number, or one per dimension.
    #[serde(default)]
    pub trunk: PerDimension,
    /// Compute nodes of each switch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 2048)))]
    #[serde(default = "super::one")]
    pub nodes: u32,
    /// Which paths are put into tables.
    #[serde(skip)]
    pub tables: TableKind,
}

impl TwistedTorus {
    /// Returns the links of each trunk by dimension, or what is wrong with the parameters.
    fn check(&self) -> Result<Vec<u32>, NetworkError> {
        let wrong = |key, value, reason| Err(NetworkError::OutOfRange { key, value, reason });
        let dims = || format!("{:?}", self.dims);
        if !(2..=6).contains(&self.dims.len()) {
            return wrong("network.dims", dims(), "give 2 to 6 dimensions");
        }
        let short = self.dims.iter().copied().min().unwrap_or(0);
        let long = short.saturating_mul(2);
        let two_sizes = self.dims.contains(&long) && self.dims.iter().all(|&size| size == short || size == long);
        if short < 3 || !two_sizes {
            return wrong("network.dims", dims(), "some dimensions are twice as long as the others, as in [4, 4, 8]");
        }
        let trunk = match &self.trunk {
            PerDimension::All(links) => vec![*links; self.dims.len()],
            PerDimension::Each(links) => links.clone(),
        };
        if trunk.len() != self.dims.len() {
            return wrong("network.trunk", format!("{trunk:?}"), "give one number, or one per dimension of dims");
        }
        if trunk.iter().any(|links| !(1..=256).contains(links)) {
            return wrong("network.trunk", format!("{trunk:?}"), "a trunk has 1 to 256 links");
        }
        check_range("network.nodes", self.nodes, 1..=2048, "a switch has 1 to 2048 nodes")?;
        let switches = self.dims.iter().fold(1u64, |product, &size| product.saturating_mul(u64::from(size)));
        if switches > u64::from(MAX_SWITCHES) {
            return Err(NetworkError::TooLarge { what: format!("{switches} switches"), most: MAX_SWITCHES.into() });
        }
        Ok(trunk)
    }

    /// Returns the ports of each switch.
    fn radix(&self, trunk: &[u32]) -> u64 {
        trunk.iter().map(|&links| 2 * u64::from(links)).sum::<u64>() + u64::from(self.nodes)
    }

    /// Returns the switch that is one up from another in a dimension.
    fn up(&self, switch: u32, dimension: usize) -> u32 {
        let mut rest = switch;
        let mut place = Vec::with_capacity(self.dims.len());
        for &size in &self.dims {
            place.push(rest % size);
            rest /= size;
        }
        let size = self.dims[dimension];
        place[dimension] = (place[dimension] + 1) % size;
        if place[dimension] == 0 {
            for (at, &other) in place.iter_mut().zip(&self.dims) {
                if other == 2 * size {
                    *at = (*at + size) % other;
                }
            }
        }
        place.iter().zip(&self.dims).rev().fold(0, |number, (at, size)| number * size + at)
    }

    /// Returns the graph.
    pub fn graph(&self) -> Result<Graph, NetworkError> {
        let trunk = self.check()?;
        let switches: u32 = self.dims.iter().product();
        let of_switch = |switch| {
            let link = move |(dimension, &links): (usize, &u32)| {
                let ends = [switch, self.up(switch, dimension)];
                Trunk { ends, class: dimension as u8, links }
            };
            trunk.iter().enumerate().map(link)
        };
        Ok(Graph {
            classes: (0..self.dims.len()).map(|dimension| format!("dim-{dimension}")).collect(),
            nodes: vec![self.nodes; switches as usize],
            trunks: (0..switches).flat_map(of_switch).collect(),
            tables: self.tables,
            ..Graph::default()
        })
    }
}

impl Topology for TwistedTorus {
    fn kind(&self) -> &'static str {
        "twisted-torus"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        let trunk = self.check()?;
        check_size(self.dims.iter().map(|&size| u128::from(size)).product(), self.radix(&trunk))
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.graph()?.build()
    }

    fn routing_bytes(&self, _ports: u64) -> u64 {
        self.tables.bytes(self.dims.iter().map(|&size| u64::from(size)).product())
    }

    fn switch_ports(&self) -> Option<u32> {
        self.check().ok().and_then(|trunk| u32::try_from(self.radix(&trunk)).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::search;

    fn twisted(dims: &[u32]) -> TwistedTorus {
        let trunk = PerDimension::All(1);
        TwistedTorus { dims: dims.to_vec(), trunk, nodes: 1, tables: TableKind::Shortest }
    }

    /// Eight by four switches: from the last of a column, up leads to the first of the column four further on.
    #[test]
    fn links_that_close_short_rings_are_twisted() {
        let torus = twisted(&[8, 4]);
        assert_eq!(torus.up(1 + 8 * 3, 1), 1 + 4);
        assert_eq!(torus.up(6 + 8 * 3, 1), 2);
        assert_eq!(torus.up(7 + 8 * 3, 0), 8 * 3);
        assert_eq!(torus.up(1 + 8, 1), 1 + 8 * 2);
    }

    /// Cámara et al. 2010: a rectangular twisted torus of 2a by a switches has the diameter a, where the torus has 3a/2.
    #[test]
    fn the_diameter_of_a_rectangle_is_its_short_side() {
        for a in [4, 6, 8, 10] {
            let network = twisted(&[2 * a, a]).build().expect("a network");
            assert_eq!(search(&network).expect("connected").metrics.diameter, a);
        }
    }

    /// A step is a vector of integers, and going around a ring is one, too. So a distance is the shortest of all vectors
    /// that differ by turns around rings: (4, 4, 8) along themselves, the short ones with 4 more in the long dimension.
    #[test]
    fn distances_are_those_of_a_lattice() {
        let turns = [-1, 0, 1];
        let mut sum = 0;
        for (x, y, z) in (0..128_i64).map(|switch| (switch % 4, switch / 4 % 4, switch / 16)) {
            let rounds = turns.into_iter().flat_map(|i| turns.map(|j| (i, j)));
            let length = |(i, j): (i64, i64)| {
                let longest = (-2..=2).map(|k| (z + 4 * (i + j) + 8 * k).abs()).min().unwrap_or(0);
                (x + 4 * i).abs() + (y + 4 * j).abs() + longest
            };
            sum += rounds.map(length).min().unwrap_or(0);
        }
        let network = twisted(&[4, 4, 8]).build().expect("a network");
        let found = search(&network).expect("connected").metrics;
        assert_eq!((found.mean_distance * 128.0).round() as i64, sum);
        // Jouppi et al. 2023 measured 1.63 times the all-to-all of the torus, whose long dimension carries two of its four
        // links of each message. Where all three carry as much, it would be 6 / 3.44 = 1.75 times.
        assert_eq!(sum, 440);
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        for dims in [&[4, 4][..], &[4, 8, 16], &[2, 4], &[8], &[4, 6], &[128, 256], &[0, 0]] {
            assert!(twisted(dims).graph().is_err(), "{dims:?}");
        }
        let uneven = TwistedTorus { trunk: PerDimension::Each(vec![1]), ..twisted(&[4, 8]) };
        assert!(uneven.graph().is_err());
    }

    #[test]
    fn ports_are_counted_before_the_network_is_built() {
        let torus = TwistedTorus { trunk: PerDimension::Each(vec![1, 3]), nodes: 2, ..twisted(&[3, 6]) };
        let network = torus.build().expect("a network");
        assert_eq!(torus.ports(), Ok(18 * (2 + 6 + 2)));
        assert_eq!(u64::from(network.ports()), 180);
        assert_eq!(torus.switch_ports(), Some(10));
    }
}
