//! The tables of a graph: neighbours, and the paths that packets may take.

pub mod adjacency;
pub mod distances;
pub mod forwarding;
pub mod paths;
pub mod up_down;

use crate::model::routing_kind::RoutingKind;

use adjacency::{Adjacency, Neighbour};
use distances::Distances;
use forwarding::ForwardingTables;
use paths::Paths;
use up_down::UpDown;

pub use adjacency::Trunk;

/// Which paths through a graph are put into tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableKind {
    /// All shortest ones, by distances.
    #[default]
    Shortest,
    /// Towards a root and away from it.
    UpDown,
    /// So many shortest ones without loops between every two switches.
    Paths(u32),
    /// Those that are given with the graph: an output of each switch for each node.
    Forwarding,
}

impl TableKind {
    /// The most paths between two switches.
    pub const MAX_PATHS: u32 = paths::MAX_PATHS;

    /// The bytes of an entry of given tables: its output as given and as followed, and how far it is.
    pub const FORWARDING_BYTES: u64 = 2 + 2 + 1;

    /// Returns the tables that a routing reads; `paths` are those between two switches where it needs a number.
    pub const fn of(kind: RoutingKind, paths: u32) -> Self {
        match kind {
            RoutingKind::UpDown => TableKind::UpDown,
            RoutingKind::KShortest => TableKind::Paths(paths),
            RoutingKind::Table => TableKind::Forwarding,
            _ => TableKind::Shortest,
        }
    }

    /// Returns the bytes of the tables of a graph of so many switches; given ones have as many nodes.
    pub fn bytes(self, switches: u64) -> u64 {
        let pairs = switches.saturating_mul(switches);
        match self {
            TableKind::Shortest => pairs,
            TableKind::UpDown => 2 * pairs,
            TableKind::Forwarding => pairs.saturating_mul(Self::FORWARDING_BYTES),
            TableKind::Paths(paths) => {
                pairs + pairs.saturating_mul(u64::from(paths)).min(Paths::MOST) * 2 * u64::from(Paths::MAX_HOPS)
            }
        }
    }
}

/// What routing needs of a graph.
#[derive(Clone, Debug)]
pub struct Tables {
    /// What is said of each switch beside its number; empty where nothing is.
    pub names: Vec<String>,
    /// The neighbours of each switch.
    pub adjacency: Adjacency,
    /// The paths.
    pub routes: Routes,
}

/// The tables of paths.
#[derive(Clone, Debug)]
pub enum Routes {
    /// For all shortest ones.
    Shortest(Distances),
    /// Up and down.
    UpDown(UpDown),
    /// Paths that are drawn.
    Paths(Paths),
    /// Given ones.
    Forwarding(ForwardingTables),
}

impl Tables {
    /// Returns the neighbours of a switch, with the ports to each.
    #[inline]
    pub fn neighbours(&self, switch: u32) -> &[Neighbour] {
        self.adjacency.of(switch)
    }

    /// Returns the switches' number.
    pub fn switches(&self) -> u32 {
        self.adjacency.switches()
    }
}
