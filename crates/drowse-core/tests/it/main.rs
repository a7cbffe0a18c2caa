//! The simulator from outside: closed forms, conservation laws, peers' curves.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing to unwrap has failed")]

mod audit;
mod closed_forms;
mod common;
mod credits;
mod cut;
mod energy;
mod mpi;
mod peer_cases;
mod peers;
mod random;
mod replay;
mod routing;
mod sleeping;
