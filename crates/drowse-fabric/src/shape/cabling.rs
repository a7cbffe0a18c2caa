//! Which switches of a graph are joined by how many links, whatever their classes, and how that differs from a plan.

use std::collections::BTreeMap;

use drowse_core::topology::Graph;

/// Two switches, the lower number first.
pub type Pair = [u32; 2];

/// The links of a graph by pairs of switches.
pub struct Cabling<'g> {
    pub graph: &'g Graph,
    pairs: BTreeMap<Pair, u32>,
    neighbours: Vec<Vec<u32>>,
}

impl<'g> Cabling<'g> {
    /// Counts the links of each pair.
    pub fn new(graph: &'g Graph) -> Self {
        let mut pairs = BTreeMap::new();
        for trunk in &graph.trunks {
            let links: &mut u32 = pairs.entry(pair(trunk.ends[0], trunk.ends[1])).or_insert(0);
            *links = links.saturating_add(trunk.links);
        }
        let mut neighbours = vec![Vec::new(); graph.nodes.len()];
        for &[a, b] in pairs.keys() {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        Cabling { graph, pairs, neighbours }
    }

    /// Returns the links of each pair that is joined.
    pub fn pairs(&self) -> &BTreeMap<Pair, u32> {
        &self.pairs
    }

    /// Returns the switches that a switch is joined with.
    pub fn neighbours(&self, switch: u32) -> &[u32] {
        &self.neighbours[switch as usize]
    }

    /// Returns the links between two switches.
    pub fn links(&self, a: u32, b: u32) -> u32 {
        self.pairs.get(&pair(a, b)).copied().unwrap_or(0)
    }

    /// Says where the links differ from a plan, and where switches that should have `nodes` nodes have another number.
    pub fn deviations(&self, plan: &BTreeMap<Pair, u32>, nodes: impl Fn(u32) -> u32) -> Vec<String> {
        let mut lines = self.differences(plan, |_| true);
        lines.extend(self.hosts(nodes));
        lines
    }

    /// Says where the links of some pairs of switches differ from a plan.
    pub fn differences(&self, plan: &BTreeMap<Pair, u32>, counts: impl Fn(Pair) -> bool) -> Vec<String> {
        let all: BTreeMap<Pair, [u32; 2]> = plan
            .iter()
            .map(|(&pair, &links)| (pair, [links, 0]))
            .chain(self.pairs.iter().map(|(&pair, &links)| (pair, [plan.get(&pair).copied().unwrap_or(0), links])))
            .collect();
        let differ = all.iter().filter(|&(&pair, [wanted, there])| wanted != there && counts(pair));
        let told = |(&[a, b], &[wanted, there]): (&Pair, &[u32; 2])| {
            let [a, b] = [a, b].map(|switch| self.name(switch));
            format!("{a} to {b}: {}, {wanted} expected", count(there, "link"))
        };
        differ.map(told).collect()
    }

    /// Says where switches that should have `nodes` nodes have another number.
    pub fn hosts(&self, nodes: impl Fn(u32) -> u32) -> Vec<String> {
        let told = |(switch, &there): (u32, &u32)| {
            let wanted = nodes(switch);
            let line = || format!("{}: {}, {wanted} expected", self.name(switch), count(there, "node"));
            (there != wanted).then(line)
        };
        (0..).zip(&self.graph.nodes).filter_map(told).collect()
    }

    /// Returns what a switch is called.
    pub fn name(&self, switch: u32) -> String {
        let named = self.graph.names.get(switch as usize).filter(|name| !name.is_empty());
        named.cloned().unwrap_or_else(|| format!("switch {switch}"))
    }
}

/// Orders the switches of a pair.
pub fn pair(a: u32, b: u32) -> Pair {
    [a.min(b), a.max(b)]
}

/// Says how many of something there are.
pub fn count(number: u32, what: &str) -> String {
    match number {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        more => format!("{more} {what}s"),
    }
}
