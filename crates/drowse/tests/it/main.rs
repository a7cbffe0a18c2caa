//! End-to-end tests of the program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod network;
mod run;
mod support;
mod trace;
mod usage;
