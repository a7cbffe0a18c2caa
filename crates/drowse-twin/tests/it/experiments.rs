//! Random small experiments with open-loop traffic.

use drowse_core::model::config::{
    Arbitration, ClassModel, Config, Escape, NodeModel, SleepRules, SleepSelection, SwitchModel, TrunkChoice,
    VirtualChannels,
};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::{SleepState, SleepStates, StallTimer, Timers};
use drowse_core::routing::{RoutingKind, low_diameter};
use drowse_core::topology::{
    Arrangement, Dragonfly, Graph, HyperX, Network, PerDimension, Racks, TableKind, ThinTree, Ties, Topology,
    TopologySpec, Torus, Trunk,
};
use drowse_core::workload::traffic::{Count, Length, Lengths, Pattern, Traffic};
use proptest::prelude::*;

/// An experiment, as drawn.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub spec: TopologySpec,
    pub routing: RoutingKind,
    pub vcs: VirtualChannels,
    pub speeds: Speeds,
    pub switch: Switch,
    pub sleep: Sleep,
    pub load: Load,
}

/// Clock, wires and bandwidths.
#[derive(Clone, Debug)]
pub struct Speeds {
    pub clock: u64,
    pub flit: u64,
    /// Whether all classes have the first bandwidth, and bandwidths by class; `None` is a flit per cycle.
    pub bandwidths: (bool, Vec<Option<u64>>),
    pub latencies: Vec<u64>,
    pub hops: Vec<u64>,
    pub nic_latency: u64,
}

/// Packets, buffers, arbiters.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is drawn by itself")]
pub struct Switch {
    pub packet_flits: u16,
    /// Packets that a virtual channel holds, and additional flits.
    pub buffer: (u16, u16),
    pub input_speedup: u8,
    pub random: bool,
    pub request_busy: bool,
    pub packed: bool,
    pub padding: bool,
}

/// The sleeping channels and their sleep.
#[derive(Clone, Debug)]
pub struct Sleep {
    /// Whether node channels and switch channels sleep.
    pub who: (bool, bool),
    /// By class, times to enter and wake: shallow, deep.
    pub states: Vec<[u64; 4]>,
    pub timers: Vec<(Option<u64>, Option<u64>)>,
    pub selection: SleepSelection,
    pub wake_after: Option<u64>,
}

/// Traffic.
#[derive(Clone, Debug)]
pub struct Load {
    pub pattern: Pattern,
    pub packets: Lengths,
    /// Per cent of the slowest class's bandwidth.
    pub percent: u32,
    pub include_self: bool,
    pub count: Count,
    pub warmup: u64,
    pub measure: u64,
    pub drain: bool,
    pub seed: u64,
}

pub fn experiment() -> impl Strategy<Value = Experiment> {
    (
        prop_oneof![3 => grid().boxed(), 2 => tree().boxed(), 2 => graph().boxed(), 1 => hyperx().boxed(), 2 => dragonfly().boxed()],
        speeds(),
        switch(),
        sleep(),
        load(),
    )
        .prop_map(|((spec, routing, vcs), speeds, mut switch, sleep, load)| {
            switch.input_speedup = switch.input_speedup.min(vcs.total());
            Experiment { spec, routing, vcs, speeds, switch, sleep, load }
        })
}

fn grid() -> impl Strategy<Value = (TopologySpec, RoutingKind, VirtualChannels)> {
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

fn tree() -> impl Strategy<Value = (TopologySpec, RoutingKind, VirtualChannels)> {
    let thin = (2u32..=3, 1u32..=3, 1u32..=3);
    let thin = thin.prop_map(|(down, up, levels)| TopologySpec::ThinTree(ThinTree { down, up, levels }));
    let racks = (1u32..=6, 2u32..=3, 1u32..=2);
    let racks =
        racks.prop_map(|(racks, nodes, uplinks)| TopologySpec::Racks(Racks { racks, nodes_per_rack: nodes, uplinks }));
    let routing = prop::sample::select(vec![RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK]);
    let tree = (prop_oneof![2 => thin, 1 => racks], routing, 1u8..=3);
    tree.prop_map(|(spec, routing, vcs)| (spec, routing, VirtualChannels::any(vcs)))
}

fn dragonfly() -> impl Strategy<Value = (TopologySpec, RoutingKind, VirtualChannels)> {
    let arrangement = prop::sample::select(vec![Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree]);
    ((1u32..=2, 2u32..=4, 1u32..=2), any::<u32>(), arrangement, 1u8..=2).prop_map(
        |((p, a, h), groups, arrangement, width)| {
            let groups = 1 + groups % (a * h + 1).min(24 / a);
            let dragonfly = Dragonfly { p, a, h, groups, arrangement };
            let longest = if groups == 1 { 1 } else { 3 };
            (TopologySpec::Dragonfly(dragonfly), RoutingKind::Minimal, VirtualChannels::hop(longest * width))
        },
    )
}

fn hyperx() -> impl Strategy<Value = (TopologySpec, RoutingKind, VirtualChannels)> {
    (prop::collection::vec((2u32..=4, 1u32..=2), 1..=3), 1u32..=2, 1u8..=2).prop_map(|(mut dims, nodes, width)| {
        while dims.iter().map(|(size, _)| size).product::<u32>() > 16 {
            dims.pop();
        }
        let vcs = VirtualChannels::hop(dims.len() as u8 * width);
        let (dims, widths) = dims.into_iter().unzip();
        let hyperx = HyperX { dims, widths: PerDimension::Each(widths), nodes };
        (TopologySpec::HyperX(hyperx), RoutingKind::Minimal, vcs)
    })
}

/// Up to 8 switches, joined as a tree and by some more links of two classes; some have no nodes.
fn graph() -> impl Strategy<Value = (TopologySpec, RoutingKind, VirtualChannels)> {
    let any = (2..9usize).prop_flat_map(|switches| {
        let parents: Vec<_> = (1..switches).map(|switch| (0..switch, 1u32..=2)).collect();
        let more = prop::collection::vec((0..switches, 0..switches, 1u32..=2), 0..10);
        (parents, more, prop::collection::vec(0u32..=2, switches), 1u8..=2)
    });
    let any = any.prop_map(|(parents, more, mut nodes, width)| {
        nodes[0] += 1;
        let tree = parents.into_iter().enumerate().map(|(child, (parent, links))| (child + 1, parent, links));
        let edges = tree.chain(more).filter(|(a, b, _)| a != b);
        let trunk = |(a, b, links): (usize, usize, u32)| {
            let class = u8::from(links == 2);
            Trunk { ends: [a as u32, b as u32], class, links }
        };
        let classes = ["single", "double"].map(String::from).to_vec();
        let trunks = edges.map(trunk).collect();
        let graph = Graph { classes, nodes, names: Vec::new(), trunks, tables: TableKind::Shortest };
        let network = graph.build().expect("a tree at least");
        let longest = low_diameter::longest(&network, RoutingKind::Minimal).unwrap_or(0).max(1) as u8;
        let hop = if longest * width <= VirtualChannels::MAX { longest * width } else { longest };
        (TopologySpec::Graph(graph), RoutingKind::Minimal, VirtualChannels::hop(hop))
    });
    any.prop_filter("too far apart", |(.., vcs)| vcs.hop <= VirtualChannels::MAX)
}

fn speeds() -> impl Strategy<Value = Speeds> {
    let bandwidth = prop_oneof![3 => Just(None), 1 => (50u64..3_000).prop_map(|b| Some(b * 10_000_000)), 1 => Just(Some(3_333_333_333))];
    (
        prop::sample::select(vec![1_600u64, 1_000, 1_601]),
        prop::sample::select(vec![4u64, 16, 64]),
        (prop::bool::weighted(0.7), prop::collection::vec(bandwidth, 4)),
        prop::collection::vec(prop_oneof![Just(0u64), Just(1_600), 0u64..20_000], 4),
        prop::collection::vec(prop_oneof![Just(0u64), 0u64..60_000], 4),
        prop_oneof![Just(0u64), 0u64..10_000],
    )
        .prop_map(|(clock, flit, bandwidths, latencies, hops, nic_latency)| Speeds {
            clock,
            flit,
            bandwidths,
            latencies,
            hops,
            nic_latency,
        })
}

fn switch() -> impl Strategy<Value = Switch> {
    let rules = (prop::bool::weighted(0.3), prop::bool::weighted(0.3), any::<bool>(), any::<bool>());
    (1u16..=12, (1u16..=4, 0u16..=5), prop_oneof![Just(1u8), 1u8..=4], rules).prop_map(
        |(packet_flits, buffer, input_speedup, (random, request_busy, packed, padding))| Switch {
            packet_flits,
            buffer,
            input_speedup,
            random,
            request_busy,
            packed,
            padding,
        },
    )
}

fn sleep() -> impl Strategy<Value = Sleep> {
    let time = || prop_oneof![Just(0u64), Just(1), 0u64..5_000, 0u64..200_000];
    let timer = || prop::option::of(time());
    (
        prop::sample::select(vec![(false, false), (false, true), (true, false), (true, true)]),
        prop::collection::vec((time(), time(), time(), time()).prop_map(|(a, b, c, d)| [a, b.max(1), c, d.max(1)]), 4),
        prop::collection::vec((timer(), timer()), 4),
        prop::sample::select(vec![SleepSelection::Awake, SleepSelection::LeastDelay, SleepSelection::Blind]),
        prop::option::of(prop_oneof![Just(0u64), 0u64..50_000]),
    )
        .prop_map(|(who, states, timers, selection, wake_after)| Sleep {
            who,
            states,
            timers,
            selection,
            wake_after,
        })
}

fn load() -> impl Strategy<Value = Load> {
    let pattern =
        prop::sample::select(vec![Pattern::Uniform, Pattern::Complement, Pattern::Tornado, Pattern::Permutation]);
    let length = || prop_oneof![(1u32..4).prop_map(Length::Packets), (0u64..600).prop_map(|b| Length::Bytes(Bytes(b)))];
    let two = (length(), length(), 0u32..=100);
    let two = two.prop_map(|(short, long, percent)| Lengths::Two { short, long, share: f64::from(percent) / 100.0 });
    let packets = prop_oneof![2 => Just(Lengths::packets(1)), 1 => length().prop_map(Lengths::One), 1 => two];
    (
        (pattern, packets, any::<bool>()),
        prop_oneof![1u32..20, 20u32..95],
        prop::sample::select(vec![Count::Generated, Count::Delivered]),
        (prop_oneof![Just(0u64), 0u64..300], 300u64..1_500),
        any::<bool>(),
        0u64..1_000,
    )
        .prop_map(|((pattern, packets, include_self), percent, count, (warmup, measure), drain, seed)| Load {
            pattern,
            packets,
            percent,
            include_self,
            count,
            warmup,
            measure,
            drain,
            seed,
        })
}

impl Experiment {
    pub fn network(&self) -> Network {
        self.spec.build().unwrap()
    }

    pub fn config(&self, network: &Network) -> Config {
        let Experiment { speeds, switch, sleep, .. } = self;
        let class = |c: usize| {
            let [shallow_enter, shallow_wake, deep_enter, deep_wake] = sleep.states[c];
            let state = |enter, wake| SleepState { power: 0.5, enter: Time(enter), wake: Time(wake) };
            let states = SleepStates::new(state(shallow_enter, shallow_wake), state(deep_enter, deep_wake));
            ClassModel {
                bandwidth: self.bandwidth(c),
                lanes: 1,
                latency: Time(speeds.latencies[c]),
                hop: Time(speeds.clock + speeds.hops[c]),
                states: (if c == 0 { sleep.who.0 } else { sleep.who.1 }).then_some(states),
            }
        };
        Config {
            switch: SwitchModel {
                clock: Time(speeds.clock),
                flit: Bytes(speeds.flit),
                packet_flits: switch.packet_flits,
                vcs: self.vcs,
                buffer_flits: switch.packet_flits * switch.buffer.0 + switch.buffer.1,
                input_speedup: switch.input_speedup,
                escape: Escape::Dateline,
                arbitration: if switch.random { Arbitration::Random } else { Arbitration::RoundRobin },
                request_busy: switch.request_busy,
                trunks: if switch.packed { TrunkChoice::Packed } else { TrunkChoice::Balanced },
                padding: switch.padding,
            },
            classes: (0..network.classes.len()).map(class).collect(),
            node: NodeModel { nic_latency: Time(speeds.nic_latency), ..NodeModel::default() },
            routing: self.routing,
            sleep: SleepRules { selection: sleep.selection, wake_after: sleep.wake_after.map(Time), both: false },
            seed: self.load.seed,
            audit: false,
        }
    }

    pub fn policy(&self, network: &Network) -> StallTimer {
        let time = |timer: Option<u64>| timer.map_or(Time::NEVER, Time);
        let timers = |c: usize| {
            let (shallow, deep) = self.sleep.timers[c];
            Timers { shallow: time(shallow), deep: time(deep) }
        };
        StallTimer { timers: (0..network.classes.len()).map(timers).collect() }
    }

    pub fn traffic(&self, network: &Network) -> Traffic {
        let Load { pattern, packets, percent, include_self, count, warmup, measure, drain, .. } = self.load.clone();
        let clock = self.speeds.clock;
        let slowest = (0..network.classes.len()).map(|c| self.bandwidth(c).0).min().unwrap();
        let share = slowest as f64 / self.bandwidth(0).0 as f64;
        let pattern = if pattern.destinations(network, include_self, 1).is_ok() { pattern } else { Pattern::Uniform };
        Traffic {
            pattern,
            packets,
            load: f64::from(percent) / 100.0 * share,
            // In a network of one node, the only destination is the node itself.
            include_self: include_self || network.nodes == 1,
            count,
            warmup: Time(warmup * clock),
            measure: Time(measure * clock),
            drain,
        }
    }

    /// Returns the bandwidth of a class, which is that of the first class if all are equal.
    fn bandwidth(&self, class: usize) -> BitRate {
        let Speeds { clock, flit, bandwidths: (equal, rates), .. } = &self.speeds;
        let a_flit_a_cycle = flit * 1_000_000_000_000 / clock;
        BitRate::from_bytes_per_second(rates[if *equal { 0 } else { class }].unwrap_or(a_flit_a_cycle))
    }
}
