//! Tori and meshes of 1 to 10 dimensions, with trunks and several nodes per switch (Andújar et al. 2019, sections 1 and 3.2).
//!
//! Switch `s` has the coordinates of `s` written in the mixed radix `dims`, the first dimension fastest. Its ports are, for
//! each dimension, the trunk towards larger coordinates, then that towards smaller ones, and last the nodes. A torus
//! dimension of size 2 has one trunk, for its two directions would join the same pair (a hypercube has one link per
//! dimension), unless its rings are asked for. Switches at the rim of a mesh have no port where there is no neighbour.

use serde::Deserialize;

use super::network::{Geometry, Network, NetworkBuilder};
use super::{Metrics, NetworkError};
use crate::model::ids::PortId;
use crate::model::prefetch::prefetch;

/// The largest number of dimensions.
pub const MAX_DIMENSIONS: usize = 10;

/// Parameters of a torus or mesh.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Torus {
    /// Switches in each dimension.
    pub dims: Vec<u32>,
    /// Parallel links between neighbours: one number, or one per dimension.
    #[serde(default)]
    pub trunk: PerDimension,
    /// Compute nodes per switch.
    #[serde(default = "one")]
    pub nodes: u32,
    /// Dimensions of size 2 close to a ring, so that their switches are joined by two trunks; a mesh has no rings.
    #[serde(default)]
    pub rings_of_two: bool,
    /// Where dimension order goes from a switch that is as far away either way round.
    #[serde(default)]
    pub ties: Ties,
}

/// Which way plain dimension order goes round a ring where both ways are as long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Up from even coordinates and down from odd ones, so that both directions carry the same.
    #[default]
    Alternate,
    /// The way that does not lead over the end of the coordinates, so that a packet and its answer use the same links (the
    /// analysis of Totoni et al. 2014).
    Direct,
}

/// A number for all dimensions, or one for each.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum PerDimension {
    /// The same everywhere.
    All(u32),
    /// One per dimension.
    Each(Vec<u32>),
}

impl Default for PerDimension {
    fn default() -> Self {
        PerDimension::All(1)
    }
}

/// Is the default of a number.
pub(super) fn one() -> u32 {
    1
}

/// One dimension: what routing needs of it at every hop, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// Switches.
    pub size: u32,
    /// Ports in a trunk.
    pub trunk: u16,
    /// It closes to a ring.
    pub wraps: bool,
    /// Dimension order goes the direct way where both are as long.
    ties_direct: bool,
    /// Where its coordinate lies in the packed ones, and how wide it is.
    shift: u8,
    mask: u16,
}

impl Ring {
    /// Takes the coordinate in this dimension out of packed ones.
    #[inline]
    pub fn coordinate(&self, packed: u64) -> u16 {
        (packed >> self.shift) as u16 & self.mask
    }

    /// Returns whether plain dimension order goes up from `x` to `y`, which is as far away either way round.
    #[inline]
    pub fn tie_goes_up(&self, x: u16, y: u16) -> bool {
        if self.ties_direct { x < y } else { x.is_multiple_of(2) }
    }

    /// Returns the distance from `x` up to another coordinate, around the end.
    #[inline]
    pub fn forward(&self, x: u16, y: u16) -> u32 {
        // Without a branch, which nobody could foretell.
        u32::from(y).wrapping_sub(u32::from(x)).wrapping_add(self.size * u32::from(y < x))
    }
}

/// Coordinates and port groups: what routing on a torus or mesh needs.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Switches in each dimension.
    pub dims: Vec<u32>,
    /// Dimensions that close to a ring; those of size 2 do only where that was asked for.
    pub wraps: Vec<bool>,
    /// Where the dateline of each dimension's rings lies: between this coordinate and the next one up, which from the last is
    /// 0; `None` where there are no rings.
    pub datelines: Vec<Option<u16>>,
    /// Ports in a trunk of each dimension.
    pub trunk: Vec<u32>,
    /// Where dimension order goes from a switch that is as far away either way round.
    pub ties: Ties,
    /// The same, by dimension.
    pub rings: Vec<Ring>,
    /// The dimension of each bit of packed coordinates.
    dimension_of_bit: [u8; 64],
    /// The coordinates of each switch, packed side by side, the first dimension in the lowest bits.
    packed: Vec<u64>,
    /// First port of the trunk, relative to the switch's first: per switch and dimension two entries, towards larger and
    /// towards smaller coordinates; [`Grid::NO_TRUNK`] at the rim of a mesh. Without rims, all switches are like the first.
    trunk_port: Vec<u16>,
    /// Entries from one switch to the next; 0 without rims.
    trunk_stride: usize,
}

impl Grid {
    /// Marks a trunk that does not exist.
    pub const NO_TRUNK: u16 = u16::MAX;

    /// Returns the coordinates of a switch, packed; [`Ring::coordinate`] takes them apart.
    #[inline]
    pub fn packed(&self, switch: u32) -> u64 {
        self.packed[switch as usize]
    }

    /// Begins to load the coordinates of a switch.
    #[inline]
    pub fn prefetch(&self, switch: u32) {
        prefetch(&self.packed, switch as usize);
    }

    /// Returns the coordinate of a switch in dimension `d`.
    pub fn coordinate(&self, switch: u32, d: usize) -> u16 {
        self.rings[d].coordinate(self.packed(switch))
    }

    /// Returns the lowest dimension in which two packed coordinates, which are not the same, differ.
    #[inline]
    pub fn first_difference(&self, a: u64, b: u64) -> usize {
        usize::from(self.dimension_of_bit[((a ^ b).trailing_zeros() & 63) as usize])
    }

    /// Returns the first port, relative to the switch's first, of the trunk in dimension `d`; `up` is towards larger
    /// coordinates.
    #[inline]
    pub fn trunk_of(&self, switch: u32, d: usize, up: bool) -> u16 {
        self.trunk_port[switch as usize * self.trunk_stride + d * 2 + usize::from(!up)]
    }
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
    pub fn ports(&self) -> Result<u64, NetworkError> {
        let trunk = self.check()?;
        let radix = trunk.iter().map(|&w| 2 * u64::from(w)).sum::<u64>() + u64::from(self.nodes);
        Ok(self.dims.iter().map(|&k| u64::from(k)).product::<u64>() * radix)
    }

    /// Compiles to tables; `wrap` makes a torus, otherwise a mesh.
    pub fn build(&self, wrap: bool) -> Result<Network, NetworkError> {
        self.check().map(|trunk| self.compile(&trunk, wrap))
    }

    /// Compiles to tables; parameters are in range.
    pub(super) fn compile(&self, trunk: &[u32], wrap: bool) -> Network {
        let n = self.dims.len();
        let switches: u32 = self.dims.iter().product();
        let wraps: Vec<bool> = self.dims.iter().map(|&k| self.closes(k, wrap)).collect();
        let rings = rings(&self.dims, trunk, &wraps, self.ties);
        let dateline = |(&k, &wraps): (&u32, &bool)| wraps.then_some((k - 1) as u16);
        // A ring of two that does not close is a rim as well.
        let has_rims = wraps.contains(&false);
        let mut builder = NetworkBuilder::new();
        let mut grid = Grid {
            dims: self.dims.clone(),
            datelines: self.dims.iter().zip(&wraps).map(dateline).collect(),
            dimension_of_bit: dimensions_of_bits(&rings),
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

    /// Adds the ports of one switch and gives the first.
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
    pub fn metrics(&self, wrap: bool) -> Metrics {
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

/// Lays the dimensions out side by side: 2^30 switches in 10 dimensions need at most 40 bits.
fn rings(dims: &[u32], trunk: &[u32], wraps: &[bool], ties: Ties) -> Vec<Ring> {
    let mut end = 0;
    let ring = |((&size, &trunk), &wraps): ((&u32, &u32), &bool)| {
        let (width, shift) = ((size - 1).ilog2() + 1, end);
        end += width as u8;
        // On a ring of two both rules are the same: up from 0 and down from 1 is the direct trunk.
        let ties_direct = ties == Ties::Direct;
        Ring { size, trunk: trunk as u16, wraps, ties_direct, shift, mask: ((1u32 << width) - 1) as u16 }
    };
    dims.iter().zip(trunk).zip(wraps).map(ring).collect()
}

fn dimensions_of_bits(rings: &[Ring]) -> [u8; 64] {
    let of = |bit: usize| rings.iter().rposition(|ring| usize::from(ring.shift) <= bit).unwrap_or(0) as u8;
    std::array::from_fn(of)
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
