//! The kinds of routing, by name.

use serde::Serialize;

/// How packets choose their paths (`network.routing`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RoutingKind {
    /// Tori and meshes: one dimension after the other, lowest first, on escape virtual channels only. HyperX: the same,
    /// on any.
    DimensionOrder,
    /// Tori and meshes: any minimal output on adaptive virtual channels, dimension order on escape ones (Duato). Trees:
    /// up by the output with the most credits.
    Adaptive,
    /// Trees: up by an output drawn at random.
    Random,
    /// Trees: up by an output that the destination's number fixes.
    DModK,
    /// Low-diameter networks: any minimal path.
    Minimal,
    /// Low-diameter networks: by an intermediate group or switch that is drawn for each packet.
    Valiant,
    /// Low-diameter networks: minimal or non-minimal, as the queues at the source switch advise (UGAL-L).
    Ugal,
    /// Low-diameter networks: the same, and decided once more after the first hop of a minimal route (PAR).
    Progressive,
    /// Graphs: down where a path leads down, else up.
    UpDown,
    /// Graphs: by one of the k shortest paths, which is drawn for each packet.
    KShortest,
    /// Graphs: by forwarding tables that are given: an output of each switch for each node.
    Table,
}

impl RoutingKind {
    /// The bits of what a packet remembers that are a random number of its own, on low-diameter networks.
    pub const SALT: u16 = (1 << 13) - 1;

    /// Returns the word that selects the kind in an experiment file (`network.routing`).
    pub const fn name(self) -> &'static str {
        match self {
            RoutingKind::DimensionOrder => "dimension-order",
            RoutingKind::Adaptive => "adaptive",
            RoutingKind::Random => "random",
            RoutingKind::DModK => "d-mod-k",
            RoutingKind::Minimal => "minimal",
            RoutingKind::Valiant => "valiant",
            RoutingKind::Ugal => "ugal",
            RoutingKind::Progressive => "progressive",
            RoutingKind::UpDown => "up-down",
            RoutingKind::KShortest => "k-shortest",
            RoutingKind::Table => "table",
        }
    }

    /// Returns whether packets decide on their routes in switches.
    pub const fn decides(self) -> bool {
        matches!(self, RoutingKind::Valiant | RoutingKind::Ugal | RoutingKind::Progressive)
    }

    /// Returns whether each packet carries a random number, in which bits of what it remembers; 0 where it does not.
    pub(crate) const fn drawn_bits(self) -> u16 {
        match self {
            RoutingKind::DimensionOrder | RoutingKind::Adaptive | RoutingKind::DModK | RoutingKind::UpDown => 0,
            // A number of 16 bits gives way to that of the node that sends.
            RoutingKind::Table | RoutingKind::Random | RoutingKind::KShortest => u16::MAX,
            RoutingKind::Minimal | RoutingKind::Valiant | RoutingKind::Ugal | RoutingKind::Progressive => {
                RoutingKind::SALT
            }
        }
    }
}
