//! Long jobs: after some iterations that are alike, the next ones are not simulated.

use serde::Serialize;

/// When iterations of jobs are extrapolated (`simulation.extrapolate`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Extrapolate {
    /// Iterations are alike that differ by no more than this, in billionths: in their time, and in the share of it that
    /// links spend in each state.
    pub within_billionths: u32,
    /// Iterations of each job that are simulated before any are compared, whenever other jobs begin or cease to share its
    /// links; where a policy learns from idle periods, at least as many as it needs of these.
    pub after: u32,
}

impl Extrapolate {
    /// Iterations are alike to 1 %, unless it is written.
    pub const WITHIN_BILLIONTHS: u32 = 10_000_000;
    /// Iterations that are simulated before any are compared, unless it is written.
    pub const AFTER: u32 = 2;
}
