//! What a simulation measures: counters, histograms, the record of a run, and what probes record of channels.

mod cap;
mod causes;
pub mod critical_messages;
mod extrapolation;
mod governor;
pub mod histogram;
pub mod idle_bins;
pub mod over_time;
pub mod probe;
pub mod rank_waits;
mod record;
mod reordering;
pub mod runtime;
pub mod series;
mod sizes;
pub mod timeline;
mod transport;
pub mod waiting;
pub mod wakes;

pub use cap::CapRecord;
pub(crate) use causes::Carried;
pub use causes::{CriticalPath, OperationTimes, RankTimes, Waits};
pub use extrapolation::ExtrapolationRecord;
pub use governor::GovernorRecord;
pub use histogram::Histogram;
pub use probe::{ProbeOptions, ProbeRecord};
pub use record::{BackgroundRecord, ChannelRecord, JobRecord, OpenLoopRecord, RankRecord, Record, Warning};
pub use reordering::Reordering;
pub use sizes::{MessageSizes, SizeClass};
pub use transport::TransportRecord;
