//! Random small experiments with all conservation laws checked after every bucket of events.
//!
//! What must hold of every experiment whose program is free of deadlock: it ends; all packets arrive over a shortest way,
//! whatever the routing and whatever sleeps; residencies sum to the measured time; channels that may not sleep are on;
//! a channel is on at least as long as it sends; no packet is faster than an empty network; the record is a pure function
//! of the inputs and depends neither on the audit nor on how the run is cut into steps and parts.
//!
//! What need not hold: that sleep makes a program slower. It changes who is first at an output, and which way adaptive
//! packets take, so that a program can end earlier with sleep than without. Only where one flow has one queue in each
//! switch is every time a sum and a maximum of earlier ones, and sleep can only delay (the last test).

use drowse_core::config::{ClassModel, Config, NodeModel, SleepRules, SwitchModel, VirtualChannels};
use drowse_core::engine::{Progress, Simulation};
use drowse_core::ids::{ChannelId, NodeId};
use drowse_core::measure::{ChannelRecord, Record, Warning};
use drowse_core::power::{LinkState, SleepState, SleepStates, StallTimer, Timers};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, PerDimension, TopologySpec, Torus};
use drowse_core::units::{BitRate, Bytes, Time};
use drowse_core::workload::collectives::{self, Member};
use drowse_core::workload::operation::{Collective, Operation};
use drowse_core::workload::traffic::{Count, Pattern, Traffic};
use drowse_core::workload::{Job, Workload};
use proptest::prelude::*;

use crate::common::*;

/// The network and its switches, as drawn.
#[derive(Clone, Debug)]
struct Machine {
    wraps: bool,
    dims: Vec<u32>,
    trunk: Vec<u32>,
    nodes: u32,
    clock: u64,
    flit: u64,
    packet_flits: u16,
    /// Room for packets of one virtual channel, and flits more.
    buffer: (u16, u16),
    adaptive: u8,
    escape: u8,
    /// Bandwidths of the classes in bytes per second; the first alone where all are equal.
    bandwidth: (bool, Vec<u64>),
    latency: Vec<u64>,
    hop: Vec<u64>,
    nic_latency: u64,
    /// Read ports of an input port, at most one per virtual channel.
    speedup: u8,
}

/// Sleep, as drawn.
#[derive(Clone, Debug)]
struct Sleep {
    /// Node channels sleep; switch channels sleep.
    who: (bool, bool),
    /// Times to enter and wake, shallow then deep; the first alone or one per class.
    states: Vec<[u64; 4]>,
    timers: Vec<(Option<u64>, Option<u64>)>,
    aware: bool,
    wake_after: Option<u64>,
}

/// A part of the program that all ranks go through.
#[derive(Clone, Debug)]
struct Step {
    /// Sender, receiver, tag, bytes, blocking.
    messages: Vec<(u32, u32, u32, u64, bool)>,
    /// How each rank names the messages that it receives.
    wildcards: Vec<u8>,
    compute: Vec<u64>,
    collective: (u8, u32, u64),
}

#[derive(Clone, Debug)]
struct Program {
    /// The node of each rank, modulo the number of nodes.
    placement: Vec<u32>,
    steps: Vec<Step>,
    eager_limit: u64,
    memory: (u64, u64),
}

fn machine() -> impl Strategy<Value = Machine> {
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
    );
    (shape, rest).prop_map(|((wraps, mut dims, mut trunk, nodes, clock, flit, packet_flits, buffer), rest)| {
        while dims.iter().product::<u32>() > 36 {
            dims.pop();
        }
        trunk.truncate(dims.len());
        let (adaptive, escape, bandwidth, latency, hop, nic_latency, speedup) = rest;
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
            speedup: speedup.min(adaptive + escape),
        }
    })
}

fn bandwidth() -> impl Strategy<Value = u64> {
    let gb = |hundredths: u64| hundredths * 10_000_000;
    prop_oneof![prop::sample::select(vec![gb(1_000), gb(777), gb(333), gb(1_250)]), (50u64..3_000).prop_map(gb)]
}

fn sleep() -> impl Strategy<Value = Sleep> {
    let time = || prop_oneof![Just(0u64), Just(1), 0u64..5_000, 0u64..300_000];
    let timer = || prop::option::of(time());
    // A wake of no time is looked at in `sleeping`.
    let states = (time(), time(), time(), time()).prop_map(|(a, b, c, d)| [a, b.max(1), c, d.max(1)]);
    let who = prop::sample::select(vec![(false, true), (true, false), (true, true)]);
    (
        who,
        prop::collection::vec(states, 5),
        prop::collection::vec((timer(), timer()), 5),
        any::<bool>(),
        prop::option::of(prop_oneof![Just(0u64), 0u64..50_000]),
    )
        .prop_map(|(who, states, timers, aware, wake_after)| Sleep { who, states, timers, aware, wake_after })
}

fn program() -> impl Strategy<Value = Program> {
    let size = prop_oneof![Just(0u64), 0u64..40, 0u64..3_000, 0u64..12_000];
    let message = (0u32..12, 0u32..12, 0u32..3, size.clone(), any::<bool>());
    let step = (
        prop::collection::vec(message, 0..16),
        prop::collection::vec(0u8..4, 12),
        prop::collection::vec(prop_oneof![Just(0u64), 0u64..400_000], 12),
        (0u8..6, 0u32..12, size),
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
    /// Tells whether a cut is safe; goes when `credits_of_fast_outputs_cross_a_cut` and `a_credit_that_overtakes_is_told`
    /// hold.
    fn may_be_cut(&self) -> bool {
        self.bandwidth.0 && self.speedup == 1
    }

    fn network(&self) -> Network {
        let (dims, trunk) = (self.dims.clone(), PerDimension::Each(self.trunk.clone()));
        let torus = Torus { dims, trunk, nodes: self.nodes };
        let spec = if self.wraps { TopologySpec::Torus(torus) } else { TopologySpec::Mesh(torus) };
        spec.build().unwrap()
    }

    fn config(&self, network: &Network, sleep: &Sleep) -> Config {
        let class = |c: usize| {
            let bandwidth = self.bandwidth.1[if self.bandwidth.0 { 0 } else { c }];
            let [shallow_enter, shallow_wake, deep_enter, deep_wake] = sleep.states[c];
            let state = |power, enter, wake| SleepState { power, enter: Time(enter), wake: Time(wake) };
            let states = SleepStates {
                shallow: state(0.6, shallow_enter, shallow_wake),
                deep: state(0.1, deep_enter, deep_wake),
            };
            ClassModel {
                bandwidth: BitRate::from_bytes_per_second(bandwidth),
                latency: Time(self.latency[c]),
                hop: Time(self.clock + self.hop[c]),
                states: (if c == 0 { sleep.who.0 } else { sleep.who.1 }).then_some(states),
            }
        };
        Config {
            switch: SwitchModel {
                clock: Time(self.clock),
                flit: Bytes(self.flit),
                packet_flits: self.packet_flits,
                vcs: VirtualChannels { adaptive: self.adaptive, escape: self.escape },
                buffer_flits: self.packet_flits * self.buffer.0 + self.buffer.1,
                input_speedup: self.speedup,
            },
            classes: (0..network.classes.len()).map(class).collect(),
            node: NodeModel {
                memory_latency: Time::ZERO,
                memory_bandwidth: BitRate::from_bytes_per_second(1_000_000_000),
                eager_limit: Bytes(u64::MAX),
                nic_latency: Time(self.nic_latency),
            },
            routing: if self.adaptive == 0 { RoutingKind::DimensionOrder } else { RoutingKind::Adaptive },
            sleep: SleepRules { aware: sleep.aware, wake_after: sleep.wake_after.map(Time) },
            seed: 7,
            audit: true,
        }
    }
}

impl Sleep {
    fn policy(&self, network: &Network) -> StallTimer {
        let timer = |t: Option<u64>| t.map_or(Time::NEVER, Time);
        let timers = self.timers.iter().map(|&(shallow, deep)| Timers { shallow: timer(shallow), deep: timer(deep) });
        StallTimer { timers: timers.take(network.classes.len()).collect() }
    }
}

impl Step {
    /// Posts all receives, then starts all sends, then waits: free of deadlock whatever the order of events.
    ///
    /// Tags tell the steps apart. A rank that names neither sender nor tag could take a message of the next step, so that
    /// a barrier follows where one does.
    fn operations(&self, number: u32, rank: u32, ranks: u32) -> Vec<Operation> {
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
                operations.push(Operation::Irecv { from, tag, request: i as u32 });
            }
        }
        for (i, &(from, to, tag, bytes, blocking)) in self.messages.iter().enumerate() {
            let (to, tag, request) = (to % ranks, number * 4 + tag, 100 + i as u32);
            if mine(from) && blocking {
                operations.push(Operation::Send { to, tag, bytes });
            } else if mine(from) {
                operations.push(Operation::Isend { to, tag, bytes, request });
            }
        }
        operations.push(compute(Time(self.compute[rank as usize])));
        operations.push(Operation::WaitAll);
        if self.wildcards[..ranks as usize].contains(&3) {
            operations.push(Operation::Collective(Collective::Barrier));
        }
        let (kind, root, bytes) = self.collective;
        let (root, count, compute) = (root % ranks, bytes / 8, Time(1_000));
        let bytes = count * 8;
        operations.extend(
            match kind {
                0 => Some(Collective::Barrier),
                1 => Some(Collective::Bcast { root, bytes, count }),
                2 => Some(Collective::Reduce { root, bytes, count, compute }),
                3 => Some(Collective::Allreduce { bytes, count, compute }),
                _ => None,
            }
            .map(Operation::Collective),
        );
        operations
    }
}

impl Program {
    fn ranks(&self) -> Vec<Vec<Operation>> {
        let ranks = self.placement.len() as u32;
        let of_rank = |rank| {
            (0u32..).zip(&self.steps).flat_map(move |(number, step)| step.operations(number, rank, ranks)).collect()
        };
        (0..ranks).map(of_rank).collect()
    }

    fn nodes(&self, network: &Network) -> Vec<u32> {
        self.placement.iter().map(|place| place % network.nodes).collect()
    }

    fn workload(&self, network: &Network, start: Time) -> Workload {
        let placement = self.nodes(network).into_iter().map(NodeId).collect();
        let source = Box::new(crate::common::Program::new(self.ranks()));
        Workload::Jobs(vec![Job { name: "random".into(), source, placement, start }])
    }
}

/// What a program must do to the network, whatever the timing.
#[derive(Debug, Default, PartialEq)]
struct Expected {
    packets: u64,
    hops: u64,
    /// Summed over all channels.
    flits: u64,
    messages: Vec<u64>,
    bytes: Vec<u64>,
    running: Vec<u64>,
    /// The least sum of all packets' latencies, protocol packets left out.
    latency: u128,
}

impl Expected {
    fn of(network: &Network, config: &Config, program: &Program) -> Self {
        let ranks = program.ranks();
        let nodes = program.nodes(network);
        let size = ranks.len() as u32;
        let mut expected = Expected::default();
        for (rank, operations) in (0..).zip(&ranks) {
            let (mut messages, mut bytes_sent, mut running) = (0, 0, 0);
            for operation in flat(operations, Member { rank, size }) {
                match operation {
                    Operation::Compute(time) => running += time.0,
                    Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => {
                        messages += 1;
                        bytes_sent += bytes;
                        expected.add(network, config, nodes[rank as usize], nodes[to as usize], bytes);
                    }
                    _ => {}
                }
            }
            expected.messages.push(messages);
            expected.bytes.push(bytes_sent);
            expected.running.push(running);
        }
        expected
    }

    fn add(&mut self, network: &Network, config: &Config, from: u32, to: u32, bytes: u64) {
        if from == to {
            return;
        }
        let distances = distances(network, from, to);
        let distance: u64 = distances.iter().sum();
        let flits = bytes.div_ceil(config.switch.flit.0).max(1);
        let packets = flits.div_ceil(u64::from(config.switch.packet_flits));
        // A rendezvous has two messages of one flit before the data.
        let protocol = if bytes < config.node.eager_limit.0 { 0 } else { 2 };
        self.packets += packets + protocol;
        self.hops += (packets + protocol) * (distance + 1);
        self.flits += (flits + protocol) * (distance + 2);
        let hops = config.classes[1..].iter().zip(&distances).map(|(class, d)| class.hop.0 * d).sum::<u64>();
        let way = config.classes[0].latency.0 + hops + config.classes[0].hop.0 + 2 * config.node.nic_latency.0;
        self.latency += u128::from(way) * u128::from(packets);
    }
}

/// Replaces collectives by what they are made of.
fn flat(operations: &[Operation], member: Member) -> Vec<Operation> {
    let mut flat = Vec::new();
    for operation in operations {
        match operation {
            Operation::Collective(collective) => collectives::expand(*collective, member, &mut flat),
            other => flat.push(*other),
        }
    }
    flat
}

/// Checks what holds of the channels of any run.
fn check_channels(network: &Network, config: &Config, policy: &StallTimer, record: &Record) {
    assert_eq!(record.channels.len(), network.channels() as usize);
    for (channel, counted) in (0..).zip(&record.channels) {
        let class = usize::from(network.channel_class(ChannelId(channel)));
        let states = config.classes[class].states;
        let sum: u64 = counted.residency.iter().map(|time| time.0).sum();
        assert_eq!(sum, record.measured.0, "channel {channel}: {counted:?}");
        let timers = policy.timers[class];
        if states.is_none() || timers == Timers::NEVER {
            assert_eq!((counted.time_in(LinkState::On), counted.wakes), (record.measured, 0), "channel {channel}");
        }
        if timers.shallow >= timers.deep {
            assert_eq!(counted.time_in(LinkState::Shallow), Time::ZERO, "channel {channel}");
        }
        if timers.deep == Time::NEVER {
            assert_eq!(counted.time_in(LinkState::Deep), Time::ZERO, "channel {channel}");
        }
        let longest = states.map_or(0, |s| s.shallow.wake.max(s.deep.wake).0);
        // A window may begin in a wake that it does not count.
        let wakes = counted.wakes + u64::from(record.makespan.is_none());
        assert!(counted.time_in(LinkState::Waking).0 <= longest * wakes, "channel {channel}: {counted:?}");
        // Where sleep is ignored when choosing, a packet may wait for one output and leave by another.
        let woken = !config.sleep.aware || wakes > 0;
        assert!(woken || counted.delayed_messages == 0, "channel {channel}: {counted:?}");
        assert!(counted.delayed_messages <= counted.packets && counted.packets <= counted.flits);
    }
}

/// Checks that a channel was on as long as it sent; all its packets must lie in the measured time.
fn check_busy_is_on(network: &Network, config: &Config, record: &Record) {
    for (channel, counted) in (0..).zip(&record.channels) {
        let rate = config.classes[usize::from(network.channel_class(ChannelId(channel)))].bandwidth;
        let bits = u128::from(counted.flits) * u128::from(config.switch.flit.0) * 8;
        let busy = bits * 1_000_000_000_000 / u128::from(rate.0);
        let on = u128::from(counted.time_in(LinkState::On).0);
        assert!(on >= busy, "channel {channel} sent for {busy} ps and was on for {on} ps");
    }
}

/// Runs a few events at a time, in so many parts.
fn run_in(parts: usize, network: &Network, config: &Config, policy: &StallTimer, workload: Workload) -> Record {
    let mut simulation = Simulation::in_parts(network, config, policy, workload, parts).unwrap();
    while simulation.advance(3).unwrap() != Progress::Done {}
    simulation.into_record()
}

/// Leaves out the number of events, which depends on the cut.
fn without_events(record: Record) -> Record {
    Record { events: 0, ..record }
}

fn sum(channels: &[ChannelRecord], what: impl Fn(&ChannelRecord) -> u64) -> u64 {
    channels.iter().map(what).sum()
}

/// Checks what holds of any run of a program.
fn check_program(network: &Network, config: &Config, policy: &StallTimer, program: &Program, record: &Record) {
    let expected = Expected::of(network, config, program);
    assert_eq!((record.packets_injected, record.packets_delivered), (expected.packets, expected.packets));
    assert_eq!(record.hops, expected.hops, "every packet takes a shortest way");
    assert_eq!(sum(&record.channels, |c| c.flits), expected.flits);
    assert_eq!(record.ranks.iter().map(|r| r.messages).collect::<Vec<_>>(), expected.messages);
    assert_eq!(record.ranks.iter().map(|r| r.bytes).collect::<Vec<_>>(), expected.bytes);
    assert_eq!(record.ranks.iter().map(|r| r.running.0).collect::<Vec<_>>(), expected.running);
    let makespan = record.makespan.unwrap();
    assert_eq!(record.measured, makespan);
    assert_eq!(record.ranks.iter().map(|r| r.finish).max(), Some(makespan));
    assert!(record.ranks.iter().all(|rank| rank.finish >= rank.running));
    assert!(record.packet_latency.sum() >= expected.latency, "no packet is faster than in an empty network");
    assert_eq!(record.warnings, []);
    check_channels(network, config, policy, record);
    check_busy_is_on(network, config, record);
}

fn check_open_loop(network: &Network, config: &Config, policy: &StallTimer, record: &Record) {
    let diameter: u64 = grid(network)
        .dims
        .iter()
        .zip(&grid(network).wraps)
        .map(|(&k, &w)| u64::from(if w { k / 2 } else { k - 1 }))
        .sum();
    let ended = !record.warnings.iter().any(|warning| matches!(warning, Warning::NotDrained { .. }));
    if ended {
        assert_eq!(record.packets_injected, record.packets_delivered);
        assert!(record.hops >= record.packets_injected);
    }
    let sent = sum(&record.channels, |c| c.packets);
    assert!(sent <= record.hops + record.packets_injected);
    assert!(record.hops <= record.packets_injected * (diameter + 1));
    check_channels(network, config, policy, record);
}

proptest! {
    #![proptest_config(proptest_config(150))]

    #[test]
    fn random_programs(machine in machine(), sleep in sleep(), program in program(), parts in 2usize..6) {
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        config.node.eager_limit = Bytes(program.eager_limit);
        config.node.memory_latency = Time(program.memory.0);
        config.node.memory_bandwidth = BitRate::from_bytes_per_second(program.memory.1);
        let policy = sleep.policy(&network);
        let workload = || program.workload(&network, Time::ZERO);

        let record = run_with(&network, &config, &policy, workload());
        check_program(&network, &config, &policy, &program, &record);
        let parts = if machine.may_be_cut() { parts } else { 1 };
        let cut = run_in(parts, &network, &config, &policy, workload());
        prop_assert_eq!(without_events(cut), without_events(record.clone()));
        config.audit = false;
        let cut = run_in(parts, &network, &config, &policy, workload());
        prop_assert_eq!(without_events(cut), without_events(record.clone()));
        prop_assert_eq!(&run_with(&network, &config, &policy, workload()), &record);
        prop_assert_eq!(&run_in(1, &network, &config, &policy, workload()), &record);

        let always_on = StallTimer::always_on(network.classes.len());
        let on = run_with(&network, &config, &always_on, workload());
        check_program(&network, &config, &always_on, &program, &on);
        // A network that never sleeps does not know the time, but for its clock's edges.
        let later = Time(machine.clock * 1_000);
        let shifted = run_with(&network, &config, &always_on, program.workload(&network, later));
        prop_assert_eq!(shifted.makespan.unwrap() - later, on.makespan.unwrap());
        prop_assert_eq!(&shifted.packet_latency, &on.packet_latency);
    }
}

proptest! {
    #![proptest_config(proptest_config(60))]

    #[test]
    fn random_open_loops(
        machine in machine(),
        sleep in sleep(),
        load in 1u32..=100,
        include_self in any::<bool>(),
        delivered in any::<bool>(),
        cycles in (0u64..300, 1u64..600),
        parts in 2usize..6,
    ) {
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        let policy = sleep.policy(&network);
        let bits_per_cycle = config.classes[0].bandwidth.0 as f64 * machine.clock as f64 / 1e12;
        let packet_bits = (machine.flit * 8) as f64 * f64::from(machine.packet_flits);
        let traffic = Traffic {
            pattern: Pattern::Uniform,
            packets: 1,
            load: f64::from(load) / 100.0 * (0.999 * packet_bits / bits_per_cycle).min(1.0),
            include_self,
            count: if delivered { Count::Delivered } else { Count::Generated },
            warmup: Time(cycles.0 * machine.clock),
            measure: Time(cycles.1 * machine.clock),
            drain: true,
        };
        let record = run_with(&network, &config, &policy, Workload::OpenLoop(traffic));
        prop_assert_eq!(record.measured, traffic.measure);
        check_open_loop(&network, &config, &policy, &record);
        config.audit = false;
        prop_assert_eq!(&run_with(&network, &config, &policy, Workload::OpenLoop(traffic)), &record);
        let parts = if machine.may_be_cut() { parts } else { 1 };
        let cut = run_in(parts, &network, &config, &policy, Workload::OpenLoop(traffic));
        prop_assert_eq!(without_events(cut), without_events(record));
        let always_on = StallTimer::always_on(network.classes.len());
        let on = run_with(&network, &config, &always_on, Workload::OpenLoop(traffic));
        check_open_loop(&network, &config, &always_on, &on);
    }

    /// One flow, one queue in each switch: sleep can only delay.
    #[test]
    fn sleep_only_delays_a_lone_flow(
        machine in machine(),
        sleep in sleep(),
        ends in (any::<u32>(), any::<u32>()),
        messages in prop::collection::vec((0u64..50_000, 0u64..5_000), 1..12),
        eager_limit in 0u64..5_000,
    ) {
        let (escape, trunk) = (if machine.wraps { 2 } else { 1 }, vec![1; machine.dims.len()]);
        let machine = Machine { adaptive: 0, escape, speedup: 1, trunk, ..machine };
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        // A NIC spreads its packets over all virtual channels, of which a ring needs two: one packet at a time.
        config.node.eager_limit = Bytes(eager_limit);
        let bytes = |raw: u64| if machine.wraps { raw % (machine.flit * u64::from(machine.packet_flits)) } else { raw };
        let sends = messages.iter().flat_map(|&(gap, raw)| [compute(Time(gap)), send(1, bytes(raw))]);
        let answers = messages.iter().map(|_| recv(0));
        let (mut one, mut other): (Vec<_>, Vec<_>) = (sends.collect(), answers.collect());
        if machine.wraps {
            // Each is answered before the next.
            one = one.into_iter().flat_map(|op| if matches!(op, Operation::Send { .. }) { vec![op, recv(1)] } else { vec![op] }).collect();
            other = other.into_iter().flat_map(|op| vec![op, send(0, 8)]).collect();
        }
        let nodes = [ends.0 % network.nodes, ends.1 % network.nodes];
        let workload = || job(vec![one.clone(), other.clone()], &nodes);
        let asleep = run_with(&network, &config, &sleep.policy(&network), workload());
        let on = run(&network, &config, workload());
        prop_assert!(asleep.makespan >= on.makespan, "{:?} < {:?}", asleep.makespan, on.makespan);
    }
}

/// Runs `share` of 256 cases, or as large a part of `PROPTEST_CASES`; leaves no file behind.
fn proptest_config(share: u32) -> ProptestConfig {
    let all = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(256u32);
    let cases = (all * share).div_ceil(256);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() }
}

/// A credit comes back when the packet has left the next switch, which is sooner the faster its output there: faster than
/// the cut channel itself would send it.
#[test]
fn credits_of_fast_outputs_cross_a_cut() {
    let network = mesh(&[2], 1, 1);
    let mut config = config(&network, 19);
    config.switch.vcs = VirtualChannels { adaptive: 0, escape: 1 };
    config.switch.packet_flits = 1;
    config.switch.buffer_flits = 1;
    // An audited run stops after every bucket.
    config.audit = false;
    config.classes[1].latency = Time::ZERO;
    config.classes[1].bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    // A rank at the sending switch has something to do in every cycle, so that its part is at the window's end each time.
    let busy = || vec![compute(Time(1_600)); 1_000];
    let workload = || job(vec![vec![send(1, 16 * 20)], vec![recv(0)], busy()], &[0, 1, 0]);
    let always_on = StallTimer::always_on(2);
    let whole = run(&network, &config, workload());
    let cut = run_in(2, &network, &config, &always_on, workload());
    assert_eq!(without_events(cut), without_events(whole));
}

/// A square with two virtual channels and two read ports; the second dimension is slow.
fn two_read_ports() -> (Network, Config) {
    let network = mesh(&[2, 2], 1, 1);
    let mut config = config(&network, 1);
    config.switch.vcs = VirtualChannels { adaptive: 0, escape: 2 };
    config.switch.input_speedup = 2;
    config.switch.buffer_flits = 32;
    config.switch.packet_flits = 32;
    config.classes[2].bandwidth = BitRate::from_bytes_per_second(100_000_000);
    (network, config)
}

/// A short packet gives its credit back when it has left, though a long one that left by another read port is still being
/// sent.
#[test]
fn credits_of_two_read_ports_do_not_wait_for_each_other() {
    let (network, config) = two_read_ports();
    // To node 3 by the slow way, 32 flits of 160 ns each; to node 1 first one flit, then a full packet, which needs the
    // one flit's credit.
    let sender = vec![send(1, 32 * 16), send(2, 16), send(2, 32 * 16)];
    let record = run(&network, &config, job(vec![sender, vec![recv(0)], vec![recv(0), recv(0)]], &[0, 3, 1]));
    assert!(record.ranks[2].finish < Time(200 * 1_600), "{:?}", record.ranks);
}

/// Queues of one input port that ask for the same output take turns.
#[test]
fn read_ports_take_turns() {
    let (network, mut config) = two_read_ports();
    config.switch.packet_flits = 8;
    // The second message goes to the second queue; the slow output keeps both queues full from then on.
    let mut sender = vec![send(1, 128), Operation::Send { to: 1, tag: 1, bytes: 128 }];
    sender.extend(vec![send(1, 128); 300]);
    let receiver = vec![Operation::Recv { from: Some(0), tag: Some(1) }];
    let record = run(&network, &config, job(vec![sender, receiver], &[0, 2]));
    // A packet takes 1.28 us: 300 of them 384 us.
    assert!(record.ranks[1].finish < Time::from_us(20), "{:?}", record.ranks[1].finish);
}

/// The same where the packet that needs the credit waits already, for one that comes later: it is told.
#[test]
fn a_credit_that_overtakes_is_told() {
    let (network, mut config) = two_read_ports();
    // The one flit is still on its way when the long packet's credit, to come after 5 us, is announced.
    config.classes.iter_mut().for_each(|class| class.hop = Time(100 * 1_600));
    let sender = vec![send(1, 32 * 16), send(2, 16), send(2, 32 * 16)];
    let record = run(&network, &config, job(vec![sender, vec![recv(0)], vec![recv(0), recv(0)]], &[0, 3, 1]));
    assert!(record.ranks[2].finish < Time(500 * 1_600), "{:?}", record.ranks);
}
