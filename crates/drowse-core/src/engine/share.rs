//! What a shard has measured: plain data from which the record of the whole run is made, perhaps in another process.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::measure::series::Series;
use crate::measure::{
    ExtrapolationRecord, Histogram, MessageSizes, OperationTimes, RankRecord, Reordering, TransportRecord,
};
use crate::model::units::Time;
use crate::power::Policy;
use crate::workload::operation_kind::OperationKind;

use super::endpoint::open_loop::Counts;
use super::endpoint::ranks::Ranks;
use super::fabric::flow::Contention;
use super::link::snapshot::Snapshot;
use super::parallel::shard::Shard;
use crate::engine::partition::Spans;

/// What a shard has measured. Ranks have their numbers in the whole simulation.
#[derive(Serialize, Deserialize)]
pub struct Share {
    /// Its ranks.
    pub(crate) ranks: Vec<(u32, RankRecord)>,
    /// How its ranks spent their time by kind of operation, where a probe wants it.
    pub(crate) operations: Vec<(u32, BTreeMap<OperationKind, OperationTimes>)>,
    /// What was counted of open-loop traffic.
    pub(crate) counts: Counts,
    /// Latencies of packets and messages of ranks.
    pub(crate) of_ranks: [Histogram; 2],
    /// Those of open-loop traffic.
    pub(crate) of_open_loop: [Histogram; 2],
    /// Those of messages by size, where a probe wants it.
    pub(crate) message_sizes: MessageSizes,
    /// In which order packets came, where that was counted.
    pub(crate) reordering: Option<Reordering>,
    /// What its nodes have told each other, where they answer.
    pub(crate) transport: Option<TransportRecord>,
    /// When its ranks got messages of other nodes: when the first was handed over, and when the last had arrived.
    pub(crate) between_nodes: [u64; 2],
    /// Packets that its NICs have sent.
    pub(crate) injected: u64,
    /// Packets delivered.
    pub(crate) delivered: u64,
    /// Packets granted through its switches.
    pub(crate) hops: u64,
    /// Events handled.
    pub(crate) events: u64,
    /// Where its flows have met others.
    pub(crate) contention: Contention,
    /// Messages that none of its ranks has received.
    pub(crate) unreceived: u64,
    /// Receives of its ranks that no message has answered.
    pub(crate) unanswered: u64,
    /// The jobs of which it has stopped ranks.
    pub(crate) stopped: Vec<u32>,
    /// What was extrapolated of its jobs, where that is allowed.
    pub(crate) extrapolation: Option<ExtrapolationRecord>,
    /// Its ports and its nodes, whose channels come after those of the ports.
    pub(crate) spans: [Spans; 2],
    /// What its channels did in the measured time.
    pub(crate) channels: Option<Snapshot>,
    /// What its channels and its ranks did over time, where a probe wants it.
    pub(crate) over_time: Option<(Series, Option<Series>)>,
}

impl Share {
    /// Takes what a shard has measured up to a time; in the measured time of open-loop traffic, if there is none.
    pub(crate) fn take<P: Policy>(shard: &mut Shard<P>, until: Option<Time>) -> Self {
        let channels = if let Some(Time(end)) = until {
            Some(shard.snapshot(end))
        } else {
            shard.measure(u64::MAX);
            shard.measured.take()
        };
        let extrapolation = shard.take_extrapolation();
        let of_ranks = |count: fn(&Ranks) -> u64| shard.ranks().map_or(0, count);
        let stopped = shard.ranks().map_or_else(Vec::new, |ranks| ranks.stopped.iter().copied().collect());
        let (unreceived, unanswered) = (of_ranks(Ranks::unreceived), of_ranks(Ranks::unanswered));
        Share {
            ranks: shard.ranks().map_or_else(Vec::new, |ranks| ranks.records().collect()),
            operations: shard.ranks_mut().map_or_else(Vec::new, |ranks| ranks.take_operations().collect()),
            counts: shard.counts(),
            of_open_loop: shard
                .sources
                .open_loop
                .as_mut()
                .map(|all| std::mem::take(&mut all.latencies))
                .unwrap_or_default(),
            of_ranks: std::mem::take(&mut shard.tally.latencies),
            message_sizes: std::mem::take(&mut shard.tally.message_sizes),
            reordering: shard.arrivals.as_ref().map(|arrivals| arrivals.counted),
            transport: shard.told(),
            between_nodes: shard.tally.between_nodes,
            injected: shard.fabric.nics.injected,
            delivered: shard.tally.packets_delivered + shard.flows.as_ref().map_or(0, |flows| flows.delivered),
            hops: shard.fabric.switches.hops,
            events: shard.tally.events,
            contention: shard.flows.as_ref().map(|flows| flows.contention).unwrap_or_default(),
            unreceived,
            unanswered,
            stopped,
            extrapolation,
            spans: shard.fabric.switches.partition.spans(),
            channels,
            over_time: shard.take_over_time(),
        }
    }
}

/// Returns until when some shards have been busy: until the last rank has finished of jobs
/// that end, or a channel was woken after it.
pub fn busy_until<P: Policy>(shards: &[Shard<P>]) -> Time {
    let ranks = shards.iter().filter_map(Shard::ranks).map(Ranks::finish);
    let woken = shards.iter().map(|shard| shard.trunks.last_woken(&shard.fabric.switches.links));
    Time(ranks.chain(woken).max().unwrap_or(0))
}
