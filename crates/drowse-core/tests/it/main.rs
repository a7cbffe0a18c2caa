//! The simulator from outside: closed forms, conservation laws, peers' curves.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing to unwrap has failed")]

mod applications;
mod audit;
mod bisections;
mod bounds;
mod closed_forms;
mod coalescing;
mod common;
mod coupled;
mod credits;
mod cut;
mod deadlock;
mod low_diameter;
mod directed;
mod director;
mod energy;
mod graphs;
mod ideal;
mod idle;
mod jobs;
mod lengths;
mod marks;
mod mpi;
mod observed;
mod oracle;
mod packed;
mod patterns;
mod peer_cases;
mod peers;
mod placement;
mod policies;
mod random;
mod repeat;
mod replay;
mod routing;
mod sleeping;
mod streams;
mod topologies;
mod trees;
mod trunks;
mod usage;
mod widths;
