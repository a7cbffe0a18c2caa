//! The trees of the paper.

use drowse_experiment::Diagnostic;
use drowse_tables::Row;

use crate::described::network;

/// The experiment file; each tree sets its own network in it.
const EXPERIMENT: &str = include_str!("trees.toml");

/// A `k:k',n` thin tree; a `k,n` tree where `up` equals `down`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    pub down: u64,
    pub up: u64,
    pub levels: u32,
}

pub const fn tree(down: u64, up: u64, levels: u32) -> Tree {
    Tree { down, up, levels }
}

impl Tree {
    pub fn is_thin(self) -> bool {
        self.up != self.down
    }

    /// Returns the paper's name of the tree.
    pub fn name(self) -> String {
        let Tree { down, up, levels } = self;
        if self.is_thin() { format!("{down}:{up},{levels}-thintree") } else { format!("{down},{levels}-tree") }
    }

    /// Returns the tree of as many nodes that is not slimmed.
    pub fn whole(self) -> Tree {
        Tree { up: self.down, ..self }
    }

    pub fn nodes(self) -> u64 {
        self.down.pow(self.levels)
    }

    /// Returns how many times fewer links lead to its top level than in the whole tree.
    pub fn slimmed(self) -> f64 {
        (1..self.levels).map(|_| self.down as f64 / self.up as f64).product()
    }

    /// Returns the key that sets it in an experiment.
    pub fn network(self) -> String {
        let Tree { down, up, levels } = self;
        if self.is_thin() {
            format!("network={{ kind = \"thin-tree\", down = {down}, up = {up}, levels = {levels} }}")
        } else {
            format!("network={{ kind = \"tree\", k = {down}, n = {levels} }}")
        }
    }

    /// Builds it, and returns what is counted in it.
    pub fn build(self) -> Result<Row, Diagnostic> {
        network("trees.toml", EXPERIMENT, &[self.network()])
    }

    /// Returns S_i, the switches of a level counted from the leaves, by Table I.
    pub fn switches_of_level(self, level: u32) -> u64 {
        self.down.pow(self.levels - 1 - level) * self.up.pow(level)
    }
}
