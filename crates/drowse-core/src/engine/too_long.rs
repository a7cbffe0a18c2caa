//! A run that is not over at the end of simulated time: which rank computes longest.

use std::fmt;

use crate::model::units::Time;
use crate::power::Policy;

use super::endpoint::job::RunningJob;
use super::endpoint::rank::Rank;
use super::endpoint::ranks::Ranks;
use super::parallel::shard::Shard;

/// What a run was busy with at the end of simulated time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// The rank that has computed longest, if any has: its job, its number there, and the time, what it computes now
    /// included.
    pub longest: Option<(String, u32, Time)>,
}

impl TooLong {
    /// Finds the rank that has computed longest; the first of several.
    pub fn of<P: Policy>(shards: &[Shard<P>], jobs: &[RunningJob]) -> Self {
        let ranks = shards.iter().filter_map(Shard::ranks).flat_map(Ranks::iter);
        let longest = ranks.max_by_key(|&(number, rank)| (rank.times.computing, std::cmp::Reverse(number)));
        let named =
            |(_, rank): (u32, &Rank)| (jobs[rank.job as usize].name.clone(), rank.member.rank, rank.times.computing);
        TooLong { longest: longest.filter(|(_, rank)| rank.times.computing > Time::ZERO).map(named) }
    }
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the run is not over after {}, the end of simulated time", Time::LONGEST)?;
        match &self.longest {
            Some((job, rank, time)) => write!(
                f,
                ": rank {rank} of job \"{job}\" has computed longest, for {time}; check the computations and how often \
                 they are repeated, the computing speed, and when jobs start"
            ),
            None => write!(f, "; check what is sent at which bandwidth, when jobs start, and the measured window"),
        }
    }
}
