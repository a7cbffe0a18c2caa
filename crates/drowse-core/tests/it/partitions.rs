//! A run in several partitions has the same record as a run in one.

use drowse_core::engine::{Progress, Simulation, window_cycles};
use drowse_core::measure::Record;
use drowse_core::model::config::{ClassModel, Config, Overheads, SleepSelection, VirtualChannels};
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::{SleepState, SleepStates, StallTimer, Timers};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, PerDimension, TopologySpec, Torus};
use drowse_core::workload::operation::{Collective, Operation};
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use drowse_core::workload::{Job, Workload};

use crate::common::*;

/// Runs in several partitions, two halves of which take turns where that can be and is wanted. Leaves out the number of
/// events, which depends on the partitioning.
fn run_in(
    (partitions, alternate): (usize, bool),
    network: &Network,
    config: &Config,
    policy: &StallTimer,
    workload: Workload,
) -> Record {
    let mut simulation = Simulation::in_partitions(network, config, policy, workload, partitions).unwrap();
    if alternate {
        assert!(simulation.alternate(partitions), "{partitions} partitions take turns");
    }
    while simulation.advance(10_000).unwrap() != Progress::Done {}
    Record { events: 0, ..simulation.into_record() }
}

pub fn check(network: &Network, config: &Config, policy: &StallTimer, workload: impl Fn() -> Workload) {
    let whole = run_in((1, false), network, config, policy, workload());
    assert!(whole.hops > 100, "the case has enough traffic");
    for partitions in [2, 3] {
        assert_eq!(run_in((partitions, false), network, config, policy, workload()), whole, "{partitions} partitions");
    }
    // Many partitions are many windows, each of which is audited; and halves do not take turns in audit mode.
    let config = Config { audit: false, ..config.clone() };
    assert_eq!(run_in((16, false), network, &config, policy, workload()), whole, "16 partitions");
    if matches!(workload(), Workload::OpenLoop(_)) {
        assert_eq!(run_in((2, true), network, &config, policy, workload()), whole, "two partitions that take turns");
    }
}

pub fn adaptive(network: &Network, pipeline: u64) -> Config {
    let mut config = config(network, pipeline);
    config.routing = RoutingKind::Adaptive;
    config.switch.vcs = VirtualChannels::grid(2, 2);
    config.switch.buffer_flits = 16;
    config
}

pub fn traffic(load: f64, count: Count) -> Workload {
    let (warmup, measure) = (Time(1_600 * 500), Time(1_600 * 2_000));
    Workload::OpenLoop(Traffic {
        pattern: Pattern::Uniform,
        packets: Lengths::packets(1),
        load,
        include_self: true,
        count,
        warmup,
        measure,
        drain: true,
    })
}

#[test]
fn open_loop_traffic_does_not_depend_on_partitions() {
    let network = torus(&[4, 3, 2], 2, 2);
    let sleepy = StallTimer::uniform(network.classes.len(), Some(Time::from_ns(20)), Some(Time::from_ns(400)));
    for count in [Count::Generated, Count::Delivered] {
        for load in [0.02, 0.3] {
            check(&network, &adaptive(&network, 3), &sleepy, || traffic(load, count));
        }
    }
    // Saturated: the drain is given up at a time that does not depend on the partitioning.
    let network = torus(&[5, 5], 1, 4);
    check(&network, &config(&network, 1), &StallTimer::always_on(3), || traffic(0.9, Count::Generated));
}

/// Wires without latency reduce the lookahead to one cycle. With unequal wires, it must remain safe.
#[test]
fn lookahead_is_safe_for_short_and_unequal_wires() {
    let network = torus(&[4, 4], 1, 1);
    let sleepy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_ns(100)));
    for latencies in [[0, 0, 0], [1_600, 0, 50_000], [333, 1_601, 7]] {
        let mut config = adaptive(&network, 1);
        for (class, latency) in config.classes.iter_mut().zip(latencies) {
            class.latency = Time(latency);
            class.hop = Time(1_600 + latency);
        }
        config.classes[2].bandwidth = BitRate::from_bytes_per_second(3_333_333_333);
        check(&network, &config, &sleepy, || traffic(0.2, Count::Generated));
    }
}

/// Ranks all over the network exchange eager and rendezvous messages, with wildcards and collectives.
#[test]
fn programs_do_not_depend_on_partitions() {
    let network = torus(&[4, 4], 2, 2);
    let ranks = 48u32;
    let program = |rank: u32| {
        let mut operations = Vec::new();
        for (round, bytes) in [(1, 40), (7, 3_000), (11, 50_000)] {
            let to = (rank + round) % ranks;
            operations.extend([
                Operation::irecv(None, round, 0),
                Operation::isend(to, round, bytes, 1),
                Operation::Compute(Time(1_000 * u64::from(rank * round % 13))),
                Operation::WaitAll,
                Operation::collective(Collective::Allreduce { bytes: 16, count: 2, compute: Time(500) }),
                Operation::collective(Collective::Bcast { root: round, bytes: 20_000, count: 2_500 }),
            ]);
        }
        operations
    };
    let workload = || {
        let source = Box::new(Program::new((0..ranks).map(program).collect()));
        // Neighbouring ranks are far apart in the network.
        let placement = (0..ranks).map(|rank| NodeId(rank * 11 % network.nodes)).collect();
        Workload::Jobs(vec![Job { name: "partitioned".into(), source, placement, start: Time(777) }])
    };
    let mut config = adaptive(&network, 20);
    config.node.eager_limit = Bytes(10_000);
    config.node.nic_latency = Time(321);
    let costs = Overheads { message: Time(1_511), byte: Time(3), gap: Time(2_017), gap_per_byte: Time(1) };
    for (timers, overheads) in [
        ((None, None), Overheads::NONE),
        ((Some(Time(0)), Some(Time::from_us(1))), Overheads::NONE),
        ((Some(Time(0)), Some(Time::from_us(1))), costs),
    ] {
        config.node.overheads = overheads;
        let policy = StallTimer::uniform(network.classes.len(), timers.0, timers.1);
        check(&network, &config, &policy, workload);
    }
}

/// Halves take turns under open-loop traffic, where partitions are like the squares of a checkerboard, and each thread has
/// equally many of either half.
#[test]
fn halves_that_take_turns() {
    let network = torus(&[4, 4, 2], 1, 1);
    let config = Config { audit: false, ..adaptive(&network, 20) };
    let policy = StallTimer::always_on(network.classes.len());
    let alternates = |partitions, each, workload: Workload| {
        Simulation::in_partitions(&network, &config, &policy, workload, partitions).unwrap().alternate(each)
    };
    let open_loop = || traffic(0.1, Count::Generated);
    assert!(
        [(2, 2), (4, 4), (4, 2), (8, 4), (16, 8)].map(|(count, each)| alternates(count, each, open_loop()))
            == [true; 5]
    );
    assert!([(1, 1), (2, 1), (3, 3), (5, 5)].map(|(count, each)| alternates(count, each, open_loop())) == [false; 4]);
    let whole = run_in((1, false), &network, &config, &policy, open_loop());
    for partitions in [4, 8, 16] {
        assert_eq!(
            run_in((partitions, true), &network, &config, &policy, open_loop()),
            whole,
            "{partitions} partitions"
        );
    }
    let program = job(vec![vec![compute(Time(1))]; 2], &[0, 1]);
    assert!(!alternates(4, 4, program), "the earliest failure of a rank is to be found");
}

/// Ranks in different partitions fail. The earlier failure is reported, although its partition comes later.
#[test]
fn the_first_failure_is_reported_from_any_partition() {
    let network = torus(&[4, 4], 1, 1);
    let config = adaptive(&network, 20);
    let policy = StallTimer::always_on(network.classes.len());
    let failure = |partitions| {
        let mut programs = vec![vec![compute(Time(1))]; 16];
        programs[0] = vec![compute(Time(40_000)), send(16, 8)];
        programs[15] = vec![compute(Time(30_000)), send(17, 8)];
        let workload = job(programs, &(0..16).collect::<Vec<_>>());
        let mut simulation = Simulation::in_partitions(&network, &config, &policy, workload, partitions).unwrap();
        loop {
            match simulation.advance(1) {
                Ok(progress) => assert_ne!(progress, Progress::Done),
                Err(failure) => return failure.to_string(),
            }
        }
    };
    assert!(failure(1).starts_with("rank 15 names rank 17"), "{}", failure(1));
    for partitions in [2, 3, 16] {
        assert_eq!(failure(partitions), failure(1));
    }
}

/// The window is the shortest effect over a channel between partitions: here a hop of 20 cycles and 10 ns, or a packet
/// and its credit's wire latency.
#[test]
fn windows_are_as_long_as_channels_between_partitions_allow() {
    let network = torus(&[4, 4], 1, 1);
    let mut config = config(&network, 20);
    let (flits, clock) = (config.switch.packet_flits, config.switch.clock.0);
    let flit = config.switch.flit.0 * 1_000_000_000_000 / (config.classes[0].bandwidth.0 / 8);
    config.classes.iter_mut().for_each(|class| (class.latency, class.hop) = (Time(10_000), Time(42_000)));
    let cycles = |config: &Config, workload: &Workload, partitions| {
        let traffic = match workload {
            Workload::OpenLoop(traffic) => Some(traffic),
            Workload::Jobs(_) | Workload::Scheduled(..) | Workload::Beside(..) => None,
        };
        window_cycles(&network, config, traffic, partitions).unwrap()
    };
    let (packets, programs) = (traffic(0.3, Count::Generated), Workload::Jobs(Vec::new()));
    let by_credit = |flits: u16| (10_000 + u64::from(flits) * flit).div_ceil(clock);
    assert_eq!(cycles(&config, &packets, 2), by_credit(flits).min(42_000_u64.div_ceil(clock)));
    assert_eq!(cycles(&config, &programs, 2), by_credit(1), "the last packet of a message may be a flit");
    // Only the second dimension joins two partitions, both dimensions join 16. A node is in its switch's partition.
    (config.classes[0].latency, config.classes[1].latency) = (Time::ZERO, Time(5_000));
    assert_eq!(cycles(&config, &programs, 2), by_credit(1));
    assert_eq!(cycles(&config, &programs, 16), (5_000 + flit).div_ceil(clock));
}

/// A packet that ignores sleep waits for the output that it selected, however often the allocator runs meanwhile. With
/// unequal bandwidths and several read ports, credits overtake each other, so the number of allocator runs depends on
/// the partitioning.
#[test]
fn packets_that_ignore_sleep_do_not_depend_on_partitions() {
    let mesh = Torus::new(vec![5, 3], PerDimension::Each(vec![1, 3]), 3);
    let network = TopologySpec::Mesh(mesh).build().unwrap();
    let state = |(enter, wake)| SleepState { power: 0.5, enter: Time(enter), wake: Time(wake) };
    let class = |(bandwidth, hop, shallow, deep)| ClassModel {
        bandwidth: BitRate::from_bytes_per_second(bandwidth),
        lanes: 1,
        latency: Time::ZERO,
        hop: Time(800_u64 + hop),
        states: Some(SleepStates::new(state(shallow), state(deep))),
    };
    let mut config = adaptive(&network, 1);
    config.switch.clock = Time(800);
    config.switch.flit = Bytes(32);
    config.switch.buffer_flits = 13;
    config.switch.input_speedup = 2;
    config.classes = vec![
        class((2_860_000_000, 0, (0, 16_709), (1, 1))),
        class((12_880_000_000, 1_872, (3_980, 1), (539, 1))),
        class((12_980_000_000, 17_553, (0, 222_520), (0, 1))),
    ];
    config.node.nic_latency = Time(2_103);
    config.sleep.selection = SleepSelection::Blind;
    config.seed = 261;
    // The audit exchanges messages after every bucket, which would hide effects of late exchange.
    config.audit = false;
    let timers = |shallow, deep| Timers { shallow, deep };
    let policy = StallTimer {
        timers: vec![
            timers(Time::NEVER, Time(2_081)),
            timers(Time(4_409), Time(1_243)),
            timers(Time(4_549), Time(122_778)),
        ],
    };
    check(&network, &config, &policy, || match traffic(0.52, Count::Generated) {
        Workload::OpenLoop(traffic) => {
            let (warmup, measure) = (Time::ZERO, Time(800 * 211));
            Workload::OpenLoop(Traffic { warmup, measure, include_self: false, ..traffic })
        }
        other => other,
    });
}
