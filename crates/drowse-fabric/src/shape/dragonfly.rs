//! Dragonflies (Kim et al. 2008) and Dragonfly+ (Shpiner et al. 2017), whatever the order of their switches: groups are
//! blocks of switches that are all joined, or leaves with their spines, and every two groups are joined by as many links.
//!
//! Which switch of a group has the links to which other group differs from machine to machine, and is not compared.

use std::collections::BTreeMap;

use super::cabling::{Cabling, Pair, count, pair};
use super::groups::{self, Grouped};
use super::{Recognised, usual};

/// Finds the dragonfly that a graph is but for some cables.
pub fn find(cabling: &Cabling<'_>) -> Option<Recognised> {
    let nodes = usual(cabling.graph.nodes.iter().copied().filter(|&nodes| nodes > 0))?;
    let blocks = groups::blocks(cabling).into_iter().filter_map(|grouped| {
        let found = Compared::of(cabling, &grouped, |_| true)?;
        Some(found.recognised(cabling, &grouped, &Kind::Dragonfly { p: nodes, a: grouped.usual_size() }))
    });
    let of_leaves = groups::leaves_and_spines(cabling).and_then(|grouped| {
        let is_spine = |switch: u32| cabling.graph.nodes[switch as usize] == 0;
        let sizes =
            |spines: bool| usual(grouped.members.iter().map(|group| count_of(group, |it| is_spine(it) == spines)));
        let kind = Kind::Plus { nodes, leaves: sizes(false)?, spines: sizes(true)? };
        Some(Compared::of(cabling, &grouped, is_spine)?.recognised(cabling, &grouped, &kind))
    });
    blocks.chain(of_leaves).min_by_key(|found| found.deviations.len())
}

/// What a group is made of.
enum Kind {
    /// Switches with `p` nodes each, all joined.
    Dragonfly { p: u32, a: u32 },
    /// Leaves with nodes, each joined with each spine.
    Plus { nodes: u32, leaves: u32, spines: u32 },
}

impl Kind {
    /// Returns the switches of a group that have links to other groups.
    fn outer(&self) -> u32 {
        match *self {
            Kind::Dragonfly { a, .. } => a,
            Kind::Plus { spines, .. } => spines,
        }
    }

    /// Returns the links of a switch to other groups, from what most have: as many ports as give every two groups so many
    /// links, and no more; `None` where no number does.
    fn ports(&self, degrees: &[u32], between: u32, groups: u32) -> Option<u32> {
        let [outer, pairs] = [self.outer(), groups - 1].map(u64::from);
        let fits = |&h: &u32| h > 0 && outer * u64::from(h) / pairs == u64::from(between);
        let least = u32::try_from((u64::from(between) * pairs).div_ceil(outer)).unwrap_or(u32::MAX);
        usual(degrees.iter().copied().filter(|&degree| degree > 0)).filter(fits).or(Some(least).filter(fits))
    }

    fn section(&self, h: u32, groups: u32) -> String {
        match self {
            Kind::Dragonfly { p, a } => {
                format!("kind = \"dragonfly\"\np = {p}\na = {a}\nh = {h}\ngroups = {groups}\n")
            }
            Kind::Plus { nodes, leaves, spines } => format!(
                "kind = \"dragonfly-plus\"\nnodes = {nodes}\nleaves = {leaves}\nspines = {spines}\nh = {h}\ngroups = {groups}\n"
            ),
        }
    }

    fn words(&self, groups: u32, between: u32) -> String {
        let links = format!("{} between every two groups", count(between, "link"));
        match self {
            Kind::Dragonfly { p, a } => {
                format!("a dragonfly of {groups} groups of {a} switches with {} each, {links}", count(*p, "node"))
            }
            Kind::Plus { nodes, leaves, spines } => format!(
                "a Dragonfly+ of {groups} groups of {} with {} each and {}, {links}",
                switches(*leaves, "leaf"),
                count(*nodes, "node"),
                switches(*spines, "spine")
            ),
        }
    }
}

/// The links of groups, counted.
struct Compared {
    /// Links between two switches of a group.
    local: u32,
    /// Links between two groups.
    between: u32,
    /// By pair of groups that are joined.
    pairs: BTreeMap<Pair, u32>,
    /// By switch: its links to other groups.
    outer: Vec<u32>,
    /// Switches that may have such links.
    may: Vec<bool>,
}

impl Compared {
    /// Counts; `None` where fewer than most pairs of groups are joined. `may` tells which switches may have links to others.
    fn of(cabling: &Cabling<'_>, grouped: &Grouped, may: impl Fn(u32) -> bool) -> Option<Self> {
        let groups = grouped.members.len();
        let (mut pairs, mut outer) = (BTreeMap::new(), vec![0; grouped.of.len()]);
        for (&[a, b], &links) in cabling.pairs() {
            let [of_a, of_b] = [a, b].map(|switch| grouped.of[switch as usize]);
            if of_a != of_b {
                let between: &mut u32 = pairs.entry(pair(of_a, of_b)).or_insert(0);
                *between = between.saturating_add(links);
                for switch in [a, b] {
                    let of_switch: &mut u32 = &mut outer[switch as usize];
                    *of_switch = of_switch.saturating_add(links);
                }
            }
        }
        let all = groups * (groups - 1) / 2;
        if (all - pairs.len()) * super::MOST > all {
            return None;
        }
        let joined = grouped.plan.iter().map(|&[a, b]| cabling.links(a, b)).filter(|&links| links > 0);
        let (local, between) = (usual(joined)?, usual(pairs.values().copied())?);
        let may = (0..grouped.of.len() as u32).map(may).collect();
        Some(Compared { local, between, pairs, outer, may })
    }

    /// Says what it is, and where it differs.
    fn recognised(&self, cabling: &Cabling<'_>, grouped: &Grouped, kind: &Kind) -> Recognised {
        let groups = grouped.members.len() as u32;
        let degrees: Vec<u32> = self.may.iter().zip(&self.outer).filter(|&(&may, _)| may).map(|(_, &of)| of).collect();
        let ports = kind.ports(&degrees, self.between, groups);
        let plan: BTreeMap<Pair, u32> = grouped.plan.iter().map(|&pair| (pair, self.local)).collect();
        let is_local = |[a, b]: Pair| grouped.of[a as usize] == grouped.of[b as usize];
        let mut deviations = cabling.differences(&plan, is_local);
        deviations.extend(self.between_groups(cabling, grouped));
        if let Some(h) = ports {
            let [outer, h_ports, between, others] = [kind.outer(), h, self.between, groups - 1].map(u64::from);
            deviations.extend(self.of_switches(cabling, h, outer * h_ports == between * others));
        }
        let nodes = |switch: u32| match *kind {
            Kind::Dragonfly { p, .. } => p,
            Kind::Plus { .. } if self.may[switch as usize] => 0,
            Kind::Plus { nodes, .. } => nodes,
        };
        deviations.extend(cabling.hosts(nodes));
        let section = ports.filter(|_| self.local == 1).map(|h| kind.section(h, groups));
        Recognised { section, words: kind.words(groups, self.between), deviations }
    }

    /// Says which groups are joined by fewer or more links than most.
    fn between_groups(&self, cabling: &Cabling<'_>, grouped: &Grouped) -> Vec<String> {
        let groups = grouped.members.len() as u32;
        let mut lines = Vec::new();
        for a in 0..groups {
            for b in a + 1..groups {
                let there = self.pairs.get(&[a, b]).copied().unwrap_or(0);
                if there != self.between {
                    let [a, b] = [a, b].map(|group| cabling.name(grouped.members[group as usize][0]));
                    let told = count(there, "link");
                    lines.push(format!("group of {a} to group of {b}: {told}, {} expected", self.between));
                }
            }
        }
        lines
    }

    /// Says which switches have more links to other groups than they should, or fewer where all should have as many.
    fn of_switches(&self, cabling: &Cabling<'_>, most: u32, full: bool) -> Vec<String> {
        let told = |(switch, &there): (u32, &u32)| {
            let expected = if self.may[switch as usize] { most } else { 0 };
            let line =
                || format!("{}: {} to other groups, {expected} expected", cabling.name(switch), count(there, "link"));
            (there > expected || full && there < expected).then(line)
        };
        (0..).zip(&self.outer).filter_map(told).collect()
    }
}

/// Says how many switches of a kind there are.
fn switches(number: u32, kind: &str) -> String {
    format!("{number} {kind} switch{}", if number == 1 { "" } else { "es" })
}

fn count_of(switches: &[u32], which: impl Fn(u32) -> bool) -> u32 {
    switches.iter().filter(|&&switch| which(switch)).count() as u32
}
