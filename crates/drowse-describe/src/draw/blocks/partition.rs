//! Which switches belong together, by what a network is built of: groups, levels, parts of a grid, or distances.

use std::collections::VecDeque;

use drowse_core::model::ids::ChannelId;
use drowse_core::topology::groups::Groups;
use drowse_core::topology::levels::Levels;
use drowse_core::topology::{End, Geometry, Network};

use crate::draw::layout::boxes::Boxes;
use crate::draw::point::Point;

/// The most blocks of a ring, of a grid, of a row of a tree, and of distances.
const MOST_RING: u32 = 36;
const MOST_GRID: u32 = 64;
const MOST_ROW: u32 = 10;
const MOST_LAYERS: u32 = 16;
/// The room of a block: its width and height.
const ROOM: Point = Point::new(118.0, 58.0);

/// Switches in blocks, and where these stand.
pub struct Partition {
    /// The block of each switch.
    pub block: Vec<usize>,
    /// The name of each block.
    pub names: Vec<String>,
    /// The middle of each block.
    pub places: Vec<Point>,
    /// What blocks are, as in `33 groups`.
    pub what: String,
    /// Whether links run around the blocks between their ends.
    pub bends: bool,
}

impl Partition {
    /// Leaves out blocks all of whose switches are lost; `left` is the block of each switch that is not.
    pub fn without_empty(mut self, left: Vec<usize>) -> (Self, Vec<usize>) {
        let kept: Vec<usize> = (0..self.names.len()).filter(|block| left.contains(block)).collect();
        self.names = kept.iter().map(|&block| self.names[block].clone()).collect();
        self.places = kept.iter().map(|&block| self.places[block]).collect();
        let number = |block: usize| kept.binary_search(&block).unwrap_or(0);
        (self, left.into_iter().map(number).collect())
    }
}

/// Puts the switches of a network into blocks.
pub fn of(network: &Network) -> Partition {
    match &network.geometry {
        Geometry::Groups(groups) => of_groups(network.switches(), groups),
        Geometry::Levels(levels) => of_levels(levels),
        Geometry::Grid(grid) if grid.dims.len() > 1 => {
            of_grid(network.switches(), &grid.dims, |switch, d| u32::from(grid.coordinate(switch, d)))
        }
        Geometry::HyperX(lattice) if lattice.dims.len() > 1 => {
            of_grid(network.switches(), &lattice.dims, |switch, d| lattice.coordinate(switch, d))
        }
        Geometry::Graph(_) => of_distances(network),
        _ => of_numbers(network.switches(), "switch", "switches", "parts of the ring", |switch| switch),
    }
}

/// Names a run of things that have numbers.
fn run(one: &str, many: &str, first: u32, last: u32) -> String {
    if first == last { format!("{one} {first}") } else { format!("{many} {first} to {last}") }
}

/// Puts runs of numbers into blocks around a ring.
fn of_numbers(switches: u32, one: &str, many: &str, what: &str, number: impl Fn(u32) -> u32) -> Partition {
    let count = (0..switches).map(&number).max().map_or(0, |most| most + 1);
    let each = count.div_ceil(MOST_RING).max(1);
    let blocks = count.div_ceil(each);
    let names = (0..blocks).map(|block| run(one, many, block * each, ((block + 1) * each).min(count) - 1)).collect();
    Partition {
        block: (0..switches).map(|switch| (number(switch) / each) as usize).collect(),
        names,
        places: ring(blocks),
        what: if each == 1 { many.to_owned() } else { what.to_owned() },
        bends: false,
    }
}

fn of_groups(switches: u32, groups: &Groups) -> Partition {
    of_numbers(switches, "group", "groups", "sets of neighbouring groups", |switch| groups.group(switch))
}

/// Places blocks on a ring, clockwise from the top.
fn ring(count: u32) -> Vec<Point> {
    let radius = (f64::from(count) * ROOM.x / std::f64::consts::TAU).max(150.0);
    (0..count).map(|block| Point::after_turn(f64::from(block) / f64::from(count)) * radius).collect()
}

/// Puts the subtrees of each level into blocks, a row a level.
fn of_levels(levels: &Levels) -> Partition {
    let each = subtrees_of_a_block(levels);
    let counts: Vec<u32> = levels.blocks.iter().zip(&each).map(|(subtrees, each)| subtrees.div_ceil(*each)).collect();
    let widest = counts.iter().copied().max().unwrap_or(1);
    let (mut names, mut places, mut first_of) = (Vec::new(), Vec::new(), Vec::new());
    for (l, (&subtrees, &count)) in levels.blocks.iter().zip(&counts).enumerate() {
        first_of.push(names.len());
        for block in 0..count {
            let of = if l == 0 { ["leaf", "leaves"] } else { ["subtree", "subtrees"] };
            let name = run(of[0], of[1], block * each[l], ((block + 1) * each[l]).min(subtrees) - 1);
            names.push(match (l, subtrees) {
                (0, _) => name,
                (_, 1) => format!("level {l}, roots"),
                _ => format!("level {l}, {name}"),
            });
            let x = (f64::from(block) + 0.5) * f64::from(widest) / f64::from(count) * ROOM.x * 1.2;
            places.push(Point::new(x, -(l as f64) * ROOM.y * 3.2));
        }
    }
    let block = levels.level.iter().zip(&levels.block).map(|(&level, &block)| {
        let level = usize::from(level);
        first_of[level] + (block / each[level]) as usize
    });
    Partition { block: block.collect(), names, places, what: "blocks by level and subtree".into(), bends: false }
}

/// Returns how many subtrees of each level are a block: those below one block of the level above, or fewer where there
/// is room for more blocks.
fn subtrees_of_a_block(levels: &Levels) -> Vec<u32> {
    let top = levels.blocks.len() - 1;
    let mut each = vec![levels.blocks[top].div_ceil(MOST_ROW).max(1); top + 1];
    for l in (0..top).rev() {
        let below = each[l + 1] * levels.shape.down[l + 1];
        let blocks = levels.blocks[l].div_ceil(below);
        let parts = (MOST_ROW / blocks.max(1)).clamp(1, below);
        each[l] = below.div_ceil(parts);
    }
    each
}

/// Cuts a grid into boxes, the longest dimension first.
fn of_grid(switches: u32, dims: &[u32], coordinate: impl Fn(u32, usize) -> u32) -> Partition {
    let mut parts = dims.to_vec();
    while parts.iter().map(|&part| u64::from(part)).product::<u64>() > u64::from(MOST_GRID) {
        let Some(longest) = (0..parts.len()).rev().max_by_key(|&d| parts[d]) else { break };
        parts[longest] = parts[longest].div_ceil(2);
    }
    let each: Vec<u32> = dims.iter().zip(&parts).map(|(&size, &part)| size.div_ceil(part)).collect();
    let parts: Vec<u32> = dims.iter().zip(&each).map(|(&size, &each)| size.div_ceil(each)).collect();
    let number =
        |at: &dyn Fn(usize) -> u32| (0..parts.len()).rev().fold(0, |number, d| number * parts[d] + at(d)) as usize;
    let block = (0..switches).map(|switch| number(&|d| coordinate(switch, d) / each[d])).collect();
    let boxes = Boxes::new(&parts, ROOM.x / 3.2, ROOM.x * 0.35);
    let all = parts.iter().product::<u32>();
    let at = |block: u32, d: usize| block / parts[..d].iter().product::<u32>() % parts[d];
    let name = |block: u32| {
        let ends = (0..parts.len()).map(|d| {
            let first = at(block, d) * each[d];
            let last = (first + each[d]).min(dims[d]) - 1;
            if first == last { first.to_string() } else { format!("{first}–{last}") }
        });
        ends.collect::<Vec<_>>().join(" × ")
    };
    Partition {
        block,
        names: (0..all).map(name).collect(),
        places: (0..all).map(|block| boxes.place(|d| at(block, d))).collect(),
        what: "boxes of neighbours, named by their coordinates".into(),
        bends: true,
    }
}

/// Puts switches that are equally far from the first into a block.
fn of_distances(network: &Network) -> Partition {
    const UNREACHED: u32 = u32::MAX;
    let mut distance = vec![UNREACHED; network.switches() as usize];
    let mut queue = VecDeque::new();
    // A network in several parts begins anew, beyond what came before.
    let mut farthest = 0;
    for start in 0..distance.len() {
        if distance[start] != UNREACHED {
            continue;
        }
        distance[start] = if start == 0 { 0 } else { farthest + 1 };
        queue.push_back(start);
        while let Some(switch) = queue.pop_front() {
            farthest = farthest.max(distance[switch]);
            for port in network.first_port[switch]..network.first_port[switch + 1] {
                let End::Port(there) = network.target(ChannelId(port)) else { continue };
                let next = network.port_switch(there.0 as usize) as usize;
                if distance[next] == UNREACHED {
                    distance[next] = distance[switch] + 1;
                    queue.push_back(next);
                }
            }
        }
    }
    let each = (farthest + 1).div_ceil(MOST_LAYERS).max(1);
    let count = (farthest + 1).div_ceil(each);
    let name = |block: u32| run("distance", "distances", block * each, ((block + 1) * each).min(farthest + 1) - 1);
    Partition {
        block: distance.iter().map(|distance| (distance / each) as usize).collect(),
        names: (0..count).map(name).collect(),
        places: (0..count).map(|block| Point::new(f64::from(block) * ROOM.x * 1.7, 0.0)).collect(),
        what: "blocks by the distance from switch 0".into(),
        bends: true,
    }
}
