//! The channels that the runtime system marks: all channels that packets may take, and no others.

use std::collections::BTreeSet;

use drowse_core::model::config::Config;
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::power::runtime::Routes;
use drowse_core::routing::{Router, RoutingKind, walk};
use drowse_core::topology::{Geometry, Network};
use proptest::prelude::*;

use crate::common::*;
use crate::graphs::{ROUTINGS, config_of, rebuilt, tables_of};
use crate::small;

type Channels = BTreeSet<ChannelId>;

fn marked(network: &Network, config: &Config, from: NodeId, to: NodeId) -> Channels {
    let mut channels = Channels::new();
    Routes::new(network, config).between(from, to, |channel| _ = channels.insert(channel));
    channels
}

/// Returns the channels of packets with every possible random number.
fn walked(network: &Network, config: &Config, kind: RoutingKind, from: NodeId, to: NodeId) -> Channels {
    let mut config = config.clone();
    config.routing = kind;
    let router = Router::new(network, &config);
    let mut channels = Channels::new();
    for salt in 0..1 << 13 {
        walk::walk(network, &router, from, to, salt * 8 + salt / 1024, |channel| _ = channels.insert(channel));
    }
    channels
}

/// Returns the channels of all shortest paths.
fn on_shortest_paths(network: &Network, from: NodeId, to: NodeId) -> Channels {
    let [a, b] = [from, to].map(|node| network.node_switch(node).0);
    let (from_a, to_b) = (distances_from(network, a), distances_from(network, b));
    let lies_between = |&port: &u32| {
        let at = network.port_switch(port as usize) as usize;
        let end = network.peer[port as usize];
        end < network.ports() && from_a[at] + 1 + to_b[network.port_switch(end as usize) as usize] == to_b[a as usize]
    };
    let between = (0..network.ports()).filter(lies_between).map(ChannelId);
    between.chain([injection_of(network, from.0), ejection_of(network, to.0)].map(|c| ChannelId(c as u32))).collect()
}

/// Returns the channels that must be marked, and whether these are all.
fn expected(network: &Network, config: &Config, from: NodeId, to: NodeId) -> (Channels, bool) {
    use RoutingKind::{Adaptive, Minimal, Progressive, Ugal, Valiant};
    let by = |kind| walked(network, config, kind, from, to);
    match (config.routing, &network.geometry) {
        (Adaptive, _) | (Minimal, Geometry::HyperX(_) | Geometry::Graph(_)) => {
            (on_shortest_paths(network, from, to), true)
        }
        (Ugal, _) => (&by(Minimal) | &by(Valiant), true),
        (Progressive, _) => (&by(Minimal) | &by(Valiant), false),
        (kind, _) => (by(kind), true),
    }
}

proptest! {
    #![proptest_config(proptest_config(120))]

    #[test]
    fn all_that_packets_may_take_is_marked_and_no_more(
        small in prop::sample::select(small::all()),
        (from, to) in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let network = small.network();
        let config = small.config(&network);
        let [from, to] = [from, to].map(|node| NodeId(node.index(network.nodes as usize) as u32));
        let marked = marked(&network, &config, from, to);
        if from == to {
            prop_assert!(marked.is_empty());
            return Ok(());
        }
        let (least, all) = expected(&network, &config, from, to);
        prop_assert!(marked.is_superset(&least), "{:?}", &least - &marked);
        if all {
            prop_assert_eq!(marked, least);
        }
    }
}

/// On graphs: routes by tables, and every path that may be drawn.
#[test]
fn graphs_are_followed_by_their_tables() {
    for kind in ROUTINGS {
        for whole in [mesh(&[3, 3], 2, 1), torus(&[5], 1, 1)] {
            let network = rebuilt(&whole, tables_of(kind));
            let Some(config) = config_of(&network, kind) else { continue };
            for (from, to) in [(0, 4), (4, 0), (1, 3), (2, 0)] {
                let [from, to] = [from, to].map(NodeId);
                let (marked, (least, all)) =
                    (marked(&network, &config, from, to), expected(&network, &config, from, to));
                assert!(marked.is_superset(&least) && (!all || marked == least), "{kind:?}: {from:?} to {to:?}");
            }
        }
    }
}
