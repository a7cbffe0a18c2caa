//! The fast engine against the twin, and the twin against other simulators.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing to unwrap has failed")]

#[path = "../../../drowse-core/tests/it/cases.rs"]
mod cases;
mod equality;
mod experiments;
mod kept;
mod networks;
mod paths;
#[path = "../../../drowse-core/tests/it/peer_cases.rs"]
mod peer_cases;
mod peers;
mod regressions;
mod twin_cases;
