//! Queues for each output beside queues for each virtual channel, on one switch: what Karol, Hluchyj and Morgan 1987
//! computed of the latter, and whom a busy output keeps waiting.

use drowse_core::measure::Record;
use drowse_core::model::config::{Arbitration, Config, Queues, VirtualChannels};
use drowse_core::model::units::Time;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, ThinTree, TopologySpec};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

use crate::common::*;

/// A switch with so many nodes, and packets of so many flits, each of which takes a cycle.
pub fn switch(nodes: u32, flits: u16, queues: Queues) -> (Network, Config) {
    let network = TopologySpec::ThinTree(ThinTree { down: nodes, up: 1, levels: 1 }).build().unwrap();
    let mut config = config(&network, 1);
    config.switch.packet_flits = flits;
    config.switch.buffer_flits = 1_000 * flits;
    config.switch.vcs = VirtualChannels::any(1);
    config.switch.queues = queues;
    config.routing = RoutingKind::Adaptive;
    config.audit = false;
    (network, config)
}

/// Returns the share of their bandwidth that outputs carry whose inputs always have packets, each for any output alike.
fn saturated(nodes: u32, queues: Queues, arbitration: Arbitration) -> f64 {
    let (network, mut config) = switch(nodes, 1, queues);
    config.switch.arbitration = arbitration;
    carried(&network, &config, [3_000, 40_000])
}

/// Returns the share of their bandwidth that outputs carry at full load, in so many cycles after others.
pub fn carried(network: &Network, config: &Config, cycles: [u64; 2]) -> f64 {
    let loads = full_load(network, config, cycles).open_loop.unwrap();
    loads.delivered_flits as f64 / loads.capacity_flits
}

/// Runs uniform traffic at full load for so many cycles after others.
pub fn full_load(network: &Network, config: &Config, [warmup, measure]: [u64; 2]) -> Record {
    let cycles = |count| Time(config.switch.clock.0 * count);
    let traffic = Traffic {
        pattern: Pattern::Uniform,
        load: 1.0,
        packets: Lengths::packets(1),
        include_self: true,
        count: Count::Delivered,
        warmup: cycles(warmup),
        measure: cycles(measure),
        drain: false,
    };
    run(network, config, Workload::OpenLoop(traffic))
}

/// The table of Karol, Hluchyj and Morgan 1987 (IEEE Trans. Comm. 35, Table I): exact for up to eight inputs, and its
/// limit, which 64 inputs nearly have. The window has 80,000 packets and more, so that half a percent is many deviations.
#[test]
fn one_queue_for_all_outputs_blocks() {
    let table = [(2, 0.75), (3, 0.6825), (4, 0.6553), (5, 0.6399), (6, 0.6302), (7, 0.6234), (8, 0.6184)];
    for (nodes, expected) in table {
        let carried = saturated(nodes, Queues::Input, Arbitration::Random);
        assert!((carried - expected).abs() < 0.005, "{nodes} inputs: {carried}, not {expected}");
    }
    let carried = saturated(64, Queues::Input, Arbitration::Random);
    let limit = 2.0 - std::f64::consts::SQRT_2;
    assert!((carried - limit).abs() < 0.01, "64 inputs: {carried}, limit {limit}");
}

/// With a queue for each output, round-robin arbiters whose pointers move only when they grant get out of step, so that
/// all outputs are busy (McKeown 1999, section III). What is left to one is the time until they do, and buffers that
/// fill with packets for some outputs.
#[test]
fn queues_for_each_output_fill_all() {
    for nodes in [2, 4, 8, 16] {
        let carried = saturated(nodes, Queues::VirtualOutput, Arbitration::RoundRobin);
        assert!(carried > 0.97, "{nodes} inputs: {carried}");
    }
}

/// Three senders keep the output to node 4 busy. Node 0 sends ten packets there, too, and then one to node 5. Returns when
/// that is there.
pub fn overtaking((network, config): &(Network, Config), others: bool) -> u64 {
    let packet = u64::from(config.switch.packet_flits) * config.switch.flit.0;
    let crowd = vec![send(4, if others { 60 * packet } else { packet })];
    let ranks = vec![
        vec![isend(4, 0, 10 * packet, 1), send(5, packet), wait(1)],
        crowd.clone(),
        crowd.clone(),
        crowd,
        (0..4).map(recv).collect(),
        vec![recv(0)],
    ];
    run(network, config, job(ranks, &[0, 1, 2, 3, 4, 5])).ranks[5].finish.0
}

/// With one queue a packet for an idle output waits for the ten before it. These take turns with three others, so that the
/// last goes 36 cycles after the first; with no more than a packet each from the others they go within 13. With queues of
/// its own it waits only where its input chooses the other queue, which moves on when that has had its turn, after four
/// cycles at most, and for the packet that its input sends then.
#[test]
fn a_busy_output_keeps_its_own_waiting() {
    let cycle = 1_600;
    for queues in [Queues::Input, Queues::VirtualOutput] {
        let [alone, contended] = [false, true].map(|others| overtaking(&switch(6, 1, queues), others));
        match queues {
            Queues::Input => assert!(contended >= alone + (36 - 12) * cycle, "{contended} with others, {alone} alone"),
            _ => assert!(contended <= alone + 5 * cycle, "{contended} with others, {alone} alone"),
        }
    }
}
