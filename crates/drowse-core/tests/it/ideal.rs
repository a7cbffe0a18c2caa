//! The ideal network: each message takes latency and bytes over bandwidth, independently of all others.

use drowse_core::model::config::VirtualChannels;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::topology::{Ideal, Network, TopologySpec};
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

use crate::common::*;

const LATENCY: u64 = 1_000;

fn ideal(nodes: u32) -> Network {
    let bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    TopologySpec::Ideal(Ideal { nodes, latency: Time::from_ns(LATENCY), bandwidth }).build().unwrap()
}

fn machine(network: &Network) -> drowse_core::model::config::Config {
    let mut config = config(network, 1);
    config.switch.vcs = VirtualChannels::any(1);
    config.node.eager_limit = Bytes(10_000);
    config
}

#[test]
fn it_has_nodes_and_nothing_else() {
    let network = ideal(5);
    assert_eq!(
        (network.nodes, network.switches(), network.ports(), network.channels(), network.links()),
        (5, 0, 0, 0, 0)
    );
    assert_eq!(network.switch_links(), 0);
}

/// A thousand simultaneous messages from one node to another take as long as one, because no message waits for another.
#[test]
fn messages_do_not_disturb_each_other() {
    let network = ideal(3);
    let config = machine(&network);
    for count in [1, 1_000] {
        let sends = (0..count).map(|i| isend(1, 0, 5_000, i));
        let receives = (0..count).map(|i| irecv(0, 0, i)).chain([Operation::WaitAll]);
        let record = run(&network, &config, job(vec![sends.collect(), receives.collect()], &[0, 2]));
        // 5,000 B at 1 B/ns.
        assert_eq!(record.makespan, Some(Time::from_ns(LATENCY + 5_000)));
        assert_eq!(record.message_latency.count(), u64::from(count));
        assert_eq!(record.message_latency.sum(), u128::from(count) * u128::from(Time::from_ns(LATENCY + 5_000).0));
        assert_eq!((record.packets_injected, record.hops), (0, 0));
    }
}

/// A rendezvous takes three latencies (request to send, clear to send, data) and its bytes. The sender is free when the
/// last bit has left.
#[test]
fn large_messages_wait_for_their_receiver() {
    let network = ideal(2);
    let config = machine(&network);
    let ranks = vec![vec![send(1, 20_000)], vec![compute(Time::from_ns(50_000)), recv(0)]];
    let record = run(&network, &config, job(ranks, &[0, 1]));
    assert_eq!(record.ranks[1].finish, Time::from_ns(50_000 + 2 * LATENCY + 20_000));
    assert_eq!(record.ranks[0].finish, Time::from_ns(50_000 + LATENCY + 20_000));
}

/// A short message overtakes a long one, but matching keeps the order of sending.
#[test]
fn messages_are_matched_in_order() {
    let network = ideal(2);
    let config = machine(&network);
    let ranks = vec![vec![isend(1, 0, 9_000, 0), isend(1, 0, 0, 1)], vec![recv(0), recv(0)]];
    let record = run(&network, &config, job(ranks, &[0, 1]));
    assert_eq!(record.makespan, Some(Time::from_ns(LATENCY + 9_000)));
}

/// Open-loop traffic is delivered at any load, each message with the same latency.
#[test]
fn open_loops_never_saturate() {
    let network = ideal(8);
    let mut config = machine(&network);
    config.classes[0].bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    let traffic = Traffic {
        pattern: Pattern::Uniform,
        load: 0.9,
        packets: Lengths::packets(1),
        include_self: false,
        count: Count::Generated,
        warmup: Time(1_600 * 1_000),
        measure: Time(1_600 * 200_000),
        drain: true,
    };
    let record = run(&network, &config, Workload::OpenLoop(traffic));
    let open_loop = record.open_loop.unwrap();
    assert!(!open_loop.saturated);
    // 18,000 messages: three hundredths are four standard deviations.
    assert!((open_loop.delivered_flits as f64 / open_loop.capacity_flits - 0.9).abs() < 0.03);
    let each = Time::from_ns(LATENCY + 128);
    assert!(record.message_latency.count() > 1_000);
    assert_eq!(record.message_latency.sum(), u128::from(each.0) * u128::from(record.message_latency.count()));
}
