//! Communicators, collectives that go on beside the program, modes of sends, probes, and waits for one of several
//! requests.
//!
//! On the ideal network here a message takes 2 us and 1 ns a byte, whatever else is sent.

use drowse_core::model::config::Config;
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::topology::{Ideal, Network, TopologySpec};
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_core::workload::{Job, Workload};
use proptest::prelude::*;

use crate::common::*;

const LATENCY: Time = Time::from_us(2);

fn ideal(nodes: u32) -> (Network, Config) {
    let bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    let network = TopologySpec::Ideal(Ideal { nodes, latency: LATENCY, bandwidth }).build().unwrap();
    let mut config = config(&network, 1);
    config.node.eager_limit = Bytes(1_000);
    config.node.nic_latency = Time::ZERO;
    (network, config)
}

/// Returns the time of a message.
fn message(bytes: u64) -> Time {
    LATENCY + Time::from_ns(bytes)
}

/// Returns when ranks on nodes of their own finish.
fn finishes(ranks: Vec<Vec<Operation>>, communicators: &Communicators) -> Vec<Time> {
    let (network, config) = ideal(ranks.len() as u32);
    let placement = (0..network.nodes).map(NodeId).collect();
    let source = Box::new(Program::within(ranks, communicators));
    let job = Job { name: "test".into(), source, placement, start: Time::ZERO };
    let record = run(&network, &config, Workload::Jobs(vec![job]));
    assert_eq!(record.warnings, []);
    record.ranks.iter().map(|rank| rank.finish).collect()
}

/// Returns when ranks on nodes of their own finish programs in the communicator of all ranks.
fn finishes_all(ranks: Vec<Vec<Operation>>) -> Vec<Time> {
    let communicators = Communicators::of(ranks.len() as u32);
    finishes(ranks, &communicators)
}

fn send_in(comm: CommId, to: u32, tag: u32, bytes: u64) -> Operation {
    Operation::Send { to, tag, comm, mode: SendMode::Standard, bytes }
}

fn recv_in(comm: CommId, from: Option<u32>, tag: Option<u32>) -> Operation {
    Operation::Recv { from, tag, comm }
}

fn isend_as(mode: SendMode, to: u32, bytes: u64, request: u32) -> Operation {
    Operation::Isend { to, tag: 0, comm: ALL, mode, bytes, request: Some(request) }
}

/// A message is taken only by a receive of its communicator, even by one from any rank with any tag.
#[test]
fn messages_stay_in_their_communicator() {
    let mut communicators = Communicators::of(2);
    let other = communicators.add(vec![1, 0]).unwrap();
    let delay = Time::from_us(50);
    let sender = vec![send_in(other, 1, 3, 8), compute(delay), send_in(ALL, 1, 3, 8)];
    // The one that arrives first waits for the receive of its communicator, which comes last.
    let receiver = vec![recv_in(ALL, None, None), compute(delay), recv_in(other, Some(0), Some(3))];
    assert_eq!(finishes(vec![sender, receiver], &communicators)[1], delay + message(8) + delay);
}

/// Collectives of two communicators that share a rank do not mix, in whichever order their messages come.
#[test]
fn collectives_of_overlapping_communicators() {
    let mut communicators = Communicators::of(3);
    let comms = [vec![0, 1], vec![2, 1]].map(|ranks| communicators.add(ranks).unwrap());
    let bcast = |comm: usize, bytes| Operation::Collective {
        comm: comms[comm],
        collective: Collective::Bcast { root: 0, bytes, count: 1 },
    };
    let delay = Time::from_us(9);
    let ranks = vec![vec![compute(delay), bcast(0, 100)], vec![bcast(0, 100), bcast(1, 200)], vec![bcast(1, 200)]];
    // Rank 2's message comes first, and is received second.
    assert_eq!(finishes(ranks, &communicators), [delay, delay + message(100), Time::ZERO]);
}

/// A collective beside the program takes the longer of its own time and what the program computes meanwhile.
#[test]
fn collectives_beside_the_program() {
    let allreduce = Collective::Allreduce { bytes: 800, count: 100, compute: Time::from_us(1) };
    let start = Operation::Icollective { comm: ALL, request: 4, collective: Box::new(allreduce.clone()) };
    let alone = finishes_all(vec![vec![Operation::collective(allreduce)]; 4])[0];
    // Recursive doubling: two exchanges.
    assert_eq!(alone, message(800) + message(800) + Time::from_us(1));
    for computing in [Time::ZERO, Time::from_us(1), alone, Time::from_us(20)] {
        let program = vec![start.clone(), compute(computing), wait(4)];
        assert_eq!(finishes_all(vec![program; 4]), [computing.max(alone); 4]);
    }
    // Two at once do not mix, nor do their requests with those of the program.
    let second = Operation::Icollective { comm: ALL, request: 5, collective: Box::new(Collective::Barrier) };
    let program =
        |peer| vec![irecv(peer, 0, 0), start.clone(), second.clone(), isend(peer, 0, 10, 1), wait(0), wait(4), wait(5)];
    assert_eq!(finishes_all([1, 0, 3, 2].map(program).to_vec()), [alone; 4]);
    let all = |peer| vec![irecv(peer, 0, 0), start.clone(), second.clone(), isend(peer, 0, 10, 1), Operation::WaitAll];
    assert_eq!(finishes_all([1, 0, 3, 2].map(all).to_vec()), [alone; 4]);
}

/// A synchronous send asks its receiver even if it is small; a buffered one never waits, a ready one never asks.
#[test]
fn modes_of_sends() {
    let delay = Time::from_us(30);
    let times = |mode, bytes, before: Time| {
        let sender = vec![isend_as(mode, 1, bytes, 0), wait(0)];
        finishes_all(vec![sender, vec![compute(before), recv(0)]])
    };
    let small = 100;
    assert_eq!(times(SendMode::Standard, small, delay), [Time::ZERO, delay]);
    // It asks, is answered when the receive is posted, and its data leaves.
    let data = Time::from_ns(small);
    assert_eq!(times(SendMode::Synchronous, small, delay), [delay + LATENCY + data, delay + LATENCY + message(small)]);
    let large = 10_000;
    let data = Time::from_ns(large);
    assert_eq!(times(SendMode::Standard, large, delay), [delay + LATENCY + data, delay + LATENCY + message(large)]);
    assert_eq!(times(SendMode::Buffered, large, delay), [Time::ZERO, delay + LATENCY + message(large)]);
    assert_eq!(times(SendMode::Ready, large, Time::ZERO), [data, message(large)]);
    // Its data is there when the receive comes too late.
    assert_eq!(times(SendMode::Ready, large, delay), [data, delay]);
}

/// Within a node, the data of a ready send goes through memory, and completes the send and the receive together.
#[test]
fn a_ready_send_through_memory() {
    let (network, config) = ideal(1);
    let record = run(
        &network,
        &config,
        job(vec![vec![isend_as(SendMode::Ready, 1, 2_000, 0), wait(0)], vec![recv(0)]], &[0, 0]),
    );
    let time = config.node.memory_latency + config.node.memory_bandwidth.transfer_time(2_000);
    assert_eq!(record.ranks.iter().map(|rank| rank.finish).collect::<Vec<_>>(), [time; 2]);
}

/// A large send that nobody waits for goes on beside the program.
#[test]
fn sends_that_nobody_waits_for() {
    let forgotten =
        Operation::Isend { to: 1, tag: 0, comm: ALL, mode: SendMode::Standard, bytes: 5_000, request: None };
    let times = finishes_all(vec![vec![forgotten, Operation::WaitAll], vec![recv(0)]]);
    assert_eq!(times, [Time::ZERO, LATENCY + LATENCY + message(5_000)]);
}

/// Of two requests, the earlier ends a wait for one of them, and is forgotten; the next wait is for the other.
#[test]
fn waits_for_one_of_several() {
    let times = [Time::from_us(10), Time::from_us(40)];
    let senders = times.map(|time| vec![compute(time), send(2, 8)]);
    let receive = [irecv(0, 0, 7), irecv(1, 0, 8)];
    let any = || Operation::WaitAny([8, 7].into());
    let program = |waits: Vec<Operation>| [senders.to_vec(), vec![[receive.to_vec(), waits].concat()]].concat();
    let end = |waits| finishes_all(program(waits))[2];
    assert_eq!(end(vec![any()]), times[0] + message(8));
    assert_eq!(end(vec![any(), wait(7)]), times[0] + message(8), "it is forgotten");
    assert_eq!(end(vec![any(), any()]), times[1] + message(8));
    assert_eq!(end(vec![any(), any(), any()]), times[1] + message(8), "none is left");
    // Both are complete: one wait forgets the first of the list, the other all.
    let delay = compute(Time::from_us(90));
    assert_eq!(end(vec![delay.clone(), Operation::WaitSome([8, 7].into()), any()]), Time::from_us(90));
    assert_eq!(end(vec![delay, any(), any()]), Time::from_us(90));
}

/// A list that names requests twice forgets each once: those that follow are requests of their own.
#[test]
fn waits_may_name_a_request_twice() {
    let delay = |time| compute(Time::from_us(time));
    let first = vec![send(2, 8), delay(100), send(2, 8), delay(100), Operation::send(2, 1, 8)];
    let second = vec![send(2, 8), delay(150), send(2, 8)];
    let begin = vec![irecv(0, 0, 7), irecv(1, 0, 8), delay(50), Operation::WaitSome([8, 7, 8, 7].into())];
    let then = vec![irecv(0, 1, 1), irecv(0, 0, 2), irecv(1, 0, 3), wait(2), wait(3), wait(1)];
    let record = finishes_all(vec![first, second, [begin, then].concat()]);
    assert_eq!(record[2], Time::from_us(200) + message(8));
}

/// A probe ends when the message's envelope arrives, and leaves it to the receive. What does not fit does not end it.
#[test]
fn probes() {
    let probe = |from: Option<u32>, tag: Option<u32>| Operation::Probe { from, tag, comm: ALL };
    let early = vec![send(2, 8)];
    let delay = vec![compute(Time::from_us(10)), Operation::send(2, 5, 600)];
    let end = |program: Vec<Operation>| finishes_all(vec![early.clone(), delay.clone(), program])[2];
    let last = [recv(0), Operation::recv(1, 5)];
    for (from, tag) in [(Some(1), None), (None, Some(5)), (Some(1), Some(5))] {
        let time = end([vec![probe(from, tag)], last.to_vec()].concat());
        assert_eq!(time, Time::from_us(10) + message(600), "{from:?} {tag:?}");
    }
    // The first message that comes ends a probe of any, and is still there.
    let early = end([vec![probe(None, None), compute(Time::from_us(50))], last.to_vec()].concat());
    assert_eq!(early, message(8) + Time::from_us(50));
    // It asks for the envelope only: of a large message, the request to send.
    let large = vec![vec![send(1, 10_000)], vec![probe(Some(0), None), compute(Time::from_us(50)), recv(0)]];
    let started = LATENCY + Time::from_us(50);
    assert_eq!(finishes_all(large), [started + LATENCY + Time::from_ns(10_000), started + LATENCY + message(10_000)]);
}

/// Draws some ranks of a job, in any order.
fn members() -> impl Strategy<Value = (u32, Vec<u32>)> {
    (1u32..20).prop_flat_map(|ranks| {
        let all: Vec<u32> = (0..ranks).collect();
        (Just(ranks), Just(all).prop_shuffle(), 1..=ranks as usize).prop_map(|(ranks, mut some, count)| {
            some.truncate(count);
            (ranks, some)
        })
    })
}

/// Draws a collective of so many ranks.
fn any_collective(size: u32) -> impl Strategy<Value = Collective> {
    let list = prop::collection::vec(0u64..5_000, size as usize);
    (0u32..15, 0..size, 0u64..300_000, list).prop_map(|(kind, root, bytes, list)| {
        // Every rank has as many blocks of an alltoall as there are ranks.
        let bytes = if kind == 10 { bytes / 100 } else { bytes };
        collective(kind, root, bytes, list.into(), Time(1_000))
    })
}

proptest! {
    #![proptest_config(proptest_config(60))]

    /// A collective of some ranks takes each of them as long as one of a job with so many ranks, whether it blocks or
    /// not; the others do not take part.
    #[test]
    fn collectives_of_some_ranks_are_those_of_a_smaller_job(
        ((ranks, members), collective) in members().prop_flat_map(|(ranks, members)| {
            let size = members.len() as u32;
            (Just((ranks, members)), any_collective(size))
        }),
    ) {
        let mut communicators = Communicators::of(ranks);
        let comm = communicators.add(members.clone()).unwrap();
        let alone = finishes_all(vec![vec![Operation::collective(collective.clone())]; members.len()]);
        let blocking = vec![Operation::Collective { comm, collective: collective.clone() }];
        let beside = vec![Operation::Icollective { comm, request: 0, collective: Box::new(collective) }, wait(0)];
        for call in [blocking, beside] {
            let mut programs = vec![vec![]; ranks as usize];
            members.iter().for_each(|&rank| programs[rank as usize] = call.clone());
            let times = finishes(programs, &communicators);
            for rank in 0..ranks {
                let place = members.iter().position(|&member| member == rank);
                prop_assert_eq!(times[rank as usize], place.map_or(Time::ZERO, |place| alone[place]), "rank {}", rank);
            }
        }
    }
}
