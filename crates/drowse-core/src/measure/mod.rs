//! What a simulation measures: counters, histograms, and the record of a run.

pub mod histogram;
mod record;

pub use histogram::Histogram;
pub use record::{ChannelRecord, JobRecord, OpenLoopRecord, RankRecord, Record, Warning};
