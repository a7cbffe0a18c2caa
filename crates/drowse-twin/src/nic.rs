//! The NIC of a node that answers: its connections, and whose turn it is.

use std::collections::{BTreeMap, VecDeque};

use crate::connection::{Connection, Receiver};
use crate::header::Header;

/// A NIC whose node answers.
#[derive(Clone, Debug, Default)]
pub struct Nic {
    /// Packets without data, and where they go.
    pub answers: VecDeque<(usize, Header)>,
    pub connections: Vec<Connection>,
    /// Connections that may send, whose turn comes first first. One may find when its turn comes that it may no longer.
    pub turns: VecDeque<usize>,
    /// By sending node.
    pub receivers: BTreeMap<usize, Receiver>,
}

impl Nic {
    /// Returns whether there seems to be something to send.
    pub fn has_more(&self) -> bool {
        !self.answers.is_empty() || !self.turns.is_empty()
    }

    /// Returns how many packets seem to wait, one of each connection.
    pub fn frames(&self) -> u64 {
        (self.answers.len() + self.turns.len()) as u64
    }

    /// Returns the connection to a node.
    pub fn to(&mut self, to: usize) -> usize {
        let found = self.connections.iter().position(|connection| connection.to == to);
        found.unwrap_or_else(|| {
            self.connections.push(Connection::new(to));
            self.connections.len() - 1
        })
    }
}
