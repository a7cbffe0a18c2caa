//! Pages made of tables written by hand.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod best;
mod page;
mod seeds;
mod wrong_folders;
