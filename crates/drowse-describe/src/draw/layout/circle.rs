//! A ring of switches: their numbers go round clockwise, from the top.

use std::f64::consts::TAU;

use super::{Layout, Scene};
use crate::draw::point::Point;

/// Places all switches on one circle, their nodes outside.
pub fn place(scene: &Scene<'_>) -> Layout {
    let count = f64::from(scene.network.switches());
    // The more chords may cross, the wider.
    let radius = (count * (3.2 * scene.switch_radius + scene.room()) / TAU).max(7.0 * count).max(90.0);
    let direction = |switch: usize| Point::after_turn(switch as f64 / count);
    let switches: Vec<Point> =
        (0..scene.network.switches() as usize).map(|switch| direction(switch) * radius).collect();
    let nodes = scene.fans(&switches, 0.5, direction);
    Layout { switches, nodes, bends: vec![0.0; scene.trunks.len()] }
}
