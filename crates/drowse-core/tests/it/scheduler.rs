//! The scheduler alone: hand-computed schedules, plain second models on random lists of jobs, and laws.

use std::collections::BTreeSet;

use drowse_core::model::ids::NodeId;
use drowse_core::model::units::Time;
use drowse_core::workload::scheduler::{
    Allocation, FreeTimes, Kind, NeverFits, Replayed, Request, Rules, Scheduler, Start, Suspend,
};
use proptest::prelude::*;

use crate::common::proptest_config;

const KINDS: [Kind; 3] = [Kind::FirstComeFirstServed, Kind::EasyBackfilling, Kind::RandomSelectable];

fn rules(kind: Kind, allocation: Allocation) -> Rules {
    Rules { kind, allocation, whole_nodes: false, delay: Time(1), suspend: None, seed: 7 }
}

/// A job: when it arrives, its ranks, how long it runs, and how long its user says.
#[derive(Clone, Copy, Debug)]
struct Run {
    arrival: u64,
    ranks: u32,
    time: u64,
    estimate: u64,
}

const fn exact(arrival: u64, ranks: u32, time: u64) -> Run {
    Run { arrival, ranks, time, estimate: time }
}

fn requests(runs: &[Run]) -> Vec<Request> {
    let request =
        |run: &Run| Request { arrival: Time(run.arrival), ranks: run.ranks, nodes: 0, estimate: Time(run.estimate) };
    runs.iter().map(request).collect()
}

/// Drives a scheduler without a simulation; returns the starts in their order.
pub fn drive(mut scheduler: Scheduler, times: &[u64]) -> Vec<Start> {
    drive_by(&mut scheduler, times)
}

/// Does as [`drive`].
fn drive_by(scheduler: &mut Scheduler, times: &[u64]) -> Vec<Start> {
    let mut ends: BTreeSet<(u64, u32)> = BTreeSet::new();
    let mut starts = Vec::new();
    loop {
        let next = scheduler.next();
        match ends.first().copied() {
            Some((at, job)) if next.is_none_or(|next| at <= next.0) => {
                ends.remove(&(at, job));
                scheduler.ended(job, Time(at));
            }
            _ => {
                let Some(now) = next else { return starts };
                for start in scheduler.decide(now) {
                    ends.insert((start.at.0 + times[start.job as usize], start.job));
                    starts.push(start);
                }
            }
        }
    }
}

fn schedule(rules: Rules, nodes: u32, cores: u32, runs: &[Run]) -> Vec<Start> {
    let times: Vec<u64> = runs.iter().map(|run| run.time).collect();
    drive(Scheduler::new(rules, nodes, cores, requests(runs)).unwrap(), &times)
}

/// Returns job, time and first node of each start.
fn places(starts: &[Start]) -> Vec<(u32, u64, u32)> {
    starts.iter().map(|start| (start.job, start.at.0, start.nodes[0].0)).collect()
}

fn times(starts: &[Start], jobs: usize) -> Vec<u64> {
    let mut times = vec![u64::MAX; jobs];
    starts.iter().for_each(|start| times[start.job as usize] = start.at.0);
    times
}

/// Four nodes; a job frees its nodes 1 after its end. Job 0 holds three nodes until 101, so that job 1, which wants all
/// four, waits. First come, first served makes all wait behind it. Under backfilling, job 2 ends before 101 and job 3
/// would not, so that only job 2 overtakes; it frees its node at 62, when job 4 would end at 102: too late by 1.
#[test]
fn a_schedule_by_hand() {
    let runs = [exact(0, 3, 100), exact(10, 4, 50), exact(20, 1, 41), exact(20, 1, 90), exact(30, 1, 39)];
    let linear = || Allocation::Linear;
    let starts = schedule(rules(Kind::FirstComeFirstServed, linear()), 4, 1, &runs);
    assert_eq!(places(&starts), [(0, 0, 0), (1, 101, 0), (2, 152, 0), (3, 152, 1), (4, 152, 2)]);
    let starts = schedule(rules(Kind::EasyBackfilling, linear()), 4, 1, &runs);
    assert_eq!(places(&starts), [(0, 0, 0), (2, 20, 3), (1, 101, 0), (3, 152, 0), (4, 152, 1)]);
    // One time unit less, and job 4 fits before the head's reservation.
    let shorter = [runs[0], runs[1], runs[2], runs[3], exact(30, 1, 38)];
    let starts = schedule(rules(Kind::EasyBackfilling, linear()), 4, 1, &shorter);
    assert_eq!(places(&starts), [(0, 0, 0), (2, 20, 3), (4, 62, 3), (1, 101, 0), (3, 152, 0)]);
    // A head that leaves a node free when it starts lets a long job have that node.
    let beside = [exact(0, 3, 100), exact(10, 3, 50), exact(20, 1, 1_000), exact(20, 1, 1_000)];
    let starts = schedule(rules(Kind::EasyBackfilling, linear()), 4, 1, &beside);
    assert_eq!(places(&starts), [(0, 0, 0), (2, 20, 3), (1, 101, 0), (3, 152, 0)]);
}

/// Five nodes. Job 0 holds three until 101, and job 1 waits for four, so that one node is beside it then. Job 2 is long
/// and takes that, so that job 3, as long, must wait although a node is free; job 4 ends at 101 and needs none beside.
#[test]
fn one_node_beside_the_head_goes_to_one_job() {
    let runs = [exact(0, 3, 100), exact(10, 4, 50), exact(20, 1, 1_000), exact(20, 1, 1_000), exact(20, 1, 80)];
    let starts = schedule(rules(Kind::EasyBackfilling, Allocation::Linear), 5, 1, &runs);
    assert_eq!(places(&starts), [(0, 0, 0), (2, 20, 3), (4, 20, 4), (1, 101, 0), (3, 152, 0)]);
    // It does so, too, where they come one after the other.
    let later = [runs[0], runs[1], runs[2], exact(30, 1, 1_000), exact(40, 1, 60)];
    let starts = schedule(rules(Kind::EasyBackfilling, Allocation::Linear), 5, 1, &later);
    assert_eq!(places(&starts), [(0, 0, 0), (2, 20, 3), (4, 40, 4), (1, 101, 0), (3, 152, 0)]);
}

/// Six nodes. Job 0 holds 0-2 until 101, when job 1 wants four. A long job on node 3 leaves five then, of which no four
/// are side by side: it may overtake where any nodes do, and not where blocks are wanted.
#[test]
fn it_counts_which_nodes_are_beside_the_head() {
    let runs = [exact(0, 3, 100), exact(10, 4, 50), exact(20, 1, 1_000)];
    let starts = schedule(rules(Kind::EasyBackfilling, Allocation::Linear), 6, 1, &runs);
    assert_eq!(places(&starts), [(0, 0, 0), (2, 20, 3), (1, 101, 0)]);
    let starts = schedule(rules(Kind::EasyBackfilling, Allocation::Contiguous), 6, 1, &runs);
    assert_eq!(places(&starts), [(0, 0, 0), (1, 101, 0), (2, 101, 4)]);
}

/// Five nodes, blocks. Jobs 0, 1 and 2 hold nodes 0-1, 2 and 3-4. Job 1 leaves one node free, and then job 0 two more
/// beside it: only then are three in a row free. With single nodes, two would do for the job of two at time 12.
#[test]
fn blocks_are_consecutive() {
    let runs = [exact(0, 2, 20), exact(0, 1, 10), exact(0, 2, 100), exact(5, 3, 10)];
    let starts = schedule(rules(Kind::FirstComeFirstServed, Allocation::Contiguous), 5, 1, &runs);
    assert_eq!(places(&starts), [(0, 0, 0), (1, 0, 2), (2, 0, 3), (3, 21, 0)]);
    // Nodes 0 and 2 are free at 21, but not side by side: job 4 waits until 41.
    let runs = [exact(0, 1, 20), exact(0, 1, 40), exact(0, 1, 20), exact(0, 2, 100), exact(5, 2, 10)];
    let at = |allocation| times(&schedule(rules(Kind::FirstComeFirstServed, allocation), 5, 1, &runs), 5)[4];
    assert_eq!([at(Allocation::Contiguous), at(Allocation::Linear)], [41, 21]);
}

/// Three groups of two nodes of two cores. A job of 3 goes to the first of the equally full groups, one of 1 to what is
/// left there, one of 4 to a whole group, and one of 3 to the last.
#[test]
fn groups_are_filled() {
    let groups = Allocation::Grouped([0, 0, 1, 1, 2, 2].into());
    let runs = [exact(0, 3, 9), exact(0, 1, 9), exact(0, 4, 9), exact(0, 3, 9)];
    let starts = schedule(rules(Kind::FirstComeFirstServed, groups.clone()), 6, 2, &runs);
    let nodes: Vec<Vec<u32>> = starts.iter().map(|start| start.nodes.iter().map(|node| node.0).collect()).collect();
    assert_eq!(nodes, [vec![0, 0, 1], vec![1], vec![2, 2, 3, 3], vec![4, 4, 5]]);
    // More than a group holds: the emptiest ones first, then the fullest that has enough for the rest.
    let starts = schedule(rules(Kind::FirstComeFirstServed, groups), 6, 2, &[exact(0, 3, 9), exact(0, 9, 9)]);
    let nodes: Vec<u32> = starts[1].nodes.iter().map(|node| node.0).collect();
    assert_eq!(nodes, [2, 2, 3, 3, 4, 4, 5, 5, 1]);
}

/// A job of two ranks asks for three nodes of four cores, one of nine for three: its ranks are spread, three to a node.
#[test]
fn ranks_are_spread_over_nodes_that_are_asked_for() {
    let request = |ranks, nodes| Request { ranks, nodes, ..Request::default() };
    let whole = Rules { whole_nodes: true, ..rules(Kind::FirstComeFirstServed, Allocation::Linear) };
    let mut scheduler = Scheduler::new(whole, 6, 4, vec![request(2, 3), request(9, 3)]).unwrap();
    assert_eq!([scheduler.held(0), scheduler.held(1)], [12, 12]);
    let starts = scheduler.decide(Time::ZERO);
    assert_eq!(starts[0].nodes, [0, 1].map(NodeId));
    assert_eq!(starts[1].nodes, [3, 3, 3, 3, 4, 4, 4, 4, 5].map(NodeId), "three nodes are what nine ranks need");
    let whole = Rules { whole_nodes: true, ..rules(Kind::FirstComeFirstServed, Allocation::Linear) };
    let mut scheduler = Scheduler::new(whole, 6, 4, vec![request(7, 3)]).unwrap();
    assert_eq!(scheduler.decide(Time::ZERO)[0].nodes, [0, 0, 0, 1, 1, 2, 2].map(NodeId));
}

/// Replayed on four nodes, by hand. Job 2 starts at the instant at which job 0 ends, on its nodes; job 3 had the very node
/// that job 1 still has. Ends of jobs in the simulation change nothing.
#[test]
fn starts_of_a_log_are_replayed() {
    let runs = [exact(0, 2, 10), exact(1, 1, 30), exact(2, 3, 5), exact(3, 1, 5)];
    let at = |start, end, nodes: Option<&[u32]>| Replayed {
        start: Time(start),
        end: Time(end),
        nodes: nodes.map(|nodes| nodes.iter().copied().map(NodeId).collect()),
    };
    let jobs = [at(5, 15, None), at(6, 36, None), at(15, 20, None), at(16, 21, Some(&[2]))];
    let replay = rules(Kind::Replay, Allocation::Linear);
    let scheduler = Scheduler::replaying(replay.clone(), 4, 1, requests(&runs), &jobs).unwrap();
    let starts = drive(scheduler, &[99, 99, 99, 99]);
    let nodes = |place: usize| starts[place].nodes.iter().map(|node| node.0).collect::<Vec<_>>();
    assert_eq!(
        starts.iter().map(|start| (start.job, start.at.0)).collect::<Vec<_>>(),
        [(0, 5), (1, 6), (2, 15), (3, 16)]
    );
    assert_eq!([nodes(0), nodes(1), nodes(2), nodes(3)], [vec![0, 1], vec![2], vec![0, 1, 3], vec![2]]);
    // A picosecond earlier, job 2 finds two of its nodes taken.
    let jobs = [at(5, 15, None), at(6, 36, None), at(14, 20, None), at(16, 21, None)];
    assert_eq!(Scheduler::replaying(replay, 4, 1, requests(&runs), &jobs).err(), Some(NeverFits { job: 2 }));
}

/// A node that has had no job for ten is off; a job waits three for it. Nodes are free 1 after the end of a job.
#[test]
fn nodes_without_a_job_are_turned_off() {
    let suspend = Some(Suspend { after: Time(10), resume: Time(3) });
    let rules = Rules { suspend, ..rules(Kind::EasyBackfilling, Allocation::Linear) };
    let runs = [exact(0, 1, 5), exact(16, 1, 5), exact(40, 2, 5), exact(41, 1, 5)];
    let mut scheduler = Scheduler::new(rules, 2, 1, requests(&runs)).unwrap();
    let starts = drive_by(&mut scheduler, &[5, 5, 5, 5]);
    // Node 0 is free from 6 and just on at 16; at 40, from 22, it is off, and node 1 has been off for 30. They are on at 43.
    assert_eq!(places(&starts), [(0, 0, 0), (1, 16, 0), (2, 43, 0), (3, 49, 0)]);
    // Node 0: 10 on, then 10 on and 8 off; from 55 on 5. Node 1: 10 on, 30 off; from 49 on 10 and 1 off.
    assert_eq!(scheduler.free_times(Time(60)), FreeTimes { on: 45, off: 39, resumes: 2, suspends: true });
}

/// Whole nodes of four cores: a job of five ranks has two nodes, and nobody else gets the rest of them.
#[test]
fn whole_nodes_are_not_shared() {
    let runs = [exact(0, 5, 10), exact(0, 1, 10), exact(0, 1, 10)];
    let whole = Rules { whole_nodes: true, ..rules(Kind::FirstComeFirstServed, Allocation::Linear) };
    let scheduler = Scheduler::new(whole.clone(), 3, 4, requests(&runs)).unwrap();
    assert_eq!([0, 1, 2].map(|job| scheduler.held(job)), [8, 4, 4]);
    let starts = schedule(whole, 3, 4, &runs);
    assert_eq!(places(&starts), [(0, 0, 0), (1, 0, 2), (2, 11, 0)]);
    assert_eq!(starts[0].nodes, [0, 0, 0, 0, 1].map(NodeId));
    let shared = rules(Kind::FirstComeFirstServed, Allocation::Linear);
    assert_eq!(places(&schedule(shared, 3, 4, &runs)), [(0, 0, 0), (1, 0, 1), (2, 0, 1)]);
}

#[test]
fn a_job_that_never_fits_is_refused() {
    let request = requests(&[exact(0, 6, 1), exact(0, 7, 1)]);
    let refused = |rules| Scheduler::new(rules, 3, 2, request.clone()).err();
    assert_eq!(refused(rules(Kind::FirstComeFirstServed, Allocation::Linear)), Some(NeverFits { job: 1 }));
    assert_eq!(refused(rules(Kind::EasyBackfilling, Allocation::Contiguous)), Some(NeverFits { job: 1 }));
}

/// Among four jobs that fit, each is as likely to be the first: 900 seeds, and 225 +- 5 standard deviations each.
#[test]
fn selection_is_uniform() {
    let runs = [exact(0, 1, 5), exact(0, 2, 5), exact(0, 1, 5), exact(0, 9, 5)];
    let mut first = [0u32; 4];
    for seed in 0..900 {
        let rules = Rules { seed, ..rules(Kind::RandomSelectable, Allocation::Linear) };
        let mut scheduler = Scheduler::new(rules, 9, 1, requests(&runs)).unwrap();
        scheduler.decide(Time(0)).iter().take(1).for_each(|start| first[start.job as usize] += 1);
    }
    assert!(first.iter().all(|&count| (160..=290).contains(&count)), "{first:?}");
}

/// When first come, first served starts each job: the earliest time after its forerunner's at which the cores that
/// are in use leave enough. No queue, no events: only the finished schedule is looked at.
fn in_order(total: u32, delay: u64, runs: &[Run]) -> Vec<u64> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by_key(|&job| (runs[job].arrival, job));
    let mut starts: Vec<u64> = vec![u64::MAX; runs.len()];
    let mut earliest = 0;
    for (place, &job) in order.iter().enumerate() {
        let before = &order[..place];
        let free_at = |other: &usize| starts[*other] + runs[*other].time + delay;
        let least = earliest.max(runs[job].arrival);
        let used =
            |t: u64| -> u32 { before.iter().filter(|other| free_at(other) > t).map(|&other| runs[other].ranks).sum() };
        let candidates = std::iter::once(least).chain(before.iter().map(free_at).filter(|&t| t > least));
        let start = candidates.filter(|&t| used(t) + runs[job].ranks <= total).min().unwrap();
        (starts[job], earliest) = (start, start);
    }
    starts
}

/// EASY as its authors write it, by counting cores: the shadow time of the first job that waits, and the extra cores
/// that it leaves then. Returns the starts, and for each job its first reservation.
fn easy(total: u32, delay: u64, runs: &[Run]) -> (Vec<u64>, Vec<Option<u64>>) {
    let mut starts: Vec<Option<u64>> = vec![None; runs.len()];
    let mut reservations = vec![None; runs.len()];
    let mut instants: Vec<u64> = runs.iter().map(|run| run.arrival).collect();
    instants.sort_unstable();
    while !instants.is_empty() {
        let now = instants.remove(0);
        let held = |starts: &[Option<u64>]| -> Vec<usize> {
            let holds = |&job: &usize| starts[job].is_some_and(|start| start + runs[job].time + delay > now);
            (0..runs.len()).filter(holds).collect()
        };
        let mut waiting: Vec<usize> =
            (0..runs.len()).filter(|&job| runs[job].arrival <= now && starts[job].is_none()).collect();
        waiting.sort_by_key(|&job| (runs[job].arrival, job));
        let mut shadow: Option<(u64, u32)> = None;
        for job in waiting {
            let running = held(&starts);
            let free = total - running.iter().map(|&job| runs[job].ranks).sum::<u32>();
            let Run { ranks, time, estimate, .. } = runs[job];
            let fits = match &mut shadow {
                None => ranks <= free,
                Some((at, extra)) => {
                    let ends_before = now + estimate + delay <= *at;
                    let fits = ranks <= free && (ends_before || ranks <= *extra);
                    if fits && !ends_before {
                        *extra -= ranks;
                    }
                    fits
                }
            };
            if fits {
                starts[job] = Some(now);
                let end = now + time + delay;
                instants.insert(instants.partition_point(|&other| other <= end), end);
            } else if shadow.is_none() {
                let expected = |&job: &usize| (starts[job].unwrap() + runs[job].estimate + delay).max(now);
                let mut ends: Vec<(u64, u32)> = running.iter().map(|job| (expected(job), runs[*job].ranks)).collect();
                ends.sort_unstable();
                let at = ends
                    .iter()
                    .map(|end| end.0)
                    .find(|&at| free + ends.iter().filter(|end| end.0 <= at).map(|end| end.1).sum::<u32>() >= ranks);
                let at = at.unwrap();
                let then = free + ends.iter().filter(|end| end.0 <= at).map(|end| end.1).sum::<u32>();
                shadow = Some((at, then - ranks));
                reservations[job].get_or_insert(at);
            }
        }
    }
    (starts.into_iter().map(Option::unwrap).collect(), reservations)
}

fn runs(most: u32) -> impl Strategy<Value = Vec<Run>> {
    let run = (0u64..200, 1..=most, 0u64..100, 0u64..3);
    let run = run.prop_map(|(arrival, ranks, time, over)| Run { arrival, ranks, time, estimate: time * (1 + over) });
    prop::collection::vec(run, 1..14)
}

fn allocation(kind: u8, nodes: u32) -> Allocation {
    match kind {
        0 => Allocation::Linear,
        1 => Allocation::RoundRobin,
        2 => Allocation::Random,
        3 => Allocation::RandomNodes,
        4 => Allocation::Contiguous,
        _ => Allocation::Grouped((0..nodes).map(|node| node / 2).collect()),
    }
}

proptest! {
    #![proptest_config(proptest_config(400))]

    #[test]
    fn first_come_first_served_as_the_model(runs in runs(6), delay in 1u64..20) {
        let rules = Rules { delay: Time(delay), ..rules(Kind::FirstComeFirstServed, Allocation::Linear) };
        let starts = schedule(rules, 6, 1, &runs);
        prop_assert_eq!(times(&starts, runs.len()), in_order(6, delay, &runs));
        let mut order: Vec<u32> = (0..runs.len() as u32).collect();
        order.sort_by_key(|&job| (runs[job as usize].arrival, job));
        prop_assert_eq!(starts.iter().map(|start| start.job).collect::<Vec<_>>(), order);
    }

    /// Estimates are never too short here, so that no job starts later than when it was first promised to.
    #[test]
    fn backfilling_as_the_model(runs in runs(6), delay in 1u64..20) {
        let rules = Rules { delay: Time(delay), ..rules(Kind::EasyBackfilling, Allocation::Linear) };
        let starts = times(&schedule(rules, 6, 1, &runs), runs.len());
        let (model, reservations) = easy(6, delay, &runs);
        prop_assert_eq!(&starts, &model);
        for (start, reserved) in starts.iter().zip(reservations) {
            prop_assert!(reserved.is_none_or(|reserved| *start <= reserved), "{start} after {reserved:?}");
        }
    }

    /// Estimates that are too short are only that.
    #[test]
    fn backfilling_with_wrong_estimates_as_the_model(runs in runs(6), wrong in prop::collection::vec(0u64..60, 14)) {
        let runs: Vec<Run> = runs.iter().zip(wrong).map(|(run, estimate)| Run { estimate, ..*run }).collect();
        let starts = schedule(rules(Kind::EasyBackfilling, Allocation::Linear), 6, 1, &runs);
        prop_assert_eq!(times(&starts, runs.len()), easy(6, 1, &runs).0);
    }

    /// Whatever the kind and the allocation: all jobs run, on as many cores as they have ranks, none before it arrives;
    /// no core has two ranks at once, and whole nodes no two jobs; and no random selection leaves a job waiting that
    /// fits.
    #[test]
    fn cores_are_conserved(
        runs in runs(8), kind in 0usize..3, by in 0u8..6, whole in any::<bool>(), seed in any::<u64>(),
    ) {
        let (nodes, cores, delay) = (4, 2, 3);
        let rules = Rules {
            kind: KINDS[kind], allocation: allocation(by, nodes), whole_nodes: whole, delay: Time(delay), suspend: None, seed,
        };
        let starts = schedule(rules, nodes, cores, &runs);
        prop_assert_eq!(starts.len(), runs.len());
        let holds = |start: &Start, t: u64| {
            let end = start.at.0 + runs[start.job as usize].time + delay;
            (start.at.0..end).contains(&t)
        };
        for start in &starts {
            let (run, t) = (runs[start.job as usize], start.at.0);
            prop_assert!(t >= run.arrival);
            prop_assert_eq!(start.nodes.len() as u32, run.ranks);
            for node in 0..nodes {
                let there = |start: &&Start| holds(start, t) && start.nodes.contains(&NodeId(node));
                let ranks = |start: &Start| start.nodes.iter().filter(|other| other.0 == node).count();
                prop_assert!(starts.iter().filter(there).map(ranks).sum::<usize>() <= cores as usize);
                prop_assert!(!whole || starts.iter().filter(there).count() <= 1);
            }
            if by == 4 {
                let (first, last) = (start.nodes[0].0, start.nodes[start.nodes.len() - 1].0);
                prop_assert_eq!(last - first + 1, run.ranks.div_ceil(cores));
            }
        }
        // What waits while something starts did not fit beside it: seen from the next arrival on.
        if kind == 2 && by != 4 && !whole {
            for waiting in &starts {
                let run = runs[waiting.job as usize];
                let instants = starts.iter().map(|start| start.at.0).filter(|t| (run.arrival..waiting.at.0).contains(t));
                for t in instants {
                    let used: u32 = starts.iter().filter(|start| holds(start, t)).map(|s| s.nodes.len() as u32).sum();
                    prop_assert!(used + run.ranks > nodes * cores);
                }
            }
        }
    }
}
