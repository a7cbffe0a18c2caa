//! Rates against closed forms, against a second solver, and against themselves.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing to unwrap has failed")]

mod all_small;
mod chain;
mod closed_forms;
mod common;
mod naive;
mod parts;
mod ports;
mod random;
mod sequences;
