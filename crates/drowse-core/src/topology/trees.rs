//! What trees and racks share: the number of their ports, their distances, and compiling to tables.

use super::builder::NetworkBuilder;
use super::error::NetworkError;
use super::geometry::Geometry;
use super::geometry::levels::{Levels, Shape};
use super::metrics::Metrics;
use super::network::Network;
use crate::model::ids::PortId;

impl Shape {
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
    /// Adds the ports of one switch and returns the first.
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
