//! Integration tests of the result tables.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod csv_round_trip;
mod interval;
mod json;
mod schema;
