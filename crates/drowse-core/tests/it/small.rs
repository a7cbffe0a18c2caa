//! Small networks of all geometries, each with its routings and virtual channels. They are lists: `drowse-machines` draws
//! random ones.

use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::routing::{self, RoutingKind, low_diameter};
use drowse_core::topology::{
    Arrangement, Dragonfly, DragonflyPlus, Full, HyperX, Network, PerDimension, Percs, Racks, ThinTree, TopologySpec,
    Torus, Xgft,
};

use crate::common;

/// A network with a routing.
#[derive(Clone, Debug)]
pub struct Small {
    pub spec: TopologySpec,
    pub routing: RoutingKind,
    pub vcs: VirtualChannels,
}

impl Small {
    pub fn network(&self) -> Network {
        self.spec.build().unwrap()
    }

    /// Returns the parameters of [`common::config`] with the routing and its virtual channels.
    pub fn config(&self, network: &Network) -> Config {
        let mut config = common::config(network, 2);
        (config.routing, config.switch.vcs) = (self.routing, self.vcs);
        config
    }
}

/// Networks whose packets hold a virtual channel per hop.
pub fn low_diameter_specs() -> Vec<TopologySpec> {
    let arrangements = [Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree];
    let mut specs = Vec::new();
    for arrangement in arrangements {
        for (p, a, h) in [(1, 2, 1), (2, 3, 1), (3, 4, 1), (1, 3, 2), (2, 4, 2)] {
            let dragonfly = |groups| TopologySpec::Dragonfly(Dragonfly { p, a, h, groups, arrangement });
            specs.extend(groups(a * h + 1).map(dragonfly));
        }
        for (nodes, leaves, spines, h) in [(2, 1, 1, 2), (3, 2, 1, 1), (2, 3, 2, 1), (2, 2, 3, 2)] {
            let plus =
                |groups| TopologySpec::DragonflyPlus(DragonflyPlus { nodes, leaves, spines, h, groups, arrangement });
            specs.extend(groups(spines * h + 1).map(plus));
        }
    }
    specs.extend((1..=2).map(|supernodes| TopologySpec::Percs(Percs { supernodes })));
    specs.extend([(2, 1), (5, 3), (9, 2)].map(|(switches, nodes)| TopologySpec::Full(Full { switches, nodes })));
    for (dims, widths, nodes) in [
        (vec![4], vec![2], 3),
        (vec![3, 3], vec![1, 1], 1),
        (vec![4, 2], vec![1, 2], 2),
        (vec![2, 3, 4], vec![1, 1, 2], 1),
        (vec![2, 2, 2], vec![2, 1, 1], 2),
    ] {
        specs.push(TopologySpec::HyperX(HyperX { dims, widths: PerDimension::Each(widths), nodes }));
    }
    specs
}

/// Numbers of groups up to the most that there may be.
fn groups(most: u32) -> impl Iterator<Item = u32> {
    [1, 2, 3, most.min(9)].into_iter().filter(move |&groups| groups <= most)
}

/// These networks with each of their routings, and one or two virtual channels per hop.
pub fn low_diameter() -> Vec<Small> {
    let mut all = Vec::new();
    for spec in low_diameter_specs() {
        let network = spec.build().unwrap();
        for &routing in routing::kinds(&network.geometry) {
            let longest = low_diameter::longest(&network, routing).map(|longest| longest.max(1) as u8);
            for width in 1..=2 {
                let vcs = match longest {
                    Some(longest) if longest * width <= 8 => VirtualChannels::hop(longest * width),
                    Some(_) => continue,
                    None => VirtualChannels::any(width),
                };
                all.push(Small { spec: spec.clone(), routing, vcs });
            }
        }
    }
    all
}

/// Trees with each of their routings. Each pair of switches has `links` links, where the tree may have several.
pub fn trees(links: u32) -> Vec<Small> {
    let thin = |down, up, levels| TopologySpec::ThinTree(ThinTree { down, up, levels });
    let racks = |racks, nodes_per_rack| TopologySpec::Racks(Racks { racks, nodes_per_rack, uplinks: links });
    let xgft = |children: [u32; 3], parents: [u32; 2]| {
        TopologySpec::Xgft(Xgft { children: children.to_vec(), parents: parents.to_vec(), links: vec![links; 2] })
    };
    let specs = [
        thin(2, 2, 3),
        thin(3, 1, 2),
        thin(4, 4, 2),
        thin(2, 1, 1),
        racks(4, 3),
        racks(7, 2),
        xgft([2, 2, 3], [2, 1]),
        xgft([3, 2, 2], [3, 2]),
    ];
    let kinds = [RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK];
    let routed =
        |spec: TopologySpec| kinds.map(|routing| Small { spec: spec.clone(), routing, vcs: VirtualChannels::any(2) });
    specs.into_iter().flat_map(routed).collect()
}

/// Tori and meshes with both routings.
pub fn grids(trunk: u32) -> Vec<Small> {
    let mut all = Vec::new();
    for (dims, nodes) in [(vec![2], 2), (vec![5], 1), (vec![3, 3], 1), (vec![4, 2], 3), (vec![2, 2, 3], 1)] {
        let torus = Torus::new(dims, PerDimension::All(trunk), nodes);
        for spec in [TopologySpec::Torus(torus.clone()), TopologySpec::Mesh(torus)] {
            let rings = u8::from(matches!(spec, TopologySpec::Torus(_))) + 1;
            let both = [(RoutingKind::DimensionOrder, 0), (RoutingKind::Adaptive, 1)];
            let routed = both.map(|(routing, adaptive)| {
                let vcs = VirtualChannels::grid(adaptive, 2 * rings);
                Small { spec: spec.clone(), routing, vcs }
            });
            all.extend(routed);
        }
    }
    all
}

/// All of them, with single links and with trunks.
pub fn all() -> Vec<Small> {
    let grids = [1, 2].into_iter().flat_map(grids);
    let trees = [1, 2].into_iter().flat_map(trees);
    grids.chain(trees).chain(low_diameter()).collect()
}
