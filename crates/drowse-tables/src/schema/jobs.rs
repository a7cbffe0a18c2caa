//! `jobs.csv`: one row a job.

use super::{Column, Schema, float, integer, text};

/// What each job did.
pub const JOBS: Schema = Schema { file: "jobs.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("case_id", "the case, as in cases.csv"),
    text("job", "the job's name"),
    integer("ranks", "ranks", "its ranks"),
    integer("nodes", "nodes", "nodes that they ran on"),
    float("start_s", "s", "when they started"),
    float("makespan_s", "s", "time from then until the last of them finished"),
    float("running_fraction", "1", "mean share of that time that a rank does not wait for communication"),
    integer("messages", "messages", "messages sent, those of collectives included"),
    integer("bytes", "B", "bytes of these messages"),
    float("relative.makespan", "1", "makespan, that of the baseline's job of the same name = 1"),
];
