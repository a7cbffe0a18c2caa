//! Random machines, sleep and programs for the audit.

use std::num::NonZeroU32;

use drowse_core::limits;
use drowse_core::model::config::{
    Arbitration, ClassModel, Config, Escape, FlowControl, Forwarding, Injection, NodeModel, OutputQueues, Overheads,
    PauseLevels, Queues, SleepRules, SleepSelection, SwitchModel, TrunkChoice, VirtualChannels,
};
use drowse_core::model::ids::NodeId;
use drowse_core::model::unit::Unit;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::runtime::{Detect, Mode, Rules, Runtime};
use drowse_core::power::{ByClass, ClassPolicy, SleepState, SleepStates, StallTimer, Timers};
use drowse_core::routing::{self, RoutingKind, low_diameter};
use drowse_core::topology::{
    Arrangement, Dragonfly, DragonflyPlus, Full, HyperX, Network, PerDimension, Percs, Racks, ThinTree, TopologySpec,
    Torus, Xgft,
};
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_core::workload::traffic::{Length, Lengths, Pattern};
use drowse_core::workload::{Job, Workload};
use proptest::prelude::*;

use crate::common::{collective, compute};

/// The network and its switches, as drawn.
#[derive(Clone, Debug)]
pub struct Machine {
    pub wraps: bool,
    pub dims: Vec<u32>,
    pub trunk: Vec<u32>,
    pub nodes: u32,
    pub clock: u64,
    pub flit: u64,
    pub packet_flits: u16,
    /// Packets that a virtual channel holds, and additional flits.
    pub buffer: (u16, u16),
    pub adaptive: u8,
    pub escape: u8,
    /// Whether all classes have the first bandwidth, and the bandwidths of classes in bytes per second.
    pub bandwidth: (bool, Vec<u64>),
    pub latency: Vec<u64>,
    pub hop: Vec<u64>,
    pub nic_latency: u64,
    /// Read ports of an input port, at most one per virtual channel.
    pub speedup: u8,
    /// Random arbiters; packets request busy outputs, too; last packets are padded; packed trunks; virtual output
    /// queues; packets are stored before they go on.
    pub rules: (u8, bool, bool, bool, bool, bool),
    /// Queues at outputs instead: flits of a virtual channel beside a packet, and the two speedups.
    pub output_queues: Option<(u16, u16, u8)>,
    /// Senders pause when they are told to: from how many flits on, and when they go on, in 16ths of those.
    pub pause: Option<(u16, u16)>,
    pub receive_overhead: u64,
    /// Another network instead of the torus or mesh.
    pub other: Option<Other>,
}

/// A tree or low-diameter network, as drawn.
#[derive(Clone, Debug)]
pub struct Other {
    pub spec: TopologySpec,
    pub routing: RoutingKind,
    pub vcs: VirtualChannels,
}

/// Sleep, as drawn.
#[derive(Clone, Debug)]
pub struct Sleep {
    /// Node channels sleep; switch channels sleep.
    pub who: (bool, bool),
    /// Times to enter and wake by class, shallow then deep.
    pub states: Vec<[u64; 4]>,
    pub timers: Vec<(Option<u64>, Option<u64>)>,
    pub selection: SleepSelection,
    pub wake_after: Option<u64>,
}

/// A step of a program, common to all ranks.
#[derive(Clone, Debug)]
pub struct Step {
    /// Sender, receiver, tag, bytes, blocking.
    pub messages: Vec<(u32, u32, u32, u64, bool)>,
    /// How each rank names the messages that it receives.
    pub wildcards: Vec<u8>,
    pub compute: Vec<u64>,
    pub collective: (u8, u32, u64),
}

#[derive(Clone, Debug)]
pub struct Program {
    /// The node of each rank, modulo the number of nodes.
    pub placement: Vec<u32>,
    pub steps: Vec<Step>,
    pub eager_limit: u64,
    pub memory: (u64, u64),
}

pub fn machine() -> impl Strategy<Value = Machine> {
    let shape = (
        any::<bool>(),
        prop::collection::vec(2u32..=5, 1..=4),
        prop::collection::vec(1u32..=4, 4),
        1u32..=3,
        prop::sample::select(vec![1_600u64, 1_000, 800, 1_601, 2_500]),
        prop::sample::select(vec![16u64, 4, 32, 64]),
        1u16..=16,
        (1u16..=4, 0u16..=5),
    );
    let rest = (
        0u8..=3,
        1u8..=4,
        (any::<bool>(), prop::collection::vec(bandwidth(), 5)),
        prop::collection::vec(prop_oneof![Just(0u64), Just(1_600), 0u64..20_000], 5),
        prop::collection::vec(prop_oneof![Just(0u64), 0u64..60_000], 5),
        prop_oneof![Just(0u64), 0u64..10_000],
        prop_oneof![Just(1u8), 1u8..=7],
        ((0u8..=3, any::<(bool, bool, bool, bool, bool)>()), output_queues(), pause()),
        prop_oneof![Just(0u64), 0u64..20_000],
        prop::option::of(tree()),
    );
    (shape, rest).prop_map(|((wraps, mut dims, mut trunk, nodes, clock, flit, packet_flits, buffer), rest)| {
        while dims.iter().product::<u32>() > 36 {
            dims.pop();
        }
        trunk.truncate(dims.len());
        let (adaptive, escape, bandwidth, latency, hop, nic_latency, speedup, queues, receive_overhead, other) = rest;
        let ((arbitration, rules), output_queues, pause) = queues;
        let rules = (arbitration, rules.0, rules.1, rules.2, rules.3, rules.4);
        let rings = wraps && dims.iter().any(|&k| k > 2);
        let escape = if rings { 2 * escape.div_ceil(2) } else { escape };
        Machine {
            wraps,
            dims,
            trunk,
            nodes,
            clock,
            flit,
            packet_flits,
            buffer,
            adaptive,
            escape,
            bandwidth,
            latency,
            hop,
            nic_latency,
            speedup: speedup.min(other.as_ref().map_or(adaptive + escape, |other| other.vcs.total())),
            rules,
            output_queues,
            pause,
            receive_overhead,
            other,
        }
    })
}

/// Draws a machine with a torus, mesh, tree or low-diameter network.
pub fn any_machine() -> impl Strategy<Value = Machine> {
    let low_diameter = (machine(), low_diameter_network()).prop_map(|(machine, other)| {
        let speedup = machine.speedup.min(other.vcs.total());
        Machine { speedup, other: Some(other), ..machine }
    });
    prop_oneof![machine(), low_diameter]
}

/// Draws a low-diameter network with any of its routings.
pub fn low_diameter_network() -> impl Strategy<Value = Other> {
    let spec = low_diameter_spec().prop_map(|spec| (spec.build().unwrap(), spec));
    (spec, any::<prop::sample::Index>(), 1u8..=2).prop_map(|((network, spec), routing, width)| {
        let fits =
            |routing: &&RoutingKind| low_diameter::longest(&network, **routing).is_none_or(|longest| longest <= 8);
        let routings: Vec<RoutingKind> = routing::kinds(&network.geometry).iter().filter(fits).copied().collect();
        let routing = *routing.get(&routings);
        let vcs = match low_diameter::longest(&network, routing) {
            Some(longest) => VirtualChannels::hop(
                (longest.max(1) as u8 * width).min(8 / longest.max(1) as u8 * longest.max(1) as u8),
            ),
            None => VirtualChannels::any(width),
        };
        Other { spec, routing, vcs }
    })
}

/// Draws a small low-diameter network of any kind.
pub fn low_diameter_spec() -> impl Strategy<Value = TopologySpec> {
    let arrangement =
        || prop::sample::select(vec![Arrangement::Absolute, Arrangement::Relative, Arrangement::Palmtree]);
    let groups = |most: u32, drawn: u32| 1 + drawn % most.min(9);
    let dragonfly =
        (1u32..=3, 2u32..=4, 1u32..=2, any::<u32>(), arrangement()).prop_map(move |(p, a, h, drawn, arrangement)| {
            TopologySpec::Dragonfly(Dragonfly { p, a, h, groups: groups(a * h + 1, drawn), arrangement })
        });
    let plus = (2u32..=3, 1u32..=3, 1u32..=3, 1u32..=2, any::<u32>(), arrangement()).prop_map(
        move |(nodes, leaves, spines, h, drawn, arrangement)| {
            let groups = groups(spines * h + 1, drawn);
            TopologySpec::DragonflyPlus(DragonflyPlus { nodes, leaves, spines, h, groups, arrangement })
        },
    );
    let percs = (1u32..=3).prop_map(|supernodes| TopologySpec::Percs(Percs { supernodes }));
    let full = (2u32..=9, 1u32..=3).prop_map(|(switches, nodes)| TopologySpec::Full(Full { switches, nodes }));
    let hyperx = (prop::collection::vec((2u32..=4, 1u32..=2), 1..=3), 1u32..=3).prop_map(|(dims, nodes)| {
        let (dims, widths): (Vec<u32>, Vec<u32>) = dims.into_iter().unzip();
        TopologySpec::HyperX(HyperX { dims, widths: PerDimension::Each(widths), nodes })
    });
    prop_oneof![4 => dragonfly, 3 => plus, 1 => percs, 1 => full, 3 => hyperx]
}

fn tree() -> impl Strategy<Value = Other> {
    let thin = (2u32..=4, 1u32..=4, 1u32..=3);
    let thin = thin.prop_map(|(down, up, levels)| TopologySpec::ThinTree(ThinTree { down, up, levels }));
    let racks = (1u32..=8, 2u32..=4, 1u32..=2);
    let racks = racks
        .prop_map(|(racks, nodes_per_rack, uplinks)| TopologySpec::Racks(Racks { racks, nodes_per_rack, uplinks }));
    let xgft =
        (prop::collection::vec(2u32..=3, 3), prop::collection::vec(1u32..=3, 2), prop::collection::vec(1u32..=3, 2));
    let xgft = xgft.prop_map(|(children, parents, links)| TopologySpec::Xgft(Xgft { children, parents, links }));
    let routing = prop::sample::select(vec![RoutingKind::Adaptive, RoutingKind::Random, RoutingKind::DModK]);
    let tree = (prop_oneof![2 => thin, 1 => racks, 1 => xgft], routing, 1u8..=4);
    tree.prop_map(|(spec, routing, vcs)| Other { spec, routing, vcs: VirtualChannels::any(vcs) })
}

pub fn bandwidth() -> impl Strategy<Value = u64> {
    let gb = |hundredths: u64| hundredths * 10_000_000;
    prop_oneof![prop::sample::select(vec![gb(1_000), gb(777), gb(333), gb(1_250)]), (50u64..3_000).prop_map(gb)]
}

pub fn sleep() -> impl Strategy<Value = Sleep> {
    let time = || prop_oneof![Just(0u64), Just(1), 0u64..5_000, 0u64..300_000];
    let timer = || prop::option::of(time());
    // Wakes that take no time are tested in `sleeping`.
    let states = (time(), time(), time(), time()).prop_map(|(a, b, c, d)| [a, b.max(1), c, d.max(1)]);
    let who = prop::sample::select(vec![(false, true), (true, false), (true, true)]);
    (
        who,
        prop::collection::vec(states, 5),
        prop::collection::vec((timer(), timer()), 5),
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

/// Draws a pattern; hot nodes are drawn from all numbers, for [`pattern_on`].
pub fn pattern() -> impl Strategy<Value = Pattern> {
    use Pattern::{BitReversal, Complement, Neighbour, Permutation, Shuffle, Tornado, Transpose, Uniform};
    let named = vec![Uniform, Transpose, Complement, BitReversal, Shuffle, Tornado, Neighbour, Permutation];
    let hot = (prop::collection::vec(any::<u32>(), 1..4), 0u32..=100);
    let hot = hot.prop_map(|(nodes, percent)| Pattern::HotSpot { nodes, share: f64::from(percent) / 100.0 });
    prop_oneof![2 => Just(Uniform), 4 => prop::sample::select(named), 1 => hot]
}

/// Makes a pattern fit a network; one that cannot gives way to uniform traffic.
pub fn pattern_on(network: &Network, pattern: Pattern, include_self: bool) -> Pattern {
    let pattern = match pattern {
        Pattern::HotSpot { nodes, share } => {
            let mut nodes: Vec<u32> = nodes.iter().map(|node| node % network.nodes).collect();
            nodes.sort_unstable();
            nodes.dedup();
            Pattern::HotSpot { nodes, share }
        }
        pattern => pattern,
    };
    if pattern.destinations(network, include_self, 7).is_ok() { pattern } else { Pattern::Uniform }
}

pub fn lengths() -> impl Strategy<Value = Lengths> {
    let length = || prop_oneof![(1u32..4).prop_map(Length::Packets), (0u64..600).prop_map(|b| Length::Bytes(Bytes(b)))];
    let two = (length(), length(), 0u32..=100);
    let two = two.prop_map(|(short, long, percent)| Lengths::Two { short, long, share: f64::from(percent) / 100.0 });
    prop_oneof![2 => Just(Lengths::packets(1)), 1 => length().prop_map(Lengths::One), 2 => two]
}

pub fn program() -> impl Strategy<Value = Program> {
    let size = prop_oneof![Just(0u64), 0u64..40, 0u64..3_000, 0u64..12_000];
    let message = (0u32..12, 0u32..12, 0u32..3, size.clone(), any::<bool>());
    let step = (
        prop::collection::vec(message, 0..16),
        prop::collection::vec(0u8..4, 12),
        prop::collection::vec(prop_oneof![Just(0u64), 0u64..400_000], 12),
        (0u8..17, 0u32..12, size),
    )
        .prop_map(|(messages, wildcards, compute, collective)| Step { messages, wildcards, compute, collective });
    (
        prop::collection::vec(any::<u32>(), 1..=12),
        prop::collection::vec(step, 1..=3),
        prop_oneof![Just(0u64), 0u64..2_000, Just(65_536)],
        (prop_oneof![Just(0u64), 0u64..300_000], bandwidth()),
    )
        .prop_map(|(placement, steps, eager_limit, memory)| Program { placement, steps, eager_limit, memory })
}

impl Machine {
    pub fn network(&self) -> Network {
        if let Some(other) = &self.other {
            return other.spec.build().unwrap();
        }
        let (dims, trunk) = (self.dims.clone(), PerDimension::Each(self.trunk.clone()));
        let torus = Torus::new(dims, trunk, self.nodes);
        let spec = if self.wraps { TopologySpec::Torus(torus) } else { TopologySpec::Mesh(torus) };
        spec.build().unwrap()
    }

    fn queues(&self) -> Queues {
        match self.output_queues {
            Some((more, speedup, paths)) => {
                let vcs = self.other.as_ref().map_or(self.adaptive + self.escape, |other| other.vcs.total());
                Queues::Output(OutputQueues { room_flits: self.packet_flits + more, speedup, paths: paths.min(vcs) })
            }
            None if self.rules.4 => Queues::VirtualOutput,
            None => Queues::Input,
        }
    }

    pub fn config(&self, network: &Network, sleep: &Sleep) -> Config {
        let class = |c: usize| {
            let bandwidth = self.bandwidth.1[if self.bandwidth.0 { 0 } else { c }];
            let [shallow_enter, shallow_wake, deep_enter, deep_wake] = sleep.states[c];
            let state = |power, enter, wake| SleepState { power, enter: Time(enter), wake: Time(wake) };
            let states = SleepStates::new(state(0.6, shallow_enter, shallow_wake), state(0.1, deep_enter, deep_wake));
            ClassModel {
                bandwidth: BitRate::from_bytes_per_second(bandwidth),
                lanes: 1,
                latency: Time(self.latency[c]),
                hop: Time(self.clock + self.hop[c]),
                states: (if c == 0 { sleep.who.0 } else { sleep.who.1 }).then_some(states),
            }
        };
        let mut config = Config {
            switch: SwitchModel {
                clock: Time(self.clock),
                flit: Bytes(self.flit),
                packet_flits: self.packet_flits,
                vcs: match &self.other {
                    Some(other) => other.vcs,
                    None => VirtualChannels::grid(self.adaptive, self.escape),
                },
                buffer_flits: self.packet_flits * self.buffer.0 + self.buffer.1,
                flow_control: FlowControl::Credits,
                input_speedup: self.speedup,
                queues: self.queues(),
                forwarding: if self.rules.5 { Forwarding::StoreAndForward } else { Forwarding::CutThrough },
                escape: Escape::Dateline,
                arbitration: match self.rules.0 {
                    0 => Arbitration::LeastRecentlyServed,
                    1 => Arbitration::Random,
                    2 => Arbitration::RoundRobin,
                    _ => Arbitration::Age,
                },
                request_busy: self.rules.1,
                allocation_gap: Time::ZERO,
                trunks: if self.rules.3 { TrunkChoice::Packed } else { TrunkChoice::Balanced },
                padding: self.rules.2,
            },
            classes: (0..network.classes.len()).map(class).collect(),
            node: NodeModel {
                memory_latency: Time::ZERO,
                memory_bandwidth: BitRate::from_bytes_per_second(1_000_000_000),
                eager_limit: Bytes(u64::MAX),
                nic_latency: Time(self.nic_latency),
                injection: Injection::RoundRobin,
                receive_overhead: Time(self.receive_overhead),
                overheads: Overheads::NONE,
            },
            routing: match &self.other {
                Some(other) => other.routing,
                None if self.adaptive == 0 => RoutingKind::DimensionOrder,
                None => RoutingKind::Adaptive,
            },
            sleep: SleepRules { selection: sleep.selection, wake_after: sleep.wake_after.map(Time), both: false },
            unit: Unit::Packet,
            seed: 7,
            audit: true,
        };
        if let Some((xoff_flits, share)) = self.pause {
            let buffer = limits::pause_headroom(&config) + u64::from(xoff_flits);
            let levels = PauseLevels { xoff_flits, xon_flits: xoff_flits * share / 16 };
            // Very fast links over very long wires need more room than there can be.
            if let Ok(buffer) = u16::try_from(buffer) {
                (config.switch.flow_control, config.switch.buffer_flits) = (FlowControl::Pause(levels), buffer);
            }
        }
        config
    }
}

/// Lets the two channels of each link sleep together, or not. If so, no packet is stored before it goes on.
pub fn pair(config: &mut Config, both: bool) {
    config.sleep.both = both;
    if both {
        config.switch.forwarding = Forwarding::CutThrough;
    }
}

fn pause() -> impl Strategy<Value = Option<(u16, u16)>> {
    prop::option::weighted(0.3, (1u16..=60, 0u16..=15))
}

fn output_queues() -> impl Strategy<Value = Option<(u16, u16, u8)>> {
    prop::option::weighted(0.3, (0u16..=40, 1u16..=4, prop_oneof![Just(1u8), 1u8..=4]))
}

/// Draws rules of a runtime system: little margin and overhead, so that short runs learn, schedule and fall back.
pub fn rules() -> impl Strategy<Value = Rules> {
    let mode = prop::sample::select(vec![Mode::Basic, Mode::Scheduled]);
    let slowdown = prop_oneof![0u64..300_000_000, Just(u64::MAX / 2)];
    let notification = prop::option::of((0u64..3_000).prop_map(Bytes));
    let detection = prop::sample::select(vec![Detect::Free, Detect::Tree]);
    let balancing = prop::option::weighted(0.3, 1u32..=4);
    let rules = (mode, 1u32..=2, 0u64..40_000, 0u64..200_000, slowdown, notification, detection, balancing);
    rules.prop_map(|(mode, learn, margin, overhead, slowdown_billionths, notification, detection, balancing)| Rules {
        mode,
        learn: NonZeroU32::new(learn).unwrap(),
        margin: Time(margin),
        overhead: Time(overhead),
        slowdown_billionths,
        notification,
        detection,
        balancing: balancing.and_then(NonZeroU32::new),
    })
}

impl Sleep {
    /// Returns the policy by which a runtime system controls all channels that may sleep.
    pub fn runtime_controlled(config: &Config, rules: Rules) -> ByClass {
        let class = |class: &ClassModel| match class.states {
            Some(states) => ClassPolicy::Runtime(Runtime::new(rules, &states)),
            None => ClassPolicy::StallTimer(Timers::NEVER),
        };
        ByClass::new(config.classes.iter().map(class).collect())
    }

    pub fn policy(&self, network: &Network) -> StallTimer {
        let timer = |t: Option<u64>| t.map_or(Time::NEVER, Time);
        let timers = self.timers.iter().map(|&(shallow, deep)| Timers { shallow: timer(shallow), deep: timer(deep) });
        StallTimer { timers: timers.take(network.classes.len()).collect() }
    }
}

/// All ranks, the last first, and those with even numbers.
const REVERSED: CommId = 1;
const EVEN: CommId = 2;

/// Returns the communicators of drawn programs.
pub fn communicators(ranks: u32) -> Communicators {
    let mut communicators = Communicators::of(ranks);
    communicators.add((0..ranks).rev().collect()).unwrap();
    communicators.add((0..ranks).step_by(2).collect()).unwrap();
    communicators
}

impl Step {
    /// Posts all receives, then starts all sends, then waits, which is free of deadlock for any order of events.
    ///
    /// Each step has its own tags. A receive that names neither sender nor tag could match a message of the next step,
    /// so a barrier follows such a step.
    ///
    /// Messages are matched in one of two communicators of all ranks, in all modes of sends; one receive is probed or
    /// waited for alone. The collective is one of all ranks or of those with even numbers, and blocks or does not.
    pub fn operations(&self, number: u32, rank: u32, ranks: u32) -> Vec<Operation> {
        let comm = [ALL, REVERSED][number as usize % 2];
        let mine = |wanted: u32| wanted % ranks == rank;
        let mut operations = Vec::new();
        for (i, &(from, to, tag, _, _)) in self.messages.iter().enumerate() {
            if mine(to) {
                let (from, tag) = match self.wildcards[rank as usize] {
                    0 => (Some(from % ranks), Some(number * 4 + tag)),
                    1 => (None, Some(number * 4 + tag)),
                    2 => (Some(from % ranks), None),
                    _ => (None, None),
                };
                operations.push(Operation::Irecv { from, tag, comm, request: i as u32 });
            }
        }
        for (i, &(from, to, tag, bytes, blocking)) in self.messages.iter().enumerate() {
            let mode = Step::mode(number, i);
            let (to, tag, request) = (to % ranks, number * 4 + tag, 100 + i as u32);
            if mine(from) && blocking {
                operations.push(Operation::Send { to, tag, comm, mode, bytes });
            } else if mine(from) {
                let request = (i % 5 != 4).then_some(request);
                operations.push(Operation::Isend { to, tag, comm, mode, bytes, request });
            }
        }
        operations.push(compute(Time(self.compute[rank as usize])));
        let received = (0u32..).zip(&self.messages).filter(|(_, message)| mine(message.1)).map(|(i, _)| i);
        match number % 4 {
            1 => operations.push(Operation::WaitAny(received.collect())),
            2 => operations.push(Operation::WaitSome(received.collect())),
            _ => {}
        }
        operations.push(Operation::WaitAll);
        if self.wildcards[..ranks as usize].contains(&3) {
            operations.push(Operation::collective(Collective::Barrier));
        }
        let comm = if number.is_multiple_of(3) { EVEN } else { ALL };
        let member = communicators(ranks).member(comm, rank);
        let collective = member.and_then(|member| self.collective(member.rank, member.size));
        if let Some(collective) = collective.clone().filter(|_| number % 2 == 1) {
            let (collective, after) = (Box::new(collective), Time(self.compute[rank as usize] / 2));
            let wait = Operation::Wait { request: 99 };
            operations.extend([Operation::Icollective { comm, request: 99, collective }, compute(after), wait]);
        } else {
            operations.extend(collective.map(|collective| Operation::Collective { comm, collective }));
        }
        operations
    }

    /// Returns how a message of a step is sent.
    fn mode(number: u32, message: usize) -> SendMode {
        match (number as usize + message) % 6 {
            1 => SendMode::Synchronous,
            2 => SendMode::Buffered,
            3 => SendMode::Ready,
            _ => SendMode::Standard,
        }
    }

    /// Returns one rank's share of the collective, if the step has one.
    fn collective(&self, rank: u32, ranks: u32) -> Option<Collective> {
        let (kind, root, bytes) = self.collective;
        let (kind, bytes) = (u32::from(kind), bytes / 8 * 8);
        // Only what a rank sends to each in an alltoallv is its own.
        let factor = if kind == 11 { rank } else { 0 };
        let list = (0..ranks).map(|other| bytes * u64::from((other + factor) % 3)).collect();
        (kind < 15).then(|| collective(kind, root % ranks, bytes, list, Time(1_000)))
    }
}

impl Program {
    pub fn ranks(&self) -> Vec<Vec<Operation>> {
        let ranks = self.placement.len() as u32;
        let of_rank = |rank| {
            (0u32..).zip(&self.steps).flat_map(move |(number, step)| step.operations(number, rank, ranks)).collect()
        };
        (0..ranks).map(of_rank).collect()
    }

    pub fn source(&self) -> crate::common::Program {
        crate::common::Program::within(self.ranks(), &communicators(self.placement.len() as u32))
    }

    pub fn nodes(&self, network: &Network) -> Vec<u32> {
        self.placement.iter().map(|place| place % network.nodes).collect()
    }

    pub fn workload(&self, network: &Network, start: Time) -> Workload {
        self.placed(network, start, self.ranks())
    }

    /// Runs all steps `times` times, an iteration each.
    pub fn iterating(&self, network: &Network, times: u32) -> Workload {
        let (ranks, steps) = (self.placement.len() as u32, self.steps.len() as u32);
        let iteration = |rank, time: u32| {
            let steps = (time * steps..).zip(&self.steps);
            let steps = steps.flat_map(move |(number, step)| step.operations(number, rank, ranks));
            std::iter::once(Operation::Iteration).chain(steps)
        };
        let of_rank = |rank| (0..times).flat_map(|time| iteration(rank, time)).collect();
        self.placed(network, Time::ZERO, (0..ranks).map(of_rank).collect())
    }

    fn placed(&self, network: &Network, start: Time, ranks: Vec<Vec<Operation>>) -> Workload {
        let placement = self.nodes(network).into_iter().map(NodeId).collect();
        let communicators = communicators(ranks.len() as u32);
        let source = Box::new(crate::common::Program::within(ranks, &communicators));
        Workload::Jobs(vec![Job { name: "random".into(), source, placement, start }])
    }
}
