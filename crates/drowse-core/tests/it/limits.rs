//! Links that cannot be filled, and what fills them: closed forms against a stream of packets that is simulated.

use drowse_core::limits::{Cause, Limit, limits};
use drowse_core::model::config::{Config, Forwarding, VirtualChannels};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{HyperX, Network, PerDimension, TopologySpec};
use proptest::prelude::*;

use crate::common::*;

/// Returns the bits per second that node 0 gets through to node 1, start and end of the message left out: over
/// whole bursts of as many packets as a buffer holds, for what limits a stream may be the time between two bursts.
fn stream(network: &Network, config: &Config) -> f64 {
    let packet = u64::from(config.switch.packet_flits) * config.switch.flit.0;
    let burst =
        u64::from(config.switch.vcs.total()) * u64::from(config.switch.buffer_flits / config.switch.packet_flits);
    let count = 800_u64.next_multiple_of(burst);
    let finish = |packets: u64| {
        let ranks = vec![vec![send(1, packets * packet)], vec![recv(0)]];
        run(network, config, job(ranks, &[0, 1])).makespan.unwrap().0
    };
    let took = finish(2 * count) - finish(count);
    (count * packet * 8) as f64 / Time(took).seconds()
}

fn gigabits(count: u64) -> BitRate {
    BitRate(count * 1_000_000_000)
}

/// Returns parameters with large buffers, where all links have this bandwidth and messages are sent at once.
fn fast(network: &Network, gbps: u64) -> Config {
    let mut config = config(network, 3);
    config.switch.buffer_flits = 4_096;
    config.node.eager_limit = Bytes(1 << 40);
    config.classes.iter_mut().for_each(|class| class.bandwidth = gigabits(gbps));
    config
}

/// Does what a limit's message says.
fn remedy(config: &mut Config, limit: &Limit) {
    let vcs = u64::from(config.switch.vcs.total());
    match limit.cause {
        Cause::Clock { fills, .. } => {
            let packets = config.switch.buffer_flits / config.switch.packet_flits;
            config.switch.packet_flits = (fills.0 / config.switch.flit.0) as u16;
            config.switch.buffer_flits = packets * config.switch.packet_flits;
        }
        Cause::Credits { fills, .. } => {
            let flits = (fills.0 / config.switch.flit.0 / vcs) as u16;
            config.switch.buffer_flits = flits.max(config.switch.buffer_flits);
        }
        Cause::ReadPorts { .. } => unreachable!("all links are as fast"),
    }
}

/// 800 Gb/s with packets of 128 B and a clock of 1.6 ns carry 640 Gb/s: 1024 bits in 1.6 ns. Packets of 160 B, which
/// take a clock cycle, carry all.
#[test]
fn a_packet_shorter_than_a_clock_cycle_leaves_gaps() {
    let network = mesh(&[2], 1, 1);
    let mut config = fast(&network, 800);
    let found = limits(&network, &config);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].classes, network.classes);
    assert!((found[0].carried - 640e9).abs() < 1.0);
    assert!((stream(&network, &config) / 640e9 - 1.0).abs() < 0.001);
    remedy(&mut config, &found[0]);
    assert_eq!(config.switch.packet_flits, 10);
    assert_eq!(limits(&network, &config), []);
    assert!((stream(&network, &config) / 800e9 - 1.0).abs() < 0.001);
}

/// A packet of 128 B takes 12.8 ns at 80 Gb/s. If the next is allocated only when it has left, which takes three cycles of
/// 1.6 ns, a stream gets 12.8 of 17.6 ns.
#[test]
fn ports_that_are_idle_while_they_allocate() {
    let network = mesh(&[2], 1, 1);
    let mut config = fast(&network, 80);
    for (gap, share) in [(0, 1.0), (4_800, 12.8 / 17.6)] {
        config.switch.allocation_gap = Time(gap);
        assert!((stream(&network, &config) / (share * 80e9) - 1.0).abs() < 0.001, "{gap} ps");
    }
}

/// An input port with one read port passes a link of 400 Gb/s on to four nodes of 100 Gb/s at 100 Gb/s; with four it
/// passes on all, each stream on a virtual channel of its own where they are dealt out evenly.
#[test]
fn a_fast_link_to_slow_nodes_needs_read_ports() {
    let network = mesh(&[2], 1, 4);
    let mut config = fast(&network, 400);
    config.classes[0].bandwidth = gigabits(100);
    let found = limits(&network, &config);
    assert_eq!(found.len(), 1, "{found:?}");
    let Cause::ReadPorts { speedup: 1, fills: 4, .. } = found[0].cause else { panic!("{found:?}") };
    assert!((found[0].carried - 100e9).abs() < 1.0);
    let rate = |config: &Config| {
        let finish = |packets: u64| {
            let sends = (4..8).map(|to| vec![send(to, packets * 128)]);
            let ranks = sends.chain((0..4).map(|from| vec![recv(from)])).collect();
            run(&network, config, job(ranks, &[0, 1, 2, 3, 4, 5, 6, 7])).makespan.unwrap().0
        };
        (4 * 800 * 128 * 8) as f64 / Time(finish(1_600) - finish(800)).seconds()
    };
    assert!((rate(&config) / 100e9 - 1.0).abs() < 0.02, "{}", rate(&config));
    config.switch.input_speedup = 4;
    assert_eq!(limits(&network, &config), []);
    assert!(rate(&config) > 250e9, "{}", rate(&config));
}

/// Datelines halve the escape channels of a packet in dimensions that close to a ring, and only there: a torus of 4 x 2
/// closes the first.
#[test]
fn only_rings_have_datelines() {
    let network = torus(&[4, 2], 1, 1);
    let mut config = fast(&network, 80);
    // A packet takes 8 cycles, a round trip 19. Each of the four virtual channels holds one packet: four fill a link, two
    // do not.
    config.switch.buffer_flits = 8;
    config.classes.iter_mut().for_each(|class| class.hop = Time(1_600 * 10));
    let named: Vec<String> = limits(&network, &config).into_iter().flat_map(|limit| limit.classes).collect();
    assert_eq!(named, ["dim-0"]);
}

fn is_clock(limit: &Limit) -> bool {
    matches!(limit.cause, Cause::Clock { .. })
}

/// Networks on which a stream between two nodes has one path, with virtual channels that split evenly.
fn network(kind: usize, vcs: u8) -> (Network, VirtualChannels) {
    match kind {
        0 => (mesh(&[2], 1, 1), VirtualChannels::grid(0, vcs)),
        1 => (torus(&[3], 1, 1), VirtualChannels::grid(0, vcs.next_multiple_of(2))),
        _ => {
            let hyperx = HyperX { dims: vec![2, 2], widths: PerDimension::All(1), nodes: 1 };
            (TopologySpec::HyperX(hyperx).build().unwrap(), VirtualChannels::hop(vcs.next_multiple_of(2)))
        }
    }
}

proptest! {
    #![proptest_config(proptest_config(64))]

    /// A stream is as fast as the slowest of bandwidth and limits, but for three clock cycles in each round trip; what
    /// the limits ask for fills the links.
    #[test]
    fn a_stream_is_as_fast_as_the_limits_permit(
        kind in 0..3usize,
        vcs in 1..5u8,
        clock in 500..3_000u64,
        packet_flits in 1..20u16,
        packets in 1..12u16,
        gbps in 10..900u64,
        latency in 0..200_000u64,
        pipeline in 1..30u64,
        nic in 0..50_000u64,
        stores in any::<bool>(),
    ) {
        let (network, vcs) = network(kind, vcs);
        let mut config = config(&network, 0);
        config.switch.clock = Time(clock);
        config.switch.packet_flits = packet_flits;
        config.switch.buffer_flits = packets * packet_flits;
        config.switch.vcs = vcs;
        config.switch.forwarding = if stores { Forwarding::StoreAndForward } else { Forwarding::CutThrough };
        config.routing = if vcs.hop > 0 { RoutingKind::Minimal } else { RoutingKind::DimensionOrder };
        config.node.eager_limit = Bytes(1 << 40);
        config.node.nic_latency = Time(nic);
        for class in &mut config.classes {
            class.bandwidth = gigabits(gbps);
            class.latency = Time(latency);
            class.hop = Time(pipeline * clock + latency);
        }
        let found = limits(&network, &config);
        let full = gbps as f64 * 1e9;
        let most = found.iter().map(|limit| limit.carried).fold(full, f64::min);
        let rate = stream(&network, &config);
        prop_assert!(rate <= most * 1.001, "{rate} of {most}: {found:?}");
        // A buffer that holds what is sent in the shortest round trip may hold too little for the waits.
        let bits = f64::from(packet_flits) * 128.0;
        let stays = if stores { 2.0 } else { 1.0 };
        let shortest = (nic.min(pipeline * clock) + 2 * latency) as f64 + stays * bits * 1e3 / gbps as f64;
        let waits = 3.0 * clock as f64;
        let least = most * shortest / (shortest + waits);
        prop_assert!(rate >= least * 0.98, "{rate} of {least}: {found:?}");
        // A larger packet makes a longer round trip, so that what fills buffers comes last.
        for cause in [is_clock, |limit: &Limit| !is_clock(limit)] {
            let found = limits(&network, &config);
            found.iter().filter(|limit| cause(limit)).for_each(|limit| remedy(&mut config, limit));
        }
        prop_assert_eq!(limits(&network, &config), []);
        if found.iter().any(|limit| !is_clock(limit)) && !found.iter().any(is_clock) {
            let rate = stream(&network, &config);
            prop_assert!(rate >= full * 0.99, "{rate} of {full}");
        }
    }
}
