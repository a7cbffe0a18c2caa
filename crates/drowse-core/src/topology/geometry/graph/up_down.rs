//! Paths that lead up, towards a root, and then down (Schroeder et al. 1991, Autonet), as tables by destination.
//!
//! The switches are in an order; a channel leads up if it leads to an earlier one. No path leads up again once it has
//! led down, so that the channel dependencies form no cycle, whatever the virtual channels. A packet does not remember
//! that it has gone down: wherever there is a path down to its destination, it takes a shortest of these, and only
//! elsewhere it goes up, along a shortest legal path.
//!
//! The order: where some switches have no nodes, as in a tree, those farthest from all nodes come first, if all nodes
//! can reach each other then. Else switches come in the order of their distance from a root, which is the switch whose
//! farthest node is nearest, among these the one with the most links, among these the first. Those alike come in the
//! order of their numbers.

use super::adjacency::{Adjacency, FAR};

/// The tables of paths up and down.
#[derive(Clone, Debug)]
pub struct UpDown {
    switches: usize,
    /// The place of each switch in the order.
    rank: Vec<u32>,
    /// By destination and switch: twice the channels that are left, and one more where the first leads up.
    left: Vec<u16>,
    /// The most channels between two switches with nodes.
    pub longest: u32,
}

/// There is no path.
const NOWHERE: u16 = u16::MAX;

impl UpDown {
    /// Finds the paths between the switches with nodes of a graph in which each can be reached.
    pub fn new(adjacency: &Adjacency, nodes: &[u32]) -> Self {
        by_height(adjacency, nodes)
            .and_then(|order| UpDown::in_order(adjacency, nodes, &order))
            .or_else(|| UpDown::in_order(adjacency, nodes, &from_root(adjacency, nodes)))
            .unwrap_or_else(|| {
                unreachable!("from a root there is a path down to everywhere, and to the root a path up")
            })
    }

    /// Finds the paths where switches come in some order; `None` where some nodes cannot reach each other.
    fn in_order(adjacency: &Adjacency, nodes: &[u32], order: &[u32]) -> Option<Self> {
        let switches = nodes.len();
        let mut rank = vec![0; switches];
        (0..).zip(order).for_each(|(place, &switch)| rank[switch as usize] = place);
        let mut tables = UpDown { switches, rank, left: vec![NOWHERE; switches * switches], longest: 0 };
        let mut found = Vec::with_capacity(switches);
        let with_nodes = |switch: u32| nodes[switch as usize] > 0;
        for to in (0..switches as u32).filter(|&to| with_nodes(to)) {
            tables.find(adjacency, order, to, &mut found);
            let farthest =
                tables.row(to).iter().zip(nodes).filter(|(_, nodes)| **nodes > 0).map(|(left, _)| *left).max();
            match farthest {
                Some(NOWHERE) => return None,
                farthest => tables.longest = tables.longest.max(u32::from(farthest.unwrap_or(0) / 2)),
            }
        }
        Some(tables)
    }

    /// Finds the paths to one switch.
    fn find(&mut self, adjacency: &Adjacency, order: &[u32], to: u32, found: &mut Vec<u32>) {
        let UpDown { rank, left, .. } = self;
        let left = &mut left[to as usize * self.switches..][..self.switches];
        left[to as usize] = 0;
        found.clear();
        found.push(to);
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            next += 1;
            for above in adjacency.of(at).iter().filter(|neighbour| rank[neighbour.to as usize] < rank[at as usize]) {
                if left[above.to as usize] == NOWHERE {
                    left[above.to as usize] = left[at as usize] + 2;
                    found.push(above.to);
                }
            }
        }
        for &at in order {
            if left[at as usize] == NOWHERE {
                let above = adjacency.of(at).iter().filter(|neighbour| rank[neighbour.to as usize] < rank[at as usize]);
                let nearest = above
                    .map(|neighbour| left[neighbour.to as usize])
                    .filter(|&left| left != NOWHERE)
                    .map(|left| left / 2);
                left[at as usize] = nearest.min().map_or(NOWHERE, |nearest| (nearest + 1) * 2 + 1);
            }
        }
    }

    /// Returns for a destination which neighbours lead on, from a switch that it is not.
    #[inline]
    pub fn leads(&self, at: u32, to: u32) -> impl Fn(u32) -> bool + '_ {
        let (row, rank) = (self.row(to), &self.rank);
        let (here, goes_up) = (row[at as usize], row[at as usize] & 1 == 1);
        move |next| {
            let there = row[next as usize];
            let is_up = rank[next as usize] < rank[at as usize];
            // A path that leads down does so to its end.
            is_up == goes_up && (goes_up || there & 1 == 0) && there / 2 + 1 == here / 2
        }
    }

    /// Returns the channels that a packet at a switch has left to take; `None` where it never is.
    pub fn left(&self, at: u32, to: u32) -> Option<u32> {
        Some(self.row(to)[at as usize]).filter(|&left| left != NOWHERE).map(|left| u32::from(left / 2))
    }

    fn row(&self, to: u32) -> &[u16] {
        &self.left[to as usize * self.switches..][..self.switches]
    }
}

/// Orders switches by their distance from all nodes, the farthest first; `None` where all have nodes.
fn by_height(adjacency: &Adjacency, nodes: &[u32]) -> Option<Vec<u32>> {
    let mut height = vec![0; nodes.len()];
    let mut found: Vec<u32> = (0..).zip(nodes).filter(|(_, nodes)| **nodes > 0).map(|(switch, _)| switch).collect();
    if found.len() == nodes.len() {
        return None;
    }
    adjacency.search(&mut found, &mut height);
    found.sort_by_key(|&switch| (std::cmp::Reverse(height[switch as usize]), switch));
    Some(found)
}

/// Orders switches by their distance from a root.
fn from_root(adjacency: &Adjacency, nodes: &[u32]) -> Vec<u32> {
    let (mut found, mut distance) = (Vec::with_capacity(nodes.len()), vec![FAR; nodes.len()]);
    let mut search = |root: u32, found: &mut Vec<u32>| {
        found.clear();
        found.push(root);
        adjacency.search(found, &mut distance);
        found.sort_by_key(|&switch| (distance[switch as usize], switch));
        let farthest = found.iter().rev().find(|&&switch| nodes[switch as usize] > 0);
        farthest.map_or(0, |&switch| distance[switch as usize])
    };
    let rank = |root: u32| (search(root, &mut found), std::cmp::Reverse(adjacency.links(root)), root);
    let root = (0..nodes.len() as u32).map(rank).min().map_or(0, |(.., root)| root);
    search(root, &mut found);
    found
}
