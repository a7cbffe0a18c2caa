//! Ranks that wait for each other for ever: who is named, and as what, by hand.

use drowse_core::engine::{Failure, Standstill};
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::workload::operation::{Collective, Operation};
use drowse_core::workload::{Job, Workload};

use crate::common::*;

/// Runs on a ring; returns the standstill, its lines, and how many others wait.
fn standstill(workload: Workload) -> (Standstill, Vec<String>, u64) {
    let network = torus(&[8], 1, 1);
    let mut config = config(&network, 1);
    config.node.eager_limit = Bytes(1_024);
    match try_run(&network, &config, workload) {
        Err(Failure::Deadlock(deadlock)) => (deadlock.what, deadlock.members, deadlock.others),
        other => panic!("{other:?}"),
    }
}

fn job_of(name: &str, ranks: Vec<Vec<Operation>>, first: u32) -> Job {
    let placement = (0..ranks.len() as u32).map(|rank| NodeId(first + rank)).collect();
    Job { name: name.into(), source: Box::new(Program::new(ranks)), placement, start: Time::ZERO }
}

fn alone(ranks: Vec<Vec<Operation>>) -> (Standstill, Vec<String>, u64) {
    standstill(Workload::Jobs(vec![job_of("alone", ranks, 0)]))
}

fn any() -> Operation {
    Operation::recv(None, None)
}

/// Returns the ranks that lines begin with.
fn told(lines: &[String]) -> Vec<u32> {
    let number = |line: &String| line.split_once("rank ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    lines.iter().map(number).collect()
}

/// Rank 0 takes what comes from anybody, ranks 1 and 2 wait for others down to it: a shortest circle, which goes from
/// rank 0 to the one that waits for it.
#[test]
fn a_circle_through_any_sender() {
    let (what, lines, others) = alone(vec![vec![any()], vec![recv(0), send(0, 1)], vec![recv(1)], vec![recv(1)]]);
    assert_eq!((what, told(&lines), others), (Standstill::RankCircle, vec![0, 1], 2));
    assert_eq!(lines[0], "rank 0 waits to receive from any rank with any tag (operation 1)");
    assert_eq!(lines[1], "rank 1 waits to receive from rank 0 with tag 0 (operation 1)");
}

/// The rank that takes from anybody may come last; who does not wait for it is not of the circle.
#[test]
fn a_circle_ends_where_it_begins() {
    let ranks = vec![vec![recv(2)], vec![recv(3)], vec![recv(3)], vec![compute(Time(5)), any()]];
    let (what, lines, others) = alone(ranks);
    assert_eq!((what, others), (Standstill::RankCircle, 2));
    assert_eq!(told(&lines), [3, 1]);
}

/// Waits for any of the requests of two receives, of ranks that are named.
fn any_of(first: u32, second: u32) -> Vec<Operation> {
    vec![irecv(first, 0, 0), irecv(second, 0, 1), Operation::WaitAny([0, 1].into())]
}

/// Rank 0 waits for rank 1 or 2. That rank 1 waits for rank 0 stops neither, since rank 2 could still send; it waits for
/// rank 3, which has finished.
#[test]
fn any_of_several_is_no_circle_while_another_may_help() {
    let (what, lines, others) = alone(vec![any_of(1, 2), vec![recv(0)], vec![recv(3)], vec![]]);
    assert_eq!((what, told(&lines), others), (Standstill::FinishedRank, vec![2, 3], 2));
}

/// Where all that could help wait for the rank, they do so in a circle; where they have finished, none is left.
#[test]
fn any_of_several_and_none_may_help() {
    let (what, lines, others) = alone(vec![any_of(1, 2), vec![recv(0)], vec![recv(0)]]);
    assert_eq!((what, told(&lines), others), (Standstill::RankCircle, vec![0, 1], 1));
    assert_eq!(lines[0], "rank 0 waits to receive from rank 1 with tag 0, or for another request (operation 3)");
    let (what, lines, others) = alone(vec![any_of(1, 2), vec![], vec![]]);
    assert_eq!((what, told(&lines), others), (Standstill::AnyRequest, vec![0], 0));
    assert_eq!(lines[0], "rank 0 waits to receive from rank 1 with tag 0, or for another request (operation 3)");
}

/// All others have ended: nobody is left to send.
#[test]
fn any_sender_and_none_is_left() {
    let (what, lines, others) = alone(vec![vec![], vec![], vec![any()]]);
    assert_eq!((what, lines.len(), others), (Standstill::AnySender, 1, 0));
    assert_eq!(lines[0], "rank 2 waits to receive from any rank with any tag (operation 1)");
}

/// A job's ranks wait only for ranks of the job, whose names come with it.
#[test]
fn jobs_are_told_apart() {
    let runs = || vec![vec![send(1, 8)], vec![recv(0)]];
    let stands = vec![vec![any()], vec![recv(0)]];
    let jobs = |stands| Workload::Jobs(vec![job_of("runs", runs(), 0), stands, job_of("also", runs(), 5)]);
    let (what, lines, others) = standstill(jobs(job_of("stands", stands, 3)));
    assert_eq!((what, told(&lines), others), (Standstill::RankCircle, vec![0, 1], 0));
    assert!(lines.iter().all(|line| line.starts_with("job stands: rank ")), "{lines:?}");

    let ended = vec![vec![recv(1)], vec![compute(Time(9)), compute(Time(9))]];
    let (what, lines, others) = standstill(jobs(job_of("ended", ended, 3)));
    assert_eq!((what, others), (Standstill::FinishedRank, 0));
    assert_eq!(
        lines,
        [
            "job ended: rank 0 waits to receive from rank 1 with tag 0 (operation 1)",
            "job ended: rank 1 has finished at operation 2 and never sends it"
        ]
    );
}

/// A long send waits for its receive, which a rank that has ended never posts.
#[test]
fn a_send_to_one_that_has_finished() {
    let (what, lines, others) = alone(vec![vec![recv(1)], vec![send(2, 4_096), send(0, 8)], vec![compute(Time(7))]]);
    assert_eq!((what, others), (Standstill::FinishedRank, 0));
    assert_eq!(
        lines,
        [
            "rank 0 waits to receive from rank 1 with tag 0 (operation 1)",
            "rank 1 waits for rank 2 to receive 4096 B with tag 0 (operation 1)",
            "rank 2 has finished at operation 1 and never receives it"
        ]
    );
}

/// A chain need not begin with the first rank that waits: rank 0 waits in no chain to one that has finished.
#[test]
fn a_chain_that_does_not_begin_at_the_first() {
    let ranks = vec![vec![any()], vec![compute(Time(3))], vec![recv(3)], vec![recv(1)]];
    let (what, lines, others) = alone(ranks);
    assert_eq!((what, told(&lines), others), (Standstill::FinishedRank, vec![3, 1], 2));
}

/// Of a circle and a tail, the circle is told, and the shortest of two.
#[test]
fn the_shortest_circle() {
    // 0 -> 1 -> 2 -> 3 -> 1, and 3 -> 2 as well.
    let both = vec![irecv(1, 0, 0), irecv(2, 0, 1), Operation::WaitAll];
    let (what, lines, others) = alone(vec![vec![recv(1)], vec![recv(2)], vec![recv(3)], both]);
    assert_eq!((what, others), (Standstill::RankCircle, 4 - lines.len() as u64));
    let ranks = told(&lines);
    assert!(ranks == [2, 3] || ranks == [3, 2] || ranks.len() == 3 && !ranks.contains(&0), "{lines:?}");
    for (i, line) in lines.iter().enumerate() {
        assert!(line.contains(&format!("from rank {} ", ranks[(i + 1) % ranks.len()])), "{lines:?}");
    }
}

/// How many requests a rank waits for besides the one told.
#[test]
fn more_requests() {
    for (requests, more) in [(1, ""), (2, ", and for another request"), (3, ", and for 2 more requests")] {
        let receives = (0..requests).map(|request| irecv(1, request, request));
        let (_, lines, _) = alone(vec![receives.chain([Operation::WaitAll]).collect(), vec![]]);
        let operation = requests + 1;
        let expected = format!("rank 0 waits to receive from rank 1 with tag 0{more} (operation {operation})");
        assert_eq!(lines[0], expected);
    }
}

/// A message with another tag is a hint.
#[test]
fn a_tag_that_does_not_match() {
    let (_, lines, _) = alone(vec![vec![Operation::recv(1, 7)], vec![Operation::send(0, 5, 8)]]);
    let expected = "rank 0 waits to receive from rank 1 with tag 7, but has one with tag 5 from it (operation 1)";
    assert_eq!(lines, [expected, "rank 1 has finished at operation 1 and never sends it"]);
}

/// Within a collective, the collective is named and its tags are not.
#[test]
fn within_a_collective() {
    let sum = || Operation::collective(Collective::Allreduce { bytes: 8, count: 1, compute: Time::ZERO });
    let barrier = || Operation::collective(Collective::Barrier);
    let ranks = vec![vec![barrier(), sum(), compute(Time(1))], vec![barrier(), recv(0)]];
    let (what, lines, others) = alone(ranks);
    assert_eq!((what, others), (Standstill::RankCircle, 0));
    let of_sum = "rank 0 waits to receive from rank 1 (operation 2: its 2nd collective, an allreduce)";
    let mut lines = lines;
    lines.sort();
    assert_eq!(lines, [of_sum, "rank 1 waits to receive from rank 0 with tag 0 (operation 2)"]);
}
