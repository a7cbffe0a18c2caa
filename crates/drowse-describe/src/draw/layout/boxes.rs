//! Tori, meshes, hypercubes and `HyperX`: a grid; a third dimension goes backwards, each further one sets whole boxes
//! side by side.

use super::{Layout, Scene};
use crate::draw::point::Point;

/// The step through all layers of the third dimension, as shares of a cell, and the longest step.
const BACKWARDS: Point = Point::new(0.78, -0.56);
const LONGEST_STEP: f64 = 0.46;
/// The share of a turn that the nodes of a switch take up.
const FAN: f64 = 0.18;

/// A grid to place switches on by their coordinates.
pub struct Boxes {
    steps: Vec<Point>,
    cell: f64,
}

impl Boxes {
    /// Makes a grid for switches of a size.
    pub fn new(dims: &[u32], switch_radius: f64, room: f64) -> Self {
        let longest = dims.iter().take(2).copied().max().unwrap_or(1);
        let layers = dims.get(2).map_or(0.0, |&layers| f64::from(layers - 1));
        let least = (3.2 * switch_radius + room).max(layers * 3.6 * switch_radius);
        let cell = (640.0 / f64::from(longest)).clamp(least, least.max(90.0));
        let (mut steps, mut size) = (Vec::new(), Point::new(0.0, 0.0));
        for (d, &count) in dims.iter().enumerate() {
            let step = match d {
                0 => Point::new(cell, 0.0),
                1 => Point::new(0.0, cell),
                2 => BACKWARDS * (cell * LONGEST_STEP.min(1.0 / f64::from(count - 1))),
                _ if d % 2 == 1 => Point::new(size.x + 1.3 * cell, 0.0),
                _ => Point::new(0.0, size.y + 1.3 * cell),
            };
            let span = step * f64::from(count - 1);
            size = size + Point::new(span.x.abs(), span.y.abs());
            steps.push(step);
        }
        Boxes { steps, cell }
    }

    /// Returns the place of coordinates.
    pub fn place(&self, coordinate: impl Fn(usize) -> u32) -> Point {
        let steps = self.steps.iter().enumerate().map(|(d, &step)| step * f64::from(coordinate(d)));
        steps.fold(Point::new(0.0, 0.0), |at, step| at + step)
    }

    /// Returns the middle of all places.
    pub fn middle(&self, dims: &[u32]) -> Point {
        self.place(|d| dims[d] - 1) * 0.5
    }

    /// Bends links so that they do not run through the switches between their ends, which differ by `apart` in
    /// dimension `d`.
    pub fn bend(&self, d: usize, apart: u32) -> f64 {
        // Farther out the farther apart, and steeper, so that links part at once; but never as far as the next row.
        let length = f64::from(apart);
        let beyond = if apart > 1 { (0.055 * length * length.sqrt()).min(0.46) } else { 0.0 };
        let share = match d {
            // Above the row, left of the column.
            0 => beyond,
            1 => -beyond,
            2 => 0.5 * beyond,
            // Over what lies between boxes.
            _ => 0.4 + beyond,
        };
        share * self.cell
    }
}

/// Places all switches by their coordinates.
pub fn place(scene: &Scene<'_>, dims: &[u32], coordinate: impl Fn(u32, usize) -> u32) -> Layout {
    let boxes = Boxes::new(dims, scene.switch_radius, scene.room());
    let switches: Vec<Point> =
        (0..scene.network.switches()).map(|switch| boxes.place(|d| coordinate(switch, d))).collect();
    // Between the rows and columns, where few links run.
    let nodes = scene.fans(&switches, FAN, |_| Point::new(1.0, 1.0));
    let bend = |ends: &super::Ends| {
        let d = usize::from(ends.class) - 1;
        boxes.bend(d, coordinate(ends.from, d).abs_diff(coordinate(ends.to, d)))
    };
    Layout { switches, nodes, bends: scene.trunks.iter().map(bend).collect() }
}
