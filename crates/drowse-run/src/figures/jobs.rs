//! The figures of each job, one row a job, and those of all jobs under a scheduler.

use std::collections::HashSet;

use drowse_core::measure::{JobRecord, RankRecord, Record};
use drowse_tables::Row;
use drowse_tables::schema::{cases, jobs};

/// Makes the rows of all jobs, in the order of the experiment.
pub fn rows(record: &Record) -> Vec<Row> {
    let mut rest = record.ranks.as_slice();
    let row_of = |job: &JobRecord| {
        let (ranks, others) = rest.split_at(job.ranks as usize);
        rest = others;
        row(job, ranks, record)
    };
    record.jobs.iter().map(row_of).collect()
}

/// Returns the figures of the jobs together; none where no scheduler started them.
pub fn columns(record: &Record) -> Row {
    let mut row = Row::new();
    let (Some(cores), Some(makespan)) = (record.cores, record.makespan) else { return row };
    let jobs = &record.jobs;
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

/// Returns the core time that jobs held, in core picoseconds.
fn held(jobs: &[JobRecord]) -> u128 {
    jobs.iter().map(|job| u128::from(job.held) * u128::from((job.finish - job.start).0)).sum()
}

/// Returns the time from a job's arrival to its end, its run time = 1; `None` where it took no time.
fn slowdown(job: &JobRecord) -> Option<f64> {
    let time = job.finish - job.start;
    (time.0 > 0).then(|| (job.finish - job.arrival).0 as f64 / time.0 as f64)
}

fn row(job: &JobRecord, ranks: &[RankRecord], record: &Record) -> Row {
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
    row.push_some(jobs::RUNNING_FRACTION, super::ranks::share(ranks, makespan, |times| times.computing));
    let all = held(&record.jobs);
    if record.cores.is_some() && all > 0 {
        row.push(jobs::ENERGY_FRACTION, held(std::slice::from_ref(job)) as f64 / all as f64);
    }
    row.push(jobs::OPERATIONS, super::ranks::operations(ranks));
    row.push(jobs::MESSAGES, ranks.iter().map(|rank| rank.messages).sum::<u64>());
    row.push(jobs::BYTES, ranks.iter().map(|rank| rank.bytes).sum::<u64>());
    row.append(super::ranks::path(job));
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
