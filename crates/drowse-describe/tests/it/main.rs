//! Integration tests of descriptions of networks and of link usage.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "closed forms on small whole numbers are exact")]

mod describe;
mod support;
mod tables;
mod trees;
mod usage;
