//! Finds out who waits for whom when nothing can happen any more.
//!
//! Packets that hold each other's room are looked for first: ranks wait because of them. Where no packet is in flight,
//! ranks hold each other up. What is shown is one smallest explanation, not all that wait.

mod packets;
mod ranks;
mod report;

use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::rank::Rank;
use crate::engine::endpoint::ranks::Ranks;
use crate::engine::event::outstanding::Group;
use crate::engine::parallel::shard::Shard;
use crate::model::units::Time;
use crate::power::Policy;
use crate::topology::Network;

pub use report::{Deadlock, Standstill};

/// Returns the standstill that the shards of a run have come to; `None` when nothing waits. Where something goes on, only
/// the ranks of a group of jobs can be stuck.
pub fn find<P: Policy>(
    shards: &[Shard<P>],
    network: &Network,
    jobs: &[RunningJob],
    stuck: Option<Group>,
) -> Option<Deadlock> {
    let now = |shard: &Shard<P>| shard.fabric.switches.events.now.time;
    let at = Time(shards.iter().map(now).max().unwrap_or(0));
    let of_packets = if stuck.is_some() { None } else { packets::deadlock(shards, network, at) };
    if of_packets.is_some() {
        return of_packets;
    }
    let all = shards.iter().filter_map(Shard::ranks).flat_map(Ranks::iter);
    // Jobs that have not started wait for nobody, and those of other groups go on.
    let all = all.filter(|(_, rank)| stuck.is_none_or(|group| group == rank.group));
    let waiting = Rank::finished();
    let mut ranks = vec![&waiting; jobs.iter().map(|job| job.ranks as usize).sum()];
    all.for_each(|(number, rank)| ranks[number as usize] = rank);
    ranks::Waits { ranks: &ranks, jobs }.deadlock(at)
}
