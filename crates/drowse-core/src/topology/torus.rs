//! Tori and meshes of 1 to 10 dimensions, with trunks and several nodes per switch (Andújar et al. 2019, sections 1 and
//! 3.2).
//!
//! Switch `s` has the coordinates of `s` written in the mixed radix `dims`, the first dimension fastest. Its ports are,
//! for each dimension, the trunk towards larger coordinates, then that towards smaller ones, and last the nodes. A
//! torus dimension of size 2 has one trunk, for its two directions would join the same pair (a hypercube has one link
//! per dimension), unless its rings are asked for. Switches at the rim of a mesh have no port where there is no
//! neighbour.

use serde::Deserialize;

use super::builder::NetworkBuilder;
use super::error::NetworkError;
use super::geometry::Geometry;
use super::geometry::grid::{self, Grid, Ties};
use super::member::Topology;
use super::metrics::Metrics;
use super::network::Network;
use super::per_dimension::PerDimension;
use crate::model::ids::PortId;

/// The largest number of dimensions.
pub const MAX_DIMENSIONS: usize = 10;

/// A torus of 1 to 10 dimensions: each switch is joined with its two neighbours in every dimension.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Torus {
    /// Switches in each dimension, 2 to 65535.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[4, 4]])))]
    pub dims: Vec<u32>,
    /// Parallel links between neighbours, 1 to 256: one number, or one per dimension.
    #[serde(default)]
    pub trunk: PerDimension,
    /// Compute nodes of each switch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    #[serde(default = "super::one")]
    pub nodes: u32,
    /// Whether dimensions of two switches are closed to rings too, so that two trunks join the switches.
    #[serde(default)]
    pub rings_of_two: bool,
    /// Direction that `dimension-order` routing takes on a ring where both are equally long.
    #[serde(default)]
    pub ties: Ties,
}

/// A mesh: a torus without the links that close its rings.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// Switches in each dimension, 2 to 65535.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[4, 4]])))]
    pub dims: Vec<u32>,
    /// Parallel links between neighbours, 1 to 256: one number, or one per dimension.
    #[serde(default)]
    pub trunk: PerDimension,
    /// Compute nodes of each switch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    #[serde(default = "super::one")]
    pub nodes: u32,
}

impl Torus {
    /// Makes the parameters of a torus or mesh, all others as they are by default.
    pub fn new(dims: Vec<u32>, trunk: PerDimension, nodes: u32) -> Self {
        Torus { dims, trunk, nodes, rings_of_two: false, ties: Ties::Alternate }
    }

    /// Returns whether a dimension of `k` switches closes to a ring.
    fn closes(&self, k: u32, wrap: bool) -> bool {
        wrap && (k > 2 || self.rings_of_two)
    }

    /// Returns the trunk width of each dimension, or what is wrong with the parameters.
    fn check(&self) -> Result<Vec<u32>, NetworkError> {
        let out_of_range = |key, value: String, reason| NetworkError::OutOfRange { key, value, reason };
        if self.dims.is_empty() || self.dims.len() > MAX_DIMENSIONS {
            return Err(out_of_range("network.dims", format!("{:?}", self.dims), "give 1 to 10 dimensions"));
        }
        if self.dims.iter().any(|&k| !(2..=65_535).contains(&k)) {
            return Err(out_of_range(
                "network.dims",
                format!("{:?}", self.dims),
                "each dimension has 2 to 65535 switches",
            ));
        }
        let trunk = match &self.trunk {
            PerDimension::All(width) => vec![*width; self.dims.len()],
            PerDimension::Each(widths) => widths.clone(),
        };
        if trunk.len() != self.dims.len() {
            return Err(out_of_range(
                "network.trunk",
                format!("{trunk:?}"),
                "give one number, or one per dimension of dims",
            ));
        }
        if trunk.iter().any(|&w| !(1..=256).contains(&w)) {
            return Err(out_of_range("network.trunk", format!("{trunk:?}"), "a trunk has 1 to 256 links"));
        }
        if !(1..=4096).contains(&self.nodes) {
            return Err(out_of_range("network.nodes", self.nodes.to_string(), "a switch has 1 to 4096 nodes"));
        }
        let switches = self.dims.iter().try_fold(1u64, |n, &k| n.checked_mul(u64::from(k))).unwrap_or(u64::MAX);
        let radix: u64 = trunk.iter().map(|&w| 2 * u64::from(w)).sum::<u64>() + u64::from(self.nodes);
        let most = u64::from(u32::MAX) / 4;
        match switches.checked_mul(radix) {
            Some(ports) if ports < most => Ok(trunk),
            ports => Err(NetworkError::TooLarge {
                what: format!("{} ports", ports.map_or("over 10^19".into(), |p| p.to_string())),
                most,
            }),
        }
    }

    /// Returns the number of ports of a torus, which a mesh has not quite, without building it.
    fn most_ports(&self) -> Result<u64, NetworkError> {
        let trunk = self.check()?;
        let radix = trunk.iter().map(|&w| 2 * u64::from(w)).sum::<u64>() + u64::from(self.nodes);
        Ok(self.dims.iter().map(|&k| u64::from(k)).product::<u64>() * radix)
    }

    /// Compiles to tables; `wrap` makes a torus, otherwise a mesh.
    fn compiled(&self, wrap: bool) -> Result<Network, NetworkError> {
        self.check().map(|trunk| self.compile(&trunk, wrap))
    }

    /// Compiles to tables; parameters are in range.
    pub(super) fn compile(&self, trunk: &[u32], wrap: bool) -> Network {
        let n = self.dims.len();
        let switches: u32 = self.dims.iter().product();
        let wraps: Vec<bool> = self.dims.iter().map(|&k| self.closes(k, wrap)).collect();
        let rings = grid::rings(&self.dims, trunk, &wraps, self.ties);
        let dateline = |(&k, &wraps): (&u32, &bool)| wraps.then_some((k - 1) as u16);
        // A ring of two that does not close is a rim as well.
        let has_rims = wraps.contains(&false);
        let mut builder = NetworkBuilder::new();
        let mut grid = Grid {
            dims: self.dims.clone(),
            datelines: self.dims.iter().zip(&wraps).map(dateline).collect(),
            dimension_of_bit: grid::dimensions_of_bits(&rings),
            ties: self.ties,
            rings,
            wraps,
            trunk: trunk.to_vec(),
            packed: Vec::with_capacity(switches as usize),
            trunk_port: Vec::new(),
            trunk_stride: if has_rims { n * 2 } else { 0 },
        };
        let mut first_port = Vec::with_capacity(switches as usize);
        for switch in 0..switches {
            let first = self.add_switch(&mut builder, &mut grid, switch);
            first_port.push(first);
        }
        link_neighbours(&mut builder, &grid, &first_port);
        let classes = std::iter::once("node".into()).chain((0..n).map(|d| format!("dim-{d}"))).collect();
        builder.build(classes, Geometry::Grid(grid))
    }

    /// Adds the ports of one switch and returns the first.
    fn add_switch(&self, builder: &mut NetworkBuilder, grid: &mut Grid, switch: u32) -> u32 {
        let mut rest = switch;
        let mut first = None;
        let mut count = 0u16;
        let mut packed = 0;
        for (d, &k) in self.dims.iter().enumerate() {
            let x = rest % k;
            rest /= k;
            packed |= u64::from(x) << grid.rings[d].shift;
            for exists in [grid.wraps[d] || x + 1 < k, grid.wraps[d] || x > 0] {
                if switch == 0 || grid.trunk_stride > 0 {
                    grid.trunk_port.push(if exists { count } else { Grid::NO_TRUNK });
                }
                for _ in 0..if exists { grid.trunk[d] } else { 0 } {
                    let port = builder.add_port(1 + d as u8);
                    first.get_or_insert(port.0);
                    count += 1;
                }
            }
        }
        grid.packed.push(packed);
        for _ in 0..self.nodes {
            builder.add_node();
        }
        builder.end_switch();
        // Every switch of a network with dimensions of at least 2 has a neighbour.
        first.unwrap_or_default()
    }

    /// Returns distances in closed form: dimensions are independent.
    fn distances(&self, wrap: bool) -> Metrics {
        let switches: u64 = self.dims.iter().map(|&k| u64::from(k)).product();
        let nodes = switches * u64::from(self.nodes);
        let (mut diameter, mut mean) = (0, 0.0);
        for &k in &self.dims {
            let k = u64::from(k);
            let (longest, sum) = if wrap && k > 2 { (k / 2, k * (k * k / 4)) } else { (k - 1, k * (k * k - 1) / 3) };
            diameter += longest as u32;
            mean += sum as f64 / (k * k) as f64;
        }
        let distinct = if nodes > 1 { mean * nodes as f64 / (nodes - 1) as f64 } else { 0.0 };
        Metrics { diameter, mean_distance: mean, mean_distance_distinct: distinct }
    }
}

impl Topology for Torus {
    fn kind(&self) -> &'static str {
        "torus"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.most_ports()
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.compiled(true)
    }

    fn metrics(&self) -> Option<Metrics> {
        Some(self.distances(true))
    }
}

/// A mesh: the parameters of a torus without its wrap-around links.
#[derive(Debug)]
pub(super) struct AsMesh<'a>(pub &'a Torus);

impl Topology for AsMesh<'_> {
    fn kind(&self) -> &'static str {
        "mesh"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.0.most_ports()
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.0.compiled(false)
    }

    fn metrics(&self) -> Option<Metrics> {
        Some(self.0.distances(false))
    }
}

/// Joins every switch's upward trunks with the downward trunks of its neighbours, link `i` with link `i`.
fn link_neighbours(builder: &mut NetworkBuilder, grid: &Grid, first_port: &[u32]) {
    for switch in 0..first_port.len() as u32 {
        let mut stride = 1;
        for (d, &k) in grid.dims.iter().enumerate() {
            let up = grid.trunk_of(switch, d, true);
            if up != Grid::NO_TRUNK {
                let x = u32::from(grid.coordinate(switch, d));
                let neighbour = switch - x * stride + (x + 1) % k * stride;
                let down = grid.trunk_of(neighbour, d, false);
                for i in 0..grid.trunk[d] {
                    let a = PortId(first_port[switch as usize] + u32::from(up) + i);
                    let b = PortId(first_port[neighbour as usize] + u32::from(down) + i);
                    builder.link(a, b);
                }
            }
            stride *= k;
        }
    }
}
