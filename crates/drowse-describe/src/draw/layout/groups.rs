//! Dragonfly, Dragonfly+, PERCS and Cascade: a ring of groups, clockwise from the top, so that global links run through
//! the middle.
//!
//! A group is a ring, too, where its switches are joined each with each, with gaps where the class of links changes,
//! such as between the drawers of PERCS; it is turned, as all others, so that global links are as short as may be.
//! Leaves and spines are two rows, spines inside. Rows and columns are a grid.

use std::f64::consts::TAU;

use drowse_core::topology::groups::{Groups, Local};
use drowse_core::topology::lattice::Lattice;

use super::boxes::Boxes;
use super::{Layout, NODES_APART, Scene};
use crate::draw::point::Point;
use crate::draw::trunks::Ends;

/// A group as it stands at the top of the ring.
struct Group {
    switches: Vec<Point>,
    /// Where the nodes of each switch are.
    outwards: Vec<Point>,
    /// Room that the group takes to the right and downwards.
    size: Point,
    /// Whether groups are turned to look outwards, each at its place.
    turns: bool,
}

/// Places the groups.
pub fn place(scene: &Scene<'_>, groups: &Groups) -> Layout {
    match &groups.local {
        Local::Lattice(lattice) if lattice.dims.len() > 1 => of_grids(scene, groups, lattice),
        Local::Lattice(_) => of_rings(scene, groups),
        Local::LeafSpine { leaves, spines } => rows(scene, *leaves, *spines).around(scene, groups, 0.3),
    }
}

impl Group {
    /// Places as many as there are on a ring, so that they do not touch; nodes are in fans of a share of a turn.
    fn around(&self, scene: &Scene<'_>, groups: &Groups, span: f64) -> Layout {
        // Links between two groups that stand straight would hide the columns.
        let tilt = if self.turns { 0.0 } else { 0.05 };
        let direction = |group: u32| Point::after_turn((f64::from(group) + tilt) / f64::from(groups.count));
        let directions: Vec<Point> = (0..groups.count).map(direction).collect();
        let pairs =
            directions.iter().enumerate().flat_map(|(number, a)| directions[..number].iter().map(move |b| *a - *b));
        let apart =
            |direction: Point| if self.turns { direction.length() } else { direction.x.abs().max(direction.y.abs()) };
        // What brings the nearest two one group's size apart.
        let wide = pairs.map(apart).fold(f64::MAX, f64::min).recip();
        let (mut switches, mut outwards) = (Vec::new(), Vec::new());
        for direction in directions {
            let turned = |at: Point| {
                if self.turns { Point::new(-direction.y, direction.x) * at.x + direction * -at.y } else { at }
            };
            let middle = Point::new(direction.x * self.size.x, direction.y * self.size.y) * wide;
            switches.extend(self.switches.iter().map(|&at| middle + turned(at)));
            outwards.extend(self.outwards.iter().map(|&at| turned(at)));
        }
        let nodes = scene.fans(&switches, span, |switch| outwards[switch]);
        Layout { switches, nodes, bends: vec![0.0; scene.trunks.len()] }
    }

    /// Makes a group that is turned, and needs the same room on all sides.
    fn round(scene: &Scene<'_>, switches: Vec<Point>, outwards: Vec<Point>) -> Self {
        let radius = switches.iter().map(|at| at.length()).fold(0.0, f64::max);
        let needed = 2.0 * (radius + scene.switch_radius + scene.room()) + 14.0;
        Group { switches, outwards, size: Point::new(needed, needed), turns: true }
    }
}

/// Places groups that are rings, turned or seen from behind so that global links are shortest.
fn of_rings(scene: &Scene<'_>, groups: &Groups) -> Layout {
    let places = ring_places(scene, groups);
    let layout = |first: u32, direction: f64| ring(scene, &places, first, direction).around(scene, groups, 0.3);
    let directions = (0..groups.size).flat_map(|first| [(first, -1.0), (first, 1.0)]);
    let tried = directions.map(|(first, direction)| {
        let layout = layout(first, direction);
        (global_length(scene, groups, &layout), layout)
    });
    tried.min_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(|| layout(0, -1.0), |(_, layout)| layout)
}

/// Returns the length of all links between groups.
fn global_length(scene: &Scene<'_>, groups: &Groups, layout: &Layout) -> f64 {
    let global = scene.trunks.iter().filter(|ends| groups.group(ends.from) != groups.group(ends.to));
    global.map(|ends| (layout.switches[ends.to as usize] - layout.switches[ends.from as usize]).length()).sum()
}

/// Returns the place of each switch on the ring of its group, and the ring's length, where a switch takes up 1.
fn ring_places(scene: &Scene<'_>, groups: &Groups) -> (Vec<f64>, f64) {
    // A gap is as wide as two switches.
    let step = |switch: u32| {
        let joins = |ends: &&Ends| (ends.from, ends.to) == (switch, switch + 1);
        if scene.trunks.iter().find(joins).is_some_and(|ends| ends.class > 1) { 3.0 } else { 1.0 }
    };
    let mut places = vec![0.0];
    for switch in 1..groups.size {
        places.push(places[switch as usize - 1] + step(switch - 1));
    }
    let last = places[places.len() - 1];
    let gaps = last >= f64::from(groups.size);
    (places, last + if gaps { 3.0 } else { 1.0 })
}

/// Makes a group that is a ring, one of its switches outermost.
fn ring(scene: &Scene<'_>, (places, length): &(Vec<f64>, f64), first: u32, direction: f64) -> Group {
    let radius = (length * (2.0 * scene.switch_radius + scene.room() / 2.0) / TAU).max(1.6 * scene.switch_radius);
    let radius = if places.len() == 1 { 0.0 } else { radius };
    let directions: Vec<Point> =
        places.iter().map(|at| Point::after_turn(direction * (at - places[first as usize]) / length)).collect();
    Group::round(scene, directions.iter().map(|&direction| direction * radius).collect(), directions)
}

/// Makes a group of leaves and spines.
fn rows(scene: &Scene<'_>, leaves: u32, spines: u32) -> Group {
    let nodes = f64::from(scene.nodes_of(0)) * NODES_APART / 2.0;
    let apart = 2.6 * scene.switch_radius + if scene.shows_nodes { nodes.max(8.0) } else { 4.0 };
    let height = (0.4 * apart * f64::from(leaves.max(spines))).clamp(30.0, 90.0);
    let row = |count: u32, y: f64| {
        (0..count).map(move |i| Point::new((f64::from(i) - f64::from(count - 1) / 2.0) * apart, y))
    };
    let switches: Vec<Point> = row(leaves, -height / 2.0).chain(row(spines, height / 2.0)).collect();
    let outwards = vec![Point::new(0.0, -1.0); switches.len()];
    Group::round(scene, switches, outwards)
}

/// Places groups that are grids, which are not turned.
fn of_grids(scene: &Scene<'_>, groups: &Groups, lattice: &Lattice) -> Layout {
    let boxes = Boxes::new(&lattice.dims, scene.switch_radius, 24.0);
    let middle = boxes.middle(&lattice.dims);
    let place = |switch| boxes.place(|d| lattice.coordinate(switch, d)) - middle;
    let size = middle * 2.0 + Point::new(1.0, 1.0) * (2.0 * scene.switch_radius + 70.0);
    let switches: Vec<Point> = (0..groups.size).map(place).collect();
    let outwards = vec![Point::new(1.0, 1.0); switches.len()];
    let mut layout = Group { switches, outwards, size, turns: false }.around(scene, groups, 0.13);
    for (ends, bend) in scene.trunks.iter().zip(&mut layout.bends) {
        let [a, b] = [ends.from, ends.to].map(|switch| switch % groups.size);
        let differs = |d: &usize| lattice.coordinate(a, *d) != lattice.coordinate(b, *d);
        let within = groups.group(ends.from) == groups.group(ends.to);
        if let Some(d) = (0..lattice.dims.len()).find(differs).filter(|_| within) {
            *bend = boxes.bend(d, lattice.coordinate(a, d).abs_diff(lattice.coordinate(b, d)));
        }
    }
    layout
}
