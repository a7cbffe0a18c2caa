//! A timeline of a part of a run: what ranks do, and the messages that they get.
//!
//! Recorded on request, and bounded: each rank and channel keeps its first records, and the rest is counted. What
//! channels do is recorded by [`crate::power::Probe`]. Recording changes nothing in the run.

use std::ops::{Range, RangeInclusive};

use crate::model::units::Time;

/// The part of a run that a timeline shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Its window of simulated time.
    pub window: Range<Time>,
    /// Whom it shows.
    pub selection: Selection,
    /// The most states, and the most messages, that are kept of a rank.
    pub most_of_rank: usize,
    /// The most changes that are kept of a channel.
    pub most_of_channel: usize,
}

/// Ranks and channels that are selected; `None` selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Jobs, by the names that they have in results.
    pub jobs: Option<Vec<String>>,
    /// Ranks of each job, by their numbers in it.
    pub ranks: Option<Vec<RangeInclusive<u32>>>,
    /// Channels, by their numbers ([`crate::model::ids::ChannelId`]).
    pub channels: Option<Vec<RangeInclusive<u32>>>,
}

impl Selection {
    /// Returns whether a rank of a job is selected.
    pub fn has_rank(&self, job: &str, rank: u32) -> bool {
        self.jobs.as_ref().is_none_or(|jobs| jobs.iter().any(|name| name == job)) && is_in(self.ranks.as_ref(), rank)
    }

    /// Returns whether a channel is selected.
    pub fn has_channel(&self, channel: u32) -> bool {
        is_in(self.channels.as_ref(), channel)
    }
}

fn is_in(ranges: Option<&Vec<RangeInclusive<u32>>>, number: u32) -> bool {
    ranges.is_none_or(|ranges| ranges.iter().any(|range| range.contains(&number)))
}

/// What a rank does: the kinds of [`super::RankTimes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankState {
    /// Computing.
    Computing,
    /// Busy with messages that it sent or had received.
    Overhead,
    /// Waiting until sends are complete, collectives apart.
    Sending,
    /// Waiting for messages, collectives apart.
    Receiving,
    /// Waiting in collective operations, or for those beside the program.
    Collectives,
}

impl RankState {
    /// All states, in the order of the columns of tables.
    pub const ALL: [RankState; 5] =
        [RankState::Computing, RankState::Overhead, RankState::Sending, RankState::Receiving, RankState::Collectives];

    /// Returns the state's name in timelines.
    pub const fn name(self) -> &'static str {
        match self {
            RankState::Computing => "computing",
            RankState::Overhead => "busy with messages",
            RankState::Sending => "waiting until sends are complete",
            RankState::Receiving => "waiting for messages",
            RankState::Collectives => "in collectives",
        }
    }
}

/// A time that a rank spends in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankSpan {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub to: Time,
    /// What the rank does meanwhile.
    pub state: RankState,
}

/// A message that has reached its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageSpan {
    /// The sending rank, in the whole simulation.
    pub from_rank: u32,
    /// When the sender called for it.
    pub called: Time,
    /// When its data was handed to the NIC: later than the call where the sender waits for its receiver.
    pub sent: Time,
    /// When its last bit was delivered.
    pub delivered: Time,
    /// When its receive was complete; `None` where nobody received it.
    pub received: Option<Time>,
    /// Its size.
    pub bytes: u64,
    /// Its tag.
    pub tag: u32,
    /// It belongs to a collective.
    pub in_collective: bool,
}

/// What was recorded of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankTimeline {
    /// Its number in the whole simulation.
    pub rank: u32,
    /// What it did, without gaps from its start to its end, as far as these lie in the window.
    pub states: Vec<RankSpan>,
    /// Messages delivered to it that were sent and delivered in the window, in the order in which they were delivered.
    pub messages: Vec<MessageSpan>,
    /// Messages to it that lie partly in the window.
    pub crossing: u64,
    /// States and messages in the window that were not kept.
    pub left_out: u64,
    /// Up to when nothing was left out.
    pub complete_until: Time,
}

impl RankTimeline {
    /// Begins that of a rank.
    pub const fn new(rank: u32) -> Self {
        RankTimeline {
            rank,
            states: Vec::new(),
            messages: Vec::new(),
            crossing: 0,
            left_out: 0,
            complete_until: Time::NEVER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_and_ranks_select_together() {
        let all = Selection::default();
        assert!(all.has_rank("a", 7) && all.has_channel(9));
        let some =
            Selection { jobs: Some(vec!["a".into()]), ranks: Some(vec![0..=1, 4..=4]), channels: Some(Vec::new()) };
        let ranks: Vec<u32> = (0..6).filter(|&rank| some.has_rank("a", rank)).collect();
        assert_eq!(ranks, [0, 1, 4]);
        assert!(!some.has_rank("b", 0) && !some.has_channel(0));
    }
}
