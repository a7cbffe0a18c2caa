//! What a run has cost the machine, which differs from run to run.

use serde::{Deserialize, Serialize};

/// The cost of the event loop of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Time passed, in seconds.
    pub wall_s: f64,
    /// CPU time of all threads and processes in seconds, where the system reports it.
    pub cpu_s: Option<f64>,
    /// Largest resident memory of the process so far in bytes, where the system reports it; of several processes, of the
    /// largest.
    pub peak_rss_bytes: Option<u64>,
    /// What processes have sent each other, where there were several.
    pub exchanged: Option<Exchanged>,
}

/// What the processes of a run have sent each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchanged {
    /// How many processes have shared the run; 1 where one has done all.
    pub processes: u64,
    /// Windows, after each of which all processes have waited for each other.
    pub windows: u64,
    /// Packets, credits and other effects that have crossed from one partition to another.
    pub effects: u64,
    /// Bytes, with the reports by which the next window is decided.
    pub bytes: u64,
}
