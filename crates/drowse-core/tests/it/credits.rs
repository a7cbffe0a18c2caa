//! Credits and round-robin priority with several read ports per input, and with several partitions.

use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::Network;
use drowse_core::workload::operation::Operation;

use crate::common::*;

/// A credit returns when the packet has left the next switch. With a fast output there, this is earlier than the
/// channel between the partitions could send the packet.
#[test]
fn credits_of_fast_outputs_cross_partitions() {
    let network = mesh(&[2], 1, 1);
    let mut config = config(&network, 19);
    config.switch.vcs = VirtualChannels::grid(0, 1);
    config.switch.packet_flits = 1;
    config.switch.buffer_flits = 1;
    // An audited run stops after every bucket.
    config.audit = false;
    config.classes[1].latency = Time::ZERO;
    config.classes[1].bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    // A rank at the sending switch is busy in every cycle, so that its partition reaches the end of each window.
    let busy = || vec![compute(Time(1_600)); 1_000];
    let workload = || job(vec![vec![send(1, 16 * 20)], vec![recv(0)], busy()], &[0, 1, 0]);
    let always_on = StallTimer::always_on(2);
    let whole = run(&network, &config, workload());
    let partitioned = run_in(2, &network, &config, &always_on, workload());
    assert_eq!(without_events(partitioned), without_events(whole));
}

/// A square with two virtual channels and two read ports; the second dimension is slow.
fn two_read_ports() -> (Network, Config) {
    let network = mesh(&[2, 2], 1, 1);
    let mut config = config(&network, 1);
    config.switch.vcs = VirtualChannels::grid(0, 2);
    config.switch.input_speedup = 2;
    config.switch.buffer_flits = 32;
    config.switch.packet_flits = 32;
    config.classes[2].bandwidth = BitRate::from_bytes_per_second(100_000_000);
    (network, config)
}

/// A short packet returns its credit when it has left, although a long packet is still leaving by another read port.
#[test]
fn credits_of_two_read_ports_do_not_wait_for_each_other() {
    let (network, config) = two_read_ports();
    // To node 3 over the slow dimension, 32 flits of 160 ns each. To node 1 first one flit, then a full packet that
    // needs the credit of the flit.
    let sender = vec![send(1, 32 * 16), send(2, 16), send(2, 32 * 16)];
    let record = run(&network, &config, job(vec![sender, vec![recv(0)], vec![recv(0), recv(0)]], &[0, 3, 1]));
    assert!(record.ranks[2].finish < Time(200 * 1_600), "{:?}", record.ranks);
}

/// Queues of one input port that request the same output alternate.
#[test]
fn read_ports_alternate() {
    let (network, mut config) = two_read_ports();
    config.switch.packet_flits = 8;
    // The second message enters the second queue. The slow output keeps both queues full from then on.
    let mut sender = vec![send(1, 128), Operation::send(1, 1, 128)];
    sender.extend(vec![send(1, 128); 300]);
    let receiver = vec![Operation::recv(0, 1)];
    let record = run(&network, &config, job(vec![sender, receiver], &[0, 2]));
    // A packet takes 1.28 us: 300 of them 384 us.
    assert!(record.ranks[1].finish < Time::from_us(20), "{:?}", record.ranks[1].finish);
}

/// A packet that already waits for a later credit is woken by a credit that overtakes it.
#[test]
fn a_credit_that_overtakes_wakes_the_packet() {
    let (network, mut config) = two_read_ports();
    // The flit is still travelling when the long packet's credit is scheduled, which returns after 5 us.
    config.classes.iter_mut().for_each(|class| class.hop = Time(100 * 1_600));
    let sender = vec![send(1, 32 * 16), send(2, 16), send(2, 32 * 16)];
    let record = run(&network, &config, job(vec![sender, vec![recv(0)], vec![recv(0), recv(0)]], &[0, 3, 1]));
    assert!(record.ranks[2].finish < Time(500 * 1_600), "{:?}", record.ranks);
}

/// What waits costs nothing: where links take a thousand times as long for a flit, a run has about as many events, as it
/// has packets, and not as many as clock edges. Buffers hold one packet, so that most packets wait for credits.
#[test]
fn slow_links_cause_no_more_events() {
    let network = torus(&[4, 4], 1, 1);
    let rank = |rank: u32| {
        let others = (1..16).map(move |step| (rank + step) % 16);
        let sends = others.clone().map(|to| isend(to, 0, 1_000, to));
        sends.chain(others.map(recv)).collect()
    };
    let ranks: Vec<Vec<Operation>> = (0..16).map(rank).collect();
    for read_ports in [1, 2] {
        let events = |slower: u64| {
            let mut config = config(&network, 3);
            (config.routing, config.switch.vcs) = (RoutingKind::Adaptive, VirtualChannels::grid(2, 2));
            (config.switch.input_speedup, config.switch.buffer_flits) = (read_ports, config.switch.packet_flits);
            config.classes.iter_mut().for_each(|class| class.bandwidth = BitRate(class.bandwidth.0 / slower));
            run(&network, &config, job(ranks.clone(), &(0..16).collect::<Vec<u32>>())).events
        };
        let (fast, slow) = (events(1), events(1_000));
        assert!(slow < 2 * fast, "{read_ports} read ports: {slow} and {fast} events");
    }
}
