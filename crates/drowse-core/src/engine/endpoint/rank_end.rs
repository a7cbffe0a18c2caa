//! The end of a rank, of which a scheduler is told.

use crate::model::units::Time;

/// A rank has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankEnd {
    /// Its job.
    pub job: u32,
    /// When.
    pub at: Time,
}
