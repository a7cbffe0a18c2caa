//! Routings that another crate adds: forwarding tables of any network.

use super::error::NetworkError;
use super::geometry::graph::forwarding::Forwarding;
use super::graph::Graph;

/// A routing of another crate. Any network is taken as a graph, and every packet goes by the tables that this returns.
///
/// Ports of a switch, relative to its first: those of its trunks, by [`Graph::first_ports`], then those of its nodes. A
/// packet to a node of the switch where it is leaves by that node's port. What the tables say is followed and checked:
/// every node must be reached from every other. Whether packets can wait for each other in a circle is told, and
/// `drowse network --check` shows it.
pub trait TableRouting {
    /// The word that selects it (`network.routing`).
    const WORD: &'static str;
    /// How packets are routed.
    const ABOUT: &'static str;

    /// Returns the tables of a graph.
    fn tables(graph: &Graph) -> Result<Forwarding, NetworkError>;
}

/// A routing of another crate.
#[derive(Clone, Copy, Debug)]
pub struct OwnRouting {
    /// The word that selects it.
    pub word: &'static str,
    /// How packets are routed.
    pub about: &'static str,
    /// Returns the tables of a graph.
    pub tables: fn(&Graph) -> Result<Forwarding, NetworkError>,
}

impl OwnRouting {
    /// Returns the routing of a type.
    pub const fn of<R: TableRouting>() -> Self {
        OwnRouting { word: R::WORD, about: R::ABOUT, tables: R::tables }
    }
}
