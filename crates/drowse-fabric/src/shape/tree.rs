//! Trees: extended generalised fat trees (Öhring et al. 1995), whose switches are told by their distance from the nodes.
//!
//! Between two levels, switches form columns: groups in which each lower switch is joined with each upper one. In a tree,
//! all columns of a level are as large, and each of its lower switches is of a subtree of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::cabling::{Cabling, Pair, count, pair};
use super::{Recognised, list, usual};

/// The most levels of switches.
const MOST_LEVELS: usize = 16;

/// Switches of two levels, joined with each other.
#[derive(Default)]
struct Column {
    lower: Vec<u32>,
    upper: Vec<u32>,
}

/// Finds the tree that a graph is but for some cables.
pub fn find(cabling: &Cabling<'_>) -> Option<Recognised> {
    let levels = levels(cabling)?;
    let top = *levels.iter().max()?;
    if top == 0 || top >= MOST_LEVELS {
        return None;
    }
    let nodes = usual(hosts(cabling))?;
    let (mut children, mut parents, mut links) = (vec![nodes], Vec::new(), Vec::new());
    let mut plan = BTreeMap::new();
    // The subtree of each switch that has been put together so far.
    let mut subtree: Vec<usize> = (0..levels.len()).collect();
    for level in 1..=top {
        let columns = columns(cabling, &levels, level);
        let lower = usual(columns.iter().map(|column| column.lower.len() as u32))?;
        let upper = usual(columns.iter().map(|column| column.upper.len() as u32))?;
        let joined = columns.iter().flat_map(Column::pairs).map(|[a, b]| cabling.links(a, b));
        let each = usual(joined.filter(|&links| links > 0))?;
        if columns.iter().any(|column| !column.joins(lower, upper, &subtree)) {
            return None;
        }
        plan.extend(columns.iter().flat_map(Column::pairs).map(|pair| (pair, each)));
        children.push(lower);
        parents.push(upper);
        links.push(each);
        merge(&mut subtree, &columns);
    }
    let is_leaf = |switch: u32| levels[switch as usize] == 0;
    let deviations = cabling.deviations(&plan, |switch| if is_leaf(switch) { nodes } else { 0 });
    let single = links.iter().all(|&links| links == 1);
    let parallel = if single { String::new() } else { format!("links = {}\n", list(&links)) };
    let section = format!("kind = \"xgft\"\nchildren = {}\nparents = {}\n{parallel}", list(&children), list(&parents));
    let of_level = |level: usize| levels.iter().filter(|&&it| it == level).count().to_string();
    let switches: Vec<String> = (0..=top).map(of_level).collect();
    let words = format!(
        "a tree of {} levels of switches ({} from the bottom) with {} each",
        top + 1,
        switches.join(", "),
        count(nodes, "node")
    );
    Some(Recognised { section: Some(section), words, deviations })
}

impl Column {
    /// Returns all pairs of a lower and an upper switch.
    fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.lower.iter().flat_map(|&lower| self.upper.iter().map(move |&upper| pair(lower, upper)))
    }

    /// Returns whether it has so many switches, each lower one of a subtree of its own.
    fn joins(&self, lower: u32, upper: u32, subtree: &[usize]) -> bool {
        let of_subtrees: BTreeSet<usize> = self.lower.iter().map(|&switch| subtree[switch as usize]).collect();
        of_subtrees.len() == self.lower.len() && [self.lower.len() as u32, self.upper.len() as u32] == [lower, upper]
    }
}

/// Returns the nodes of the switches that have some.
fn hosts(cabling: &Cabling<'_>) -> impl Iterator<Item = u32> {
    cabling.graph.nodes.iter().copied().filter(|&nodes| nodes > 0)
}

/// Returns the level of each switch: its distance from the next switch with nodes.
fn levels(cabling: &Cabling<'_>) -> Option<Vec<usize>> {
    let mut level: Vec<Option<usize>> = cabling.graph.nodes.iter().map(|&nodes| (nodes > 0).then_some(0)).collect();
    let mut reached: Vec<u32> = (0..cabling.graph.switches()).filter(|&it| level[it as usize].is_some()).collect();
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        next += 1;
        for &neighbour in cabling.neighbours(at) {
            if level[neighbour as usize].is_none() {
                level[neighbour as usize] = level[at as usize].map(|level| level + 1);
                reached.push(neighbour);
            }
        }
    }
    level.into_iter().collect()
}

/// Returns the columns between a level and the one below it.
fn columns(cabling: &Cabling<'_>, levels: &[usize], level: usize) -> Vec<Column> {
    let mut found = vec![false; levels.len()];
    let mut columns = Vec::new();
    for first in (0..levels.len() as u32).filter(|&switch| levels[switch as usize] == level) {
        if std::mem::replace(&mut found[first as usize], true) {
            continue;
        }
        let (mut column, mut reached) = (Column::default(), vec![first]);
        while let Some(at) = reached.pop() {
            let (own, other) =
                if levels[at as usize] == level { (&mut column.upper, level - 1) } else { (&mut column.lower, level) };
            own.push(at);
            for &neighbour in cabling.neighbours(at).iter().filter(|&&it| levels[it as usize] == other) {
                if !std::mem::replace(&mut found[neighbour as usize], true) {
                    reached.push(neighbour);
                }
            }
        }
        columns.push(column);
    }
    columns
}

/// Puts the subtrees together that a column joins.
fn merge(subtree: &mut [usize], columns: &[Column]) {
    // By subtree: the one that it is now part of.
    let mut now: Vec<usize> = (0..subtree.len()).collect();
    for column in columns {
        let first = subtree[column.upper[0] as usize];
        for &switch in column.upper.iter().chain(&column.lower) {
            let [a, b] = [first, subtree[switch as usize]].map(|it| root(&mut now, it));
            now[a.max(b)] = a.min(b);
        }
    }
    for of_switch in subtree.iter_mut() {
        *of_switch = root(&mut now, *of_switch);
    }
}

/// Returns the subtree that one is part of, whatever it has been put together with.
fn root(now: &mut [usize], mut at: usize) -> usize {
    while now[at] != at {
        now[at] = now[now[at]];
        at = now[at];
    }
    at
}
