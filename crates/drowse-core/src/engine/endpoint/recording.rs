//! Records ranks over time, where a timeline is wanted.

use std::sync::Arc;

use crate::measure::timeline::{Excerpt, RankTimeline};

use super::log::RankLog;
use super::rank::Rank;
use super::ranks::Ranks;

impl Ranks {
    /// Records these ranks over time from now on.
    pub fn record(&mut self, excerpt: &Arc<Excerpt>) {
        self.recorded = Some(Arc::clone(excerpt));
        let logs: Vec<_> = self.ranks.iter().map(|rank| self.log(excerpt, rank)).collect();
        self.ranks.iter_mut().zip(logs).for_each(|(rank, log)| rank.log = log);
    }

    /// Creates the log of a rank, if it is selected.
    pub(super) fn log(&self, excerpt: &Excerpt, rank: &Rank) -> Option<Box<RankLog>> {
        let job = &self.jobs[rank.job as usize].name;
        let selected = excerpt.selection.has_rank(job, rank.member.rank);
        selected.then(|| Box::new(RankLog::new(rank.first_rank + rank.member.rank, excerpt)))
    }

    /// Takes what was recorded.
    pub fn take_timelines(&mut self) -> impl Iterator<Item = RankTimeline> {
        self.ranks.iter_mut().filter_map(|rank| rank.log.take()).map(|log| log.into_timeline())
    }

    /// Records that the receive of a message is complete, where a timeline is wanted.
    pub(super) fn received(&mut self, number: u32, id: u32, t: u64) {
        if self.recorded.is_some() {
            self.rank(number).log.iter_mut().for_each(|log| log.received(id, t));
        }
    }
}
