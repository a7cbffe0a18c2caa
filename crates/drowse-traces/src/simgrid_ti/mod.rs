//! `SimGrid`'s time-independent traces, as `smpirun -trace-ti` writes and `smpirun -replay` reads them.
//!
//! The grammar is that of `SimGrid`'s `src/smpi/internals/smpi_replay.cpp`: one action per line, `rank action
//! arguments`, blanks between fields, `#` comments. See [`action`] for the actions. Differences from `SimGrid`'s own
//! replay:
//!
//! - Actions are known by name whatever their case: SMPI writes `Ssend` and `sendRecv`, older versions `Isend`.
//! - A `wait` on an unknown request has no effect, where `SimGrid` aborts (LULESH has thousands).
//! - Polls (`test`, `testall`, `iprobe`, …) have no effect.
//! - Collectives that the simulation lacks are parsed and counted; meeting one is an error.

pub mod action;
pub mod compute;
pub mod datatype;
mod fields;
mod line;
pub mod name;
mod parse;
mod requests;
pub(crate) mod scan;
pub(crate) mod source;

pub use action::Action;
pub use compute::ComputeModel;
pub use line::LineError;
pub use name::ActionName;
pub use parse::{LineContext, parse_action};
