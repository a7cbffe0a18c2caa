//! Open-loop traffic beside jobs.

use drowse_core::engine::{self, Failure, Progress, Simulation, Standstill};
use drowse_core::measure::Record;
use drowse_core::model::config::{Config, Overheads};
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::scheduler::{Allocation, Kind};
use drowse_core::workload::traffic::{Background, BackgroundNodes, Count, Lengths, Pattern, Traffic};

use crate::common::*;
use crate::partitions::{adaptive, check};
use crate::scheduled::{rules, scheduled, wildcards};

const CLOCK: u64 = 1_600;

fn uniform(load: f64, nodes: BackgroundNodes) -> Background {
    Background { pattern: Pattern::Uniform, load, packets: Lengths::packets(1), include_self: false, nodes }
}

/// Puts traffic beside jobs.
fn beside(workload: Workload, background: Background) -> Workload {
    match workload {
        Workload::Jobs(jobs) => Workload::Beside(jobs, None, background),
        Workload::Scheduled(jobs, scheduler) => Workload::Beside(jobs, Some(scheduler), background),
        _ => panic!("no jobs"),
    }
}

/// Returns a job that computes on node 0.
fn computing(time: Time) -> Workload {
    job(vec![vec![compute(time)]], &[0])
}

/// Beside a job that only computes, traffic is what it is alone: what is offered is accepted, at the same latencies.
/// The run ends 64 cycles after the job, and no packet is lost.
#[test]
fn light_traffic_is_accepted_as_if_it_were_alone() {
    let network = torus(&[4, 4], 1, 2);
    let config = adaptive(&network, 3);
    let cycles = 60_000;
    let record = run(&network, &config, beside(computing(Time(CLOCK * cycles)), uniform(0.1, BackgroundNodes::All)));
    assert_eq!(record.makespan, Some(Time(CLOCK * cycles)));
    assert_eq!(record.measured, Time(CLOCK * (cycles + 64)));
    let background = record.background.unwrap();
    let [offered, accepted] = [background.generated_flits, background.delivered_flits];
    let [offered, accepted] = [offered, accepted].map(|flits| flits as f64 / background.capacity_flits);
    assert!((offered - 0.1).abs() < 0.002 && (accepted - offered).abs() < 0.001, "{offered} {accepted}");
    // A node's link carries a flit a cycle.
    assert!((background.capacity_flits - (32 * (cycles + 64)) as f64).abs() < 1e-3);
    assert_eq!(background.delivered_flits, 8 * background.packets_delivered);
    assert_eq!(background.packets_delivered, record.packets_delivered);
    let (injected, left) = (record.packets_injected, background.packets_generated - background.packets_delivered);
    assert!(injected <= background.packets_generated && injected - record.packets_delivered <= left);
    assert!(left < 100, "{left} of {injected} on their way at the end");
    assert_eq!(record.packet_latency.mean(), None, "no packet is the job's");
    let traffic = Traffic {
        measure: Time(CLOCK * cycles),
        count: Count::Delivered,
        ..uniform(0.1, BackgroundNodes::All).traffic()
    };
    let alone = run(&network, &config, Workload::OpenLoop(traffic));
    let [beside, alone] = [background.packet_latency, alone.packet_latency].map(|latency| latency.mean().unwrap());
    assert!((beside / alone - 1.0).abs() < 0.001, "{beside} {alone}");
}

/// Rank 0 sends a long message from switch 0 to rank 1 at switch 1; node 1 offers a load to node 3 over the same link.
/// Arbiters are fair, so the message gets what the load leaves of the link, and half of it at least.
#[test]
fn a_flow_shares_its_link() {
    const PACKETS: u64 = 6_000;
    let network = mesh(&[2], 1, 2);
    let mut config = config(&network, 3);
    config.switch.buffer_flits = 64;
    config.node.eager_limit = Bytes(1 << 40);
    let flow = || job(vec![vec![send(1, PACKETS * 128)], vec![recv(0)]], &[0, 2]);
    let alone = run(&network, &config, flow()).makespan.unwrap();
    assert!(alone.0 >= PACKETS * 8 * CLOCK);
    let mut last = alone;
    for load in [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9] {
        let record = run(&network, &config, beside(flow(), uniform(load, BackgroundNodes::Free)));
        let makespan = record.makespan.unwrap();
        let expected = 1.0 / (1.0_f64 - load).max(0.5);
        let ratio = makespan.0 as f64 / alone.0 as f64;
        assert!((ratio / expected - 1.0).abs() < 0.03, "load {load}: {ratio}, not {expected}");
        assert!(makespan > last || load > 0.5, "load {load}: {makespan} after {last}");
        last = makespan;
        // Only nodes 1 and 3 have traffic.
        let background = record.background.unwrap();
        let nodes = [0, 1, 2, 3].map(|node| record.channels[injection_of(&network, node)].packets);
        assert_eq!((nodes[0], nodes[2]), (PACKETS, 0));
        assert!(nodes[1] > 0 && nodes[3] > 0 && nodes[1] + nodes[3] <= background.packets_generated);
        assert_eq!(record.packets_injected, PACKETS + nodes[1] + nodes[3]);
        assert_eq!(record.packets_delivered, PACKETS + background.packets_delivered);
    }
}

/// Traffic elsewhere does not touch a job: everything of it is what it is alone.
#[test]
fn traffic_elsewhere_changes_nothing() {
    let network = mesh(&[8], 1, 1);
    let config = config(&network, 3);
    let program = || job(wildcards(4, 3, 1), &[0, 1, 2, 3]);
    let alone = run(&network, &config, program());
    let both = run(&network, &config, beside(program(), uniform(0.3, BackgroundNodes::Free)));
    assert_eq!((&both.ranks, &both.jobs, both.makespan), (&alone.ranks, &alone.jobs, alone.makespan));
    assert_eq!((&both.packet_latency, &both.message_latency), (&alone.packet_latency, &alone.message_latency));
    assert!(both.background.is_some_and(|background| background.packets_delivered > 20));
}

/// The run ends with its jobs at the same time, and with the same traffic, in any partitions; beside a scheduler, too.
#[test]
fn does_not_depend_on_partitions() {
    let network = torus(&[4, 4], 2, 1);
    let sleepy = StallTimer::uniform(network.classes.len(), Some(Time(0)), Some(Time::from_us(1)));
    let background = |load, pattern, nodes| Background { pattern, ..uniform(load, nodes) };
    for (pipeline, audit) in [(3, false), (40, true)] {
        let mut config = Config { audit, ..adaptive(&network, pipeline) };
        config.node.eager_limit = Bytes(5_000);
        let scheduled = || {
            let rules = rules(Kind::EasyBackfilling, Allocation::Random, 30_000);
            let program = |(salt, (arrival, ranks))| (arrival, wildcards(ranks, 1, salt));
            let programs = (0..).zip([(0, 20), (100, 30), (90_000, 4)]).map(program).collect();
            scheduled(&network, 2, rules, programs)
        };
        let all = || background(0.05, Pattern::Complement, BackgroundNodes::All);
        check(&network, &config, &sleepy, || beside(scheduled(), all()));
        let nodes: Vec<u32> = (0..8).collect();
        let placed = || job(wildcards(8, 2, 7), &nodes);
        let free = || background(0.2, Pattern::Uniform, BackgroundNodes::Free);
        check(&network, &config, &sleepy, || beside(placed(), free()));
    }
}

/// Nor with what messages cost processors, nor on how often the run pauses.
#[test]
fn does_not_depend_on_pauses() {
    let network = torus(&[4, 4], 2, 1);
    let mut config = Config { audit: false, ..adaptive(&network, 3) };
    config.node.overheads = Overheads { message: Time(700), gap: Time(1_100), ..Overheads::NONE };
    let policy = StallTimer::always_on(network.classes.len());
    let record = |events: u64, partitions: usize| {
        let workload =
            beside(job(wildcards(16, 4, 2), &(0..16).collect::<Vec<u32>>()), uniform(0.1, BackgroundNodes::All));
        let mut simulation = Simulation::in_partitions(&network, &config, &policy, workload, partitions).unwrap();
        while simulation.advance(events).unwrap() != Progress::Done {}
        Record { events: 0, ..simulation.into_record() }
    };
    let whole = record(u64::MAX, 1);
    assert_eq!(record(1, 1), whole);
    assert_eq!(record(1, 3), whole);
}

fn fails(network: &Network, config: &Config, workload: Workload) -> Failure {
    try_run(network, config, workload).unwrap_err()
}

/// Ranks that wait for ever are told, though traffic never ends.
#[test]
fn ranks_that_wait_for_ever_are_told() {
    let network = torus(&[4], 1, 1);
    let mut config = config(&network, 1);
    for overhead in [Time::ZERO, Time(900)] {
        config.node.overheads = Overheads { message: overhead, ..Overheads::NONE };
        let waits = vec![vec![send(1, 9), compute(Time::from_us(30)), recv(1)], vec![recv(0), recv(0)], vec![]];
        for nodes in [BackgroundNodes::All, BackgroundNodes::Free] {
            let nodes = if nodes == BackgroundNodes::Free { vec![0, 1, 1] } else { vec![0, 1, 2] };
            let stuck = beside(job(waits.clone(), &nodes), uniform(0.2, BackgroundNodes::All));
            let Failure::Deadlock(deadlock) = fails(&network, &config, stuck) else { panic!("no deadlock") };
            assert_eq!((deadlock.what, deadlock.members.len()), (Standstill::RankCircle, 2));
            assert!(deadlock.at >= Time::from_us(30) && deadlock.at < Time::from_us(33), "{}", deadlock.at);
        }
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let network = torus(&[4], 1, 1);
    let config = config(&network, 1);
    let policy = StallTimer::always_on(network.classes.len());
    let refused = |workload| {
        let refused = engine::check(&network, &config, &policy, &workload).unwrap_err();
        assert_eq!(engine::run(&network, &config, &policy, workload).unwrap_err(), refused);
        refused.key
    };
    let placed = |nodes: &[u32]| {
        let ranks: Vec<Vec<Operation>> = nodes.iter().map(|_| vec![]).collect();
        job(ranks, nodes)
    };
    let free = |load| uniform(load, BackgroundNodes::Free);
    // One node is free: it has nobody to send to.
    assert_eq!(refused(beside(placed(&[0, 1, 2]), free(0.1))), "traffic.nodes");
    let hot = Pattern::HotSpot { nodes: vec![3], share: 0.5 };
    assert_eq!(refused(beside(placed(&[0]), Background { pattern: hot, ..free(0.1) })), "traffic.nodes");
    assert_eq!(
        refused(beside(placed(&[0, 1]), Background { pattern: Pattern::Transpose, ..free(0.1) })),
        "traffic.nodes"
    );
    assert_eq!(refused(beside(placed(&[0]), free(9.0))), "traffic.load");
    let Workload::Jobs(mut jobs) = placed(&[0]) else { unreachable!() };
    jobs[0].placement = vec![NodeId(4)];
    assert_eq!(refused(Workload::Beside(jobs, None, free(0.1))), "job.placement");
}

/// Of a pattern with fixed destinations, free nodes keep those that are free: here, of 0 to 3 and 4 to 7 in pairs.
#[test]
fn fixed_destinations_stay_among_free_nodes() {
    let network = mesh(&[8], 1, 1);
    let config = config(&network, 3);
    let background = Background { pattern: Pattern::Complement, ..uniform(0.2, BackgroundNodes::Free) };
    let record = run(&network, &config, beside(computing(Time::from_us(100)), background));
    for node in 0..8 {
        let sent = record.channels[injection_of(&network, node)].packets;
        assert_eq!(sent > 0, node != 0 && node != 7, "node {node}");
    }
}
