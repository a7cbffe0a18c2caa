//! End-to-end tests of the program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod advise;
mod best;
mod damaged;
mod deadlock;
mod devices;
mod draw;
mod generated;
mod kill;
mod link_usage;
mod memory;
mod network;
mod parquet;
#[cfg(not(feature = "mpi"))]
mod plot;
mod processes;
mod report;
mod reproduce;
mod rerun;
mod run;
mod shard;
mod show;
mod states;
mod submit;
mod support;
mod sweep;
mod targets;
mod trace;
mod units;
mod usage;
mod wrong_inputs;
