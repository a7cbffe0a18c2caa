//! SST-DUMPI's binary traces, as `libdumpi` writes them: one file per rank with every MPI call, its arguments, and when
//! it began and ended.
//!
//! - All calls are read, so that nothing gets out of step ([`functions`]); those that send or receive are simulated.
//! - Ranks number communicators by themselves. One pass over all files rebuilds them ([`survey`], [`rebuild`]).
//! - A rank computes between the end of a call and the begin of the next one, by the wall clock. The clock of the
//!   processor is used where a trace has no other.
//! - Waits and tests complete what the trace says that they completed. Tests that complete nothing have no effect.

mod bytes;
mod calls;
mod clock;
mod collective;
mod comm_calls;
mod datatypes;
mod functions;
mod groups;
mod layout;
mod meta;
mod names;
mod problem;
mod reading;
mod rebuild;
mod record;
mod requests;
mod scan;
mod sizes;
mod source;
mod survey;
mod survey_files;
mod trace;
mod translate;

pub use problem::Problem;
pub(crate) use trace::{ABOUT, open, recognises};

/// The format's name in results.
pub(crate) const NAME: &str = "dumpi";
