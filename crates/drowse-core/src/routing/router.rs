//! The routing of a simulation.

use super::vcs::{GridVcs, HopVcs};
use crate::model::routing_kind::RoutingKind;
use crate::topology::Network;

/// How packets find their paths: what all that asks for permitted outputs goes through.
#[derive(Clone, Debug)]
pub struct Router<'a> {
    pub(super) network: &'a Network,
    /// How packets choose their paths.
    pub kind: RoutingKind,
    /// The virtual channels of tori and meshes, by purpose.
    pub(crate) grid_vcs: GridVcs,
    /// The ports of the trunks of tori whose switches are alike, by dimension, up and down, one bit each; else empty.
    pub(super) trunk_masks: Vec<[u64; 2]>,
    /// The virtual channels of low-diameter networks, by hop.
    pub(crate) hop_vcs: HopVcs,
    /// All, one bit each.
    pub(crate) all_vcs: u8,
    /// Ports to nodes have queues by virtual channel; elsewhere it does not matter by which a packet goes to its node.
    pub(crate) queues_to_nodes: bool,
    /// Packets are on virtual channels by hop.
    pub(crate) counts_hops: bool,
    /// Packets decide on their routes in switches.
    pub decides: bool,
}
