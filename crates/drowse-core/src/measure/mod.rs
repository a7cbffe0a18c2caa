//! What a simulation measures: counters, histograms, and the record of a run.

pub mod histogram;
pub mod observation;
mod record;

pub use histogram::Histogram;
pub use observation::{Observation, Wanted};
pub use record::{ChannelRecord, JobRecord, OpenLoopRecord, RankRecord, Record, Warning};
