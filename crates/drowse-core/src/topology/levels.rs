//! Networks of switch levels with nodes at the bottom: the tables and the arithmetic that all trees share.
//!
//! A switch of level `l` has `down[l]` children (nodes at level 0) and, below the top, `up[l]` parents, with `trunk[l]`
//! parallel links to each. Switches of a level that reach the same nodes form a block of `width[l]` switches; switch `i` of
//! a block is joined by its up port `p` to switch `p * width[l] + i` of the block above. For k-ary n-trees and thin trees this
//! is the wiring of Navaridas et al. 2010, section III, with the primes that its printed formulas have lost; every port is used once.
//!
//! Switches are numbered level by level from the bottom, in a level block by block. Ports of a switch: its children's, then
//! its parents'. The up ports of the top level are not plugged (Navaridas et al. 2010, section III) and do not exist here.

use super::network::{Geometry, Network, NetworkBuilder};
use super::{Metrics, NetworkError};
use crate::model::ids::PortId;

/// The shape of a network of levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Children of a switch by level; at level 0 its nodes.
    pub down: Vec<u32>,
    /// Parents of a switch by level; one entry less than `down`.
    pub up: Vec<u32>,
    /// Parallel links to each parent, by level of the lower switch.
    pub trunk: Vec<u32>,
    /// Switches of level 0; blocks above may be incomplete.
    pub leaf_switches: u32,
}

/// The shape with what follows from it, and the place of each switch: what routing needs.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The shape.
    pub shape: Shape,
    /// Blocks of each level.
    pub blocks: Vec<u32>,
    /// Switches of a block of each level.
    pub width: Vec<u32>,
    /// Switches of level 0 below a block of each level.
    pub reach: Vec<u32>,
    /// The level of each switch.
    pub level: Vec<u8>,
    /// The block of each switch within its level.
    pub block: Vec<u32>,
}

impl Shape {
    fn levels(&self) -> usize {
        self.down.len()
    }

    /// Returns blocks, widths and reaches by level.
    fn sizes(&self) -> [Vec<u32>; 3] {
        let (mut blocks, mut width, mut reach) = (vec![self.leaf_switches], vec![1], vec![1]);
        for l in 1..self.levels() {
            blocks.push(blocks[l - 1].div_ceil(self.down[l]));
            width.push(width[l - 1] * self.up[l - 1]);
            reach.push(reach[l - 1] * self.down[l]);
        }
        [blocks, width, reach]
    }

    /// Returns the number of ports; refuses shapes that do not fit the 32-bit tables, by the same sums in 128 bits.
    pub fn ports(&self) -> Result<u64, NetworkError> {
        let most = u64::from(u32::MAX) / 4;
        let (mut blocks, mut width, mut ports) = (u128::from(self.leaf_switches), 1u128, 0u128);
        for l in 0..self.levels() {
            if l > 0 {
                blocks = blocks.div_ceil(u128::from(self.down[l]));
                width = width.saturating_mul(u128::from(self.up[l - 1]));
            }
            let below = if l > 0 { self.trunk[l - 1] } else { 1 };
            let above = self.up.get(l).map_or(0, |&up| u128::from(up) * u128::from(self.trunk[l]));
            let radix = u128::from(self.down[l]) * u128::from(below) + above;
            ports = ports.saturating_add(blocks.saturating_mul(width).saturating_mul(radix));
        }
        match u64::try_from(ports) {
            Ok(ports) if ports < most => Ok(ports),
            _ => Err(NetworkError::TooLarge { what: format!("{ports} ports"), most }),
        }
    }

    /// Compiles to tables.
    pub fn build(self) -> Network {
        let [blocks, width, reach] = self.sizes();
        let mut levels = Levels { shape: self, blocks, width, reach, level: Vec::new(), block: Vec::new() };
        let mut builder = NetworkBuilder::new();
        let mut first_port = Vec::new();
        for l in 0..levels.shape.levels() {
            for block in 0..levels.blocks[l] {
                for _ in 0..levels.width[l] {
                    levels.level.push(l as u8);
                    levels.block.push(block);
                    first_port.push(levels.add_switch(&mut builder, l, block));
                }
            }
        }
        levels.link(&mut builder, &first_port);
        let above = (1..levels.shape.levels()).map(|l| format!("level-{l}"));
        builder.build(std::iter::once("node".into()).chain(above).collect(), Geometry::Levels(levels))
    }

    /// Returns distances by arithmetic.
    pub fn metrics(&self) -> Metrics {
        let [blocks, _, reach] = self.sizes();
        let nodes = f64::from(self.leaf_switches) * f64::from(self.down[0]);
        let (mut mean, mut nearer) = (0.0, 0.0);
        for (l, &reach) in reach.iter().enumerate() {
            // Pairs of nodes whose lowest common switches are of level l: those of the same block of l but not of l - 1.
            let whole = f64::from(self.leaf_switches / reach);
            let rest = f64::from(self.leaf_switches % reach);
            let pairs = (whole * f64::from(reach).powi(2) + rest * rest) * f64::from(self.down[0]).powi(2);
            mean += 2.0 * l as f64 * (pairs - nearer) / (nodes * nodes);
            nearer = pairs;
        }
        let top = (0..self.levels()).find(|&l| blocks[l] == 1).unwrap_or(0);
        Metrics {
            diameter: 2 * top as u32,
            mean_distance: mean,
            mean_distance_distinct: if nodes > 1.0 { mean * nodes / (nodes - 1.0) } else { 0.0 },
        }
    }
}

impl Levels {
    /// Returns the number of children of a switch.
    #[inline]
    pub fn children(&self, level: usize, block: u32) -> u32 {
        match level {
            0 => self.shape.down[0],
            l => self.shape.down[l].min(self.blocks[l - 1] - block * self.shape.down[l]),
        }
    }

    /// Returns the parallel links to each child of a switch.
    #[inline]
    pub fn links_to_child(&self, level: usize) -> u32 {
        if level == 0 { 1 } else { self.shape.trunk[level - 1] }
    }

    /// Adds the ports of one switch and gives the first.
    fn add_switch(&self, builder: &mut NetworkBuilder, level: usize, block: u32) -> u32 {
        let first = builder.ports();
        for _ in 0..self.children(level, block) * self.links_to_child(level) {
            if level == 0 {
                builder.add_node();
            } else {
                builder.add_port(level as u8);
            }
        }
        let parents = self.shape.up.get(level).map_or(0, |&up| up * self.shape.trunk[level]);
        for _ in 0..parents {
            builder.add_port(level as u8 + 1);
        }
        builder.end_switch();
        first
    }

    /// Joins every switch with its parents, link `i` of a trunk with link `i`.
    fn link(&self, builder: &mut NetworkBuilder, first_port: &[u32]) {
        let first_switch: Vec<u32> = (0..self.shape.levels())
            .scan(0, |next, l| Some(std::mem::replace(next, *next + self.blocks[l] * self.width[l])))
            .collect();
        for (switch, (&level, &block)) in self.level.iter().zip(&self.block).enumerate() {
            let l = usize::from(level);
            let Some(&parents) = self.shape.up.get(l) else { continue };
            let (width, trunk, arity) = (self.width[l], self.shape.trunk[l], self.shape.down[l + 1]);
            let index = (switch as u32 - first_switch[l]) % width;
            let up = first_port[switch] + self.children(l, block) * self.links_to_child(l);
            for p in 0..parents {
                let parent = first_switch[l + 1] + block / arity * self.width[l + 1] + p * width + index;
                let down = first_port[parent as usize] + block % arity * trunk;
                for i in 0..trunk {
                    builder.link(PortId(up + p * trunk + i), PortId(down + i));
                }
            }
        }
    }
}
