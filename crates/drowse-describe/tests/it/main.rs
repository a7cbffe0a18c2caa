//! Integration tests of descriptions of networks and of link usage.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "closed forms on small whole numbers are exact")]

mod describe;
#[expect(dead_code, reason = "tests of several crates share it, each a part")]
#[path = "../../../drowse-experiment/tests/it/support.rs"]
mod support;
mod tables;
mod trees;
mod usage;
