//! Integration tests of descriptions of networks and of link usage.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "closed forms on small whole numbers are exact")]

mod describe;
#[path = "../../../drowse-experiment/tests/it/support.rs"]
mod support;
mod trees;
mod usage;
