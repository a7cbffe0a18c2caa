//! Random networks with a routing for each, and virtual channels.

use drowse_core::model::config::VirtualChannels;
use drowse_core::routing::{self, NeededVcs, RoutingKind};
use drowse_core::topology::{
    Arrangement, Dragonfly, DragonflyPlus, Graph, HyperX, PerDimension, Racks, TableKind, ThinTree, Ties, TopologySpec,
    Torus, Trunk as Parallel,
};
use proptest::prelude::*;

/// Any network with a routing for it, and virtual channels.
pub type Routed = (TopologySpec, RoutingKind, VirtualChannels);

pub fn grid() -> impl Strategy<Value = Routed> {
    let shape = (prop::collection::vec(2u32..=5, 1..=3), prop::collection::vec(1u32..=3, 3), 1u32..=3, any::<bool>());
    let rings = (any::<bool>(), prop_oneof![Just(Ties::Alternate), Just(Ties::Direct)]);
    (shape, rings, 0u8..=2, 1u8..=2).prop_map(|((mut dims, mut trunk, nodes, wraps), rings, adaptive, escape)| {
        while dims.iter().product::<u32>() > 24 {
            dims.pop();
        }
        trunk.truncate(dims.len());
        let (rings_of_two, ties) = rings;
        let torus = Torus { rings_of_two, ties, ..Torus::new(dims, PerDimension::Each(trunk), nodes) };
        let rings = wraps && torus.dims.iter().any(|&k| k > 2 || rings_of_two);
        let spec = if wraps { TopologySpec::Torus(torus) } else { TopologySpec::Mesh(torus) };
        let routing = if adaptive > 0 { RoutingKind::Adaptive } else { RoutingKind::DimensionOrder };
        (spec, routing, VirtualChannels::grid(adaptive, if rings { 2 * escape } else { escape }))
    })
}

pub fn tree() -> impl Strategy<Value = Routed> {
    let thin = (2u32..=3, 1u32..=3, 1u32..=3);
    let thin = thin.prop_map(|(down, up, levels)| TopologySpec::ThinTree(ThinTree { down, up, levels }));
    let racks = (1u32..=6, 2u32..=3, 1u32..=2);
    let racks =
        racks.prop_map(|(racks, nodes, uplinks)| TopologySpec::Racks(Racks { racks, nodes_per_rack: nodes, uplinks }));
    let routing = prop::sample::select(vec![RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK]);
    let tree = (prop_oneof![2 => thin, 1 => racks], routing, 1u8..=3);
    tree.prop_map(|(spec, routing, vcs)| (spec, routing, VirtualChannels::any(vcs)))
}

/// Dragonflies, and groups of leaves and spines.
pub fn groups(kind: impl Strategy<Value = RoutingKind>) -> impl Strategy<Value = Routed> {
    let arrangement = prop::sample::select(vec![Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree]);
    let size = (1u32..=2, 1u32..=4, 1u32..=3, 1u32..=2);
    (size, any::<u32>(), arrangement, prop::bool::weighted(0.3), kind, vcs()).prop_filter_map(
        "too many virtual channels",
        |((p, a, b, h), groups, arrangement, has_spines, kind, vcs)| {
            let (switches, ends) = if has_spines { (a + b, b) } else { (a.max(2), a.max(2)) };
            let groups = 1 + groups % (ends * h + 1).min(24 / switches);
            let spec = if has_spines {
                let (nodes, leaves, spines) = (p, a, b);
                TopologySpec::DragonflyPlus(DragonflyPlus { nodes, leaves, spines, h, groups, arrangement })
            } else {
                TopologySpec::Dragonfly(Dragonfly { p, a: ends, h, groups, arrangement })
            };
            by_hop(spec, kind, vcs)
        },
    )
}

pub fn hyperx(kind: impl Strategy<Value = RoutingKind>) -> impl Strategy<Value = Routed> {
    let dims = prop::collection::vec((2u32..=4, 1u32..=2), 1..=3);
    (dims, 1u32..=2, kind, vcs()).prop_filter_map("too many virtual channels", |(mut dims, nodes, kind, vcs)| {
        while dims.iter().map(|(size, _)| size).product::<u32>() > 16 {
            dims.pop();
        }
        let (dims, widths) = dims.into_iter().unzip();
        let spec = TopologySpec::HyperX(HyperX { dims, widths: PerDimension::Each(widths), nodes });
        by_hop(spec, kind, vcs)
    })
}

/// The virtual channels of each hop, and how many more there are from and to nodes.
fn vcs() -> impl Strategy<Value = [u8; 2]> {
    (1u8..=2, prop_oneof![3 => Just(0u8), 1 => 1u8..=2]).prop_map(|(width, more)| [width, more])
}

/// Adds as many virtual channels as a routing needs, each `width` times if there are enough, and those beside them.
fn by_hop(spec: TopologySpec, kind: RoutingKind, [width, more]: [u8; 2]) -> Option<Routed> {
    let vcs = match routing::needed_vcs(&spec.build().ok()?, kind) {
        NeededVcs::Hops(longest) => {
            let longest = u8::try_from(longest.max(1)).ok()?;
            let hop = if longest * width <= VirtualChannels::MAX { longest * width } else { longest };
            let any = more.min(VirtualChannels::MAX.saturating_sub(hop));
            VirtualChannels { any, ..VirtualChannels::hop(hop) }
        }
        _ => VirtualChannels::any(width),
    };
    (vcs.total() <= VirtualChannels::MAX).then_some((spec, kind, vcs))
}

/// Up to 8 switches, joined as a tree and by some more links of two classes; some have no nodes.
pub fn graph(kind: impl Strategy<Value = RoutingKind>) -> impl Strategy<Value = Routed> {
    let any = (2..9usize).prop_flat_map(|switches| {
        let parents: Vec<_> = (1..switches).map(|switch| (0..switch, 1u32..=2)).collect();
        let more = prop::collection::vec((0..switches, 0..switches, 1u32..=2), 0..10);
        (parents, more, prop::collection::vec(0u32..=2, switches))
    });
    (any, kind, vcs(), 1u32..=4).prop_filter_map("too far apart", |(any, kind, vcs, paths)| {
        let (parents, more, mut nodes) = any;
        nodes[0] += 1;
        let tree = parents.into_iter().enumerate().map(|(child, (parent, links))| (child + 1, parent, links));
        let edges = tree.chain(more).filter(|(a, b, _)| a != b);
        let trunk = |(a, b, links): (usize, usize, u32)| {
            let class = u8::from(links == 2);
            Parallel { ends: [a as u32, b as u32], class, links }
        };
        let classes = ["single", "double"].map(String::from).to_vec();
        let (trunks, tables) = (edges.map(trunk).collect(), TableKind::of(kind, paths));
        by_hop(TopologySpec::Graph(Graph { classes, nodes, trunks, tables, ..Graph::default() }), kind, vcs)
    })
}
