//! Which trunks are governed, and which of their ports are on, as flows know them.

use crate::engine::event::NONE;

/// The governed trunks of a run, as flows know them.
#[derive(Debug, Default)]
pub struct Governed {
    /// The trunk of each port, or [`NONE`]; empty where none is governed.
    pub(super) of: Vec<u32>,
    /// The ports of each.
    pub(super) ports: Vec<Vec<u32>>,
    /// Whether each port was on when its trunk was last examined.
    pub(super) on: Vec<bool>,
    /// Those that are examined at this edge.
    pub(super) due: Vec<u32>,
}

impl Governed {
    /// Takes the ports of all governed trunks, which are all on.
    pub fn new(ports: Vec<Vec<u32>>) -> Self {
        let last = ports.iter().flatten().max().map_or(0, |&port| port as usize + 1);
        let mut of = vec![NONE; last];
        for (trunk, ports) in (0..).zip(&ports) {
            ports.iter().for_each(|&port| of[port as usize] = trunk);
        }
        Governed { of, ports, on: vec![true; last], due: Vec::new() }
    }

    /// Returns whether no trunk is governed.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Returns the trunk of a port.
    pub(super) fn trunk(&self, port: u32) -> Option<usize> {
        self.of.get(port as usize).filter(|trunk| **trunk != NONE).map(|trunk| *trunk as usize)
    }
}
