//! The figures of each job, one row a job.

use std::collections::HashSet;

use drowse_core::measure::{JobRecord, RankRecord, Record};
use drowse_tables::Row;
use drowse_tables::schema::jobs;

/// Makes the rows of all jobs, in the order of the experiment.
pub fn rows(record: &Record) -> Vec<Row> {
    let mut rest = record.ranks.as_slice();
    let row_of = |job: &JobRecord| {
        let (ranks, others) = rest.split_at(job.ranks as usize);
        rest = others;
        row(job, ranks)
    };
    record.jobs.iter().map(row_of).collect()
}

fn row(job: &JobRecord, ranks: &[RankRecord]) -> Row {
    let makespan = job.finish - job.start;
    let nodes: HashSet<u32> = ranks.iter().map(|rank| rank.node).collect();
    let mut row = Row::new();
    row.push(jobs::JOB, job.name.as_str());
    row.push(jobs::RANKS, job.ranks);
    row.push(jobs::NODES, nodes.len() as u64);
    row.push(jobs::START_S, job.start.seconds());
    row.push(jobs::MAKESPAN_S, makespan.seconds());
    row.push_some(jobs::RUNNING_FRACTION, super::ranks::share(ranks, makespan, |times| times.computing));
    row.push(jobs::MESSAGES, ranks.iter().map(|rank| rank.messages).sum::<u64>());
    row.push(jobs::BYTES, ranks.iter().map(|rank| rank.bytes).sum::<u64>());
    row.append(super::ranks::path(job));
    row
}

/// Returns the ratio of each job's makespan to that of the job of the same name in a baseline, where there is one.
pub fn relative(jobs: &[Row], baseline: &[Row]) -> Vec<Row> {
    jobs.iter().map(|job| relative_of(job, baseline)).collect()
}

fn relative_of(job: &Row, baseline: &[Row]) -> Row {
    let same = baseline.iter().find(|other| other.get(jobs::JOB) == job.get(jobs::JOB));
    let makespans = job.number(jobs::MAKESPAN_S).zip(same.and_then(|same| same.number(jobs::MAKESPAN_S)));
    let ratio = makespans.filter(|&(_, theirs)| theirs > 0.0).map(|(ours, theirs)| ours / theirs);
    let mut row = Row::new();
    row.push_some(jobs::RELATIVE_MAKESPAN, ratio);
    row
}
