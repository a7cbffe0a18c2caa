//! Networks of any size: switches together in blocks, links as counts between them.

mod bundles;
mod dot;
mod partition;
mod picture;

use drowse_core::topology::Network;

use super::diagram::LinkClass;
use super::point::Point;
use super::{diagram, trunks};

pub use dot::dot;
pub use picture::picture;

/// A picture of a network in blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// What stands above it.
    pub title: String,
    /// Counts in words.
    pub subtitle: String,
    /// What all blocks are like, where they are alike.
    pub alike: Option<String>,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The links between them.
    pub bundles: Vec<Bundle>,
    /// The classes of links, `node` first.
    pub classes: Vec<LinkClass>,
}

/// Switches that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What it is, such as `group 3`.
    pub name: String,
    /// Its middle.
    pub at: Point,
    /// Its switches.
    pub switches: u32,
    /// Their nodes.
    pub nodes: u32,
    /// Links between its switches.
    pub links: u32,
}

/// Links of one class between two blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// One block.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// The class of the links.
    pub class: usize,
    /// How many there are.
    pub links: u32,
    /// How far the middle lies left of the straight line from one to the other, in pixels.
    pub bend: f64,
    /// The trunks that they are of, by number.
    pub trunks: Vec<usize>,
}

impl Overview {
    /// Puts the switches of a network into blocks. `whole` is the network without its faults, `lost` are the switches
    /// that it has lost.
    pub(super) fn new(title: &str, network: &Network, whole: &Network, lost: &[u32]) -> Self {
        let partition = partition::of(whole);
        let left = (0..whole.switches()).filter(|switch| !lost.contains(switch));
        let block_of: Vec<usize> = left.map(|switch| partition.block[switch as usize]).collect();
        let (partition, block_of) = partition.without_empty(block_of);
        let ends = trunks::of(network);
        let mut blocks: Vec<Block> = partition
            .names
            .iter()
            .zip(&partition.places)
            .map(|(name, at)| Block { name: name.clone(), at: *at, switches: 0, nodes: 0, links: 0 })
            .collect();
        block_of.iter().for_each(|&block| blocks[block].switches += 1);
        for node in 0..network.nodes {
            let switch = network.node_switch(drowse_core::model::ids::NodeId(node)).index();
            blocks[block_of[switch]].nodes += 1;
        }
        let bundles = bundles::of(&ends, &block_of, &mut blocks, &partition);
        let alike = alike(&blocks);
        let subtitle = format!("{}; {} {}", diagram::subtitle(network, true), blocks.len(), partition.what);
        Overview { title: title.into(), subtitle, alike, blocks, bundles, classes: diagram::classes(network, &ends) }
    }

    /// Returns the classes of links between blocks, by number, with how many there are.
    pub fn seen_classes(&self) -> impl Iterator<Item = (usize, &LinkClass, u64)> {
        let between = |class: usize| -> u64 {
            self.bundles.iter().filter(|bundle| bundle.class == class).map(|bundle| u64::from(bundle.links)).sum()
        };
        let seen = move |(class, entry)| Some((class, entry, between(class))).filter(|(.., links)| *links > 0);
        self.classes.iter().enumerate().filter_map(seen)
    }
}

/// Says what each block is like; none where others than the last differ.
fn alike(blocks: &[Block]) -> Option<String> {
    let (first, last) = (blocks.first()?, blocks.last()?);
    let same = |block: &Block| (block.switches, block.nodes, block.links) == (first.switches, first.nodes, first.links);
    let told = |block: &Block| block.counts().join(", ");
    let all_but_one = blocks[..blocks.len() - 1].iter().all(same);
    match (all_but_one, same(last)) {
        (true, true) => Some(format!("each with {}", told(first))),
        (true, false) => Some(format!("each with {}; {} with {}", told(first), last.name, told(last))),
        (false, _) => None,
    }
}

impl Block {
    /// Returns what it holds, in words.
    pub fn counts(&self) -> Vec<String> {
        let count =
            |count: u32, one: &str, many: &str| format!("{} {}", grouped(count), if count == 1 { one } else { many });
        let mut words = vec![count(self.switches, "switch", "switches")];
        if self.nodes > 0 {
            words.push(count(self.nodes, "node", "nodes"));
        }
        if self.links > 0 {
            words.push(count(self.links, "link within", "links within"));
        }
        words
    }
}

/// Writes a count with its thousands apart.
pub(super) fn grouped(count: impl Into<u64>) -> String {
    let digits = count.into().to_string();
    let first = digits.len() % 3;
    let mut parts: Vec<&str> = if first > 0 { vec![&digits[..first]] } else { Vec::new() };
    parts.extend((first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]));
    parts.join(",")
}
