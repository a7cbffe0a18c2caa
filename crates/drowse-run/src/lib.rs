//! Running experiments: opens their files, simulates cases and sweeps, and makes rows and tables of the results.
//!
//! ```
//! use drowse_experiment::case_of;
//! use drowse_run::request::RunRequest;
//! use drowse_tables::schema::cases;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = r#"
//!     network = { kind = "racks", racks = 4, nodes_per_rack = 4 }
//!     power = { channels = "all", policy = { kind = "stall-timer", deep = "50 us" } }
//!     job = { app = { kind = "stencil", dims = [4, 4], bytes = "64 KiB", compute = "200 us", iterations = 10 } }
//! "#;
//! let case = case_of(text)?;
//! let always_on = case.always_on();
//! let outcomes = RunRequest { baseline: Some(&always_on), ..RunRequest::new(&case) }.run()?;
//! let figures = outcomes.case.figures();
//! let time = figures.number(cases::MAKESPAN_S).unwrap_or(f64::NAN);
//! let links = figures.number(cases::ENERGY_LINKS_ALL_J).unwrap_or(f64::NAN);
//! println!("{:.2} ms, links take {links:.3} J", 1e3 * time);
//! # assert!(time > 2e-3 && links > 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! A [`RunRequest`](request::RunRequest) runs a case and its baseline side by side: it opens the files that they name,
//! simulates them, and makes their figures. An [`Observer`](request::Observer) sees how far they have come, and a
//! [`Cancel`](cancel::Cancel) stops them. [`export::write`] writes all tables. [`sweep::run`](sweep::run()) does so for
//! all cases of a [`sweep`]. [`trace::info`] describes a trace without running anything.

pub mod advise;
mod at_speed;
pub mod cancel;
mod channel_tables;
mod compare;
pub mod cost;
pub mod ends;
pub mod error;
pub mod expected;
pub mod export;
pub mod faults;
mod figures;
pub mod files;
pub mod host;
pub mod identity;
pub mod inputs;
mod jobs_of;
mod joules;
mod link_time;
mod machine_file;
mod manifest;
mod node_times;
pub mod outcome;
mod over_time;
mod own_policy;
mod pace;
pub mod parquet;
pub mod placement;
pub mod pool;
mod power_table;
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
pub mod timers;
pub mod totals;
pub mod trace;
pub mod units;
mod wait_tables;
pub mod wake_table;

pub use figures::watts::described;
pub use own_policy::own_policy;
pub use simulate::check;
