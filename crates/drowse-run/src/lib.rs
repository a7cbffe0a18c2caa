//! Running experiments: opens their files, simulates cases and sweeps, and makes rows and tables of the results.
//!
//! A [`RunRequest`](request::RunRequest) runs a case and its baseline side by side: it opens the files that they name,
//! simulates them, and makes their figures. [`export::write`] writes all tables. [`sweep::run`] does so for all cases of a
//! sweep. [`trace::info`] describes a trace without running anything.

mod at_speed;
pub mod cancel;
mod channel_tables;
pub mod compare;
pub mod cost;
pub mod ends;
pub mod error;
pub mod export;
pub mod faults;
mod figures;
pub mod files;
pub mod host;
pub mod identity;
pub mod inputs;
mod joules;
mod machine_file;
pub mod manifest;
pub mod outcome;
pub mod parquet;
pub mod placement;
pub mod pool;
mod probe_tables;
pub mod processes;
pub mod progress;
mod rank_tables;
pub mod request;
pub mod rerun;
mod simulate;
pub mod summary;
pub mod sweep;
pub mod threads;
pub mod timeline;
pub mod totals;
pub mod trace;

pub use figures::watts::described;
pub use simulate::check;
