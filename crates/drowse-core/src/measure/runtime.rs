//! What the runtime system has done.

use crate::model::runtime_mode::Mode;
use crate::model::units::Time;

/// What the runtime system has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuntimeRecord {
    /// By job.
    pub jobs: Vec<JobRecord>,
    /// Channels that it commands.
    pub commanded: u32,
    /// Channels that some job is known to use at the end.
    pub marked: u32,
    /// Channels woken by packets that needed them.
    pub woken: u64,
    /// When it was turned down, and to which mode.
    pub turned_down: Vec<(Time, Mode)>,
}

/// What the runtime system reports of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobRecord {
    /// Iterations that some rank has begun.
    pub iterations: u32,
    /// When it first knew its pattern.
    pub learned_at: Option<Time>,
    /// How often it has learned anew because its pattern had changed.
    pub relearned: u32,
    /// Number of notifications sent to switches on the way (Totoni et al. 2014, section 4.1, step 4).
    pub notifications: u64,
    /// Number of messages by which nodes learn that all of these have come (step 5).
    pub detecting: u64,
    /// The iterations that it has learned from last.
    pub learned: Mean,
    /// Those since commands have taken effect.
    pub after: Mean,
}

/// Mean length of iterations, from the time when the last rank begins one to the time when the last begins the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mean {
    /// Number of iterations.
    pub count: u32,
    /// Sum of their lengths.
    pub sum: Time,
}

impl Mean {
    /// Returns the length of one.
    pub fn length(self) -> Option<Time> {
        (self.count > 0).then(|| Time(self.sum.0 / u64::from(self.count)))
    }

    /// Returns whether the mean exceeds another by more than a share in billionths.
    pub fn exceeds(self, other: Mean, billionths: u64) -> bool {
        let product = |mean: Mean, count: u32| u128::from(mean.sum.0) * u128::from(count);
        let bound = 1_000_000_000 + u128::from(billionths);
        product(self, other.count) * 1_000_000_000 > product(other, self.count).saturating_mul(bound)
    }
}
