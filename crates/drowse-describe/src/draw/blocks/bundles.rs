//! The links between blocks.

use std::collections::BTreeMap;

use super::partition::Partition;
use super::{Block, Bundle};
use crate::draw::point::Point;
use crate::draw::trunks::Ends;

/// How far links around a row of blocks bend, as a share of their length.
const AROUND: f64 = 0.16;

/// Counts the links within blocks, and returns those between them.
pub fn of(ends: &[Ends], block_of: &[usize], blocks: &mut [Block], partition: &Partition) -> Vec<Bundle> {
    let mut between: BTreeMap<(usize, usize, usize), (u32, Vec<usize>)> = BTreeMap::new();
    for (number, ends) in ends.iter().enumerate() {
        let [one, other] = [ends.from, ends.to].map(|switch| block_of[switch as usize]);
        if one == other {
            blocks[one].links += ends.links;
            continue;
        }
        let found = between.entry((one.min(other), one.max(other), usize::from(ends.class))).or_default();
        found.0 += ends.links;
        found.1.push(number);
    }
    let parallel = |from: usize, to: usize| between.range((from, to, 0)..(from, to + 1, 0)).count();
    let bundle = |(&(from, to, class), (links, trunks)): (&(usize, usize, usize), &(u32, Vec<usize>))| {
        let before = between.range((from, to, 0)..(from, to, class)).count();
        let [a, b] = [blocks[from].at, blocks[to].at];
        let round = if partition.bends && skips(a, b, blocks) { (b - a).length() * AROUND } else { 0.0 };
        // Classes between the same blocks lie beside each other.
        let beside = (before as f64 - (parallel(from, to) - 1) as f64 / 2.0) * 16.0;
        Bundle { from, to, class, links: *links, bend: round + beside, trunks: trunks.clone() }
    };
    between.iter().map(bundle).collect()
}

/// Returns whether a straight line between two places runs through a block.
fn skips(a: Point, b: Point, blocks: &[Block]) -> bool {
    let way = b - a;
    let length = way.length();
    let left = way.left();
    blocks.iter().any(|block| {
        let to = block.at - a;
        let along = (to.x * way.x + to.y * way.y) / length.max(1e-9);
        let aside = to.x * left.x + to.y * left.y;
        along > 1.0 && along < length - 1.0 && aside.abs() < 8.0
    })
}
