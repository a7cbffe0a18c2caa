//! Integration tests of experiments, runs, summaries and tables on disk.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "closed forms on small whole numbers are exact")]

mod describe;
mod every_key;
mod examples;
mod export;
mod folder;
mod graphs;
mod jobs;
mod overrides;
mod reproduce;
mod resolve;
mod robust;
mod run;
mod runtime;
mod shipped;
mod summary;
mod support;
mod sweep;
mod sweep_run;
mod threads;
mod trace;
mod trees;
mod usage;
mod watched;
mod wrong_cost;
mod wrong_graphs;
mod wrong_network;
mod wrong_power;
mod wrong_sweep;
mod wrong_switch;
mod wrong_traffic;
mod wrong_trees;
mod wrong_workload;
