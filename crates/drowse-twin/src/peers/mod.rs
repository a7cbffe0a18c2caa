//! Two other simulators, `BookSim2` and CAMINOS: their curves (`data`), our parameters set to theirs, and kept runs of the
//! engine and of the twin at the points of their curves.

#[expect(clippy::unwrap_used, reason = "cases and files are fixed: what cannot be read or run is a mistake there")]
mod cases;
#[expect(clippy::unwrap_used, reason = "the file is ours: a row that is missing or no number is a mistake there")]
pub mod engine_runs;
#[expect(clippy::unwrap_used, reason = "the file is ours: a field that is no number is a mistake there")]
pub mod twin_runs;

pub use cases::{CYCLE, Ours, Peer, Point};
