//! Integration tests of experiment files: what they become, and what is said of wrong ones.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod any_file;
mod codes;
mod corpus;
mod damaged;
mod empty;
mod every_key;
mod examples;
mod graphs;
mod hardware;
mod job_logs;
mod neighbours;
mod network_formats;
mod network_keys;
mod npb;
mod overrides;
mod programs;
mod rates;
mod resolve;
mod robust;
mod schema;
mod states;
mod support;
mod sweep;
mod topology_zoo;
mod training;
mod wrong_applications;
mod wrong_balance;
mod wrong_caps;
mod wrong_cost;
mod wrong_graphs;
mod wrong_network;
mod wrong_power;
mod wrong_scheduler;
mod wrong_search;
mod wrong_simulation;
mod wrong_sweep;
mod wrong_switch;
mod wrong_traffic;
mod wrong_transport;
mod wrong_trees;
mod wrong_workload;
