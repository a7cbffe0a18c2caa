//! Random machines: experiments that are drawn from a number, run in audit mode, and held against laws.
//!
//! [`generate::machine`] draws an experiment as TOML, with any topology, routing, policy and workload that there is.
//! [`examine::examine`] reads it by the real schema and runs it whole and in partitions, with and without audit. All
//! records must be equal, and the laws of `laws` hold for each. [`shrink::shrink`] makes an experiment that breaks one
//! of them small.

mod draw;
pub mod examine;
mod finding;
pub mod generate;
mod laws;
mod machine;
mod process;
mod shares;
pub mod shrink;
mod tables;
pub mod watch;

pub use examine::{Verdict, examine};
pub use finding::Finding;
pub use machine::{File, Machine};
