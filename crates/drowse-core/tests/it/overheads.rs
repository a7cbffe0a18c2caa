//! What messages cost processors and NICs (LogGOPS): programs computed by hand, on an ideal network where only the
//! latency is the network's.

use drowse_core::measure::{CriticalPath, RankTimes, Record, Waits};
use drowse_core::model::config::Overheads;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::topology::{Ideal, TopologySpec};
use drowse_core::workload::operation::Operation;

use crate::common::*;

/// L, o, O, g and G of the tests, in picoseconds; all differ, so that no two can be confused.
const LATENCY: u64 = 2_500_007;
const MESSAGE: u64 = 1_500_011;
const BYTE: u64 = 1_009;
const GAP: u64 = 4_000_037;
const GAP_PER_BYTE: u64 = 6_029;

fn run_costing(overheads: Overheads, ranks: Vec<Vec<Operation>>, nodes: &[u32]) -> Record {
    let ideal = Ideal { nodes: 8, latency: Time(LATENCY), bandwidth: BitRate::UNLIMITED };
    let network = TopologySpec::Ideal(ideal).build().unwrap();
    let mut config = config(&network, 1);
    config.node.eager_limit = Bytes(10_000);
    config.node.overheads = overheads;
    let record = run(&network, &config, job(ranks, nodes));
    for rank in &record.ranks {
        assert_eq!((rank.times.total(), rank.path.total()), (rank.finish, rank.finish));
    }
    record
}

const ALL: Overheads =
    Overheads { message: Time(MESSAGE), byte: Time(BYTE), gap: Time(GAP), gap_per_byte: Time(GAP_PER_BYTE) };

fn finishes(overheads: Overheads, ranks: Vec<Vec<Operation>>) -> Vec<u64> {
    let nodes: Vec<u32> = (0..ranks.len() as u32).collect();
    run_costing(overheads, ranks, &nodes).ranks.iter().map(|rank| rank.finish.0).collect()
}

/// One message: o and O at the sender, L, then o and the longer of O and G at the receiver. A message of no bytes costs
/// what one byte does.
#[test]
fn one_message() {
    for bytes in [0, 1, 2, 1_000] {
        let rest = if bytes == 0 { 0 } else { bytes - 1 };
        let one = || vec![vec![send(1, bytes)], vec![recv(0)]];
        let sender = MESSAGE + rest * BYTE;
        let receiver = |each: u64| MESSAGE + LATENCY + MESSAGE + rest * each;
        assert_eq!(finishes(ALL, one()), [sender, receiver(GAP_PER_BYTE)]);
        let copies = Overheads { gap_per_byte: Time(BYTE - 1), ..ALL };
        assert_eq!(finishes(copies, one()), [sender, receiver(BYTE)]);
        assert_eq!(finishes(Overheads::NONE, one()), [0, LATENCY]);
    }
}

/// A NIC begins its next message when the gap after the last one has passed, and the sender waits for that; the other
/// NIC begins to receive at the same rate. With a shorter gap, the processors are the limit.
#[test]
fn several_messages() {
    const COUNT: u64 = 5;
    let ranks = |bytes| vec![vec![send(1, bytes); COUNT as usize], vec![recv(0); COUNT as usize]];
    for bytes in [1, 101] {
        let gap = GAP + (bytes - 1) * GAP_PER_BYTE;
        let (sends, receives) = (MESSAGE + (bytes - 1) * BYTE, MESSAGE + (bytes - 1) * GAP_PER_BYTE);
        let last = (COUNT - 1) * gap;
        let expected = [last + sends, last + MESSAGE + LATENCY + receives];
        assert_eq!(finishes(ALL, ranks(bytes)), expected);
        let processors = Overheads { gap: Time(7), gap_per_byte: Time::ZERO, ..ALL };
        let expected = [COUNT * sends, MESSAGE + LATENCY + COUNT * sends];
        assert_eq!(finishes(processors, ranks(bytes)), expected);
    }
}

/// Ranks of one node share its NIC, and messages between them do not use it.
#[test]
fn ranks_of_a_node() {
    let gap_only = Overheads { gap: Time(GAP), ..Overheads::NONE };
    let ranks = vec![vec![send(2, 8)], vec![send(2, 8)], vec![recv(0), recv(1)]];
    let record = run_costing(gap_only, ranks, &[0, 0, 1]);
    let finishes: Vec<u64> = record.ranks.iter().map(|rank| rank.finish.0).collect();
    assert_eq!(finishes, [0, GAP, GAP + LATENCY]);
    let waits = Waits { network: Time(GAP), ..Waits::default() };
    assert_eq!(record.ranks[1].times, RankTimes { sending: Time(GAP), waits, ..RankTimes::default() });
    let path = CriticalPath { network: Time(GAP + LATENCY), ..CriticalPath::NOTHING };
    assert_eq!(record.jobs[0].path, path);
    // 8 B at 10 GB/s after 300 ns; each costs both processors o and 7 O.
    let (memory, busy) = (300_800, MESSAGE + 7 * BYTE);
    let within = run_costing(ALL, vec![vec![send(1, 8), send(1, 8)], vec![recv(0), recv(0)]], &[3, 3]);
    let finishes: Vec<u64> = within.ranks.iter().map(|rank| rank.finish.0).collect();
    assert_eq!(finishes, [2 * busy, busy + MESSAGE + memory + busy]);
}

/// Messages of two nodes come to a third, the second one half a gap after the first: its NIC receives it half a gap
/// later, although no processor is busy. That is the network's time, of ranks and of the critical path; O and o are not.
#[test]
fn what_waits_for_a_nic_waits_in_the_network() {
    for message in [0, MESSAGE] {
        let o = Overheads { message: Time(message), gap: Time(GAP), ..Overheads::NONE };
        let half = GAP / 2;
        let ranks = vec![vec![send(2, 1)], vec![compute(Time(half)), send(2, 1)], vec![recv(0), recv(1)]];
        let record = run_costing(o, ranks, &[0, 1, 2]);
        let rest = GAP - half;
        assert_eq!(record.ranks[2].finish.0, message + LATENCY + GAP + message);
        let (computing, network, overhead) = (Time(half), Time(LATENCY + rest), Time(2 * message));
        assert_eq!(record.jobs[0].path, CriticalPath { computing, network, overhead, ..CriticalPath::NOTHING });
        let RankTimes { overhead, receiving, .. } = record.ranks[2].times;
        assert_eq!((overhead.0, receiving.0), (2 * message, message + LATENCY + GAP - message));
    }
}

/// A processor that computes receives nothing; the message is received next, before the rank goes on, since it was sent
/// before the computing began. One that was sent later comes after the next operation.
#[test]
fn processors_do_one_thing_at_a_time() {
    let o = Overheads { message: Time(MESSAGE), ..Overheads::NONE };
    let long = 20_000_000;
    let sender = |pause: u64| vec![compute(Time(pause)), send(1, 1)];
    let receiver = || vec![compute(Time(3)), compute(Time(long)), compute(Time(long)), recv(0)];
    let early = run_costing(o, vec![sender(1), receiver()], &[0, 1]);
    assert_eq!(early.ranks[1].finish.0, 3 + 2 * long + MESSAGE);
    let (computing, overhead) = (Time(3 + 2 * long), Time(MESSAGE));
    assert_eq!(early.ranks[1].times, RankTimes { computing, overhead, ..RankTimes::default() });
    // The rank ends when its processor has received what came while it computed.
    let nobody_asks = |pause| run_costing(o, vec![sender(pause), receiver()[..3].to_vec()], &[0, 1]).ranks[1].finish.0;
    assert_eq!(nobody_asks(1), 3 + 2 * long + MESSAGE);
    assert_eq!(nobody_asks(4), 3 + 2 * long + MESSAGE);
    assert_eq!(nobody_asks(3 + long + 1), 3 + 2 * long);
}

/// A send that has begun is handed over before anything else is received.
#[test]
fn sends_are_not_interrupted() {
    let o = Overheads { message: Time(MESSAGE), ..Overheads::NONE };
    // The first arrives while rank 0 computes and is received after that; the second waits for rank 0's send.
    let computes = MESSAGE + LATENCY + MESSAGE + 5;
    let first = vec![compute(Time(computes)), send(2, 1)];
    let second = vec![send(0, 1), send(0, 1)];
    let received_first = MESSAGE;
    assert_eq!(
        finishes(o, vec![first, second, vec![recv(0)]])[2],
        computes + received_first + MESSAGE + LATENCY + MESSAGE
    );
}

/// A large message costs the sender its o before it asks, and the receiver when the data has come; asking and answering
/// cost nothing.
#[test]
fn large_messages() {
    const BYTES: u64 = 20_000;
    let record = run_costing(ALL, vec![vec![send(1, BYTES)], vec![recv(0)]], &[0, 1]);
    let copied = MESSAGE + (BYTES - 1) * BYTE;
    let left = MESSAGE + 2 * LATENCY;
    assert_eq!(record.ranks[0].finish.0, copied.max(left));
    assert_eq!(record.ranks[1].finish.0, left + LATENCY + MESSAGE + (BYTES - 1) * GAP_PER_BYTE);
    let overhead = Time(2 * MESSAGE + (BYTES - 1) * GAP_PER_BYTE);
    assert_eq!(record.jobs[0].path, CriticalPath { overhead, network: Time(3 * LATENCY), ..CriticalPath::NOTHING });
    let waiting = Time(MESSAGE + 3 * LATENCY);
    let overhead = Time(MESSAGE + (BYTES - 1) * GAP_PER_BYTE);
    let waits = Waits { partner_working: Time(MESSAGE), network: Time(3 * LATENCY), ..Waits::default() };
    assert_eq!(record.ranks[1].times, RankTimes { receiving: waiting, overhead, waits, ..RankTimes::default() });
}
