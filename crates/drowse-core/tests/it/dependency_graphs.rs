//! The channel dependency graphs behind the proofs, against plain models: every packet is followed one by one, and what
//! it holds and asks for is put into a set. Sizes of proofs, and what the graph permits, must be those of the set.

use std::collections::{BTreeSet, VecDeque};

use drowse_core::model::config::{Config, Escape, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::routing::dependencies::{self, Proof, TooLarge, Verdict, VirtualChannel};
use drowse_core::routing::low_diameter;
use drowse_core::routing::{Candidates, Destination, PortGroup, Router, RoutingKind, crossing, walk};
use drowse_core::topology::graph;
use drowse_core::topology::{
    Arrangement, Dragonfly, DragonflyPlus, Full, Geometry, HyperX, Jellyfish, Network, PerDimension, SlimFly,
    TableKind, ThinTree, TopologySpec, Xgft,
};

use crate::common::*;
use crate::graphs::{rebuilt, tables_of};

/// A trunk, named by its first port, and a virtual channel of it.
type Buffer = (u32, u8);

/// What packets may hold and ask for.
#[derive(Default)]
struct Model {
    used: BTreeSet<Buffer>,
    pairs: BTreeSet<(Buffer, Buffer)>,
    longest: u32,
}

impl Model {
    fn ask(&mut self, held: &[Buffer], asked: &[Buffer]) {
        self.used.extend(asked);
        self.pairs.extend(held.iter().flat_map(|&held| asked.iter().map(move |&asked| (held, asked))));
    }
}

/// Compares a proof and its graph with a model. Channels of the model's virtual channels `ordered` are asked about.
fn compare(network: &Network, config: &Config, model: &Model, ordered: u8, what: &str) {
    let Ok(Verdict::Proven(proof)) = dependencies::check(network, config) else { panic!("{what} is not proven") };
    let sizes = (model.used.len() as u64, model.pairs.len() as u64);
    assert_eq!((proof.channels, proof.dependencies), sizes, "{what}");
    let graph = dependencies::graph(network, config).unwrap();
    let trunks = network.trunks();
    let vcs = config.switch.vcs.total();
    let inner: Vec<u32> = (0..network.ports()).filter(|&port| neighbour(network, port).is_some()).collect();
    let is_ordered = |vc: u8| ordered >> vc & 1 == 1;
    let buffer = |port: u32, vc: u8| (trunks[port as usize].0, vc);
    let of = |channel: ChannelId, vc: u8| VirtualChannel { channel, vc };
    // A node's channel may always be held, and asked for.
    let [injection, ejection] = [injection_of(network, 0), ejection_of(network, 0)].map(|c| ChannelId(c as u32));
    for &asked in &inner {
        for vc in 0..vcs {
            let used = !is_ordered(vc) || model.used.contains(&buffer(asked, vc));
            assert_eq!(graph.permits(of(injection, 0), of(ChannelId(asked), vc)), used, "{what}: {asked} {vc}");
            assert!(graph.permits(of(ChannelId(asked), vc), of(ejection, 0)));
            let switch = network.port_switch(asked as usize);
            for &held in &inner {
                // Of channels that end elsewhere, one is enough.
                let held_vcs = if neighbour(network, held) == Some(switch) { 0..vcs } else { vc..vc + 1 };
                for held_vc in held_vcs {
                    let pair = (buffer(held, held_vc), buffer(asked, vc));
                    let expected =
                        !is_ordered(vc) || if is_ordered(held_vc) { model.pairs.contains(&pair) } else { used };
                    let told = graph.permits(of(ChannelId(held), held_vc), of(ChannelId(asked), vc));
                    assert_eq!(told, expected, "{what}: {asked} {vc} from {held} {held_vc}");
                }
            }
        }
    }
}

/// The packets of a low-diameter network, by the sentences of the book: minimal routes are shortest paths, or have at
/// most one global link; a non-minimal route leads minimally to an intermediate place, and minimally on from there.
struct Packets<'a> {
    network: &'a Network,
    trunks: Vec<PortId>,
    distances: Vec<Vec<u32>>,
    /// Between switches of a group, by links within it.
    within: Vec<Vec<u32>>,
    /// Virtual channels of each hop.
    width: u8,
    model: Model,
}

impl Packets<'_> {
    fn group(&self, switch: u32) -> Option<u32> {
        match &self.network.geometry {
            Geometry::Groups(groups) => Some(switch / groups.size),
            _ => None,
        }
    }

    /// Returns the number of a group, or of a switch.
    fn place(&self, switch: u32) -> u32 {
        self.group(switch).unwrap_or(switch)
    }

    /// Returns the distances of all switches from one, by links between switches of its place.
    fn distances_within(&self, from: u32) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.network.switches() as usize];
        distance[from as usize] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for next in ports(self.network, at).filter_map(|port| neighbour(self.network, port)) {
                if self.place(next) == self.place(from) && distance[next as usize] == u32::MAX {
                    distance[next as usize] = distance[at as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        distance
    }

    fn places(&self) -> u32 {
        self.place(self.network.switches() - 1) + 1
    }

    /// Returns the ports of the next hops towards a switch, or towards any switch of a place.
    fn next(&self, at: u32, goal: Result<u32, u32>) -> Vec<u32> {
        let network = self.network;
        let leading = |leads: &dyn Fn(u32) -> bool| {
            ports(network, at).filter(|&port| neighbour(network, port).is_some_and(leads)).collect::<Vec<u32>>()
        };
        let nearer = |distances: &[Vec<u32>], to: u32| {
            leading(&|next| distances[to as usize][next as usize] < distances[to as usize][at as usize])
        };
        let goal_place = goal.map_or_else(|place| place, |switch| self.place(switch));
        if self.group(at).is_none() {
            return nearer(&self.distances, goal.unwrap_or(goal_place));
        }
        match goal {
            Ok(to) if self.place(at) == goal_place => nearer(&self.within, to),
            _ => {
                let leads_across = |switch: u32| {
                    let mut ends = ports(network, switch).filter_map(|port| neighbour(network, port));
                    ends.any(|end| self.place(end) == goal_place)
                };
                if leads_across(at) {
                    return leading(&|next| self.place(next) == goal_place);
                }
                let own = (0..network.switches()).filter(|&switch| self.place(switch) == self.place(at));
                let all: BTreeSet<u32> = own
                    .filter(|&switch| leads_across(switch))
                    .flat_map(|gateway| nearer(&self.within, gateway))
                    .collect();
                all.into_iter().collect()
            }
        }
    }

    /// Follows packets from a switch, after so many hops and holding something, until `arrived`, which is told where
    /// they are, after how many hops, and what they hold.
    fn follow(
        &mut self,
        (at, hop, held): (u32, u8, Vec<Buffer>),
        goal: Result<u32, u32>,
        arrived: &mut BTreeSet<(u32, u8, Vec<Buffer>)>,
    ) {
        if goal.map_or_else(|place| self.place(at) == place, |switch| at == switch) {
            arrived.insert((at, hop, held));
            return;
        }
        for port in self.next(at, goal) {
            let asked: Vec<Buffer> =
                (0..self.width).map(|vc| (self.trunks[port as usize].0, hop * self.width + vc)).collect();
            self.model.ask(&held, &asked);
            self.model.longest = self.model.longest.max(u32::from(hop) + 1);
            self.follow((neighbour(self.network, port).unwrap(), hop + 1, asked), goal, arrived);
        }
    }

    fn all(mut self, kind: RoutingKind) -> Model {
        let network = self.network;
        let sources: BTreeSet<u32> = (0..network.nodes).map(|node| network.node_switch(NodeId(node)).0).collect();
        let detours = self.places() > 2;
        let mut deviate = BTreeSet::new();
        for (&from, &to) in sources.iter().flat_map(|from| sources.iter().map(move |to| (from, to))) {
            let apart = self.place(from) != self.place(to) && detours;
            if from == to {
                continue;
            }
            if kind != RoutingKind::Valiant || !apart {
                self.follow((from, 0, vec![]), Ok(to), &mut BTreeSet::new());
            }
            if kind != RoutingKind::Minimal && apart {
                deviate.insert((from, 0, vec![]));
            }
            if kind == RoutingKind::Progressive && apart {
                for port in self.next(from, Ok(to)) {
                    let at = neighbour(network, port).unwrap();
                    let held = (0..self.width).map(|vc| (self.trunks[port as usize].0, vc)).collect();
                    if self.place(at) != self.place(to) {
                        deviate.insert((at, 1, held));
                    }
                }
            }
        }
        // The proof does not ask where a packet on a non-minimal route comes from.
        for by in 0..self.places() {
            let mut arrived = BTreeSet::new();
            for packet in deviate.iter().filter(|packet| self.place(packet.0) != by).cloned().collect::<Vec<_>>() {
                self.follow(packet, Err(by), &mut arrived);
            }
            for packet in arrived {
                for &to in &sources {
                    if self.place(to) != by {
                        self.follow(packet.clone(), Ok(to), &mut BTreeSet::new());
                    }
                }
            }
        }
        self.model
    }
}

fn packets(network: &Network, kind: RoutingKind, width: u8) -> Model {
    let switches = network.switches();
    let distances = (0..switches).map(|to| distances_from(network, to)).collect();
    let mut packets =
        Packets { network, trunks: network.trunks(), distances, within: Vec::new(), width, model: Model::default() };
    packets.within = (0..switches).map(|to| packets.distances_within(to)).collect();
    packets.all(kind)
}

const BY_HOPS: [RoutingKind; 4] =
    [RoutingKind::Minimal, RoutingKind::Valiant, RoutingKind::Ugal, RoutingKind::Progressive];

/// With one or more virtual channels for each hop, on networks of two, three and more places, up to 72 at a switch.
#[test]
fn classes_of_hops() {
    let hyperx = |dims: &[u32], widths: &[u32]| {
        TopologySpec::HyperX(HyperX { dims: dims.to_vec(), widths: PerDimension::Each(widths.to_vec()), nodes: 1 })
    };
    let dragonfly =
        |a, h, groups| TopologySpec::Dragonfly(Dragonfly { p: 1, a, h, groups, arrangement: Arrangement::Palmtree });
    let plus = |h, groups| {
        let arrangement = Arrangement::Absolute;
        TopologySpec::DragonflyPlus(DragonflyPlus { nodes: 1, leaves: 2, spines: 2, h, groups, arrangement })
    };
    let full = |switches| TopologySpec::Full(Full { switches, nodes: 2 });
    let specs = [
        full(2),
        full(3),
        full(5),
        full(10),
        hyperx(&[3, 3], &[1, 2]),
        hyperx(&[2, 3, 2], &[1, 1, 1]),
        TopologySpec::SlimFly(SlimFly { q: 3, nodes: Some(1), tables: TableKind::Shortest }),
        TopologySpec::Jellyfish(Jellyfish { switches: 8, degree: 4, nodes: 1, seed: 3, tables: TableKind::Shortest }),
        dragonfly(2, 1, 2),
        dragonfly(2, 1, 3),
        dragonfly(3, 1, 4),
        dragonfly(3, 2, 4),
        dragonfly(7, 3, 4),
        plus(2, 3),
        plus(3, 4),
    ];
    let mut compared = 0;
    for spec in specs {
        let network = spec.build().unwrap();
        for kind in BY_HOPS {
            let longest = low_diameter::longest(&network, kind).unwrap();
            for vcs in BTreeSet::from([longest, 2 * longest, 8]).into_iter().filter(|&vcs| longest <= vcs && vcs <= 8) {
                let mut config = config(&network, 2);
                (config.routing, config.switch.vcs) = (kind, VirtualChannels::hop(vcs as u8));
                let model = packets(&network, kind, (vcs / longest) as u8);
                compare(&network, &config, &model, u8::MAX, &format!("{spec:?} {kind:?} {vcs}"));
                let Ok(Verdict::Proven(proof)) = dependencies::check(&network, &config) else { unreachable!() };
                assert_eq!((proof.longest, proof.bubbles), (model.longest, 0), "{spec:?} {kind:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// Drawn paths, each followed by its definition: the least of the random numbers that draw it.
#[test]
fn drawn_paths() {
    let ring = rebuilt(&torus(&[5], 2, 1), tables_of(RoutingKind::KShortest));
    let square = rebuilt(&mesh(&[3, 2], 1, 1), tables_of(RoutingKind::KShortest));
    let full = rebuilt(
        &TopologySpec::Full(Full { switches: 10, nodes: 1 }).build().unwrap(),
        TableKind::of(RoutingKind::KShortest, 5),
    );
    for (network, width) in [(ring, 1), (square, 1), (full, 4)] {
        let longest = low_diameter::longest(&network, RoutingKind::KShortest).unwrap();
        let each = graph::paths(&network).unwrap().each;
        let mut config = config(&network, 2);
        (config.routing, config.switch.vcs) = (RoutingKind::KShortest, VirtualChannels::hop(longest as u8 * width));
        let (router, trunks) = (Router::new(&network, &config), network.trunks());
        let mut model = Model::default();
        for (from, to) in (0..network.nodes).flat_map(|from| (0..network.nodes).map(move |to| (from, to))) {
            for path in (0..each).filter(|_| from != to) {
                let mut held: Vec<Buffer> = Vec::new();
                let salt = (path << 16).div_ceil(each) as u16;
                let mut hop = 0;
                walk::walk(&network, &router, NodeId(from), NodeId(to), salt, |channel| {
                    if !network.is_node_channel(channel) {
                        let asked: Vec<Buffer> =
                            (0..width).map(|vc| (trunks[channel.index()].0, hop * width + vc)).collect();
                        model.ask(&held, &asked);
                        (held, hop) = (asked, hop + 1);
                    }
                });
                model.longest = model.longest.max(u32::from(hop));
            }
        }
        compare(&network, &config, &model, u8::MAX, "drawn paths");
        let Ok(Verdict::Proven(proof)) = dependencies::check(&network, &config) else { unreachable!() };
        assert_eq!((proof.longest, proof.longest), (model.longest, longest));
    }
}

/// Where channels have an order, packets are followed by what routing permits, with all that they remember.
fn ordered(network: &Network, config: &Config, all_wait: bool) -> Model {
    let (router, trunks) = (Router::new(network, config), network.trunks());
    let mut model = Model::default();
    for node in 0..network.nodes {
        let port = network.node_port[node as usize];
        let switch = network.port_switch(port as usize);
        let to = Destination { switch, output: (port - network.first_port[switch as usize]) as u16 };
        let mut open: Vec<(u32, u16, Vec<Buffer>)> =
            (0..network.nodes).map(|from| (network.node_switch(NodeId(from)).0, 0, vec![])).collect();
        let mut seen = BTreeSet::new();
        while let Some((at, crossed, held)) = open.pop() {
            if at == switch || !seen.insert((at, crossed, held.clone())) {
                continue;
            }
            let mut found = Candidates::new();
            router.candidates(at, to, crossed, || 0, &mut found);
            let adaptive = if all_wait { vec![] } else { found.adaptive().to_vec() };
            let waits: Vec<PortGroup> = if all_wait { found.all().collect() } else { vec![found.escape] };
            let of = |group: PortGroup| {
                let first = network.first_port[at as usize] + u32::from(group.first);
                first..first + u32::from(group.count)
            };
            let follow = |port: u32| {
                let next = neighbour(network, port).expect("a switch");
                (next, crossed | crossing(network, PortId(port)))
            };
            for (group, port) in waits.into_iter().flat_map(|group| of(group).map(move |port| (group, port))) {
                let asked: Vec<Buffer> =
                    (0..8).filter(|vc| group.vcs >> vc & 1 == 1).map(|vc| (trunks[port as usize].0, vc)).collect();
                model.ask(&held, &asked);
                let (next, crossed) = follow(port);
                open.push((next, crossed, asked));
            }
            for port in adaptive.into_iter().flat_map(of) {
                let (next, crossed) = follow(port);
                open.push((next, crossed, vec![]));
            }
        }
    }
    model
}

/// Grids with datelines and bubbles, trees, and paths up and down graphs.
#[test]
fn channels_in_order() {
    let tree = |down, up, levels| TopologySpec::ThinTree(ThinTree { down, up, levels }).build().unwrap();
    let fat = TopologySpec::Xgft(Xgft { children: vec![2, 3, 2], parents: vec![2, 1], links: vec![1, 2] });
    let mut compared = 0;
    for network in [torus(&[4], 1, 1), torus(&[5, 3], 2, 1), mesh(&[3, 2, 2], 1, 2), torus(&[3, 3, 3], 1, 1)] {
        for (kind, vcs) in [
            (RoutingKind::DimensionOrder, VirtualChannels::grid(0, 2)),
            (RoutingKind::DimensionOrder, VirtualChannels::grid(0, 4)),
            (RoutingKind::Adaptive, VirtualChannels::grid(2, 2)),
        ] {
            for escape in [Escape::Dateline, Escape::Bubble] {
                let mut config = config(&network, 2);
                (config.routing, config.switch.vcs, config.switch.escape) = (kind, vcs, escape);
                config.switch.padding = true;
                let order = if kind == RoutingKind::Adaptive { 0b1100 } else { u8::MAX };
                let what = format!("{network:?} {kind:?} {escape:?}");
                compare(&network, &config, &ordered(&network, &config, false), order, &what);
                compared += 1;
            }
        }
    }
    // With fewer nodes at a leaf than ways up, it matters which these are.
    for network in [tree(2, 2, 3), tree(3, 1, 2), tree(2, 3, 2), fat.build().unwrap()] {
        for kind in [RoutingKind::Adaptive, RoutingKind::DModK] {
            let mut config = config(&network, 2);
            (config.routing, config.switch.vcs) = (kind, VirtualChannels::any(2));
            compare(&network, &config, &ordered(&network, &config, false), u8::MAX, &format!("{network:?} {kind:?}"));
            compared += 1;
        }
    }
    let full = TopologySpec::Full(Full { switches: 10, nodes: 1 }).build().unwrap();
    for (whole, vcs) in [(torus(&[5], 1, 1), 2), (torus(&[3, 3], 1, 1), 1), (mesh(&[4, 2], 2, 1), 2), (full, 8)] {
        let network = rebuilt(&whole, TableKind::UpDown);
        let mut config = config(&network, 2);
        (config.routing, config.switch.vcs) = (RoutingKind::UpDown, VirtualChannels::any(vcs));
        compare(&network, &config, &ordered(&network, &config, true), u8::MAX, "up and down");
        compared += 1;
    }
    assert_eq!(compared, 24 + 8 + 4);
}

/// Where virtual channels do not suffice for the longest route, packets are told that have none for their next hop.
#[test]
fn where_classes_end() {
    let hyperx = HyperX { dims: vec![3, 4], widths: PerDimension::All(1), nodes: 1 };
    let paths = rebuilt(&torus(&[5], 1, 1), tables_of(RoutingKind::KShortest));
    let cases = BY_HOPS.map(|kind| (TopologySpec::HyperX(hyperx.clone()).build().unwrap(), kind));
    for (network, kind) in cases.into_iter().chain([(paths, RoutingKind::KShortest)]) {
        let longest = low_diameter::longest(&network, kind).unwrap() as u8;
        for classes in 1..=longest {
            let mut config = config(&network, 2);
            (config.routing, config.switch.vcs) = (kind, VirtualChannels::hop(classes));
            match dependencies::check(&network, &config).unwrap() {
                Verdict::Proven(Proof { longest: proven, .. }) => {
                    assert_eq!((proven, classes), (u32::from(longest), longest), "{kind:?}");
                }
                Verdict::Stray { at, to } => assert!(at != to && classes < longest, "{kind:?}"),
                Verdict::Circle(_) => panic!("{kind:?}"),
            }
            assert_eq!(dependencies::graph(&network, &config).is_some(), classes == longest);
        }
    }
}

/// The hops of the longest routes, by hand: on low-diameter networks twice the diameter for non-minimal routes, and one
/// more for packets that turn after their first hop; on dragonflies over three groups; with leaves and spines up, over,
/// and once more across each group on the way.
#[test]
fn needed_classes() {
    let arrangement = Arrangement::Absolute;
    let plus = DragonflyPlus { nodes: 1, leaves: 2, spines: 2, h: 2, groups: 5, arrangement };
    let slim_fly = SlimFly { q: 3, nodes: Some(1), tables: TableKind::Shortest };
    for (spec, longest) in [
        (TopologySpec::Full(Full { switches: 2, nodes: 1 }), [1, 1, 1, 1]),
        (TopologySpec::Full(Full { switches: 5, nodes: 1 }), [1, 2, 2, 3]),
        (TopologySpec::HyperX(HyperX { dims: vec![3, 3], widths: PerDimension::All(1), nodes: 1 }), [2, 4, 4, 5]),
        (TopologySpec::SlimFly(slim_fly), [2, 4, 4, 5]),
        (TopologySpec::Dragonfly(Dragonfly { p: 1, a: 4, h: 2, groups: 9, arrangement }), [3, 5, 5, 6]),
        (TopologySpec::Dragonfly(Dragonfly { p: 1, a: 4, h: 2, groups: 2, arrangement }), [3, 3, 3, 3]),
        (TopologySpec::Dragonfly(Dragonfly { p: 1, a: 4, h: 2, groups: 1, arrangement }), [1, 1, 1, 1]),
        (TopologySpec::DragonflyPlus(plus), [3, 6, 6, 8]),
    ] {
        let network = spec.build().unwrap();
        assert_eq!(BY_HOPS.map(|kind| low_diameter::longest(&network, kind)), longest.map(Some), "{spec:?}");
    }
    let ring = rebuilt(&torus(&[7], 1, 1), TableKind::Shortest);
    assert_eq!(BY_HOPS.map(|kind| low_diameter::longest(&ring, kind)), [3, 6, 6, 7].map(Some));
}

/// Too large networks are told before anything is followed: by all pairs of switches and the hops of a route, or by
/// the sets of datelines; by the ports where these are more.
#[test]
fn too_large_to_be_checked() {
    let most = 1 << 29;
    let hyperx = HyperX { dims: vec![4, 4, 4, 4, 4, 4, 3], widths: PerDimension::All(1), nodes: 1 };
    let network = TopologySpec::HyperX(hyperx).build().unwrap();
    let mut config = config(&network, 2);
    (config.routing, config.switch.vcs) = (RoutingKind::Minimal, VirtualChannels::hop(7));
    let states = 12_288 * 12_288 * 8;
    assert_eq!(dependencies::check(&network, &config), Err(TooLarge { states, most }));
    assert!(dependencies::graph(&network, &config).is_none());
    let text = TooLarge { states, most }.to_string();
    assert!(text.contains(&states.to_string()) && text.contains(&most.to_string()), "{text}");

    let network = torus(&[110, 110], 1, 1);
    let config = Config { routing: RoutingKind::DimensionOrder, ..crate::common::config(&network, 2) };
    let states = 12_100 * 12_100 * 4;
    assert_eq!(dependencies::check(&network, &config), Err(TooLarge { states, most }));

    // Each of 830 x 829 channels has eight virtual ones, and each of these a set of 8 x 829 in words of 64.
    let full = HyperX { dims: vec![830], widths: PerDimension::All(1), nodes: 1 };
    let network = TopologySpec::HyperX(full).build().unwrap();
    let mut config = crate::common::config(&network, 2);
    (config.routing, config.switch.vcs) = (RoutingKind::DimensionOrder, VirtualChannels::any(8));
    let states = (830 * 829 * 8 + 830) * 104;
    assert_eq!(dependencies::check(&network, &config), Err(TooLarge { states, most }));
}

/// A circle is told channel by channel: where it leads from and to, on which virtual channel, and who holds it.
#[test]
fn circles_are_told() {
    let mut network = torus(&[5, 2], 1, 1);
    let Geometry::Grid(grid) = &mut network.geometry else { panic!("not a grid") };
    grid.datelines.fill(None);
    let mut config = config(&network, 2);
    config.switch.vcs = VirtualChannels::grid(0, 2);
    let Ok(Verdict::Circle(circle)) = dependencies::check(&network, &config) else { panic!("it is proven") };
    for waiting in circle {
        let port = network.first_port[waiting.switch as usize] + waiting.port;
        assert_eq!(neighbour(&network, port), Some(waiting.leads_to));
        let [from, to, goal] =
            [waiting.switch, waiting.leads_to, waiting.packets_to].map(|switch| dependencies::place(&network, switch));
        assert!(
            from.starts_with(&format!("switch {} ", waiting.switch)) && from.contains(&network.detail(waiting.switch))
        );
        let line = waiting.line(&network);
        assert!(line.starts_with(&format!("{from} to {to}, port {}, ", waiting.port)), "{line}");
        assert!(line.contains(&format!("virtual channel {}: ", waiting.vc)) && line.ends_with(&goal), "{line}");
    }
    let jellyfish = Jellyfish { switches: 6, degree: 3, nodes: 1, seed: 1, tables: TableKind::Shortest };
    let plain = TopologySpec::Jellyfish(jellyfish).build().unwrap();
    if plain.detail(4).is_empty() {
        assert_eq!(dependencies::place(&plain, 4), "switch 4");
    }
}
