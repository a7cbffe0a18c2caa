//! Flows against packets: a message alone takes what its packets take, on every channel, awake or asleep.

use drowse_core::measure::Record;
use drowse_core::model::config::{Config, Forwarding, SwitchModel, VirtualChannels};
use drowse_core::model::link_state::PerState;
use drowse_core::model::unit::{Fairness, FlowModel, Unit};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Full, Network, PerDimension, ThinTree, TopologySpec, Torus};
use drowse_core::workload::operation::Operation;
use proptest::prelude::*;

use crate::common::*;

/// Returns the same machine on which flows move.
pub fn by_flows(config: &Config) -> Config {
    Config { unit: Unit::Flow(FlowModel::default()), ..config.clone() }
}

/// A network with single routes, and its routing.
fn network(kind: usize) -> (Network, RoutingKind) {
    let torus = |dims: &[u32]| TopologySpec::Torus(Torus::new(dims.to_vec(), PerDimension::All(1), 2));
    let mesh = TopologySpec::Mesh(Torus::new(vec![6], PerDimension::All(1), 1));
    let tree = TopologySpec::ThinTree(ThinTree { down: 3, up: 3, levels: 3 });
    match kind {
        0 => (torus(&[4, 3]).build().unwrap(), RoutingKind::DimensionOrder),
        1 => (mesh.build().unwrap(), RoutingKind::DimensionOrder),
        2 => (tree.build().unwrap(), RoutingKind::DModK),
        _ => (TopologySpec::Full(Full { switches: 5, nodes: 2 }).build().unwrap(), RoutingKind::Minimal),
    }
}

/// A machine: network, clock, times of a hop and of a wire, of a NIC, bandwidths and packets.
#[derive(Clone, Debug)]
struct Machine {
    network: usize,
    clock: u64,
    pipeline: u64,
    wire: u64,
    nic: u64,
    rates: [u64; 2],
    packet: u16,
    stores: bool,
}

impl Machine {
    fn build(&self) -> (Network, Config) {
        let (network, routing) = network(self.network);
        let mut config = Config { routing, ..Config::new(&network) };
        let vcs = VirtualChannels::usual(&network, routing);
        config.switch = SwitchModel {
            clock: Time(self.clock),
            packet_flits: self.packet,
            buffer_flits: u16::MAX,
            forwarding: if self.stores { Forwarding::StoreAndForward } else { Forwarding::CutThrough },
            ..SwitchModel::with(vcs)
        };
        for (number, class) in config.classes.iter_mut().enumerate() {
            class.bandwidth = BitRate(self.rates[number.min(1)]);
            class.latency = Time(self.wire);
            class.hop = Time(self.clock * self.pipeline + self.wire);
        }
        config.node.nic_latency = Time(self.nic);
        config.node.eager_limit = Bytes(1 << 40);
        (network, config)
    }
}

fn machine(rates: impl Strategy<Value = [u64; 2]>) -> impl Strategy<Value = Machine> {
    let times = (1_000u64..3_000, 1u64..30, 0u64..60_000, 0u64..20_000);
    let sizes = (prop::sample::select(vec![1u16, 8, 13, 64, 256]), prop::bool::weighted(0.2));
    let machine = (0..4usize, times, rates, sizes).prop_map(|(network, times, rates, (packet, stores))| {
        let (clock, pipeline, wire, nic) = times;
        Machine { network, clock, pipeline, wire, nic, rates, packet, stores }
    });
    // A switch grants an output once a clock period.
    let takes = |machine: &Machine| u64::from(machine.packet) * 128_000_000_000_000 / machine.rates[0];
    machine.prop_filter("packets shorter than a clock period", move |machine| takes(machine) >= machine.clock)
}

/// Bandwidths at which a flit of 16 bytes takes whole picoseconds, the same everywhere.
fn same_rates() -> impl Strategy<Value = [u64; 2]> {
    flit_times().prop_map(|time| [128_000_000_000_000 / time; 2])
}

/// Times of a flit whose bandwidths are whole numbers.
fn flit_times() -> impl Strategy<Value = u64> {
    prop::sample::select(vec![160, 200, 250, 320, 640, 1_000, 1_280, 1_600, 2_000, 2_560, 5_000, 12_800])
}

fn sizes() -> impl Strategy<Value = u64> {
    prop_oneof![0u64..300, 1_000u64..100_000, Just(1u64 << 20)]
}

fn finishes(record: &Record) -> Vec<u64> {
    record.ranks.iter().map(|rank| rank.finish.0).collect()
}

proptest! {
    #![proptest_config(proptest_config(400))]

    /// On links that are on, a message takes the same time to the picosecond: clock edges, wires, NICs, any size.
    #[test]
    fn a_message_alone(
        machine in machine(same_rates()),
        bytes in sizes(),
        start in 0u64..100_000,
        nodes in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let (network, config) = machine.build();
        let [from, to] = [nodes.0, nodes.1].map(|index| index.index(network.nodes as usize) as u32);
        prop_assume!(from != to);
        let workload = || job(vec![vec![compute(Time(start)), send(1, bytes)], vec![recv(0)]], &[from, to]);
        let packets = run(&network, &config, workload());
        let flows = run(&network, &by_flows(&config), workload());
        prop_assert_eq!(finishes(&packets), finishes(&flows));
        let sent = |record: &Record| record.channels.iter().map(|one| (one.packets, one.flits)).collect::<Vec<_>>();
        prop_assert_eq!(sent(&packets), sent(&flows));
        prop_assert_eq!((packets.packets_injected, packets.hops), (flows.packets_injected, flows.hops));
        prop_assert_eq!(packets.packets_delivered, flows.packets_delivered);
    }
}

/// A row of switches, whose channels sleep, and on which all packets take whole clock periods.
fn sleeping_row(switches: u32, packet_flits: u16) -> (Network, Config) {
    let network = mesh(&[switches], 1, 1);
    let mut config = config(&network, 1);
    config.audit = false;
    config.switch.vcs = VirtualChannels::grid(0, 1);
    (config.switch.packet_flits, config.switch.buffer_flits) = (packet_flits, 4_096);
    config.node.eager_limit = Bytes(1 << 40);
    (network, config)
}

/// What a channel has done, but for how long the channels before one that wakes are in use.
type Channel = (PerState<u64>, u64, u64, u64, u64);

fn channels(record: &Record) -> Vec<Channel> {
    let channel = |one: &drowse_core::measure::ChannelRecord| {
        let residency = one.residency.map(|time| time.0);
        (residency, one.wakes, one.delayed_messages, one.time_lost.0, one.flits)
    };
    record.channels.iter().map(channel).collect()
}

/// Timers: never, at once, or after some time, for each of the two states.
fn timers() -> impl Strategy<Value = [Option<Time>; 2]> {
    let timer = || prop::option::weighted(0.7, prop_oneof![Just(0u64), 0u64..400_000, 20_000_000u64..90_000_000]);
    (timer(), timer()).prop_map(|(shallow, deep)| [shallow, deep].map(|timer| timer.map(Time)))
}

/// Messages of a node: how long after the one before each is sent, and how long it is. Each has come before the next.
fn messages(longest: u64) -> impl Strategy<Value = Vec<(u64, u64)>> {
    let gap = prop_oneof![40_000_000u64..45_000_000, 40_000_000u64..100_000_000];
    prop::collection::vec((gap, 1..longest), 1..6)
}

fn one_after_the_other(messages: &[(u64, u64)], to: u32) -> drowse_core::workload::Workload {
    let sends = messages.iter().flat_map(|&(gap, bytes)| [compute(Time(gap)), send(1, bytes)]);
    job(vec![sends.collect(), vec![recv(0); messages.len()]], &[0, to])
}

proptest! {
    #![proptest_config(proptest_config(300))]

    /// Messages that find room behind channels that wake, over one to five sleeping hops, in whatever state each hop
    /// is: the same times, states, wakes and delays of all channels as with packets.
    #[test]
    fn sleeping_hops(
        switches in 2u32..6,
        [shallow, deep] in timers(),
        messages in messages(20_000),
        nodes_sleep: bool,
    ) {
        let (network, mut config) = sleeping_row(switches, 8);
        if !nodes_sleep {
            config.classes[0].states = None;
        }
        let policy = StallTimer::uniform(2, shallow, deep);
        let workload = || one_after_the_other(&messages, switches - 1);
        let packets = run_with(&network, &config, &policy, workload());
        let flows = run_with(&network, &by_flows(&config), &policy, workload());
        prop_assert_eq!(finishes(&packets), finishes(&flows));
        prop_assert_eq!(channels(&packets), channels(&flows));
    }

    /// A long message that waits holds up what comes behind it: it ends at the same time.
    #[test]
    fn long_messages_over_sleeping_hops(
        switches in 2u32..6,
        [shallow, deep] in timers(),
        gap in 0u64..20_000_000,
        bytes in 60_000u64..2_000_000,
    ) {
        let (network, config) = sleeping_row(switches, 8);
        let policy = StallTimer::uniform(2, shallow, deep);
        let workload = || one_after_the_other(&[(gap, bytes)], switches - 1);
        let packets = run_with(&network, &config, &policy, workload());
        let flows = run_with(&network, &by_flows(&config), &policy, workload());
        prop_assert_eq!(finishes(&packets), finishes(&flows));
    }
}

/// Three nodes of a row send to the last, 8 MiB each: 838.9 us alone at 10 GB/s. What each takes, in these, by hand.
#[test]
fn shares_of_a_merge() {
    let network = mesh(&[4], 1, 1);
    let config = config(&network, 1);
    let alone = (8u64 << 20) as f64 * 100.0;
    let ends = |fairness| {
        let unit = Unit::Flow(FlowModel { fairness, ..FlowModel::default() });
        let config = Config { unit, audit: false, ..config.clone() };
        let sender = || vec![send(3, 8 << 20)];
        let programs = vec![
            sender(),
            sender(),
            sender(),
            (0..3).map(|from| irecv(from, 0, from)).chain([Operation::WaitAll]).collect(),
        ];
        let record = run(&network, &config, job(programs, &[0, 1, 2, 3]));
        let ends = |rank: usize| record.ranks[rank].finish.0 as f64 / alone;
        [ends(0), ends(1), ends(2), ends(3)]
    };
    // By flow, all have a third. By port, node 2 has a half, and ends first; nodes 0 and 1 then have halves.
    let close =
        |ends: [f64; 4], expected: [f64; 4]| ends.iter().zip(expected).all(|(end, by)| (end - by).abs() < 0.002);
    let (by_flow, by_port) = (ends(Fairness::Flow), ends(Fairness::Port));
    assert!(close(by_flow, [3.0; 4]), "{by_flow:?}");
    assert!(close(by_port, [3.0, 3.0, 2.0, 3.0]), "{by_port:?}");
}

/// What flows do not model is refused with the key that asks for it.
#[test]
fn refusals() {
    use drowse_core::engine;
    use drowse_core::model::config::{Arbitration, Escape};
    let (network, config) = sleeping_row(2, 8);
    let refused = |change: fn(&mut Config)| {
        let mut config = by_flows(&config);
        change(&mut config);
        let policy = StallTimer::always_on(2);
        let workload = job(vec![vec![send(1, 1)], vec![recv(0)]], &[0, 1]);
        engine::check(&network, &config, &policy, &workload).err().map(|error| error.key)
    };
    assert_eq!(refused(|_| ()), None);
    assert_eq!(refused(|config| config.switch.arbitration = Arbitration::Age), Some("switch.allocator.kind"));
    assert_eq!(refused(|config| config.switch.allocation_gap = Time(1)), Some("switch.allocator.overlap"));
    assert_eq!(refused(|config| config.sleep.both = true), Some("power.directions"));
    assert_eq!(
        refused(|config| (config.switch.escape, config.switch.padding) = (Escape::Bubble, true)),
        Some("switch.escape")
    );
}
