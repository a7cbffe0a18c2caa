//! A packet's way through an idle network, switch by switch, by the routing of the simulator.
//!
//! Where a packet has the choice of several outputs, the way takes any of them, drawn from the packet's own number: with many
//! packets all are used alike, as they are by packets that meet no others. Queues are empty, so that routing that asks them
//! for advice is minimal.

use super::levels::Destination;
use super::{Candidates, Outputs, Router, RoutingKind, direct};
use crate::model::ids::{ChannelId, NodeId};
use crate::model::rng;
use crate::topology::groups::Groups;
use crate::topology::{Geometry, Network};

/// Returns `visit` the channels of a packet from one node to another, those of the nodes included, in the order of its way.
///
/// `salt` is the packet's own number. A node and itself are joined by none, nor are those of an ideal network.
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
    let mut route = router.begin(at, salt & router.kind.drawn_bits());
    visit(ChannelId(network.ports() + from.0));
    while at != target {
        if router.kind.decides() {
            route = direct::settle(network, router.kind, (at, target), hop, route, |_| 0);
        }
        // Which dateline has been crossed decides on virtual channels only.
        let run = router.only_run(at, destination, route, || hop);
        let random = number(salt, at);
        let local = match run {
            Some(Outputs { first, count: 1, .. }) => first,
            Some(run) => run.first + (random % u64::from(run.count)) as u16,
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

/// Returns whether all packets between two nodes take the same way.
pub fn is_single(network: &Network, routing: RoutingKind) -> bool {
    match &network.geometry {
        Geometry::Grid(grid) => routing == RoutingKind::DimensionOrder && grid.rings.iter().all(|ring| ring.trunk == 1),
        Geometry::Levels(tree) => {
            let choices = tree.shape.up.iter().zip(&tree.shape.trunk).any(|(&up, &links)| up * links > 1);
            !choices || routing == RoutingKind::DModK && tree.shape.trunk.iter().all(|&links| links == 1)
        }
        Geometry::Groups(groups) => routing != RoutingKind::Valiant && has_one_way(groups),
        Geometry::HyperX(lattice) => {
            let one_way = lattice.dims.len() == 1 && routing != RoutingKind::Valiant;
            (one_way || routing == RoutingKind::DimensionOrder) && lattice.widths.iter().all(|&width| width == 1)
        }
        Geometry::Graph(_) => false,
        Geometry::Ideal(_) => true,
    }
}

/// Returns whether there is one minimal way within each group and from each group to each.
fn has_one_way(groups: &Groups) -> bool {
    let mut pairs = (0..groups.count).flat_map(|from| (0..groups.count).map(move |to| (from, to)));
    let one_link = |(from, to)| groups.gateways(from, to).iter().map(|gateway| gateway.links).sum::<u16>() <= 1;
    groups.local.has_one_way() && pairs.all(one_link)
}

/// Draws a number for a packet at a switch; another one than that by which random routing has drawn its output.
fn number(salt: u16, at: u32) -> u64 {
    rng::mix(!(u64::from(salt) << 32 | u64::from(at)))
}

/// Returns one of the permitted outputs; `None` where there is none.
fn drawn(found: &Candidates, random: u64) -> Option<u16> {
    let count: u64 = found.all().map(|run| u64::from(run.count)).sum();
    let mut place = random.checked_rem(count)? as u16;
    for Outputs { first, count, .. } in found.all() {
        match place.checked_sub(count) {
            Some(rest) => place = rest,
            None => return Some(first + place),
        }
    }
    None
}
