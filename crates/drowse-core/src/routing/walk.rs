//! A packet's path through an idle network, switch by switch, by the routing of the simulator.
//!
//! Where a packet has the choice of several outputs, the path takes any of them, drawn from the packet's own number:
//! with many packets all are used alike, as they are by packets that meet no others. Queues are empty, so that routing
//! that asks them for advice is minimal.

use super::candidates::Candidates;
use super::destination::Destination;
use super::dispatch;
use super::low_diameter::{self, Undecided};
use super::port_group::PortGroup;
use super::router::Router;
use crate::model::ids::{ChannelId, NodeId};
use crate::model::rng;
use crate::model::routing_kind::RoutingKind;
use crate::topology::Network;

/// Calls `visit` with the channels of a packet from one node to another, those of the nodes included, in the order of
/// its path.
///
/// `salt` is the packet's own number. A node and itself are joined by none, nor are those of an ideal network.
///
/// ```
/// use drowse_core::model::config::Config;
/// use drowse_core::model::ids::{ChannelId, NodeId};
/// use drowse_core::routing::{Router, RoutingKind, walk::walk};
/// use drowse_core::topology::{End, PerDimension, TopologySpec, Torus};
///
/// let network = TopologySpec::Torus(Torus::new(vec![4, 4], PerDimension::All(1), 1)).build()?;
/// let config = Config { routing: RoutingKind::DimensionOrder, ..Config::new(&network) };
/// let mut switches = Vec::new();
/// walk(&network, &Router::new(&network, &config), NodeId(0), NodeId(6), 0, |channel: ChannelId| {
///     if let End::Port(port) = network.target(channel) {
///         switches.push(network.port_switch(port.index()));
///     }
/// });
/// // Switch 6 is at (2, 1): two steps in the first dimension, either way around the ring, then one in the second.
/// assert!([vec![0, 1, 2, 6], vec![0, 3, 2, 6]].contains(&switches), "{switches:?}");
/// # Ok::<(), drowse_core::topology::NetworkError>(())
/// ```
pub fn walk(
    network: &Network,
    router: &Router<'_>,
    from: NodeId,
    to: NodeId,
    salt: u16,
    mut visit: impl FnMut(ChannelId),
) {
    if from == to || network.channels() == 0 {
        return;
    }
    let port = network.node_port[to.index()];
    let target = network.port_switch(port as usize);
    let destination = Destination { switch: target, output: (port - network.first_port[target as usize]) as u16 };
    let (mut at, mut hop) = (network.node_switch(from).0, 0);
    let mut route = router.begin(at, from.0, salt & router.kind.drawn_bits());
    visit(ChannelId(network.ports() + from.0));
    while at != target {
        if router.kind.decides() {
            route = low_diameter::decide(network, router.kind, Undecided { at, to: target, hop, route }, |_| 0);
        }
        // Which dateline has been crossed decides on virtual channels only.
        let group = router.only_group(at, destination, route, || hop);
        let random = number(salt, at);
        let local = match group {
            Some(PortGroup { first, count: 1, .. }) => first,
            Some(group) => group.first + (random % u64::from(group.count)) as u16,
            None => {
                let mut found = Candidates::new();
                router.candidates(at, destination, route, || hop, &mut found);
                let Some(local) = drawn(&found, random) else { return };
                local
            }
        };
        let output = network.first_port[at as usize] + u32::from(local);
        visit(ChannelId(output));
        at = network.port_switch(network.peer[output as usize] as usize);
        hop += 1;
    }
    visit(ChannelId(port));
}

/// Returns whether all packets between two nodes take the same path.
pub fn is_single(network: &Network, routing: RoutingKind) -> bool {
    dispatch::has_single_route(network, routing)
}

/// Draws a number for a packet at a switch; another one than that by which random routing has drawn its output.
fn number(salt: u16, at: u32) -> u64 {
    rng::mix(!(u64::from(salt) << 32 | u64::from(at)))
}

/// Returns one of the permitted outputs; `None` where there is none.
fn drawn(found: &Candidates, random: u64) -> Option<u16> {
    let count: u64 = found.all().map(|group| u64::from(group.count)).sum();
    let mut place = random.checked_rem(count)? as u16;
    for PortGroup { first, count, .. } in found.all() {
        match place.checked_sub(count) {
            Some(rest) => place = rest,
            None => return Some(first + place),
        }
    }
    None
}
