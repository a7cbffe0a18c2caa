//! The fast engine against the twin, and both against other simulators.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing to unwrap has failed")]

mod engine_peers;
mod equality;
mod experiments;
mod regressions;
mod twin_peers;
mod twin_runs;
