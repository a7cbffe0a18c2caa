//! Credits and turns where several read ports of an input, or shards, are at work side by side.

use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::StallTimer;
use drowse_core::topology::Network;
use drowse_core::workload::operation::Operation;

use crate::audit::{run_in, without_events};
use crate::common::*;

/// A credit comes back when the packet has left the next switch, which is sooner the faster its output there: faster than
/// the cut channel itself would send it.
#[test]
fn credits_of_fast_outputs_cross_a_cut() {
    let network = mesh(&[2], 1, 1);
    let mut config = config(&network, 19);
    config.switch.vcs = VirtualChannels::grid(0, 1);
    config.switch.packet_flits = 1;
    config.switch.buffer_flits = 1;
    // An audited run stops after every bucket.
    config.audit = false;
    config.classes[1].latency = Time::ZERO;
    config.classes[1].bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    // A rank at the sending switch has something to do in every cycle, so that its part is at the window's end each time.
    let busy = || vec![compute(Time(1_600)); 1_000];
    let workload = || job(vec![vec![send(1, 16 * 20)], vec![recv(0)], busy()], &[0, 1, 0]);
    let always_on = StallTimer::always_on(2);
    let whole = run(&network, &config, workload());
    let cut = run_in(2, &network, &config, &always_on, workload());
    assert_eq!(without_events(cut), without_events(whole));
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

/// A short packet gives its credit back when it has left, though a long one that left by another read port is still being
/// sent.
#[test]
fn credits_of_two_read_ports_do_not_wait_for_each_other() {
    let (network, config) = two_read_ports();
    // To node 3 by the slow way, 32 flits of 160 ns each; to node 1 first one flit, then a full packet, which needs the
    // one flit's credit.
    let sender = vec![send(1, 32 * 16), send(2, 16), send(2, 32 * 16)];
    let record = run(&network, &config, job(vec![sender, vec![recv(0)], vec![recv(0), recv(0)]], &[0, 3, 1]));
    assert!(record.ranks[2].finish < Time(200 * 1_600), "{:?}", record.ranks);
}

/// Queues of one input port that ask for the same output take turns.
#[test]
fn read_ports_take_turns() {
    let (network, mut config) = two_read_ports();
    config.switch.packet_flits = 8;
    // The second message goes to the second queue; the slow output keeps both queues full from then on.
    let mut sender = vec![send(1, 128), Operation::Send { to: 1, tag: 1, bytes: 128 }];
    sender.extend(vec![send(1, 128); 300]);
    let receiver = vec![Operation::Recv { from: Some(0), tag: Some(1) }];
    let record = run(&network, &config, job(vec![sender, receiver], &[0, 2]));
    // A packet takes 1.28 us: 300 of them 384 us.
    assert!(record.ranks[1].finish < Time::from_us(20), "{:?}", record.ranks[1].finish);
}

/// The same where the packet that needs the credit waits already, for one that comes later: it is told.
#[test]
fn a_credit_that_overtakes_is_told() {
    let (network, mut config) = two_read_ports();
    // The one flit is still on its way when the long packet's credit, to come after 5 us, is announced.
    config.classes.iter_mut().for_each(|class| class.hop = Time(100 * 1_600));
    let sender = vec![send(1, 32 * 16), send(2, 16), send(2, 32 * 16)];
    let record = run(&network, &config, job(vec![sender, vec![recv(0)], vec![recv(0), recv(0)]], &[0, 3, 1]));
    assert!(record.ranks[2].finish < Time(500 * 1_600), "{:?}", record.ranks);
}
