//! Paths up and down (Schroeder et al. 1991): channels to an earlier switch of an order lead up, and no path leads up
//! again once it has led down.
//!
//! Wherever a path down leads to the destination, packets take a shortest of these; elsewhere they go up, along a
//! shortest legal path. The order: switches farthest from all nodes come first, if there are switches without nodes and
//! all nodes can then reach each other. Otherwise switches come in the order of their distance from a root: the switch
//! whose farthest node is nearest, among these the one with the most links.

use std::cmp::Reverse;

/// The legal paths to every switch with nodes.
pub struct UpDown {
    /// The place of each switch in the order.
    rank: Vec<usize>,
    /// By destination and switch: the links that are left, and whether they all lead down.
    left: Vec<Vec<Option<(usize, bool)>>>,
}

impl UpDown {
    /// Finds the legal paths of a connected network from the distances between its switches, the neighbours of each
    /// switch, one for each link, and the switches of its nodes.
    pub fn new(distance: &[Vec<usize>], neighbours: &[Vec<usize>], ends: &[usize]) -> Self {
        let switches = 0..distance.len();
        let height = |switch: usize| ends.iter().map(|&end| distance[end][switch]).min();
        let farthest = |switch: usize| ends.iter().map(|&end| distance[switch][end]).max();
        let links = |switch: usize| neighbours[switch].len();
        if switches.clone().any(|switch| !ends.contains(&switch)) {
            let by_height = UpDown::in_order(neighbours, |switch| (Reverse(height(switch)), switch));
            if ends.iter().all(|&to| ends.iter().all(|&from| by_height.left[to][from].is_some())) {
                return by_height;
            }
        }
        let root = switches.min_by_key(|&switch| (farthest(switch), Reverse(links(switch)), switch)).unwrap_or(0);
        UpDown::in_order(neighbours, |switch| (distance[root][switch], switch))
    }

    /// Finds the legal paths where switches come in the order of a key.
    fn in_order<K: Ord>(neighbours: &[Vec<usize>], key: impl Fn(usize) -> K) -> Self {
        let count = neighbours.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&switch| key(switch));
        let mut rank = vec![0; count];
        order.iter().enumerate().for_each(|(place, &switch)| rank[switch] = place);
        let to_each = |to: usize| {
            let mut left = vec![None; count];
            left[to] = Some((0, true));
            // Every round extends the paths by one link at least.
            for down in [true, false] {
                for _ in 0..count {
                    for switch in 0..count {
                        if !down && left[switch].is_some_and(|(_, down)| down) {
                            continue;
                        }
                        let next =
                            neighbours[switch].iter().copied().filter(|&next| (rank[next] > rank[switch]) == down);
                        let links = next.filter_map(|next| left[next]).map(|(links, _)| links + 1).min();
                        let shorter = links.filter(|&links| left[switch].is_none_or(|(known, _)| links < known));
                        left[switch] = shorter.map_or(left[switch], |links| Some((links, down)));
                    }
                }
            }
            left
        };
        let left = (0..count).map(to_each).collect();
        UpDown { rank, left }
    }

    /// Returns whether a packet for a switch may go from one to a neighbour.
    pub fn leads(&self, switch: usize, next: usize, to: usize) -> bool {
        let (Some((here, down)), Some((there, still_down))) = (self.left[to][switch], self.left[to][next]) else {
            return false;
        };
        let leads_down = self.rank[next] > self.rank[switch];
        there + 1 == here && leads_down == down && (!down || still_down)
    }
}
