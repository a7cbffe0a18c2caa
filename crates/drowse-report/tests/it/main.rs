//! Pages made of tables written by hand.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod baselines;
mod best;
mod figure;
mod names;
mod page;
mod seeds;
mod text_table;
mod waits;
mod wrong_folders;
