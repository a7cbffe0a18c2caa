//! Times that follow from arithmetic, to the picosecond.

use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

use crate::common::*;

/// A lone message of one packet over H switch-to-switch channels takes the injection wire, H + 1 hops and its own
/// length.
#[test]
fn zero_load_latency_of_a_packet() {
    let network = torus(&[8, 8, 8], 1, 1);
    // Node 0 is at the origin; these are 1, 4, 5 and 12 hops away.
    for (to, distance) in [(1, 1), (4, 4), (4 + 8, 5), (4 + 8 * 4 + 64 * 4, 12)] {
        for pipeline in [1, 3, 20, 31] {
            for flits in [1, 5, 8] {
                let config = config(&network, pipeline);
                let record = run(&network, &config, job(vec![vec![send(1, flits * 16)], vec![recv(0)]], &[0, to]));
                let cycles = 1 + (pipeline + 1) * (distance + 1) + flits;
                assert_eq!(record.makespan, Some(Time(1_600 * cycles)), "to {to}, pipeline {pipeline}, {flits} flits");
                assert_eq!(record.message_latency.sum(), u128::from(1_600 * cycles));
                assert_eq!(record.hops, distance + 1);
            }
        }
    }
}

/// The peers' zero-load formulas: BookSim2's 4(H+1) + 2 + (L-1) with every wire a cycle; CAMINOS's 2(H+1) + 1 + (L-1)
/// counts from the first flit's arrival, which leaves out the injection wire's cycle.
#[test]
fn zero_load_latency_of_the_peers() {
    let network = torus(&[8, 8, 8], 1, 1);
    for (to, distance) in [(1u32, 1u64), (4, 4), (4 + 8 * 4 + 64 * 4, 12)] {
        for flits in [1, 8] {
            let one = || job(vec![vec![send(1, flits * 16)], vec![recv(0)]], &[0, to]);
            let booksim = config(&network, 3);
            let cycles = 4 * (distance + 1) + 2 + (flits - 1);
            assert_eq!(run(&network, &booksim, one()).makespan, Some(Time(1_600 * cycles)));
            let mut caminos = config(&network, 1);
            caminos.classes[0].latency = Time::ZERO;
            let cycles = 2 * (distance + 1) + 1 + (flits - 1);
            assert_eq!(run(&network, &caminos, one()).makespan, Some(Time(1_600 * cycles)));
        }
    }
}

/// A lone long flow reaches exactly the bandwidth of the slowest link, with any clock. Its latency is that of the first
/// bit plus size over bandwidth, and at most one cycle of alignment in each switch.
#[test]
fn a_lone_flow_reaches_the_bandwidth() {
    let network = torus(&[8], 1, 1);
    let size = 1_000_000 * 16;
    for bandwidth in [10_000_000_000, 3_000_000_000, 12_500_000_000, 7_777_777_777] {
        let mut config = config(&network, 3);
        config.audit = false;
        config.node.eager_limit = Bytes(u64::MAX);
        for class in &mut config.classes {
            class.bandwidth = BitRate::from_bytes_per_second(bandwidth);
        }
        let record = run(&network, &config, job(vec![vec![send(1, size)], vec![recv(0)]], &[0, 3]));
        let transfer = (u128::from(size) * 1_000_000_000_000 / u128::from(bandwidth)) as u64;
        let first_bit = 1_600 * (1 + 4 * 4);
        let makespan = record.makespan.unwrap().0;
        assert!(makespan >= first_bit + transfer, "{bandwidth}: {makespan} is faster than {}", first_bit + transfer);
        assert!(makespan <= first_bit + transfer + 4 * 1_600, "{bandwidth}: {makespan}, {}", first_bit + transfer);
    }
}

/// Open-loop messages of several packets offer the same load as single packets. On an idle network, a message of 4
/// packets takes the time of 3 packets more than a single packet.
#[test]
fn messages_of_several_packets() {
    let network = mesh(&[2], 1, 1);
    let run_packets = |packets, load| {
        let (warmup, measure) = (Time::ZERO, Time(1_600 * 400_000));
        let (pattern, count) = (Pattern::Uniform, Count::Generated);
        let packets = Lengths::packets(packets);
        let traffic = Traffic { pattern, packets, load, include_self: false, count, warmup, measure, drain: true };
        let mut config = config(&network, 3);
        config.audit = false;
        run(&network, &config, Workload::OpenLoop(traffic))
    };
    for packets in [1, 4] {
        let record = run_packets(packets, 0.2);
        let open_loop = record.open_loop.unwrap();
        assert!((open_loop.generated_flits as f64 / open_loop.capacity_flits - 0.2).abs() < 0.01);
        assert_eq!(record.packet_latency.count(), u64::from(packets) * record.message_latency.count());
    }
    // So rarely that messages do not meet: one wire, two hops of four cycles, four packets of eight.
    let latency = run_packets(4, 0.000_3).message_latency;
    assert!(latency.count() > 5);
    assert_eq!(latency.quantile(50, 100), latency.quantile(1, 100));
    assert!((latency.mean().unwrap() / 1_600.0 - (1.0 + 8.0 + 32.0)).abs() < 1.0, "{:?}", latency.mean());
}

/// Without ranks, the measured time is the window alone: neither what warms the network up nor what drains it. A channel
/// cannot carry more than a flit in each of its cycles.
#[test]
fn the_measured_time_of_traffic_is_its_window() {
    let network = torus(&[4], 1, 1);
    let (warmup, measure) = (Time(1_600 * 700), Time(1_600 * 300));
    let (pattern, count, packets) = (Pattern::Uniform, Count::Generated, Lengths::packets(1));
    let traffic = Traffic { pattern, packets, load: 0.9, include_self: false, count, warmup, measure, drain: true };
    let record = run(&network, &config(&network, 3), Workload::OpenLoop(traffic));
    assert_eq!(record.measured, measure);
    for channel in &record.channels {
        assert_eq!(channel.residency.iter().map(|time| time.0).sum::<u64>(), measure.0);
        assert!(channel.flits <= 300 + 8, "{} flits in 300 cycles, the last packet whole", channel.flits);
    }
}
