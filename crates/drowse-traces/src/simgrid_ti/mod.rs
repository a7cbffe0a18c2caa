//! `SimGrid`'s time-independent traces, as `smpirun -trace-ti` writes and `smpirun -replay` reads them.
//!
//! The grammar is that of `SimGrid`'s `src/smpi/internals/smpi_replay.cpp`: one action per line, `rank action
//! arguments`, blanks between fields, `#` comments. See [`action`] for the actions. Differences from `SimGrid`'s own
//! replay:
//!
//! - The names of actions are not case-sensitive: SMPI writes `Ssend` and `sendRecv`, older versions `Isend`.
//! - A `wait` on an unknown request has no effect, whereas `SimGrid` aborts (LULESH has thousands).
//! - Polls (`test`, `testall`, `iprobe`, …) have no effect.
//! - Actions that even `SimGrid` cannot replay (`waitany`, `ibcast`, …), and lists of counts for fewer ranks than the
//!   trace has, are counted. In a simulation they are errors. So is a trace whose ranks call different collectives.

pub mod action;
mod collective;
mod context;
pub mod datatype;
mod fields;
pub mod name;
mod odd_waits;
mod parse;
mod recognise;
mod requests;
mod scan;
mod source;
mod trace;
mod unfinished;
mod write;

pub use action::Action;
pub use context::LineContext;
pub use name::ActionName;
pub use parse::parse_action;
pub(crate) use recognise::{first_line, recognises};
pub(crate) use scan::NAME;
pub(crate) use trace::{ABOUT, open};
pub(crate) use write::write;
