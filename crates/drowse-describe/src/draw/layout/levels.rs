//! Trees: a row of switches for each level, the nodes at the bottom.

use drowse_core::topology::levels::Levels;

use super::{Layout, NODES_APART, Scene};
use crate::draw::point::Point;

/// Places each level's switches at equal distances over the whole width.
pub fn place(scene: &Scene<'_>, levels: &Levels) -> Layout {
    let below = if scene.shows_nodes { levels.shape.down[0] } else { 0 };
    let least = (2.0 * scene.switch_radius + 4.0).max(f64::from(below) * NODES_APART + 8.0);
    let most = (0..levels.blocks.len()).map(|l| levels.blocks[l] * levels.width[l]).max().unwrap_or(1);
    let width = (f64::from(most) * least).max(420.0);
    let height = (width / 6.0).clamp(90.0, 190.0);
    let mut switches = Vec::with_capacity(levels.level.len());
    for (l, (blocks, width_of_block)) in levels.blocks.iter().zip(&levels.width).enumerate() {
        let count = blocks * width_of_block;
        let place = |i: u32| Point::new((f64::from(i) + 0.5) * width / f64::from(count), -(l as f64) * height);
        switches.extend((0..count).map(place));
    }
    let row = |(switch, at): (usize, &Point)| {
        let (count, at) = (scene.nodes_of(switch), *at);
        let x = move |node: u32| (f64::from(node) - f64::from(count - 1) / 2.0) * NODES_APART;
        (0..count).map(move |node| at + Point::new(x(node), scene.switch_radius + 20.0))
    };
    let nodes = switches.iter().take(levels.shape.leaf_switches as usize).enumerate().flat_map(row).collect();
    Layout { bends: vec![0.0; scene.trunks.len()], switches, nodes }
}
