//! Integration tests of experiments, runs, summaries and tables on disk.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "closed forms on small whole numbers are exact")]

mod describe;
mod examples;
mod export;
mod overrides;
mod resolve;
mod robust;
mod run;
mod summary;
mod support;
mod trace;
mod wrong_network;
mod wrong_power;
mod wrong_switch;
mod wrong_workload;
