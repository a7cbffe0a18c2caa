//! `jobs.csv`: one row a job.

use super::columns::table;

table! {
    /// What each job did.
    pub const JOBS = "jobs.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    JOB: text("job", "the job's name"),
    RANKS: integer("ranks", "ranks", "its ranks"),
    NODES: integer("nodes", "nodes", "nodes that they ran on"),
    START_S: float("start_s", "s", "when they started"),
    MAKESPAN_S: float("makespan_s", "s", "time from then until the last of them finished"),
    RUNNING_FRACTION: float(
        "running_fraction",
        "1",
        "mean share of that time that a rank does not wait for communication"
    ),
    MESSAGES: integer("messages", "messages", "messages sent, those of collectives included"),
    BYTES: integer("bytes", "B", "bytes of these messages"),
    RELATIVE_MAKESPAN: float("relative.makespan", "1", "makespan, that of the baseline's job of the same name = 1"),
}
