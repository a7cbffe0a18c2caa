//! What the runtime system knows of jobs, against plain models: iterations, their lengths, patterns and schedules.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::model::units::Time;
use drowse_core::power::runtime::{
    Begun, Care, Detect, Gap, IterationTimes, Iterations, Job, Mean, Mode, Notes, Rest, Rules, Schedule, rest,
};
use proptest::prelude::*;

fn rules(mode: Mode) -> Rules {
    Rules {
        mode,
        learn: NonZeroU32::new(2).unwrap(),
        margin: Time::ZERO,
        overhead: Time(20),
        slowdown_billionths: 50_000_000,
        notification: None,
        detection: Detect::Free,
        balancing: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// Ranks that begin iterations and end in any order: an iteration has begun when all ranks that still run have
    /// begun it. The model keeps every begin and looks through all of them.
    #[test]
    fn iterations_begin_when_all_have_begun(
        ranks in 1usize..5,
        steps in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 0..60),
    ) {
        let mut iterations = Iterations::new(ranks as u32);
        let mut begins: Vec<Vec<u64>> = vec![Vec::new(); ranks];
        let (mut running, mut told) = (vec![true; ranks], 0);
        for (at, (rank, kind)) in (10u64..).zip(steps) {
            let rank = rank.index(ranks);
            if !running[rank] {
                continue;
            }
            let completed: Vec<Begun> = if kind == 0 {
                running[rank] = false;
                iterations.finish(begins[rank].len() as u32, Time(at)).collect()
            } else {
                let number = begins[rank].len() as u32;
                begins[rank].push(at);
                iterations.begin(number, Time(at)).into_iter().collect()
            };
            let mut expected = Vec::new();
            let seen = begins.iter().map(Vec::len).max().unwrap();
            while told < seen && (0..ranks).all(|other| !running[other] || begins[other].len() > told) {
                let first = begins.iter().filter_map(|begins| begins.get(told)).min().unwrap();
                expected.push(Begun { number: told as u32, first: Time(*first), last: Time(at) });
                told += 1;
            }
            prop_assert_eq!(completed, expected);
            prop_assert_eq!(iterations.seen(), seen as u32);
            prop_assert_eq!(iterations.are_over(), running.iter().all(|running| !running));
        }
    }

    /// Only iterations that begin at or after a time are measured; each mean is that of the latest ones.
    #[test]
    fn lengths_of_iterations(
        look_at in 1u32..4,
        restarts in prop::collection::vec((0usize..12, 0u64..400), 0..3),
        steps in prop::collection::vec((0u64..3, 1u64..30), 1..14),
    ) {
        let mut times = IterationTimes::new(look_at);
        let (mut since, mut measured, mut lengths, mut now) = (None, Vec::<u64>::new(), Vec::<u64>::new(), 0);
        for (number, (spread, length)) in steps.into_iter().enumerate() {
            if let Some(&(_, from)) = restarts.iter().find(|restart| restart.0 == number) {
                times.restart(Time(from));
                (since, measured) = (Some(from), Vec::new());
            }
            let (first, last) = (now, now + spread);
            now += length + spread;
            let told = times.begin(Begun { number: number as u32, first: Time(first), last: Time(last) });
            let mut expected = None;
            if since.is_some_and(|since| first >= since) {
                lengths.extend(measured.last().map(|before| last - before));
                measured.push(last);
                if let Some(before) = measured.len().checked_sub(1 + look_at as usize) {
                    expected = Some(Mean { count: look_at, sum: Time(last - measured[before]) });
                }
            }
            prop_assert_eq!(told, expected);
            prop_assert_eq!(times.all, Mean { count: lengths.len() as u32, sum: Time(lengths.iter().sum()) });
        }
    }

    /// A mean exceeds another by a share: against fractions of whole numbers.
    #[test]
    fn means_exceed(a in (1u32..5, 0u64..40), b in (1u32..5, 0u64..40), quarters in 0u64..5) {
        let mean = |(count, sum)| Mean { count, sum: Time(sum) };
        let exceeds = 4 * a.1 * u64::from(b.0) > b.1 * u64::from(a.0) * (4 + quarters);
        prop_assert_eq!(mean(a).exceeds(mean(b), quarters * 250_000_000), exceeds);
        prop_assert_eq!(mean(a).length(), Some(Time(a.1 / u64::from(a.0))));
    }

    /// A rest is commanded once in each iteration from the first on: when the first of its channel's users begins it.
    #[test]
    fn rests_follow_the_first_user(
        first in 0u32..3,
        users in prop::collection::vec(prop::collection::btree_set(0u32..4, 1..4), 0..5),
        begins in prop::collection::vec(0usize..5, 0..30),
    ) {
        let rest = |channel: usize| Rest { channel: ChannelId(channel as u32), off: Time(1), on: Time(2) };
        let lists: Vec<Vec<u32>> = users.iter().map(|users| users.iter().copied().collect()).collect();
        let rests = lists.iter().enumerate().map(|(channel, users)| (rest(channel), &users[..])).collect();
        let mut schedule = Schedule::new(4, first, rests);
        let (mut numbers, mut done) = (BTreeMap::<usize, u32>::new(), BTreeSet::new());
        for node in begins {
            // Nodes begin one iteration after the other; one that the job does not have has no rests.
            let number = *numbers.entry(node).and_modify(|number| *number += 1).or_insert(0);
            let told: Vec<Rest> = schedule.begin(node, number).collect();
            let is_new = |channel: &usize| {
                let uses = users[*channel].contains(&(node as u32)) && number >= first;
                uses && !done.iter().any(|&(known, later)| known == *channel && later >= number)
            };
            let expected: Vec<usize> = (0..users.len()).filter(is_new).collect();
            prop_assert_eq!(&told, &expected.iter().map(|&channel| rest(channel)).collect::<Vec<_>>());
            done.extend(expected.into_iter().map(|channel| (channel, number)));
        }
    }

    /// What is recorded while a job learns: the first begin of each iteration that counts, over some nodes.
    #[test]
    fn first_begins(
        (first, learn) in (0u32..3, 1u32..4),
        begins in prop::collection::vec((0usize..4, 0u32..8, 0u64..100), 0..40),
        asked in prop::collection::btree_set(0u32..3, 0..4),
    ) {
        let mut notes = Notes::new(first, learn, 3);
        begins.iter().for_each(|&(node, number, at)| notes.begin(node, number, Time(at)));
        let asked: Vec<u32> = asked.into_iter().collect();
        let of = |iteration: u32| {
            let all = begins.iter().filter(|begin| begin.1 == iteration && asked.contains(&(begin.0 as u32)));
            all.map(|begin| Time(begin.2)).min().unwrap_or(Time::NEVER)
        };
        prop_assert_eq!(notes.begins_of(&asked), (first..=first + learn).map(of).collect::<Vec<_>>());
    }

    /// Where no iteration has several gaps, a rest is what all gaps have in common, less margins and the wake: computed
    /// here from the sentences of the module. Times are coarse, so that gaps often end where iterations do.
    #[test]
    fn rests_are_what_all_gaps_have_in_common(
        lengths in prop::collection::vec(6i64..12, 1..4),
        edges in prop::collection::btree_set(0i64..40, 0..8),
        (enter, wake, margin) in (0i64..3, 0i64..3, 0i64..3),
        (delay, overhead) in (0i64..4, 0i64..3),
    ) {
        let time = |units: i64| Time(10 * units.cast_unsigned());
        let channel = ChannelId(4);
        let edges: Vec<i64> = edges.into_iter().collect();
        let gaps: Vec<(i64, i64)> = edges.chunks_exact(2).map(|edge| (edge[0], edge[1])).collect();
        let mut begins = vec![0];
        lengths.iter().for_each(|length| begins.push(begins[begins.len() - 1] + length));
        let (mut latest, mut earliest) = (i64::MIN, i64::MAX);
        for (number, ends) in begins.windows(2).enumerate() {
            let touching: Vec<_> = gaps.iter().filter(|gap| gap.1 > ends[0] && gap.0 < ends[1]).collect();
            prop_assume!(touching.len() <= 1);
            let Some(&&(since, until)) = touching.first() else {
                latest = i64::MAX;
                continue;
            };
            // A schedule's two calls delay all in the iteration, two more the next, of which the one after those that
            // are learned from has waited for one already.
            let after = if number + 2 == begins.len() { 3 } else { 4 };
            let in_iteration = |time: i64, calls: i64| time + calls * overhead - ends[0];
            latest = latest.max(in_iteration(since, if since < ends[0] { 0 } else { 2 }));
            earliest = earliest.min(in_iteration(until, if until < ends[1] { 2 } else { after }));
        }
        let common = latest < earliest && latest < i64::MAX;
        let expected = common.then(|| ((latest + margin).max(delay), earliest - margin - wake));
        let expected = expected.filter(|&(off, on)| off + enter < on);
        let gap = |&(since, until): &(i64, i64)| Gap { channel, since: time(since), until: time(until) };
        let gaps: Vec<Gap> = gaps.iter().map(gap).collect();
        let begins: Vec<Time> = begins.into_iter().map(time).collect();
        let [enter, wake, margin, delay, overhead] = [enter, wake, margin, delay, overhead].map(time);
        let found = rest(channel, &gaps, &begins, Care { enter, wake, margin, delay, overhead });
        prop_assert_eq!(found, expected.map(|(off, on)| Rest { channel, off: time(off), on: time(on) }));
    }
}

#[test]
fn no_iteration_has_no_length() {
    assert_eq!(Mean::default().length(), None);
    assert!(!Mean::default().exceeds(Mean { count: 1, sum: Time(1) }, 0));
    assert_eq!(rest(ChannelId(0), &[], &[], CARE), None);
    assert_eq!(rest(ChannelId(0), &[], &[Time(5)], CARE), None);
}

const CARE: Care = Care { enter: Time(1), wake: Time(1), margin: Time::ZERO, delay: Time::ZERO, overhead: Time::ZERO };

/// Gaps that begin or end where iterations do. One that ends with an iteration is followed by a use in the next, which
/// two more calls delay (one more in the last); one that begins with an iteration's end is no gap of it.
#[test]
fn gaps_at_the_ends_of_iterations() {
    let of = |gaps: &[(u64, u64)]| {
        let channel = ChannelId(0);
        let gap = |&(since, until): &(u64, u64)| Gap { channel, since: Time(since), until: Time(until) };
        let gaps: Vec<Gap> = gaps.iter().map(gap).collect();
        let found = rest(channel, &gaps, &[0, 100, 200].map(Time), Care { overhead: Time(10), ..CARE });
        found.map(|rest| (rest.off.0, rest.on.0))
    };
    // 60 + 20 to 100 + 40, and 60 + 20 to 100 + 30; a picosecond to wake.
    assert_eq!(of(&[(60, 100), (160, 200)]), Some((80, 129)));
    assert_eq!(of(&[(60, 99), (160, 199)]), Some((80, 118)));
    assert_eq!(of(&[(100, 190), (200, 290)]), None);
    assert_eq!(of(&[(99, 190), (199, 290)]), Some((119, 219)));
    // One that ends with the first begin is no gap of that iteration; beginning with it, it is delayed like all uses.
    assert_eq!(of(&[(0, 50), (100, 150)]), Some((20, 69)));
}

/// Nodes have places in ascending order, each one, however many ranks it has.
#[test]
fn nodes_have_places() {
    let nodes = [7, 2, 9, 2, 4].map(NodeId);
    let job = Job::new(&nodes, &rules(Mode::Basic));
    assert_eq!(job.nodes, [2, 4, 7, 9].map(NodeId));
    let places: Vec<Option<usize>> = (0..11).map(|node| job.place(NodeId(node))).collect();
    let expected: Vec<Option<usize>> =
        (0..11).map(|node| [2, 4, 7, 9].iter().position(|&other| other == node)).collect();
    assert_eq!(places, expected);
}

/// The life of a job's pattern: it learns from two iterations, knows its pairs when the third has begun, and its gaps
/// when the fourth has; a new pair makes it learn anew from the first iteration that no rank has begun.
#[test]
fn a_pattern_is_learned() {
    for mode in [Mode::Basic, Mode::Scheduled] {
        let rules = rules(mode);
        let mut job = Job::new(&[NodeId(3), NodeId(5)], &rules);
        let [a, b, c] = [(3, 5), (5, 3), (3, 3)].map(|(from, to)| (NodeId(from), NodeId(to)));
        let begin = |job: &mut Job, number: u32, at: u64| {
            let first = job.iterations.begin(number, Time(at));
            assert_eq!(first, None);
            let wants = job.wants_gaps();
            let begun = job.iterations.begin(number, Time(at + 1)).unwrap();
            (wants, job.has_learned_by(begun, &rules))
        };
        assert!(!job.wants_gaps() && !job.has_learned(), "no rank has begun");
        assert!(!job.add_pair(0, a));
        assert_eq!(begin(&mut job, 0, 100), (true, false));
        assert_eq!(begin(&mut job, 1, 200), (true, false));
        assert!(!job.add_pair(1, b));
        assert_eq!(begin(&mut job, 2, 320), (true, true));
        assert!(job.has_learned());
        assert_eq!(job.pairs, BTreeSet::from([a, b]));
        let scheduled = mode == Mode::Scheduled;
        assert_eq!((job.schedules_at, job.wants_gaps()), (scheduled.then_some(3), scheduled));
        let record = job.record;
        assert_eq!((record.learned_at, record.relearned), (Some(Time(321)), 0));
        assert_eq!(record.learned, Mean { count: 2, sum: Time(220) });
        // What is known changes nothing, in whatever iteration it comes.
        assert!(!job.add_pair(7, a) && !job.add_pair(0, b));
        assert!(job.add_pair(2, c));
        job.gaps.push(Gap { channel: ChannelId(0), since: Time(1), until: Time(2) });
        assert_eq!(job.learn_anew(&rules), 3);
        assert_eq!((job.learns_from, job.schedules_at, job.gaps.len(), job.pairs.len()), (Some(3), None, 0, 0));
        assert!(!job.wants_gaps(), "of iteration 2 nothing is learned");
        assert!(!job.add_pair(2, c) && !job.add_pair(3, b));
        assert_eq!(job.pairs, BTreeSet::from([b]));
        assert_eq!(begin(&mut job, 3, 400), (true, false));
        assert_eq!(begin(&mut job, 4, 450), (true, false));
        assert_eq!(begin(&mut job, 5, 480), (true, true));
        let record = job.record;
        assert_eq!((record.learned_at, record.relearned), (Some(Time(321)), 1));
        assert_eq!(record.learned, Mean { count: 2, sum: Time(80) });
        // Begins are recorded for schedules only.
        job.notes.begin(1, 3, Time(7));
        let of_second = if scheduled { vec![Time(7), Time::NEVER, Time::NEVER] } else { vec![Time::NEVER; 3] };
        let asked: &[u32] = if scheduled { &[1] } else { &[] };
        assert_eq!(job.notes.begins_of(asked), of_second);
    }
}
