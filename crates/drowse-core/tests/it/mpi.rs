//! The view of ranks: order of messages, eager and rendezvous sends, waits, collectives, jobs, and runs that cannot
//! end.
//!
//! Times are in cycles of 1.6 ns: a wire takes one, a hop four, a flit one.

use drowse_core::engine::{Failure, Standstill};
use drowse_core::measure::{Record, Warning};
use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::ids::NodeId;
use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::Network;
use drowse_core::workload::operation::{Collective, Operation};
use drowse_core::workload::{Job, Workload};

use crate::common::*;

const CYCLE: u64 = 1_600;
/// A message of one flit between neighbours: injection wire, two hops, the flit.
const FLIT_TO_NEIGHBOUR: u64 = 1 + 2 * 4 + 1;

fn cycles(count: u64) -> Time {
    Time(CYCLE * count)
}

/// Returns a ring of four whose sends of 1 KiB and more use rendezvous.
fn ring() -> (Network, Config) {
    let network = torus(&[4], 1, 1);
    let mut config = config(&network, 3);
    config.node.eager_limit = Bytes(1_024);
    (network, config)
}

fn finishes(record: &Record) -> Vec<Time> {
    record.ranks.iter().map(|rank| rank.finish).collect()
}

/// Returns when the ranks finish, on the first nodes of the ring.
fn finishes_on_ring(ranks: Vec<Vec<Operation>>) -> Vec<Time> {
    let (network, config) = ring();
    let nodes: Vec<u32> = (0..ranks.len() as u32).collect();
    finishes(&run(&network, &config, job(ranks, &nodes)))
}

fn recv_any(from: Option<u32>, tag: Option<u32>) -> Operation {
    Operation::recv(from, tag)
}

/// An eager send completes at once, even without a posted receive. The receive completes with the last bit.
#[test]
fn eager_between_neighbours() {
    let message = cycles(1 + 2 * 4 + 63);
    assert_eq!(finishes_on_ring(vec![vec![send(1, 1_008)], vec![recv(0)]]), [Time::ZERO, message]);
    // A late receive takes no additional time.
    let delay = cycles(1_000);
    assert_eq!(finishes_on_ring(vec![vec![send(1, 1_008)], vec![compute(delay), recv(0)]]), [Time::ZERO, delay]);
}

/// Request to send, clear to send, each one flit; then the data. The sender continues when its last bit has left.
#[test]
fn rendezvous_between_neighbours() {
    let protocol = 2 * FLIT_TO_NEIGHBOUR;
    for flits in [64, 100, 1_000] {
        let times = finishes_on_ring(vec![vec![send(1, flits * 16)], vec![recv(0)]]);
        assert_eq!(times, [cycles(protocol + flits), cycles(protocol + 1 + 2 * 4 + flits)], "{flits} flits");
    }
}

/// The later partner decides: a late receiver delays the clear to send, a late sender everything.
#[test]
fn rendezvous_with_a_delayed_partner() {
    let (delay, data) = (cycles(500), 100);
    let all = 2 * FLIT_TO_NEIGHBOUR + 9 + data;
    let delayed_receiver = finishes_on_ring(vec![vec![send(1, data * 16)], vec![compute(delay), recv(0)]]);
    assert_eq!(delayed_receiver[1], cycles(500 + all - FLIT_TO_NEIGHBOUR));
    let delayed_sender = finishes_on_ring(vec![vec![compute(delay), send(1, data * 16)], vec![recv(0)]]);
    assert_eq!(delayed_sender[1], cycles(500 + all));
}

/// Between ranks of one node, a message takes latency and bytes over bandwidth, and a rendezvous three latencies.
#[test]
fn through_memory() {
    let (network, config) = ring();
    let times = |bytes| finishes(&run(&network, &config, job(vec![vec![send(1, bytes)], vec![recv(0)]], &[2, 2])));
    assert_eq!(times(0), [Time::ZERO, Time(300_000)]);
    assert_eq!(times(1_000), [Time::ZERO, Time(300_000 + 100_000)]);
    assert_eq!(times(2_000), [Time(3 * 300_000 + 200_000); 2]);
    // A rank to itself.
    let own = run(&network, &config, job(vec![vec![irecv(0, 0, 3), send(0, 2_000), wait(3)]], &[1]));
    assert_eq!(finishes(&own), [Time(3 * 300_000 + 200_000)]);
    assert_eq!((own.packets_injected, own.hops), (0, 0));
}

/// With an eager limit of zero, even empty messages use rendezvous; their data is one flit.
#[test]
fn rendezvous_of_nothing() {
    let (network, mut config) = ring();
    config.node.eager_limit = Bytes(0);
    let record = run(&network, &config, job(vec![vec![send(1, 0)], vec![recv(0)]], &[0, 1]));
    assert_eq!(record.makespan, Some(cycles(3 * FLIT_TO_NEIGHBOUR)));
    assert_eq!((record.packets_injected, record.message_latency.count()), (3, 1));
}

/// A receive from any source takes the first message, and leaves the other to the receive that names its sender.
#[test]
fn any_source_takes_the_first() {
    let senders = |second: u32| {
        let receiver = vec![recv_any(None, Some(0)), recv(second)];
        vec![vec![send(1, 16)], receiver, vec![compute(cycles(700)), send(1, 16)]]
    };
    assert_eq!(finishes_on_ring(senders(2))[1], cycles(700 + FLIT_TO_NEIGHBOUR));
    let (network, config) = ring();
    let failure = try_run(&network, &config, job(senders(0), &[0, 1, 2])).unwrap_err();
    let Failure::Deadlock(deadlock) = failure else { panic!("{failure}") };
    assert_eq!((deadlock.what, deadlock.others), (Standstill::FinishedRank, 0));
    assert_eq!(
        deadlock.members,
        [
            "rank 1 waits to receive from rank 0 with tag 0 (operation 2)",
            "rank 0 has finished at operation 1 and never sends it"
        ]
    );
}

/// A receive with any tag takes the sender's first message; a receive with a tag takes the first message with that tag.
#[test]
fn any_tag_takes_the_first() {
    let tagged = |tag: u32, bytes: u64| Operation::send(1, tag, bytes);
    let sender = || vec![tagged(5, 16), compute(cycles(700)), tagged(6, 16)];
    let times = finishes_on_ring(vec![sender(), vec![recv_any(Some(0), None)]]);
    assert_eq!(times[1], cycles(FLIT_TO_NEIGHBOUR));
    let times = finishes_on_ring(vec![sender(), vec![recv_any(Some(0), Some(6)), recv_any(None, None)]]);
    assert_eq!(times[1], cycles(700 + FLIT_TO_NEIGHBOUR));
}

/// Messages of one sender match in order, although later ones overtake in the network. Otherwise, receives that take
/// the first message of any tag, then the second by its tag, would wait for ever.
#[test]
fn messages_of_one_sender_do_not_overtake() {
    for seed in 0..20 {
        let (network, config, policy) = overtaking_network();
        let mut stream = Stream::new(seed, Purpose::Traffic, 0);
        let (mut sender, mut receiver) = (Vec::new(), Vec::new());
        for pair in 0..40 {
            let sizes = [16 + u64::from(stream.below(2_000)), u64::from(stream.below(40))];
            for (tag, bytes) in [(2 * pair, sizes[0]), (2 * pair + 1, sizes[1])] {
                sender.push(Operation::isend(1, tag, bytes, tag));
            }
            sender.push(compute(Time(u64::from(stream.below(100_000)))));
            receiver.extend([recv_any(Some(0), None), recv_any(Some(0), Some(2 * pair + 1))]);
        }
        sender.push(Operation::WaitAll);
        let mut ranks = vec![sender, receiver];
        ranks.extend((2..16).map(|rank| background(rank, &mut stream)));
        let nodes: Vec<u32> = std::iter::once(0).chain([10]).chain((1..16).filter(|node| *node != 10)).collect();
        // Messages of the background remain unreceived. All others were received, or the run would not have ended.
        run_with(&network, &config, &policy, job(ranks, &nodes));
    }
}

/// Later messages do overtake in that network: in some runs, the second of two messages is complete before the first.
#[test]
fn the_network_lets_messages_overtake() {
    let overtakes = |seed: u64| {
        let [first, second] = [0, 1].map(|waited| {
            let (network, config, policy) = overtaking_network();
            let mut stream = Stream::new(seed, Purpose::Traffic, 1);
            let sender = vec![compute(cycles(2_000)), send(1, 1_000), send(1, 16)];
            let mut ranks = vec![sender, vec![irecv(0, 0, 0), irecv(0, 0, 1), wait(waited)]];
            ranks.extend((2..16).map(|rank| background(rank, &mut stream)));
            let nodes: Vec<u32> = std::iter::once(0).chain([10]).chain((1..16).filter(|node| *node != 10)).collect();
            run_with(&network, &config, &policy, job(ranks, &nodes)).ranks[1].finish
        });
        second < first
    };
    assert!((0..40).any(overtakes));
}

/// Returns a torus whose trunks sleep, so that packets of one message take different routes at different times.
fn overtaking_network() -> (Network, Config, StallTimer) {
    let network = torus(&[4, 4], 2, 1);
    let mut config = config(&network, 3);
    config.audit = false;
    config.routing = RoutingKind::Adaptive;
    config.switch.vcs = VirtualChannels::grid(2, 2);
    config.switch.buffer_flits = 8;
    config.node.eager_limit = Bytes(1_500);
    config.sleep.wake_after = Some(Time::from_ns(20));
    (network, config, StallTimer::uniform(3, Some(Time::from_ns(30)), Some(Time::from_ns(900))))
}

/// Returns sends to random ranks that never receive.
fn background(rank: u32, stream: &mut Stream) -> Vec<Operation> {
    let mut operations = Vec::new();
    for _ in 0..60 {
        let to = 2 + stream.below(14);
        operations.push(compute(Time(u64::from(stream.below(400_000)))));
        if to != rank {
            operations.push(send(to, 1_000));
        }
    }
    operations
}

/// Waiting for a request that is not pending takes no time. A name may be reused after its wait.
#[test]
fn waits() {
    assert_eq!(finishes_on_ring(vec![vec![wait(99), Operation::WaitAll]]), [Time::ZERO]);
    // An eager send leaves nothing to wait for.
    let times = finishes_on_ring(vec![vec![isend(1, 0, 16, 4), wait(4), wait(4)], vec![recv(0)]]);
    assert_eq!(times[0], Time::ZERO);
    let sender = vec![send(1, 16), compute(cycles(300)), send(1, 16)];
    let again = vec![irecv(0, 0, 4), wait(4), irecv(0, 0, 4), wait(4)];
    assert_eq!(finishes_on_ring(vec![sender.clone(), again])[1], cycles(300 + FLIT_TO_NEIGHBOUR));
    let all = vec![irecv(0, 0, 4), irecv(0, 0, 5), Operation::WaitAll, wait(4), wait(5)];
    assert_eq!(finishes_on_ring(vec![sender.clone(), all])[1], cycles(300 + FLIT_TO_NEIGHBOUR));
    let any_order = vec![irecv(0, 0, 4), irecv(0, 0, 5), wait(5), wait(4)];
    assert_eq!(finishes_on_ring(vec![sender, any_order])[1], cycles(300 + FLIT_TO_NEIGHBOUR));
}

/// A complete request is not pending, so its name is free even without a wait.
#[test]
fn a_name_is_free_once_its_request_is_complete() {
    let sender = vec![send(1, 16), compute(cycles(300)), send(1, 16)];
    let receiver = vec![irecv(0, 0, 4), compute(cycles(100)), irecv(0, 0, 4), wait(4)];
    assert_eq!(finishes_on_ring(vec![sender, receiver])[1], cycles(300 + FLIT_TO_NEIGHBOUR));
}

/// Communication overlaps with computing.
#[test]
fn overlap() {
    let data = 1_000;
    let communication = 2 * FLIT_TO_NEIGHBOUR + 9 + data;
    for computing in [communication + 500, communication, communication - 500, 0] {
        let sender = vec![isend(1, 0, data * 16, 1), compute(cycles(computing)), wait(1)];
        let receiver = vec![irecv(0, 0, 1), compute(cycles(computing)), wait(1)];
        let times = finishes_on_ring(vec![sender, receiver]);
        assert_eq!(times[1], cycles(computing.max(communication)));
        assert_eq!(times[0], cycles(computing.max(communication - 9)));
    }
}

/// Barriers by hand: two ranks exchange once. Four exchange with a neighbour, then over two channels, on disjoint
/// routes.
#[test]
fn barriers_by_hand() {
    let barrier = Operation::collective(Collective::Barrier);
    assert_eq!(finishes_on_ring(vec![vec![barrier.clone()]; 1]), [Time::ZERO]);
    assert_eq!(finishes_on_ring(vec![vec![barrier.clone()]; 2]), [cycles(FLIT_TO_NEIGHBOUR); 2]);
    assert_eq!(finishes_on_ring(vec![vec![barrier]; 4]), [cycles(FLIT_TO_NEIGHBOUR + 1 + 3 * 4 + 1); 4]);
}

/// No rank leaves a barrier or allreduce before the last has entered. All collectives end, leave no message, and take
/// at least as many latencies as the depth of the shallowest tree.
#[test]
fn collectives_of_all_sizes() {
    let network = torus(&[4, 4], 1, 1);
    let config = config(&network, 3);
    for size in [1u32, 2, 3, 4, 5, 8, 12, 13, 16] {
        let (root, compute_after) = (size / 2, Time(777));
        for bytes in [0u64, 8, 400, 3_000, 9_999, 40_000, 600_000] {
            let count = bytes / 8;
            let latencies = u64::from(size.ilog2());
            // All blocks together have `bytes` bytes.
            let block = bytes / u64::from(size * size);
            let list = || (0..u64::from(size)).map(|rank| block * (rank % 3)).collect::<Box<[u64]>>();
            let (one, many) = (latencies.min(1), latencies);
            let kinds = [
                (Collective::Barrier, u64::from(size.next_power_of_two().ilog2()), true),
                (Collective::Bcast { root, bytes, count }, latencies, false),
                // A linear reduction takes one latency.
                (Collective::Reduce { root, bytes, count, compute: compute_after }, one, false),
                (Collective::Allreduce { bytes, count, compute: compute_after }, many, true),
                (Collective::Gather { root, bytes: block }, one, false),
                (Collective::Gatherv { root, bytes: list() }, 0, false),
                (Collective::Scatter { root, bytes: block }, one, false),
                (Collective::Scatterv { root, bytes: list() }, 0, false),
                (Collective::Allgather { bytes: block }, many, true),
                (Collective::Allgatherv { bytes: list() }, many, true),
                (Collective::Alltoall { bytes: block }, one, true),
                (Collective::Alltoallv { bytes: list() }, one, true),
                (Collective::ReduceScatter { bytes: list(), compute: compute_after }, 0, false),
                (Collective::Scan { bytes: block, compute: compute_after }, u64::from(size - 1), false),
                (Collective::Exscan { bytes: block, compute: compute_after }, u64::from(size - 1), false),
            ];
            for (collective, latencies, synchronises) in kinds {
                let delay = cycles(1_000);
                let program = |rank: u32| {
                    let before = if rank == size - 1 { delay } else { Time::ZERO };
                    let twice = [collective.clone(), collective.clone()].map(Operation::collective);
                    [vec![compute(before)], twice.to_vec()].concat()
                };
                let nodes: Vec<u32> = (0..size).collect();
                let record = run(&network, &config, job((0..size).map(program).collect(), &nodes));
                let what = format!("{collective:?} of {size}");
                assert_eq!(record.warnings, [], "{what}");
                assert!(record.makespan.unwrap() >= cycles(latencies * FLIT_TO_NEIGHBOUR), "{what}");
                if synchronises {
                    assert!(record.ranks.iter().all(|rank| rank.finish >= delay), "{what}");
                }
            }
        }
    }
}

/// Data that is not a whole number of elements is broadcast completely.
#[test]
fn bcast_of_partial_elements() {
    let network = torus(&[4, 4], 1, 1);
    let bcast = Operation::collective(Collective::Bcast { root: 2, bytes: 2_054, count: 256 });
    run(&network, &config(&network, 3), job(vec![vec![bcast]; 6], &[0, 1, 2, 3, 4, 5]));
}

/// Requests and messages of the program and of a collective do not mix, whatever their names and tags.
#[test]
fn collectives_do_not_mix_with_the_program() {
    let barrier = Operation::collective(Collective::Barrier);
    let any = Operation::irecv(None, None, 0);
    let times = finishes_on_ring(vec![
        vec![barrier.clone(), barrier.clone(), compute(cycles(900)), send(1, 16)],
        vec![any.clone(), barrier.clone(), barrier.clone(), wait(0)],
        vec![any, barrier.clone(), barrier],
    ]);
    assert_eq!(times[1] - times[0], cycles(FLIT_TO_NEIGHBOUR));
}

/// Running time is the time computed in programs and collectives.
#[test]
fn running_time() {
    let (network, config) = ring();
    let allreduce = Collective::Allreduce { bytes: 64, count: 8, compute: Time(123) };
    let program = |own: u64| vec![compute(Time(own)), Operation::collective(allreduce.clone()), compute(Time::ZERO)];
    let record = run(&network, &config, job(vec![program(5_000), program(77_777)], &[0, 2]));
    assert_eq!(record.ranks.iter().map(|rank| rank.times.computing.0).collect::<Vec<_>>(), [5_123, 77_900]);
}

/// Two jobs on the same nodes start at their own times, and their messages do not mix.
#[test]
fn jobs_side_by_side() {
    let (network, config) = ring();
    let one = |name: &str, start: Time, computing: Time| {
        let ranks = vec![vec![compute(computing), send(1, 16)], vec![recv(0)]];
        let placement = vec![NodeId(0), NodeId(1)];
        Job { name: name.into(), source: Box::new(Program::new(ranks)), placement, start }
    };
    let jobs = vec![one("a", cycles(50), cycles(1_000)), one("b", cycles(300), Time::ZERO)];
    let record = run(&network, &config, Workload::Jobs(jobs));
    let times: Vec<_> = record.jobs.iter().map(|job| (job.name.as_str(), job.ranks, job.start, job.finish)).collect();
    let [a, b] = [1_050 + FLIT_TO_NEIGHBOUR, 300 + FLIT_TO_NEIGHBOUR].map(cycles);
    assert_eq!(times, [("a", 2, cycles(50), a), ("b", 2, cycles(300), b)]);
    assert_eq!((record.makespan, record.ranks.len()), (Some(a), 4));
    assert_eq!(record.ranks[2].finish, cycles(300));
}

/// Two ranks that receive before they send wait for ever. The report names both.
#[test]
fn deadlock_of_two() {
    let (network, config) = ring();
    let ranks = vec![vec![recv(1), send(1, 16)], vec![recv(0), send(0, 16)]];
    let failure = try_run(&network, &config, job(ranks, &[0, 1])).unwrap_err();
    let Failure::Deadlock(deadlock) = failure else { panic!("{failure}") };
    assert_eq!((deadlock.what, deadlock.others), (Standstill::RankCircle, 0));
    assert_eq!(
        deadlock.members,
        [
            "rank 0 waits to receive from rank 1 with tag 0 (operation 1)",
            "rank 1 waits to receive from rank 0 with tag 0 (operation 1)"
        ]
    );
}

/// Two simultaneous rendezvous sends to each other wait for ever; eager sends complete.
#[test]
fn deadlock_of_large_sends() {
    let (network, config) = ring();
    let ranks = |bytes| vec![vec![send(1, bytes), recv(1)], vec![send(0, bytes), recv(0)]];
    assert!(try_run(&network, &config, job(ranks(1_023), &[0, 1])).is_ok());
    let failure = try_run(&network, &config, job(ranks(1_024), &[0, 1])).unwrap_err();
    let Failure::Deadlock(deadlock) = failure else { panic!("{failure}") };
    assert_eq!(
        deadlock.members,
        [
            "rank 0 waits for rank 1 to receive 1024 B with tag 0 (operation 1)",
            "rank 1 waits for rank 0 to receive 1024 B with tag 0 (operation 1)"
        ]
    );
    assert!(deadlock.at >= cycles(FLIT_TO_NEIGHBOUR));
}

#[test]
fn a_rank_that_the_job_does_not_have() {
    let (network, config) = ring();
    let bcast = Operation::collective(Collective::Bcast { root: 2, bytes: 8, count: 1 });
    let scatterv = Operation::collective(Collective::Scatterv { root: 2, bytes: [8, 8].into() });
    let alltoallv = Operation::collective(Collective::Alltoallv { bytes: [8, 8, 8].into() });
    for operation in [send(2, 16), isend(7, 0, 16, 0), recv(2), irecv(2, 0, 0), bcast, scatterv, alltoallv] {
        let failure = try_run(&network, &config, job(vec![vec![operation.clone()], vec![]], &[0, 1])).unwrap_err();
        assert!(matches!(failure, Failure::Source(_)), "{operation:?}: {failure}");
    }
}

/// A warning counts messages that no rank receives. Their packets arrive nevertheless.
#[test]
fn unmatched_sends() {
    let (network, config) = ring();
    let ranks = vec![vec![send(1, 16), isend(1, 0, 900, 0), isend(1, 9, 2_000, 1)], vec![recv(0)]];
    let record = run(&network, &config, job(ranks, &[0, 1]));
    assert_eq!(record.warnings, [Warning::UnmatchedSends { messages: 2 }]);
    assert_eq!((record.packets_injected, record.packets_delivered), (1 + 8 + 1, 1 + 8 + 1));
}

/// A warning counts receives that no message matches and no rank waits for.
#[test]
fn unmatched_receives() {
    let (network, config) = ring();
    let ranks = vec![vec![send(1, 2_000)], vec![irecv(0, 0, 0), irecv(0, 0, 1), irecv(0, 9, 2)]];
    let record = run(&network, &config, job(ranks, &[0, 1]));
    assert_eq!(record.warnings, [Warning::UnmatchedReceives { receives: 2 }]);
}

/// Empty programs take no time.
#[test]
fn empty_programs() {
    let (network, config) = ring();
    let record = run(&network, &config, job(vec![vec![], vec![]], &[0, 1]));
    assert_eq!((record.makespan, record.measured), (Some(Time::ZERO), Time::ZERO));
    assert_eq!(record.channels.len(), network.channels() as usize);
}

/// A run without jobs is empty, and so is a job without ranks.
#[test]
fn no_ranks() {
    let (network, config) = ring();
    for workload in [Workload::Jobs(vec![]), job(vec![], &[])] {
        let record = run(&network, &config, workload);
        assert_eq!((record.makespan, record.measured), (Some(Time::ZERO), Time::ZERO));
        assert_eq!(record.channels.len(), network.channels() as usize);
    }
}

/// A posted receive costs the overhead of a blocking one, from when its message is complete or it is posted, whichever
/// is later. Several at once cost it together: only the last counts.
#[test]
fn posted_receives_cost_their_overhead() {
    let (network, mut config) = ring();
    config.node.receive_overhead = cycles(100);
    let message = vec![send(1, 16)];
    let finish = |receiver: Vec<Operation>| {
        run(&network, &config, job(vec![message.clone(), receiver], &[0, 1])).ranks[1].finish
    };
    let posted = |before: Vec<Operation>| finish([before, vec![irecv(0, 0, 3), wait(3), compute(cycles(7))]].concat());
    assert_eq!(finish(vec![recv(0), compute(cycles(7))]), cycles(FLIT_TO_NEIGHBOUR + 100 + 7));
    assert_eq!(posted(vec![]), cycles(FLIT_TO_NEIGHBOUR + 100 + 7));
    assert_eq!(posted(vec![compute(cycles(500))]), cycles(500 + 100 + 7), "the message was there before");
    // Nothing is computed after it: the rank ends when the receive does.
    assert_eq!(finish(vec![irecv(0, 0, 3), Operation::WaitAll]), cycles(FLIT_TO_NEIGHBOUR + 100));
    // One flit follows the other.
    let two = vec![vec![send(1, 16), send(1, 16)], vec![irecv(0, 0, 1), irecv(0, 0, 2), Operation::WaitAll]];
    assert_eq!(finishes(&run(&network, &config, job(two, &[0, 1])))[1], cycles(FLIT_TO_NEIGHBOUR + 1 + 100));
}
