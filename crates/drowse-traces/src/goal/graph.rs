//! The graph of one rank.

use rustc_hash::FxHashMap;

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// Sends a message.
    Send { to: u32, tag: u32, bytes: u64 },
    /// Receives one; `None` takes any.
    Receive { from: Option<u32>, tag: Option<u32> },
    /// Calculates, for nanoseconds.
    Calculate(u64),
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub does: Does,
    /// The statements that it waits for: to end, or only to start.
    pub requires: Vec<u32>,
    pub needs_started: Vec<u32>,
}

/// The statements of a rank, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub statements: Vec<Statement>,
    labels: FxHashMap<Box<[u8]>, u32>,
}

impl Graph {
    /// Adds a statement, perhaps with a label; returns whether the label is new.
    pub fn add(&mut self, label: Option<&[u8]>, does: Does) -> bool {
        let place = self.statements.len() as u32;
        self.statements.push(Statement { does, requires: Vec::new(), needs_started: Vec::new() });
        label.is_none_or(|label| self.labels.insert(label.into(), place).is_none())
    }

    /// Returns the statement of a label.
    pub fn labelled(&self, label: &[u8]) -> Option<u32> {
        self.labels.get(label).copied()
    }

    /// Returns the label of a statement, for messages.
    pub fn label(&self, place: u32) -> String {
        let label = self.labels.iter().find(|(_, other)| **other == place).map(|(label, _)| label);
        label.map_or_else(|| "a statement".to_owned(), |label| String::from_utf8_lossy(label).into_owned())
    }
}
