//! The end of a rank, of which a scheduler is told.

use serde::{Deserialize, Serialize};

use crate::model::units::Time;

/// A rank has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankEnd {
    /// Its job.
    pub job: u32,
    /// When.
    pub at: Time,
}
