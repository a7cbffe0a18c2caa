//! Bisections of trees.
//!
//! The halves are the first and the last half of the nodes, in the order of their numbers, so that few blocks of any
//! level have nodes of both. Switches belong to either half: those of a block to the same, since what holds of one
//! holds of the others, and each block to that which costs less, found from the leaves upwards.

use super::cut::{Basis, Bisection};
use crate::topology::geometry::levels::Levels;

/// What the links below a block cost that are cut where its switches belong to the first half, and to the last.
type Cost = [u128; 2];

/// Finds the cheapest sides of the switches; links of level `l` to the one below are of class `l`.
pub fn bisection(levels: &Levels, weights: &[u64]) -> Bisection {
    let shape = &levels.shape;
    let top = shape.down.len() - 1;
    // Links from a block of level `l` up.
    let up = |l: usize| u64::from(levels.width[l]) * u64::from(shape.up[l]) * u64::from(shape.trunk[l]);
    let weight_up = |l: usize| u128::from(up(l)) * u128::from(weights[l + 1]);
    let mut costs: Vec<Vec<Cost>> = vec![(0..shape.leaf_switches).map(|leaf| nodes_cut(levels, leaf)).collect()];
    costs[0].iter_mut().flatten().for_each(|cost| *cost *= u128::from(weights[0]));
    for l in 1..=top {
        let cheapest = |cost: &Cost, side: usize| cost[side].min(cost[1 - side] + weight_up(l - 1));
        let block = |children: &[Cost]| [0, 1].map(|side| children.iter().map(|child| cheapest(child, side)).sum());
        costs.push(costs[l - 1].chunks(shape.down[l] as usize).map(block).collect());
    }
    // The sides from the top downwards: another than the parents' only where that is cheaper.
    let mut links = vec![0; top + 1];
    let mut sides: Vec<usize> = costs[top].iter().map(|cost| usize::from(cost[1] < cost[0])).collect();
    for l in (0..top).rev() {
        let side = |(block, cost): (usize, &Cost)| {
            let above = sides[block / shape.down[l + 1] as usize];
            let other = cost[1 - above] + weight_up(l) < cost[above];
            links[l + 1] += if other { up(l) } else { 0 };
            if other { 1 - above } else { above }
        };
        sides = costs[l].iter().enumerate().map(side).collect();
    }
    links[0] = (0..shape.leaf_switches).zip(&sides).map(|(leaf, &side)| nodes_cut(levels, leaf)[side] as u64).sum();
    let complete = (1..=top).all(|l| levels.blocks[l - 1].is_multiple_of(shape.down[l]));
    Bisection { links, basis: if complete { Basis::Exact } else { Basis::Bound } }
}

/// Counts the nodes of a leaf switch that belong to the other half, if the switch belongs to the first, or to the last.
fn nodes_cut(levels: &Levels, leaf: u32) -> Cost {
    let below = u64::from(levels.shape.down[0]);
    let half = u64::from(levels.shape.leaf_switches) * below / 2;
    let first = half.saturating_sub(u64::from(leaf) * below).min(below);
    [below - first, first].map(u128::from)
}
