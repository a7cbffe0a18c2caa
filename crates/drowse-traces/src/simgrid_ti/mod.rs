//! `SimGrid`'s time-independent traces, as `smpirun -trace-ti` writes and `smpirun -replay` reads them.
//!
//! The grammar is that of `SimGrid`'s `src/smpi/internals/smpi_replay.cpp`: one action per line, `rank action
//! arguments`, blanks between fields, `#` comments. See [`action`] for the actions. Differences from `SimGrid`'s own
//! replay:
//!
//! - Actions are known by name whatever their case: SMPI writes `Ssend` and `sendRecv`, older versions `Isend`.
//! - A `wait` on an unknown request has no effect, where `SimGrid` aborts (LULESH has thousands).
//! - Polls (`test`, `testall`, `iprobe`, …) have no effect.
//! - What even `SimGrid` cannot replay (`waitany`, `ibcast`, …) and lists of counts for fewer ranks than the trace has are
//!   counted; meeting one in a simulation is an error. So is a trace whose ranks do not call the same collectives.

pub mod action;
mod collective;
mod context;
pub mod datatype;
mod fields;
pub mod name;
mod parse;
mod requests;
mod scan;
mod source;
mod trace;
mod unfinished;

pub use action::Action;
pub use context::LineContext;
pub use name::ActionName;
pub use parse::parse_action;
pub(crate) use scan::NAME;
pub(crate) use trace::TiTrace;
