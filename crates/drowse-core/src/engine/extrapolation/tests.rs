//! Jobs by hand: what is told, and what is decided.

use crate::model::extrapolate::Extrapolate;
use crate::model::link_state::LinkState;
use crate::model::units::Time;

use super::*;

const RULES: Extrapolate = Extrapolate { within_billionths: 10_000_000, after: 2 };
/// Iterations of 100.
const PACE: Pace = Pace { time: 100, marks: 1 };

/// Two jobs of two ranks each, and four channels.
fn jobs() -> Extrapolation {
    Extrapolation::new(RULES, vec![0, 2], 4)
}

/// Channels sleep deeply for half of the time, and send a packet in ten.
fn counts(_channel: u32, t: u64) -> Counts {
    let mut counts = Counts { packets: t / 10, ..Counts::default() };
    counts.asleep[LinkState::Deep as usize - 1] = t / 2;
    counts
}

fn nothing(_: u32, _: u64, _: Counts) {}

/// Lets all ranks of a job begin a sample at a time, and end it in one or two iterations of 100.
fn samples(jobs: &mut Extrapolation, job: u32, left: u64, times: &[u64]) {
    jobs.began(job, times[0], |channel| counts(channel, times[0]));
    for &t in &times[1..] {
        jobs.sampled(job, t, |_| Sampled { pace: PACE, spread: 0, left }, |channel| counts(channel, t));
    }
}

#[test]
fn a_job_alone_leaves_out_all_but_two_iterations() {
    let mut jobs = jobs();
    jobs.started(1, 1, u64::MAX);
    assert_eq!(jobs.follow, [Follow::Anew { job: 1, unit: 1, after: 2 }]);
    assert_eq!([jobs.job_of(1), jobs.job_of(2), jobs.job_of(3)], [0, 1, 1]);
    jobs.uses(3, 1, counts);
    samples(&mut jobs, 1, 1_000, &[1_000, 1_100, 1_200]);
    assert_eq!(jobs.hold, [1]);
    // Its ranks are held from 1,300 to 1,320; 999 iterations are left then.
    jobs.held(1, 1_300, 999, 1_320, nothing);
    let wake = jobs.wakes.pop().unwrap();
    // 998 iterations of those left at the end of the samples go on until 101,000.
    assert_eq!((wake.at, wake.job), (1_300 + 99_600, 1));
    let mut skipped = Vec::new();
    jobs.woken(1, wake.version, wake.at, |channel, by, done| skipped.push((channel, by, done)));
    assert_eq!(jobs.released, [Released { job: 1, iterations: 996, by: Time(99_600) }]);
    let (channel, by, done) = skipped[0];
    assert_eq!((channel, by, done.packets), (3, 99_600, 9_960));
    assert_eq!(done.asleep[LinkState::Deep as usize - 1], 49_800);
    assert_eq!((jobs.record.intervals, jobs.record.skipped[&1]), (1, 99_600));
}

/// Another job uses the channel of a job that is held: that goes on with the iteration that has begun by then, and both
/// are sampled anew, together.
#[test]
fn a_job_that_comes_by_ends_a_hold() {
    let mut jobs = jobs();
    jobs.started(0, 1, u64::MAX);
    jobs.uses(2, 0, counts);
    samples(&mut jobs, 0, 1_000, &[1_000, 1_100, 1_200]);
    jobs.held(0, 1_300, 999, 1_300, nothing);
    jobs.started(1, 1, u64::MAX);
    assert!(!jobs.is_known(2, 1));
    let [None, Some(group)] = jobs.meets(2, 1) else { panic!("the channel belongs to a job that is held") };
    jobs.release(group, 5_330, nothing);
    jobs.uses(2, 1, counts);
    assert_eq!(jobs.released, [Released { job: 0, iterations: 41, by: Time(4_100) }]);
    // The first one comes by the channel again: they are one group.
    jobs.uses(2, 0, counts);
    jobs.follow.clear();
    samples(&mut jobs, 1, 50, &[6_000, 6_100]);
    assert!(jobs.follow.is_empty(), "the other one has not begun");
    samples(&mut jobs, 0, 50, &[6_150, 6_250]);
    samples(&mut jobs, 1, 50, &[6_200, 6_300]);
    assert_eq!(jobs.follow.len(), 2, "both have ended a sample");
}

/// A job that is stopped soon, one whose iterations are not alike, and one that does not come to a mark are not held.
#[test]
fn what_is_simulated_whole() {
    let mut stopped = jobs();
    stopped.started(0, 1, 1_600);
    samples(&mut stopped, 0, 1_000, &[1_000, 1_100, 1_200]);
    assert!(stopped.hold.is_empty());

    let mut uneven = jobs();
    uneven.started(0, 1, u64::MAX);
    uneven.began(0, 0, |channel| counts(channel, 0));
    for number in 1..=6 {
        let pace = Pace { time: 100 + number % 2 * 10, marks: 1 };
        uneven.sampled(0, 100 * number, |_| Sampled { pace, spread: 0, left: 500 }, |channel| counts(channel, 0));
    }
    assert!(uneven.hold.is_empty());
    let longer = Follow::Anew { job: 0, unit: 2, after: 0 };
    assert!(uneven.follow.contains(&longer), "two iterations make a sample: {:?}", uneven.follow);

    let mut stuck = jobs();
    stuck.started(0, 1, u64::MAX);
    samples(&mut stuck, 0, 1_000, &[1_000, 1_100, 1_200]);
    let wake = stuck.wakes.pop().unwrap();
    stuck.woken(0, wake.version, wake.at, nothing);
    assert_eq!(stuck.released, [Released { job: 0, iterations: 0, by: Time::ZERO }]);
    samples(&mut stuck, 0, 900, &[9_000, 9_100, 9_200]);
    assert_eq!(stuck.hold, [0], "it is not asked again");
}
