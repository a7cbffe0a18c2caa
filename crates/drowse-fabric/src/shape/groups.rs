//! The groups of a dragonfly: which switches belong together, from the links alone.

use std::collections::{BTreeMap, HashMap};

use super::cabling::{Cabling, Pair, pair};

/// The least switches of a group of switches that are all joined: two that are joined are no sign of a group.
const LEAST: u32 = 3;

/// The switches of a graph by groups.
pub struct Grouped {
    /// By switch.
    pub of: Vec<u32>,
    /// The switches of each group.
    pub members: Vec<Vec<u32>>,
    /// The pairs of switches of one group that should be joined.
    pub plan: Vec<Pair>,
}

impl Grouped {
    fn new(members: Vec<Vec<u32>>, switches: usize, joined: impl Fn(u32, u32) -> bool) -> Self {
        let mut of = vec![0; switches];
        let mut plan = Vec::new();
        for (group, members) in (0..).zip(&members) {
            members.iter().for_each(|&switch| of[switch as usize] = group);
            let pairs = members.iter().enumerate().flat_map(|(at, &a)| members[at + 1..].iter().map(move |&b| [a, b]));
            plan.extend(pairs.filter(|&[a, b]| joined(a, b)).map(|[a, b]| pair(a, b)));
        }
        Grouped { of, members, plan }
    }

    /// Returns the switches of a group; all have as many.
    pub fn usual_size(&self) -> u32 {
        self.members.first().map_or(0, |group| group.len() as u32)
    }
}

/// Returns the ways to divide a graph into groups of one size whose switches are nearly all joined.
pub fn blocks(cabling: &Cabling<'_>) -> Vec<Grouped> {
    let switches = cabling.graph.switches();
    let degree = (0..switches).map(|switch| cabling.neighbours(switch).len() as u32).max().unwrap_or(0);
    let sizes = (LEAST..=(switches / 2).min(degree + 1)).filter(|&size| switches.is_multiple_of(size));
    let common = shared(cabling);
    sizes.filter_map(|size| of_size(cabling, &common, size)).collect()
}

/// Returns by pair of joined switches how many neighbours both have.
fn shared(cabling: &Cabling<'_>) -> HashMap<Pair, u32> {
    let mut is_neighbour = vec![false; cabling.graph.nodes.len()];
    let mut shared = HashMap::with_capacity(cabling.pairs().len());
    for a in 0..cabling.graph.switches() {
        cabling.neighbours(a).iter().for_each(|&of_a| is_neighbour[of_a as usize] = true);
        for &b in cabling.neighbours(a).iter().filter(|&&b| b > a) {
            let both = cabling.neighbours(b).iter().filter(|&&of_b| is_neighbour[of_b as usize]).count();
            shared.insert([a, b], both as u32);
        }
        cabling.neighbours(a).iter().for_each(|&of_a| is_neighbour[of_a as usize] = false);
    }
    shared
}

/// Divides a graph into groups of a size; `None` if many of their switches are not joined.
///
/// A group grows from the first switch that has none, by the switch that is joined with most of its members; of several, by
/// the one that shares most neighbours with the first.
fn of_size(cabling: &Cabling<'_>, shared: &HashMap<Pair, u32>, size: u32) -> Option<Grouped> {
    let switches = cabling.graph.switches();
    let mut is_taken = vec![false; switches as usize];
    let (mut members, mut missing) = (Vec::new(), 0u64);
    let pairs = u64::from(switches) * u64::from(size - 1) / 2;
    for first in 0..switches {
        if is_taken[first as usize] {
            continue;
        }
        let mut group = vec![first];
        is_taken[first as usize] = true;
        // By switch that has no group: with how many of this group it is joined.
        let mut joined: BTreeMap<u32, u32> = BTreeMap::new();
        while group.len() < size as usize {
            let last = group[group.len() - 1];
            for &neighbour in cabling.neighbours(last).iter().filter(|&&it| !is_taken[it as usize]) {
                *joined.entry(neighbour).or_insert(0) += 1;
            }
            let rank = |(&switch, &links): (&u32, &u32)| {
                let both = shared.get(&pair(first, switch)).copied().unwrap_or(0);
                (links, both, std::cmp::Reverse(switch))
            };
            let (links, _, std::cmp::Reverse(next)) = joined.iter().map(rank).max()?;
            joined.remove(&next);
            missing += group.len() as u64 - u64::from(links);
            if missing * super::MOST as u64 > pairs {
                return None;
            }
            is_taken[next as usize] = true;
            group.push(next);
        }
        group.sort_unstable();
        members.push(group);
    }
    Some(Grouped::new(members, switches as usize, |_, _| true))
}

/// Divides a graph into groups of leaves, which have nodes, with their spines, which have none. Leaves that share more than
/// half of their spines are of one group, and a spine is of the group of most of its leaves; `None` if there is no second
/// group, or a switch that is of none.
pub fn leaves_and_spines(cabling: &Cabling<'_>) -> Option<Grouped> {
    let is_leaf: Vec<bool> = cabling.graph.nodes.iter().map(|&nodes| nodes > 0).collect();
    let mut of: Vec<Option<usize>> = vec![None; is_leaf.len()];
    let mut members: Vec<Vec<u32>> = Vec::new();
    let spines = |leaf: u32| cabling.neighbours(leaf).iter().copied().filter(|&it| !is_leaf[it as usize]);
    for leaf in (0..cabling.graph.switches()).filter(|&it| is_leaf[it as usize]) {
        if of[leaf as usize].is_some() {
            continue;
        }
        let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
        let of_spines = spines(leaf).flat_map(|spine| cabling.neighbours(spine).iter().copied());
        of_spines.filter(|&other| is_leaf[other as usize]).for_each(|other| *shared.entry(other).or_insert(0) += 1);
        let most = spines(leaf).count();
        let near = shared.iter().filter(|&(&other, &both)| 2 * both > most && of[other as usize].is_none());
        let group: Vec<u32> = near.map(|(&other, _)| other).collect();
        group.iter().for_each(|&other| of[other as usize] = Some(members.len()));
        members.push(group);
    }
    for spine in (0..cabling.graph.switches()).filter(|&it| !is_leaf[it as usize]) {
        let leaves = cabling.neighbours(spine).iter().filter(|&&it| is_leaf[it as usize]);
        let group = super::usual(leaves.filter_map(|&leaf| of[leaf as usize]).map(|group| group as u32))?;
        members[group as usize].push(spine);
    }
    let is_whole = |group: &Vec<u32>| {
        group.iter().any(|&it| is_leaf[it as usize]) && group.iter().any(|&it| !is_leaf[it as usize])
    };
    (members.len() > 1 && members.iter().all(is_whole))
        .then(|| Grouped::new(members, is_leaf.len(), |a, b| is_leaf[a as usize] != is_leaf[b as usize]))
}
