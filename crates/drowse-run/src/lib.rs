//! Running experiments: what they name is opened, cases and sweeps are simulated, and what came out is made into rows and tables.
//!
//! [`inputs::open`] opens what a case names, [`run::run`] simulates it, [`summary::summarize`] makes one row of the record,
//! [`export::write`] writes all tables. [`compare::run`] does so for a case and its baseline side by side, [`sweep::run`] for
//! all cases of a sweep. [`trace::info`] says what a trace is, without running anything.

pub mod compare;
mod cost;
pub mod export;
pub mod failures;
pub mod identity;
pub mod inputs;
mod jobs;
pub mod placement;
pub mod pool;
mod probe_tables;
pub mod progress;
pub mod run;
mod runtime;
pub mod summary;
pub mod sweep;
pub mod threads;
pub mod totals;
pub mod trace;
