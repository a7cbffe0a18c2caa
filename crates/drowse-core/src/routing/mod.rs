//! Routing: which outputs and virtual channels a packet may take next.

pub mod dependencies;
pub mod grid;
pub mod levels;
pub mod route;

use crate::ids::PortId;
use crate::topology::{Geometry, Network};

/// How packets choose their way (`network.routing`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutingKind {
    /// Tori and meshes: one dimension after the other, lowest first, on escape virtual channels only.
    DimensionOrder,
    /// Tori and meshes: any minimal output on adaptive virtual channels, dimension order on escape ones (Duato). Trees: up by
    /// the output with the most credits.
    Adaptive,
    /// Trees: up by an output drawn at random.
    Random,
    /// Trees: up by an output that the destination's number fixes.
    DModK,
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
    /// At most two directions in each of 10 dimensions.
    pub const MOST: usize = 20;

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

    /// Gives the adaptive runs.
    #[inline]
    pub fn adaptive(&self) -> &[Outputs] {
        &self.adaptive[..self.adaptive_len]
    }
}

/// Gives the dimension bit of a port whose channel crosses a dateline, or 0.
pub fn crossing(network: &Network, port: PortId) -> u16 {
    let Geometry::Grid(grid) = &network.geometry else { return 0 };
    let switch = network.port_switch[port.index()];
    grid::crossing(grid, switch, (port.0 - network.first_port[switch as usize]) as u16)
}

/// Gives the ring of a port's channel, as [`grid::ring`] numbers them.
pub fn ring(network: &Network, port: PortId) -> u8 {
    let Geometry::Grid(grid) = &network.geometry else { return grid::NO_RING };
    let switch = network.port_switch[port.index()];
    grid::ring(grid, switch, (port.0 - network.first_port[switch as usize]) as u16)
}

impl Default for Candidates {
    fn default() -> Self {
        Self::new()
    }
}
