//! The figures of each job, one row a job.

use std::collections::HashSet;

use drowse_core::measure::{JobRecord, RankRecord, Record};
use drowse_tables::{Row, Value};

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
    let running: u128 = ranks.iter().map(|rank| u128::from(rank.running.0)).sum();
    let available = u128::from(makespan.0) * ranks.len() as u128;
    let nodes: HashSet<u32> = ranks.iter().map(|rank| rank.node).collect();
    let mut row = Row::new();
    row.push("job", job.name.as_str());
    row.push("ranks", job.ranks);
    row.push("nodes", nodes.len() as u64);
    row.push("start_s", job.start.seconds());
    row.push("makespan_s", makespan.seconds());
    row.push_some("running_fraction", (available > 0).then(|| running as f64 / available as f64));
    row.push("messages", ranks.iter().map(|rank| rank.messages).sum::<u64>());
    row.push("bytes", ranks.iter().map(|rank| rank.bytes).sum::<u64>());
    row
}

/// Adds to each job's row the ratio to the job of the same name in a baseline, where there is one.
pub fn compare(jobs: &mut [Row], baseline: &[Row]) {
    for row in jobs {
        let same = baseline.iter().find(|other| other.get("job") == row.get("job"));
        let makespans = row.number("makespan_s").zip(same.and_then(|same| same.number("makespan_s")));
        row.push_some(
            "relative.makespan",
            makespans.filter(|&(_, theirs)| theirs > 0.0).map(|(ours, theirs)| ours / theirs),
        );
    }
}

/// Returns the row of a job as it stands in a table of several cases.
pub fn table_row(case_id: Value, job: &Row) -> Row {
    let mut row = Row::new();
    row.push("case_id", case_id);
    row.append(job.clone());
    row
}
