//! The simulator from outside: closed forms, conservation laws, peers' curves.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing to unwrap has failed")]

mod applications;
mod audit;
mod bisections;
mod bounds;
mod closed_forms;
mod coalescing;
mod common;
mod credits;
mod deadlock;
mod end_of_time;
mod energy;
mod graphs;
mod ideal;
mod idle;
mod jobs;
mod lengths;
mod low_diameter;
mod marks;
mod mpi;
mod oracle;
mod packed;
mod paired;
mod partitions;
mod patterns;
mod peer_cases;
mod peers;
mod placement;
mod policies;
mod predictive;
mod probe;
mod random;
mod repeat;
mod replay;
mod routing;
mod runtime_control;
mod runtime_system;
mod sleeping;
mod streams;
mod topologies;
mod trees;
mod trunks;
mod usage;
mod widths;
