//! What must be known of all ranks before one can be simulated: communicators, and receives that are cancelled.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{CommId, Communicators};
use rustc_hash::FxHashSet;

use super::rebuild::Made;

/// What is known of all ranks.
pub(crate) struct Survey {
    pub communicators: Arc<Communicators>,
    pub ranks: Vec<RankSurvey>,
    /// The size of the communicator of all ranks, as a rank was told.
    pub world: Option<u32>,
    /// The rank of a file that stands alone, as it was told.
    pub rank: Option<u32>,
}

/// What is known of a rank.
#[derive(Default)]
pub(crate) struct RankSurvey {
    /// The communicator of this rank alone, if it is used.
    pub own: Option<CommId>,
    /// What each call that makes a communicator returns.
    pub made: Vec<Made>,
    /// Which of its requests are receives that are cancelled, by their order.
    pub cancelled: FxHashSet<u32>,
    /// The time from its first call to the end of its last; `None` if calls have no times.
    pub recorded: Option<Time>,
}

impl Survey {
    /// Returns what is known of ranks that make no communicator and cancel nothing.
    pub fn of_world_only(ranks: usize) -> Self {
        let communicators = Arc::new(Communicators::of(ranks as u32));
        let ranks = (0..ranks).map(|_| RankSurvey::default()).collect();
        Survey { communicators, ranks, world: None, rank: None }
    }

    /// Returns the number of ranks of the program if there are more than files.
    pub fn incomplete(&self) -> Option<u32> {
        self.world.filter(|&world| world > self.ranks.len() as u32)
    }
}
