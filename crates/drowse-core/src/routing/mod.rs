//! Routing: which outputs and virtual channels a packet may take next.

pub mod dependencies;
pub mod direct;
pub mod graph;
pub mod grid;
pub mod levels;
pub mod route;
mod router;
pub mod walk;

use crate::model::ids::PortId;
use crate::topology::graph::Routes;
use crate::topology::{Geometry, Network};

pub use router::Router;

/// How packets choose their way (`network.routing`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutingKind {
    /// Tori and meshes: one dimension after the other, lowest first, on escape virtual channels only. HyperX: the same, on any.
    DimensionOrder,
    /// Tori and meshes: any minimal output on adaptive virtual channels, dimension order on escape ones (Duato). Trees: up by
    /// the output with the most credits.
    Adaptive,
    /// Trees: up by an output drawn at random.
    Random,
    /// Trees: up by an output that the destination's number fixes.
    DModK,
    /// Direct networks: any minimal way.
    Minimal,
    /// Direct networks: by an intermediate group or switch that is drawn for each packet.
    Valiant,
    /// Direct networks: minimal or by a detour, as the queues at the source switch advise (UGAL-L).
    Ugal,
    /// Direct networks: the same, and decided once more after the first hop of a minimal way (PAR).
    Progressive,
    /// Graphs: down where there is a way down, else up.
    UpDown,
    /// Graphs: by one of the k shortest paths, which is drawn for each packet.
    KShortest,
}

impl RoutingKind {
    /// Returns the kinds that a network can be routed by, the usual one first.
    pub const fn of(geometry: &Geometry) -> &'static [RoutingKind] {
        use RoutingKind::{
            Adaptive, DModK, DimensionOrder, KShortest, Minimal, Progressive, Random, Ugal, UpDown, Valiant,
        };
        match geometry {
            Geometry::Grid(_) => &[Adaptive, DimensionOrder],
            Geometry::Levels(_) => &[Adaptive, Random, DModK],
            Geometry::Groups(_) => &[Minimal, Valiant, Ugal, Progressive],
            Geometry::HyperX(_) => &[Minimal, DimensionOrder, Valiant, Ugal, Progressive],
            Geometry::Graph(graph) => match graph.routes {
                Routes::Shortest(_) => &[Minimal, Valiant, Ugal, Progressive],
                Routes::UpDown(_) => &[UpDown],
                Routes::Paths(_) => &[KShortest],
            },
            // Nothing is routed.
            Geometry::Ideal(_) => &[],
        }
    }

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
        }
    }

    /// Returns whether packets decide on their ways in switches.
    pub const fn decides(self) -> bool {
        matches!(self, RoutingKind::Valiant | RoutingKind::Ugal | RoutingKind::Progressive)
    }

    /// Returns whether each packet carries a random number, in which bits of what it remembers; 0 where it does not.
    pub const fn drawn_bits(self) -> u16 {
        match self {
            RoutingKind::DimensionOrder | RoutingKind::Adaptive | RoutingKind::DModK | RoutingKind::UpDown => 0,
            RoutingKind::Random | RoutingKind::KShortest => u16::MAX,
            RoutingKind::Minimal | RoutingKind::Valiant | RoutingKind::Ugal | RoutingKind::Progressive => direct::SALT,
        }
    }
}

/// A run of equivalent outputs: the links of one trunk, or one node's port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// First port, relative to the switch's first.
    pub first: u16,
    /// Number of ports.
    pub count: u16,
    /// Virtual channels at the other end, one bit each; those of a node's port do not matter.
    pub vcs: u8,
}

impl Outputs {
    /// No output.
    pub const NONE: Outputs = Outputs { first: 0, count: 0, vcs: 0 };
}

/// The permitted outputs of a packet at a switch.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// Runs of adaptive outputs.
    pub adaptive: [Outputs; Candidates::MOST],
    /// How many of `adaptive` are in use.
    pub adaptive_len: usize,
    /// The escape output, or the only one; the node's port at the last switch.
    pub escape: Outputs,
}

impl Candidates {
    /// At most two directions in each of 10 dimensions, or so many of the ways of a graph.
    pub const MOST: usize = 64;

    /// Makes an empty set.
    pub const fn new() -> Self {
        Candidates { adaptive: [Outputs::NONE; Self::MOST], adaptive_len: 0, escape: Outputs::NONE }
    }

    /// Makes one run the only permitted outputs.
    #[inline]
    pub fn set_only(&mut self, run: Outputs) {
        self.adaptive_len = 0;
        self.escape = run;
    }

    /// Forgets all.
    #[inline]
    pub fn clear(&mut self) {
        (self.adaptive_len, self.escape) = (0, Outputs::NONE);
    }

    /// Adds a run that is as good as those before; the first is the escape, too. Those beyond the most are left out.
    #[inline]
    pub fn offer(&mut self, run: Outputs) {
        if self.escape.count == 0 {
            self.escape = run;
            return;
        }
        if self.adaptive_len == 0 {
            self.adaptive[0] = self.escape;
            self.adaptive_len = 1;
        }
        if self.adaptive_len < Self::MOST {
            self.adaptive[self.adaptive_len] = run;
            self.adaptive_len += 1;
        }
    }

    /// Returns all runs that were [offered](Candidates::offer), each once.
    pub fn all(&self) -> impl Iterator<Item = Outputs> + '_ {
        let only = Some(self.escape).filter(|run| self.adaptive_len == 0 && run.count > 0);
        self.adaptive().iter().copied().chain(only)
    }

    /// Returns the adaptive runs.
    #[inline]
    pub fn adaptive(&self) -> &[Outputs] {
        &self.adaptive[..self.adaptive_len]
    }
}

/// Returns the dimension bit of a port whose channel crosses a dateline, or 0.
pub fn crossing(network: &Network, port: PortId) -> u16 {
    let Geometry::Grid(grid) = &network.geometry else { return 0 };
    let switch = network.port_switch(port.index());
    grid::crossing(grid, switch, (port.0 - network.first_port[switch as usize]) as u16)
}

/// Returns the ring of a port's channel, as [`grid::ring`] numbers them.
pub fn ring(network: &Network, port: PortId) -> u8 {
    let Geometry::Grid(grid) = &network.geometry else { return grid::NO_RING };
    let switch = network.port_switch(port.index());
    grid::ring(grid, switch, (port.0 - network.first_port[switch as usize]) as u16)
}

impl Default for Candidates {
    fn default() -> Self {
        Self::new()
    }
}
