//! A run that is not over at the end of simulated time: which rank computes longest.

use std::cmp::Reverse;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::units::Time;
use crate::power::Policy;

use super::endpoint::job::RunningJob;
use super::endpoint::rank::Rank;
use super::endpoint::ranks::Ranks;
use super::parallel::shard::Shard;

/// What a run was busy with at the end of simulated time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TooLong {
    /// The rank that has computed longest, the first of several; none if none has computed.
    pub longest: Option<Longest>,
}

/// A rank that computes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Longest {
    /// How long, what it computes now included.
    pub time: Time,
    /// Its number in the whole simulation.
    pub number: u32,
    /// Its job.
    pub job: String,
    /// Its number there.
    pub rank: u32,
}

impl TooLong {
    /// Finds the rank of these shards that has computed longest.
    pub(crate) fn of<P: Policy>(shards: &[Shard<P>], jobs: &[RunningJob]) -> Self {
        let ranks = shards.iter().filter_map(Shard::ranks).flat_map(Ranks::iter);
        let longest = ranks.max_by_key(|&(number, rank)| (rank.times.computing, Reverse(number)));
        let named = |(number, rank): (u32, &Rank)| Longest {
            time: rank.times.computing,
            number,
            job: jobs[rank.job as usize].name.clone(),
            rank: rank.member.rank,
        };
        TooLong { longest: longest.map(named).filter(|longest| longest.time > Time::ZERO) }
    }

    /// Joins what was found among other ranks.
    #[must_use]
    pub(crate) fn or(self, other: TooLong) -> Self {
        let both = self.longest.into_iter().chain(other.longest);
        TooLong { longest: both.max_by_key(|longest| (longest.time, Reverse(longest.number))) }
    }
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the run is not over after {}, the end of simulated time", Time::END)?;
        match &self.longest {
            Some(Longest { job, rank, time, .. }) => write!(
                f,
                ": rank {rank} of job \"{job}\" has computed longest, for {time}; check the computations and how often \
                 they are repeated, the computing speed, and when jobs start"
            ),
            None => write!(f, "; check what is sent at which bandwidth, when jobs start, and the measured window"),
        }
    }
}
