//! Random small experiments with all conservation laws checked while they run.
//!
//! Every experiment with a deadlock-free program must satisfy these laws:
//!
//! - It ends.
//! - All packets arrive on shortest paths, with any routing and any sleep.
//! - Residencies sum to the measured time.
//! - Channels that may not sleep are always on.
//! - A channel is on at least as long as it sends.
//! - No packet is faster than in an empty network.
//! - The record is a pure function of the inputs. It depends neither on the audit nor on the division into steps and
//!   partitions.
//!
//! Sleep need not make a program slower. It changes the order of packets at an output and the routes of adaptive
//! packets, so a program can end earlier with sleep than without. Only if one flow has one queue in each switch, every
//! time is a sum and a maximum of earlier ones, and sleep can only delay (the last test).

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::{ChannelRecord, Record, Warning};
use drowse_core::model::config::{Arbitration, Config, SleepSelection, VirtualChannels};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::{LinkState, Policy, StallTimer, Timers};
use drowse_core::topology::{Ideal, Network, TopologySpec};
use drowse_core::workload::Workload;
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::collectives;
use drowse_core::workload::operation::{Operation, SendMode};
use drowse_core::workload::traffic::{Count, Traffic};
use proptest::prelude::*;

use crate::common::{self, *};
use crate::random::{
    Machine, Program, any_machine, bandwidth, communicators, lengths, machine, pattern, pattern_on, program, sleep,
};

/// The effects of a program on the network that do not depend on timing.
#[derive(Debug, Default, PartialEq)]
struct Expected {
    packets: u64,
    hops: u64,
    /// Summed over all channels.
    flits: u64,
    messages: Vec<u64>,
    bytes: Vec<u64>,
    running: Vec<u64>,
    /// The smallest possible sum of packet latencies, without protocol packets.
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
            for operation in flat(operations, rank, size) {
                match operation {
                    Operation::Compute(time) => running += time.0,
                    Operation::Send { to, bytes, mode, .. } | Operation::Isend { to, bytes, mode, .. } => {
                        messages += 1;
                        bytes_sent += bytes;
                        expected.add(network, config, nodes[rank as usize], nodes[to as usize], bytes, mode);
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

    fn add(&mut self, network: &Network, config: &Config, from: u32, to: u32, bytes: u64, mode: SendMode) {
        if from == to {
            return;
        }
        let distances = distances(network, from, to);
        let distance: u64 = distances.iter().sum();
        let flits = config.switch.message_flits(bytes);
        let packets = flits.div_ceil(u64::from(config.switch.packet_flits));
        // A rendezvous has two empty messages before the data: request to send and clear to send.
        let asks = match mode {
            SendMode::Standard | SendMode::Buffered => bytes >= config.node.eager_limit.0,
            SendMode::Synchronous => true,
            SendMode::Ready => false,
        };
        let protocol = if asks { 2 } else { 0 };
        let empty = config.switch.message_flits(0);
        self.packets += packets + protocol;
        self.hops += (packets + protocol) * (distance + 1);
        self.flits += (flits + protocol * empty) * (distance + 2);
        let hops = config.classes[1..].iter().zip(&distances).map(|(class, d)| class.hop.0 * d).sum::<u64>();
        let route = config.classes[0].latency.0 + hops + config.classes[0].hop.0 + 2 * config.node.nic_latency.0;
        self.latency += u128::from(route) * u128::from(packets);
    }
}

/// Replaces collectives by their messages. What those beside the program compute does not count as the rank's.
fn flat(operations: &[Operation], rank: u32, ranks: u32) -> Vec<Operation> {
    let (mut flat, communicators) = (Vec::new(), communicators(ranks));
    for operation in operations {
        let (Some(comm), Some(collective)) = (operation.comm(), operation.called()) else {
            flat.push(operation.clone());
            continue;
        };
        let before = flat.len();
        collectives::expand_in(&communicators, &Algorithms::default(), None, comm, rank, collective, &mut flat);
        if matches!(operation, Operation::Icollective { .. }) {
            let mut sent = flat.split_off(before);
            sent.retain(|operation| !matches!(operation, Operation::Compute(_)));
            flat.append(&mut sent);
        }
    }
    flat
}

/// Checks the laws of the channels of any run.
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
        // A window may begin during a wake that it does not count.
        let wakes = counted.wakes + u64::from(record.makespan.is_none());
        assert!(counted.time_in(LinkState::Waking).0 <= longest * wakes, "channel {channel}: {counted:?}");
        // If output selection ignores sleep, a packet may wait for one output and leave by another.
        let woken = config.sleep.selection == SleepSelection::Blind || wakes > 0;
        assert!(woken || counted.delayed_messages == 0, "channel {channel}: {counted:?}");
        assert!(counted.delayed_messages <= counted.packets && counted.packets <= counted.flits);
    }
}

/// Checks that a channel was on while it sent. All its packets must lie in the measured time.
fn check_busy_is_on(network: &Network, config: &Config, record: &Record) {
    for (channel, counted) in (0..).zip(&record.channels) {
        let rate = config.classes[usize::from(network.channel_class(ChannelId(channel)))].bandwidth;
        let bits = u128::from(counted.flits) * u128::from(config.switch.flit.0) * 8;
        let busy = bits * 1_000_000_000_000 / u128::from(rate.0);
        let on = u128::from(counted.time_in(LinkState::On).0);
        assert!(on >= busy, "channel {channel} sent for {busy} ps and was on for {on} ps");
    }
}

/// Runs a few events at a time, in several partitions.
pub fn run_in<P: Policy>(
    partitions: usize,
    network: &Network,
    config: &Config,
    policy: &P,
    workload: Workload,
) -> Record {
    let mut simulation = Simulation::in_partitions(network, config, policy, workload, partitions).unwrap();
    while simulation.advance(3).unwrap() != Progress::Done {}
    simulation.into_record()
}

/// Leaves out the number of events, which depends on the partitioning.
pub fn without_events(record: Record) -> Record {
    Record { events: 0, ..record }
}

fn sum(channels: &[ChannelRecord], what: impl Fn(&ChannelRecord) -> u64) -> u64 {
    channels.iter().map(what).sum()
}

/// Checks the laws of any run of a program.
fn check_program(network: &Network, config: &Config, policy: &StallTimer, program: &Program, record: &Record) {
    let expected = Expected::of(network, config, program);
    assert_eq!((record.packets_injected, record.packets_delivered), (expected.packets, expected.packets));
    assert_eq!(record.hops, expected.hops, "every packet takes a shortest path");
    assert_eq!(sum(&record.channels, |c| c.flits), expected.flits);
    assert_eq!(record.ranks.iter().map(|r| r.messages).collect::<Vec<_>>(), expected.messages);
    assert_eq!(record.ranks.iter().map(|r| r.bytes).collect::<Vec<_>>(), expected.bytes);
    assert_eq!(record.ranks.iter().map(|r| r.times.computing.0).collect::<Vec<_>>(), expected.running);
    let makespan = record.makespan.unwrap();
    assert_eq!(record.measured, makespan);
    assert_eq!(record.ranks.iter().map(|r| r.finish).max(), Some(makespan));
    assert!(record.ranks.iter().all(|rank| rank.finish >= rank.times.computing));
    assert!(record.packet_latency.sum() >= expected.latency, "no packet is faster than in an empty network");
    assert_eq!(record.warnings, []);
    check_channels(network, config, policy, record);
    check_busy_is_on(network, config, record);
}

fn check_open_loop(network: &Network, config: &Config, policy: &StallTimer, record: &Record) {
    let diameter = diameter(network);
    if is_drained(record) {
        assert_eq!(record.packets_injected, record.packets_delivered);
        assert!(record.hops >= record.packets_injected);
    }
    let sent = sum(&record.channels, |c| c.packets);
    assert!(sent <= record.hops + record.packets_injected);
    assert!(record.hops <= record.packets_injected * (diameter + 1));
    check_channels(network, config, policy, record);
}

fn is_drained(record: &Record) -> bool {
    !record.warnings.iter().any(|warning| matches!(warning, Warning::NotDrained { .. }))
}

proptest! {
    #![proptest_config(proptest_config(500))]

    #[test]
    fn random_programs(machine in machine(), sleep in sleep(), program in program(), partitions in 2usize..6) {
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        config.node.eager_limit = Bytes(program.eager_limit);
        config.node.memory_latency = Time(program.memory.0);
        config.node.memory_bandwidth = BitRate::from_bytes_per_second(program.memory.1);
        let policy = sleep.policy(&network);
        let workload = || program.workload(&network, Time::ZERO);

        let record = run_with(&network, &config, &policy, workload());
        check_program(&network, &config, &policy, &program, &record);
        let partitioned = run_in(partitions, &network, &config, &policy, workload());
        prop_assert_eq!(without_events(partitioned), without_events(record.clone()));
        config.audit = false;
        let partitioned = run_in(partitions, &network, &config, &policy, workload());
        prop_assert_eq!(without_events(partitioned), without_events(record.clone()));
        prop_assert_eq!(&run_with(&network, &config, &policy, workload()), &record);
        prop_assert_eq!(&run_in(1, &network, &config, &policy, workload()), &record);

        let always_on = StallTimer::always_on(network.classes.len());
        let on = run_with(&network, &config, &always_on, workload());
        check_program(&network, &config, &always_on, &program, &on);
        // Channels that never sleep behave like channels that may not sleep.
        let mut sleepless = config.clone();
        sleepless.classes.iter_mut().for_each(|class| class.states = None);
        let may_not = without_events(run_with(&network, &sleepless, &always_on, workload()));
        prop_assert_eq!(may_not, without_events(on.clone()));
        // Without sleep, absolute time matters only through clock edges and the draws made at them.
        if config.switch.arbitration != Arbitration::Random {
            let later = Time(machine.clock * 1_000);
            let shifted = run_with(&network, &config, &always_on, program.workload(&network, later));
            prop_assert_eq!(shifted.makespan.unwrap() - later, on.makespan.unwrap());
            prop_assert_eq!(&shifted.packet_latency, &on.packet_latency);
        }
    }
}

proptest! {
    #![proptest_config(proptest_config(250))]

    #[test]
    fn random_open_loops(
        machine in any_machine(),
        sleep in sleep(),
        load in 1u32..=100,
        pattern in pattern(),
        packets in lengths(),
        (include_self, delivered) in any::<(bool, bool)>(),
        cycles in (0u64..300, 1u64..600),
        partitions in 2usize..6,
    ) {
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        let policy = sleep.policy(&network);
        let bits_per_cycle = config.classes[0].bandwidth.0 as f64 * machine.clock as f64 / 1e12;
        let message_bits = (machine.flit * 8) as f64 * packets.mean_flits(&config.switch);
        let traffic = Traffic {
            pattern: pattern_on(&network, pattern, include_self),
            packets,
            load: f64::from(load) / 100.0 * (0.999 * message_bits / bits_per_cycle).min(1.0),
            include_self,
            count: if delivered { Count::Delivered } else { Count::Generated },
            warmup: Time(cycles.0 * machine.clock),
            measure: Time(cycles.1 * machine.clock),
            drain: true,
        };
        let record = run_with(&network, &config, &policy, Workload::OpenLoop(traffic.clone()));
        prop_assert_eq!(record.measured, traffic.measure);
        check_open_loop(&network, &config, &policy, &record);
        // Beyond saturation the drain is given up. At some fraction of that load, everything arrives.
        let mut lighter = traffic.clone();
        let mut accepted = is_drained(&record);
        for _ in 0..6 {
            if !accepted {
                lighter.load /= 8.0;
                accepted = is_drained(&run_with(&network, &config, &policy, Workload::OpenLoop(lighter.clone())));
            }
        }
        prop_assert!(accepted, "not even a load of {} is drained", lighter.load);
        config.audit = false;
        prop_assert_eq!(&run_with(&network, &config, &policy, Workload::OpenLoop(traffic.clone())), &record);
        let partitioned = run_in(partitions, &network, &config, &policy, Workload::OpenLoop(traffic.clone()));
        prop_assert_eq!(without_events(partitioned), without_events(record));
        let always_on = StallTimer::always_on(network.classes.len());
        let on = run_with(&network, &config, &always_on, Workload::OpenLoop(traffic.clone()));
        check_open_loop(&network, &config, &always_on, &on);
        config.classes.iter_mut().for_each(|class| class.states = None);
        let may_not = run_with(&network, &config, &always_on, Workload::OpenLoop(traffic.clone()));
        prop_assert_eq!(without_events(may_not), without_events(on));
    }

    /// One flow, one queue in each switch: sleep can only delay. Senders that pause are left out: packets that come later
    /// may let none pause, and be first in the end.
    #[test]
    fn sleep_only_delays_a_lone_flow(
        machine in machine(),
        sleep in sleep(),
        ends in (any::<u32>(), any::<u32>()),
        messages in prop::collection::vec((0u64..50_000, 0u64..5_000), 1..12),
        eager_limit in 0u64..5_000,
    ) {
        let (escape, trunk) = (if machine.wraps { 2 } else { 1 }, vec![1; machine.dims.len()]);
        let machine = Machine { adaptive: 0, escape, speedup: 1, trunk, pause: None, other: None, ..machine };
        let network = machine.network();
        let mut config = machine.config(&network, &sleep);
        // A NIC uses all virtual channels, of which a ring needs two. So only one packet may be in the network at a
        // time.
        config.node.eager_limit = Bytes(eager_limit);
        let bytes = |raw: u64| if machine.wraps { raw % (machine.flit * u64::from(machine.packet_flits)) } else { raw };
        let sends = messages.iter().flat_map(|&(gap, raw)| [compute(Time(gap)), send(1, bytes(raw))]);
        let receives = messages.iter().map(|_| recv(0));
        let (mut one, mut other): (Vec<_>, Vec<_>) = (sends.collect(), receives.collect());
        if machine.wraps {
            // Each message is confirmed before the next.
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

// An ideal network delivers the same messages, none faster than latency and bandwidth allow, with any partitioning.
proptest! {
    #![proptest_config(proptest_config(50))]

    #[test]
    fn random_programs_on_an_ideal_network(
        machine in machine(),
        program in program(),
        (latency, bandwidth) in (0u64..2_000_000, bandwidth()),
    ) {
        let (latency, bandwidth) = (Time(latency), BitRate::from_bytes_per_second(bandwidth));
        let network = TopologySpec::Ideal(Ideal { nodes: 12, latency, bandwidth }).build().unwrap();
        let mut config = common::config(&network, 1);
        config.switch.vcs = VirtualChannels::any(1);
        config.node.nic_latency = Time(machine.nic_latency);
        config.node.receive_overhead = Time(machine.receive_overhead);
        config.node.eager_limit = Bytes(program.eager_limit);
        let record = run(&network, &config, program.workload(&network, Time::ZERO));
        let ranks = program.ranks();
        let nodes = program.nodes(&network);
        let size = ranks.len() as u32;
        let mut least = 0;
        for (rank, operations) in (0..).zip(&ranks) {
            for operation in flat(operations, rank, size) {
                if let Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } = operation
                    && nodes[rank as usize] != nodes[to as usize]
                {
                    let flight = latency + bandwidth.transfer_time(bytes);
                    least += u128::from(flight.0 + 2 * machine.nic_latency);
                }
            }
        }
        // No message waits for another, so each takes the least possible time.
        prop_assert_eq!(record.message_latency.sum(), least);
        prop_assert_eq!((record.packets_injected, record.channels.len(), record.warnings.len()), (0, 0, 0));
        let always_on = StallTimer::always_on(network.classes.len());
        let partitioned = run_in(3, &network, &config, &always_on, program.workload(&network, Time::ZERO));
        prop_assert_eq!(without_events(partitioned), without_events(record));
    }
}
