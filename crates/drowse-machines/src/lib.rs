//! Random machines: experiments that are drawn from a number, run in audit mode, and held against laws.
//!
//! [`generate::machine`] draws an experiment as TOML, with any topology, routing, policy and workload that there is.
//! [`examine::examine`] reads it by the real schema and runs it whole and in partitions, with and without audit. All
//! records must be equal, the laws of `laws` hold for each, and the twin finds the same. [`shrink::shrink`] makes an experiment that breaks one
//! of them small.

mod answers;
mod caps;
mod draw;
pub mod examine;
mod finding;
pub mod generate;
mod laws;
mod machine;
mod order;
mod probes;
pub mod process;
mod programs;
mod shares;
pub mod shrink;
mod sleepless;
mod tables;
mod twin;
pub mod watch;

pub use draw::Draw;
pub use examine::{Verdict, examine, examine_beside_twin};
pub use finding::Finding;
pub use machine::{File, Machine};
