//! How a part of a run stands when it stops.

use serde::{Deserialize, Serialize};

use crate::model::units::Time;
use crate::power::Policy;
use crate::workload::operation::SourceError;

use super::endpoint::job::RunningJob;
use super::endpoint::rank::Rank;
use super::endpoint::ranks::Ranks;
use super::parallel::shard::Shard;
use super::too_long::TooLong;

/// How some of the shards of a run stand when it stops.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// When the last event was.
    pub(crate) at: Time,
    /// The first rank whose operations could not be had: when that was, its number, and why.
    pub(crate) trouble: Option<((u64, u32), SourceError)>,
    /// Packets in flight.
    pub(crate) packets: u64,
    /// Ranks that have begun and not finished.
    pub(crate) ranks: u64,
    /// Which of them computes longest.
    pub(crate) too_long: TooLong,
}

impl Standing {
    /// Tells how these shards stand.
    pub(crate) fn of<P: Policy>(shards: &[Shard<P>], jobs: &[RunningJob]) -> Self {
        let now = |shard: &Shard<P>| shard.fabric.switches.events.now.time;
        let troubles = shards.iter().filter_map(|shard| shard.trouble.as_ref());
        let first = troubles.min_by_key(|trouble| trouble.at);
        let unfinished = |(_, rank): &(u32, &Rank)| !rank.is_finished();
        Standing {
            at: Time(shards.iter().map(now).max().unwrap_or(0)),
            trouble: first.map(|trouble| (trouble.at, trouble.error.clone())),
            packets: shards.iter().map(|shard| u64::from(shard.fabric.switches.buffers.packets.live())).sum(),
            ranks: shards.iter().filter_map(Shard::ranks).flat_map(Ranks::iter).filter(unfinished).count() as u64,
            too_long: TooLong::of(shards, jobs),
        }
    }

    /// Joins how other shards stand.
    #[must_use]
    pub fn plus(self, other: Standing) -> Self {
        Standing {
            at: self.at.max(other.at),
            trouble: self.trouble.into_iter().chain(other.trouble).min_by_key(|(at, _)| *at),
            packets: self.packets + other.packets,
            ranks: self.ranks + other.ranks,
            too_long: self.too_long.or(other.too_long),
        }
    }
}
