//! The simulator from outside: closed forms, conservation laws, peers' curves.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing to unwrap has failed")]

mod audit;
mod closed_forms;
mod common;
mod credits;
mod cut;
mod deadlock;
mod energy;
mod ideal;
mod jobs;
mod lengths;
mod mpi;
mod patterns;
mod peer_cases;
mod peers;
mod placement;
mod random;
mod repeat;
mod replay;
mod routing;
mod sleeping;
mod trees;
