//! The studies that people run: experiment files, running their cases, summaries, and tables on disk.
//!
//! The way of the data: [`experiment::load_case`] makes a [`experiment::Case`] of a file, [`inputs::open`] opens what it
//! names, [`run::run`] simulates it, [`summary::summarize`] makes one row of the record, [`export::write`] writes all
//! tables. [`compare::run`] does so for a case and its baseline side by side, [`sweep::run`] for all cases of a sweep.
//! [`describe::network`], [`draw::diagram`] and [`trace::info`] say what a network and a trace are, without running anything, and
//! [`usage::count`] which channels a workload uses.

pub mod compare;
mod cost;
pub mod deadlock;
pub mod describe;
pub mod draw;
pub mod experiment;
pub mod export;
mod failures;
mod graph_file;
mod identity;
pub mod inputs;
mod jobs;
mod machine;
mod memory;
mod observed;
mod placement;
mod pool;
pub mod progress;
pub mod recent;
pub mod reproduce;
pub mod run;
mod runtime;
pub mod summary;
pub mod sweep;
pub mod threads;
mod totals;
pub mod trace;
pub mod usage;
