//! States of jobs, as Slurm names them.

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has not started, or was ended before.
    Waiting,
    /// It runs, or was stopped for a while.
    Running,
    /// It was ended at its limit.
    TimedOut,
    /// It has ended in any other way. Whether it ran is for its times to say.
    Ended,
}

/// Returns the state of a word, such as `COMPLETED`, `CANCELLED by 1001` or `CANCELLED+`; `None` of an unknown one.
pub fn of(word: &str) -> Option<State> {
    let word = word.split([' ', '+']).next().unwrap_or_default();
    Some(match word {
        "PENDING" | "CONFIGURING" => State::Waiting,
        "RUNNING" | "SUSPENDED" | "COMPLETING" | "RESIZING" | "STOPPED" => State::Running,
        "TIMEOUT" => State::TimedOut,
        "BOOT_FAIL" | "CANCELLED" | "COMPLETED" | "DEADLINE" | "FAILED" | "NODE_FAIL" | "OUT_OF_MEMORY"
        | "PREEMPTED" | "REQUEUED" | "REVOKED" => State::Ended,
        _ => return None,
    })
}
