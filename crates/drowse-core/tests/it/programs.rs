//! Ranks on the ideal network against a plain replay: the times of all operations follow from each other by formulas,
//! which are evaluated again and again until none changes.

use drowse_core::model::balance::Order;
use drowse_core::model::config::{Config, Injection, NodeModel, Overheads, VirtualChannels};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Ideal, Network, TopologySpec};
use drowse_core::workload::operation::Operation;
use proptest::prelude::*;

use crate::common::*;

/// Picoseconds of a byte over the network and through memory.
const BYTE: [u64; 2] = [1_000, 500];

/// A machine and a program for each rank.
#[derive(Clone, Debug)]
struct Case {
    nodes: Vec<u32>,
    programs: Vec<Vec<Operation>>,
    latency: u64,
    nic: u64,
    memory: u64,
    overhead: u64,
    eager_limit: u64,
    start: u64,
}

/// What the ranks have done: when they finished, how long they computed, what they sent.
#[derive(Debug, PartialEq)]
struct Ranks(Vec<[u64; 4]>);

/// The times of each operation of each rank: of its begin, and of its completion; those not yet known are `None`.
type Times = Vec<Vec<(Option<u64>, Option<u64>)>>;

impl Case {
    /// Returns the time of so many bytes from one rank to another, and until their last bit has left.
    fn transfer(&self, from: usize, to: usize, bytes: u64) -> (u64, u64) {
        if self.nodes[from] == self.nodes[to] {
            let time = self.memory + bytes * BYTE[1];
            return (time, time);
        }
        let left = self.nic + bytes * BYTE[0];
        (left + self.latency + self.nic, left)
    }

    /// Returns the sends of one rank to another, as places in its program, tags and sizes.
    fn sends(&self, from: usize, to: usize) -> Vec<(usize, u32, u64)> {
        let send = |(place, operation): (usize, &Operation)| match *operation {
            Operation::Send { to: other, tag, bytes, .. } | Operation::Isend { to: other, tag, bytes, .. }
                if other as usize == to =>
            {
                Some((place, tag, bytes))
            }
            _ => None,
        };
        self.programs[from].iter().enumerate().filter_map(send).collect()
    }

    /// Returns sender and place of the send that a receive gets: as many of its sender with its tag came before.
    fn partner(&self, rank: usize, place: usize) -> Option<(usize, usize)> {
        let what = |operation: &Operation| match *operation {
            Operation::Recv { from, tag, .. } | Operation::Irecv { from, tag, .. } => Some((from?, tag?)),
            _ => None,
        };
        let program = &self.programs[rank];
        let (from, tag) = what(&program[place])?;
        let before = program[..place].iter().filter(|operation| what(operation) == Some((from, tag))).count();
        let sends = self.sends(from as usize, rank);
        sends.iter().filter(|send| send.1 == tag).nth(before).map(|send| (from as usize, send.0))
    }

    /// Returns when the envelope of a send arrives. Messages between two ranks are matched in the order of sending.
    fn envelope(&self, times: &Times, from: usize, to: usize, place: usize) -> Option<u64> {
        let earlier = self.sends(from, to).into_iter().filter(|send| send.0 <= place);
        let arrives = |(place, _, bytes): (usize, u32, u64)| {
            let bytes = if bytes < self.eager_limit { bytes } else { 0 };
            Some(times[from][place].0? + self.transfer(from, to, bytes).0)
        };
        earlier.map(arrives).collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// Returns when a receive that has been posted and the send that it gets are complete.
    fn complete(&self, times: &Times, rank: usize, place: usize) -> Option<[u64; 2]> {
        let (from, send) = self.partner(rank, place)?;
        let (_, _, bytes) = self.sends(from, rank).into_iter().find(|other| other.0 == send)?;
        let matched = self.envelope(times, from, rank, send)?.max(times[rank][place].0?);
        if bytes < self.eager_limit {
            return Some([matched, times[from][send].0?]);
        }
        let cleared = matched + self.transfer(rank, from, 0).0;
        let (arrives, left) = self.transfer(from, rank, bytes);
        Some([cleared + arrives, cleared + left])
    }

    /// Evaluates all formulas once, from the times of the last evaluation.
    fn evaluate(&self, before: &Times) -> (Times, Ranks) {
        let mut times = before.clone();
        for rank in 0..self.programs.len() {
            for place in 0..self.programs[rank].len() {
                if let (Some([received, sent]), Some((from, send))) =
                    (self.complete(before, rank, place), self.partner(rank, place))
                {
                    times[rank][place].1 = Some(received);
                    times[from][send].1 = Some(sent);
                }
            }
        }
        let ranks = (0..self.programs.len()).map(|rank| self.run(&mut times[rank], rank)).collect();
        (times, Ranks(ranks))
    }

    /// Runs the program of a rank as far as completions are known.
    fn run(&self, times: &mut [(Option<u64>, Option<u64>)], rank: usize) -> [u64; 4] {
        let (mut t, mut running, mut pending) = (Some(self.start), 0, Vec::new());
        let [mut messages, mut sent] = [0, 0];
        let mut received = Vec::new();
        let busy_until = |received: &[usize], times: &[(Option<u64>, Option<u64>)], t: u64| {
            let done = received.iter().filter_map(|&place| times[place].1.filter(|&done| done <= t));
            done.map(|done| done + self.overhead).max().unwrap_or(0).max(t)
        };
        for (place, operation) in self.programs[rank].iter().enumerate() {
            times[place].0 = t;
            let Some(now) = t else { continue };
            let done = times[place].1;
            t = match *operation {
                Operation::Compute(Time(time)) if time > 0 => {
                    running += time;
                    Some(busy_until(&received, times, now) + time)
                }
                Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => {
                    (messages, sent) = (messages + 1, sent + bytes);
                    match operation {
                        Operation::Isend { request: Some(request), .. } => {
                            pending.push((*request, place));
                            t
                        }
                        _ if bytes < self.eager_limit => t,
                        _ => done,
                    }
                }
                Operation::Recv { .. } => {
                    received.push(place);
                    done
                }
                Operation::Irecv { request, .. } => {
                    received.push(place);
                    pending.push((request, place));
                    t
                }
                Operation::Wait { request } => {
                    let found = pending.iter().position(|&(pending, _)| pending == request);
                    let place = found.map(|found| pending.remove(found).1);
                    place.map_or(t, |place| times[place].1.map(|done| done.max(now)))
                }
                Operation::WaitAll => {
                    let done: Option<Vec<u64>> = pending.drain(..).map(|(_, place)| times[place].1).collect();
                    done.map(|done| done.into_iter().fold(now, u64::max))
                }
                _ => t,
            };
        }
        let finish = t.map_or(0, |t| busy_until(&received, times, t));
        [finish, running, messages, sent]
    }

    /// Evaluates the formulas until nothing changes.
    fn replay(&self) -> (Times, Ranks) {
        let mut times: Times = self.programs.iter().map(|program| vec![(None, None); program.len()]).collect();
        for _ in 0..100_000 {
            let (next, ranks) = self.evaluate(&times);
            if next == times {
                return (times, ranks);
            }
            times = next;
        }
        panic!("the formulas have no solution");
    }

    /// Returns the number of messages over the network with data, and the sum of their latencies.
    fn latencies(&self, times: &Times) -> (u64, u128) {
        let (mut count, mut sum) = (0, 0);
        for rank in 0..self.programs.len() {
            for place in 0..self.programs[rank].len() {
                let Some((from, send)) =
                    self.partner(rank, place).filter(|(from, _)| self.nodes[*from] != self.nodes[rank])
                else {
                    continue;
                };
                let bytes = self.sends(from, rank).into_iter().find(|other| other.0 == send).unwrap().2;
                assert!(times[from][send].0.is_some());
                (count, sum) = (count + 1, sum + u128::from(self.transfer(from, rank, bytes).0));
            }
        }
        (count, sum)
    }

    fn network(&self) -> Network {
        let bandwidth = BitRate::from_bytes_per_second(1_000_000_000_000 / BYTE[0]);
        let nodes = self.nodes.iter().max().unwrap() + 1;
        TopologySpec::Ideal(Ideal { nodes, latency: Time(self.latency), bandwidth }).build().unwrap()
    }

    fn config(&self, network: &Network) -> Config {
        let mut config = config(network, 0);
        config.switch.vcs = VirtualChannels::any(1);
        config.classes.iter_mut().for_each(|class| class.states = None);
        config.routing = RoutingKind::Minimal;
        config.node = NodeModel {
            memory_latency: Time(self.memory),
            memory_bandwidth: BitRate::from_bytes_per_second(1_000_000_000_000 / BYTE[1]),
            eager_limit: Bytes(self.eager_limit),
            nic_latency: Time(self.nic),
            injection: Injection::RoundRobin,
            receive_overhead: Time(self.overhead),
            overheads: Overheads::NONE,
            order: Order::Any,
        };
        config
    }
}

/// A step of a program: a message between two ranks, each end blocking or not, or something that one rank does.
type Step = (usize, usize, u32, u64, bool, bool, u8);

/// Programs that cannot deadlock: every rank has its ends of one list of messages, in its order.
fn cases() -> impl Strategy<Value = Case> {
    let bytes = prop_oneof![Just(0u64), 0u64..3_000];
    let step = (0usize..5, 0usize..5, 0u32..3, bytes, any::<bool>(), any::<bool>(), 0u8..10);
    let time = || prop_oneof![1u64..10, 1u64..2_000_000];
    (
        prop::collection::vec(0u32..4, 2..6),
        prop::collection::vec(step, 1..40),
        (time(), 0u64..500_000, time(), prop_oneof![Just(0u64), 0u64..500_000]),
        prop_oneof![Just(0u64), 0u64..3_000, Just(u64::MAX)],
        0u64..1_000_000,
    )
        .prop_map(|(nodes, steps, (latency, nic, memory, overhead), eager_limit, start)| {
            let programs = programs(nodes.len(), &steps);
            Case { nodes, programs, latency, nic, memory, overhead, eager_limit, start }
        })
}

fn programs(ranks: usize, steps: &[Step]) -> Vec<Vec<Operation>> {
    let mut programs = vec![Vec::new(); ranks];
    for (number, &(from, to, tag, bytes, starts, posts, kind)) in steps.iter().enumerate() {
        let (from, to, request) = (from % ranks, to % ranks, number as u32);
        match kind {
            0 => programs[from].push(Operation::WaitAll),
            1 => programs[from].push(Operation::Wait { request: number.saturating_sub(3) as u32 }),
            2..4 => programs[from].push(Operation::Compute(Time(bytes * 700))),
            _ if from == to => {}
            _ => {
                let (peer, own) = (to as u32, from as u32);
                programs[from].push(if starts {
                    Operation::isend(peer, tag, bytes, request)
                } else {
                    Operation::send(peer, tag, bytes)
                });
                let (sender, tag) = (Some(own), Some(tag));
                programs[to].push(if posts {
                    Operation::irecv(sender, tag, request)
                } else {
                    Operation::recv(sender, tag)
                });
            }
        }
    }
    programs.iter_mut().for_each(|program| program.push(Operation::WaitAll));
    programs
}

proptest! {
    #![proptest_config(proptest_config(256))]

    #[test]
    fn ranks_equal_a_plain_replay(case in cases()) {
        let network = case.network();
        let workload = started(job(case.programs.clone(), &case.nodes), Time(case.start));
        let record = run(&network, &case.config(&network), workload);
        let (times, ranks) = case.replay();
        let found = record.ranks.iter().map(|rank| [rank.finish.0, rank.times.computing.0, rank.messages, rank.bytes]);
        prop_assert_eq!(Ranks(found.collect()), ranks);
        let latencies = (record.message_latency.count(), record.message_latency.sum());
        prop_assert_eq!(latencies, case.latencies(&times));
    }
}
