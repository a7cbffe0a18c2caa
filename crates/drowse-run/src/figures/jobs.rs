//! The figures of each job, one row a job, and those of all jobs under a scheduler.

use std::collections::{BTreeMap, HashSet};

use drowse_core::measure::{JobRecord, RankRecord, Record};
use drowse_core::model::units::Time;
use drowse_tables::Row;
use drowse_tables::schema::{cases, jobs};

use super::extrapolation;

/// Makes the rows of all jobs, in the order of the experiment.
pub fn rows(record: &Record) -> Vec<Row> {
    let mut rest = record.ranks.as_slice();
    let row_of = |(number, job): (usize, &JobRecord)| {
        let (ranks, others) = rest.split_at(job.ranks as usize);
        rest = others;
        row(job, ranks, record, extrapolation::of_job(record, number))
    };
    record.jobs.iter().enumerate().map(row_of).collect()
}

/// Returns the figures of the jobs together, on a machine of so many nodes.
pub fn columns(record: &Record, nodes: u32) -> Row {
    let Some(makespan) = record.makespan else { return Row::new() };
    match record.cores {
        Some(cores) => {
            let mut row = schedule(&record.jobs, cores, makespan);
            row.append(free_nodes(record, nodes));
            row
        }
        None => side_by_side(&record.jobs, makespan),
    }
}

/// Returns in which shares of the makespan how many jobs ran, the most first; none where it is always as many.
fn side_by_side(jobs: &[JobRecord], makespan: Time) -> Row {
    let mut row = Row::new();
    let times = times_by_number(jobs, makespan);
    if times.len() > 1 {
        for (number, time) in times.into_iter().rev() {
            row.push(cases::JOBS_RUNNING_FRACTION.of(number), time.0 as f64 / makespan.0 as f64);
        }
    }
    row
}

/// Returns for how long of a time from the beginning how many jobs ran.
fn times_by_number(jobs: &[JobRecord], end: Time) -> BTreeMap<usize, Time> {
    let mut moments: Vec<Time> = jobs.iter().flat_map(|job| [job.start, job.finish]).collect();
    moments.extend([Time::ZERO, end]);
    moments.retain(|moment| *moment <= end);
    moments.sort_unstable();
    // Of those at one time, starts come before ends.
    let mut changes: Vec<(Time, bool)> = jobs.iter().flat_map(|job| [(job.start, false), (job.finish, true)]).collect();
    changes.sort_unstable();
    let (mut changes, mut running) = (changes.into_iter().peekable(), 0usize);
    let mut times = BTreeMap::new();
    for pair in moments.windows(2) {
        while let Some((_, ends)) = changes.next_if(|(at, _)| *at <= pair[0]) {
            running = if ends { running - 1 } else { running + 1 };
        }
        if pair[0] < pair[1] {
            *times.entry(running).or_insert(Time::ZERO) += pair[1] - pair[0];
        }
    }
    times
}

/// Returns the figures of a schedule.
fn schedule(jobs: &[JobRecord], cores: u64, makespan: Time) -> Row {
    let mut row = Row::new();
    let mean = |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let most = |values: &[f64]| values.iter().copied().reduce(f64::max);
    let all = u128::from(cores) * u128::from(makespan.0);
    row.push_some(cases::JOBS_UTILISATION, (all > 0).then(|| held(jobs) as f64 / all as f64));
    let waits: Vec<f64> = jobs.iter().map(|job| (job.start - job.arrival).seconds()).collect();
    row.push_some(cases::JOBS_WAIT_MEAN_S, mean(&waits));
    row.push_some(cases::JOBS_WAIT_MAX_S, most(&waits));
    let times: Vec<f64> = jobs.iter().map(|job| (job.finish - job.start).seconds()).collect();
    row.push_some(cases::JOBS_RUN_MEAN_S, mean(&times));
    let slowdowns: Vec<f64> = jobs.iter().filter_map(slowdown).collect();
    row.push_some(cases::JOBS_SLOWDOWN_MEAN, mean(&slowdowns));
    row.push_some(cases::JOBS_SLOWDOWN_MAX, most(&slowdowns));
    row
}

/// Returns in which shares of their time nodes were without a job, where they are turned off then.
fn free_nodes(record: &Record, nodes: u32) -> Row {
    let mut row = Row::new();
    let all = f64::from(nodes) * record.measured.0 as f64;
    if let Some(times) = record.free_nodes.filter(|times| times.suspends && all > 0.0) {
        row.push(cases::JOBS_NODES_FREE_FRACTION, times.on as f64 / all);
        row.push(cases::JOBS_NODES_OFF_FRACTION, times.off as f64 / all);
        row.push(cases::JOBS_NODES_RESUMES, times.resumes);
    }
    row
}

/// Returns the core time that jobs held, in core picoseconds.
fn held(jobs: &[JobRecord]) -> u128 {
    jobs.iter().map(|job| u128::from(job.held) * u128::from((job.finish - job.start).0)).sum()
}

/// Returns the time from a job's arrival to its end, its run time = 1; `None` where it took no time.
fn slowdown(job: &JobRecord) -> Option<f64> {
    let time = job.finish - job.start;
    (time.0 > 0).then(|| (job.finish - job.arrival).0 as f64 / time.0 as f64)
}

fn row(job: &JobRecord, ranks: &[RankRecord], record: &Record, extrapolated_s: Option<f64>) -> Row {
    let makespan = job.finish - job.start;
    let nodes: HashSet<u32> = ranks.iter().map(|rank| rank.node).collect();
    let mut row = Row::new();
    row.push(jobs::JOB, job.name.as_str());
    row.push(jobs::RANKS, job.ranks);
    row.push(jobs::NODES, nodes.len() as u64);
    if record.cores.is_some() {
        row.push(jobs::ARRIVAL_S, job.arrival.seconds());
        row.push(jobs::WAIT_S, (job.start - job.arrival).seconds());
        row.push_some(jobs::SLOWDOWN, slowdown(job));
    }
    row.push(jobs::START_S, job.start.seconds());
    row.push(jobs::MAKESPAN_S, makespan.seconds());
    row.push_some(jobs::EXTRAPOLATED_S, extrapolated_s);
    row.push(jobs::REPETITIONS, job.repetitions);
    row.push_some(jobs::RUNNING_FRACTION, super::ranks::share(ranks, makespan, |times| times.computing));
    let all = held(&record.jobs);
    if record.cores.is_some() && all > 0 {
        row.push(jobs::ENERGY_FRACTION, held(std::slice::from_ref(job)) as f64 / all as f64);
    }
    row.push(jobs::OPERATIONS, super::ranks::operations(ranks));
    row.push(jobs::MESSAGES, ranks.iter().map(|rank| rank.messages).sum::<u64>());
    row.push(jobs::BYTES, ranks.iter().map(|rank| rank.bytes).sum::<u64>());
    // What has not ended has no critical path.
    if !job.again {
        row.append(super::ranks::path(job));
    }
    row
}

/// Returns the ratio of each job's makespan to that of the job of the same name in a baseline, where there is one.
pub fn relative(jobs: &[Row], baseline: &[Row]) -> Vec<Row> {
    jobs.iter().map(|job| relative_of(job, baseline)).collect()
}

/// Returns the largest of these ratios, for the row of the case; none where a job has none.
pub fn slowest(ratios: &[Row]) -> Row {
    let all: Option<Vec<f64>> = ratios.iter().map(|row| row.number(jobs::RELATIVE_MAKESPAN)).collect();
    let mut row = Row::new();
    row.push_some(cases::RELATIVE_JOBS_MAKESPAN_MAX, all.into_iter().flatten().reduce(f64::max));
    row
}

fn relative_of(job: &Row, baseline: &[Row]) -> Row {
    let same = baseline.iter().find(|other| other.get(jobs::JOB) == job.get(jobs::JOB));
    let makespans = job.number(jobs::MAKESPAN_S).zip(same.and_then(|same| same.number(jobs::MAKESPAN_S)));
    let ratio = makespans.filter(|&(_, theirs)| theirs > 0.0).map(|(ours, theirs)| ours / theirs);
    let mut row = Row::new();
    row.push_some(jobs::RELATIVE_MAKESPAN, ratio);
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, makespan: Option<f64>) -> Row {
        let mut row = Row::new();
        row.push(jobs::JOB, name);
        row.push_some(jobs::MAKESPAN_S, makespan);
        row
    }

    /// A job is compared with that of its name, in whatever order; one that is missing, or took no time, with none.
    #[test]
    fn jobs_are_compared_by_name() {
        let baseline = [of("cg", Some(2.0)), of("lu", Some(4.0)), of("empty", Some(0.0))];
        let ours = [of("lu", Some(6.0)), of("cg", Some(1.0)), of("empty", Some(3.0)), of("new", Some(1.0))];
        let ratios = relative(&ours, &baseline);
        let numbers: Vec<_> = ratios.iter().map(|row| row.number(jobs::RELATIVE_MAKESPAN)).collect();
        assert_eq!(numbers, [Some(1.5), Some(0.5), None, None]);
        assert_eq!(slowest(&ratios[..2]).number(cases::RELATIVE_JOBS_MAKESPAN_MAX), Some(1.5));
        assert_eq!(slowest(&ratios).get(cases::RELATIVE_JOBS_MAKESPAN_MAX), None, "one has no ratio");
    }
}
