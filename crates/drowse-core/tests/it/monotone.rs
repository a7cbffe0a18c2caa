//! Monotone laws: sleep never makes a run shorter, longer wakes never save energy, faster links never cost time; and
//! the smallest cases in which the first and the last do not hold, because packets meet or links differ.

use drowse_core::measure::Record;
use drowse_core::model::config::{Arbitration, Config, Escape, SleepSelection, VirtualChannels};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::{ByClass, ClassPolicy, LinkState, Oracle, StallTimer, Timers};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Geometry, Network, Racks, TopologySpec, Xgft};
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use proptest::prelude::*;

use crate::common::*;
use crate::policies::{drawn, policy};
use crate::random::{Machine, any_machine, machine, pair, program, sleep};
use crate::sleeping::{CYCLE, HOP, WIRE};

/// A step of the token: the next rank, how many messages it is, their bytes, and what its holder computes before.
type Step = (u32, usize, u64, u64);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bytes = prop_oneof![0u64..100, 0u64..3_000];
    prop::collection::vec((any::<u32>(), 1usize..=3, bytes, prop_oneof![Just(0u64), 0u64..400_000]), 1..12)
}

/// Makes all packets of a message take the same outputs and virtual channels, so that none can pass another.
fn with_one_route(mut machine: Machine) -> Machine {
    (machine.adaptive, machine.escape, machine.speedup) = (0, 1, 1);
    (machine.output_queues, machine.pause) = (None, None);
    // Bubbles: with datelines there are two virtual channels, so that packets of a node overtake each other.
    (machine.rules.2, machine.buffer.0) = (true, machine.buffer.0.max(2));
    machine.trunk.fill(1);
    if let Some(other) = &mut machine.other {
        (other.vcs, other.routing) = (VirtualChannels::any(1), RoutingKind::DModK);
        match &mut other.spec {
            TopologySpec::Racks(Racks { uplinks, .. }) => *uplinks = 1,
            TopologySpec::Xgft(Xgft { links, .. }) => links.fill(1),
            _ => {}
        }
    }
    machine
}

/// Makes a program in which only one rank at a time sends, to one other: no packets of two messages ever compete.
fn token(network: &Network, steps: &[Step]) -> Workload {
    let ranks = network.nodes.min(7);
    let mut operations: Vec<Vec<Operation>> = vec![Vec::new(); ranks as usize];
    let mut holder = 0;
    for &(next, count, bytes, computes) in steps {
        let next = (holder + 1 + next % (ranks - 1)) % ranks;
        operations[holder as usize].push(compute(Time(computes)));
        operations[holder as usize].extend(vec![send(next, bytes); count]);
        operations[next as usize].extend(vec![recv(holder); count]);
        holder = next;
    }
    // Far apart, so that messages cross the network.
    let nodes: Vec<u32> = (0..ranks).map(|rank| rank * network.nodes / ranks).collect();
    job(operations, &nodes)
}

fn quiet(machine: &Machine, network: &Network, asleep: &crate::random::Sleep) -> Config {
    Config { audit: false, ..machine.config(network, asleep) }
}

/// What all channels draw over a run, in billionths of the power of one that is on, times picoseconds.
fn energy(record: &Record, network: &Network, config: &Config) -> u128 {
    let channel = |(number, channel): (u32, &drowse_core::measure::ChannelRecord)| {
        let class = network.channel_class(drowse_core::model::ids::ChannelId(number));
        let share = |state: LinkState| match (state, config.classes[usize::from(class)].states) {
            (LinkState::Shallow | LinkState::Deep, Some(states)) => u128::from(states.of(state).power_billionths()),
            _ => 1_000_000_000,
        };
        LinkState::ALL.iter().map(|&state| share(state) * u128::from(channel.time_in(state).0)).sum::<u128>()
    };
    (0..).zip(&record.channels).map(channel).sum()
}

proptest! {
    #![proptest_config(proptest_config(150))]

    /// Where one rank at a time sends, and its packets take one route and one virtual channel, every event waits for those
    /// before it and for nothing else: then stall timers, with wakes of any length, never end a program earlier.
    #[test]
    fn sleep_never_shortens_a_token(machine in machine(), sleep in sleep(), steps in steps(), both in any::<bool>()) {
        let machine = with_one_route(machine);
        let network = machine.network();
        let mut config = quiet(&machine, &network, &sleep);
        config.switch.escape = Escape::Bubble;
        pair(&mut config, both);
        let asleep = run_with(&network, &config, &sleep.policy(&network), token(&network, &steps));
        let on = run(&network, &config, token(&network, &steps));
        prop_assert!(asleep.makespan >= on.makespan, "{:?} < {:?}", asleep.makespan, on.makespan);
        let wakes: u64 = asleep.channels.iter().map(|channel| channel.wakes).sum();
        prop_assert!(wakes > 0 || asleep.makespan == on.makespan, "nothing woke");
    }

    /// Neither do the other policies. Links have one bandwidth, because narrow ones are slower
    /// (`a_fast_link_between_slow_ones_costs_time`).
    #[test]
    fn no_policy_shortens_a_token(machine in machine(), sleep in sleep(), steps in steps(), drawn in drawn()) {
        let mut machine = with_one_route(machine);
        machine.bandwidth.0 = true;
        let network = machine.network();
        let mut config = quiet(&machine, &network, &sleep);
        (config.sleep.selection, config.switch.escape) = (SleepSelection::LeastDelay, Escape::Bubble);
        let policy = policy(&network, &config, &drawn);
        let asleep = run_with(&network, &config, &policy, token(&network, &steps));
        let on = run(&network, &config, token(&network, &steps));
        prop_assert!(asleep.makespan >= on.makespan, "{:?} < {:?}", asleep.makespan, on.makespan);
    }

    /// The oracle's idle periods do not depend on the time to wake, and it takes the cheapest state for each: so a
    /// longer wake, of either state, never lowers its energy.
    #[test]
    fn a_longer_wake_never_lowers_the_oracles_energy(
        machine in any_machine(),
        sleep in sleep(),
        program in program(),
        (shallow, deep) in (0u64..200_000, 0u64..200_000),
    ) {
        let network = machine.network();
        let mut config = quiet(&machine, &network, &sleep);
        config.node.eager_limit = Bytes(program.eager_limit);
        let judged = |config: &Config| {
            let oracles = config.classes.iter().map(|class| match class.states {
                Some(states) => ClassPolicy::Oracle(Oracle::new(states)),
                None => ClassPolicy::StallTimer(Timers::NEVER),
            });
            run_with(&network, config, &ByClass::new(oracles.collect()), program.workload(&network, Time::ZERO))
        };
        let before = judged(&config);
        let energy_before = energy(&before, &network, &config);
        for states in config.classes.iter_mut().filter_map(|class| class.states.as_mut()) {
            states.shallow.wake.0 += shallow;
            states.deep.wake.0 += deep;
        }
        let after = judged(&config);
        prop_assert_eq!(before.makespan, after.makespan);
        prop_assert!(energy(&after, &network, &config) >= energy_before);
    }

    /// Links that are all faster by one factor never slow a lone packet, on any network and routing but Valiant's on a
    /// HyperX: on the way to its intermediate switch one order of dimensions may lead past the destination, where the
    /// packet leaves, and which order it takes depends on which outputs it finds free. Arbiters do not draw, for their
    /// draws differ from edge to edge.
    #[test]
    fn faster_links_never_slow_a_lone_packet(
        machine in any_machine(),
        sleep in sleep(),
        (from, to) in any::<(u32, u32)>(),
        (share, factor) in (1u64..=100, 2u64..=9),
    ) {
        // Senders that pause need more room on faster links.
        let machine = Machine { pause: None, ..machine };
        let network = machine.network();
        let mut config = quiet(&machine, &network, &sleep);
        config.switch.arbitration = Arbitration::default();
        config.classes.iter_mut().for_each(|class| class.states = None);
        let (from, to) = (from % network.nodes, to % network.nodes);
        prop_assume!(from != to);
        if matches!(network.geometry, Geometry::HyperX(_)) && config.routing == RoutingKind::Valiant {
            return Ok(());
        }
        let bytes = config.switch.flit.0 * u64::from(config.switch.packet_flits) * share / 100;
        let lone = |config: &Config| {
            run(&network, config, job(vec![vec![send(1, bytes)], vec![recv(0)]], &[from, to])).makespan
        };
        let slow = lone(&config);
        config.classes.iter_mut().for_each(|class| class.bandwidth = BitRate(class.bandwidth.0 * factor));
        prop_assert!(lone(&config) <= slow);
    }
}

/// Two switches with two nodes each, one virtual channel; only the links between the switches may sleep.
fn two_switches() -> (Network, Config) {
    let network = mesh(&[2], 1, 2);
    let mut config = config(&network, 1);
    config.switch.vcs = VirtualChannels::grid(0, 1);
    config.classes[0].states = None;
    (network, config)
}

/// The smallest run that sleep makes shorter: two messages that meet.
///
/// Node 0 and, three cycles later, node 3 send a packet to node 2, which computes once it has that of node 3. With all
/// links on, the packet of node 0 is at the last switch a cycle earlier and goes first. When it has to wake the link
/// between the switches, that of node 3 does not wait: the run ends seven cycles earlier.
#[test]
fn sleep_may_shorten_a_run_in_which_packets_meet() {
    let (network, config) = two_switches();
    let (start, long) = (Time::from_us(16).0, Time::from_us(20).0);
    let workload = || {
        let first = vec![compute(Time(start)), send(2, 128)];
        let second = vec![compute(Time(start + 3 * CYCLE)), send(2, 128)];
        job(vec![first, second, vec![recv(1), compute(Time(long)), recv(0)]], &[0, 3, 2])
    };
    let policy = StallTimer::uniform(2, None, Some(Time::from_us(1)));
    let asleep = run_with(&network, &config, &policy, workload());
    let on = run(&network, &config, workload());
    let meets = start + WIRE + HOP;
    assert_eq!(on.makespan, Some(Time(meets + 16 * CYCLE + HOP + long)));
    assert_eq!(asleep.makespan, Some(Time(meets + 9 * CYCLE + HOP + long)));
}

/// A link that is faster than those around it costs time: it may not run ahead of the slower link before it, so the
/// head of a packet waits, and the slower link behind begins later.
#[test]
fn a_fast_link_between_slow_ones_costs_time() {
    for (factor, waits) in [(1, 0), (2, 4), (4, 6), (8, 7)] {
        let (network, mut config) = two_switches();
        config.classes[1].states = None;
        config.classes[1].bandwidth = BitRate(config.classes[1].bandwidth.0 * factor);
        let record = run(&network, &config, job(vec![vec![send(1, 128)], vec![recv(0)]], &[0, 2]));
        assert_eq!(record.makespan, Some(Time(WIRE + waits * CYCLE + HOP + 8 * CYCLE + HOP)), "{factor} times as fast");
    }
}
