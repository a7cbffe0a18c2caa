//! Policies that keep a bound on the time lost to waking (Saravanan and Carpenter 2018): [`PerfBound`] finds one stall
//! timer, [`DynamicFastwake`] two.

pub mod bound;
mod correction;
mod dynamic_fastwake;
mod learning;
mod pairs;
mod perfbound;
mod periods;

pub use crate::measure::idle_bins as bins;
pub use bound::{Bound, Split};
pub use dynamic_fastwake::DynamicFastwake;
pub use learning::{Compared, Learning};
pub use perfbound::{PerfBound, Tracked};
pub(crate) use periods::Periods;
