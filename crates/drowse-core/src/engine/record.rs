//! What the shards have measured becomes the record of the run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::measure::over_time::OverTime;
use crate::measure::series::IntervalLength;
use crate::measure::{
    BackgroundRecord, CapRecord, ChannelRecord, ExtrapolationRecord, Histogram, JobRecord, MessageSizes,
    OpenLoopRecord, OperationTimes, RankRecord, Record, Reordering, TransportRecord, Warning,
};
use crate::model::units::Time;
use crate::power::Policy;
use crate::power::governor::GovernorRecord;
use crate::power::runtime::RuntimeRecord;
use crate::workload::Traffic;
use crate::workload::operation_kind::OperationKind;

use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::open_loop::{Capacity, Counts};
use crate::engine::fabric::flow::Contention;
use crate::engine::link::snapshot::Snapshot;
use crate::engine::parallel::scheduling::Scheduling;
use crate::engine::parallel::shard::Shard;
use crate::engine::partition::Spans;
use crate::engine::saturation::{Shown, Unloaded, Verdict};
use crate::engine::share::Share;

/// A run that is done, but for what its shards have measured.
pub struct Finished {
    /// Its jobs; none under open-loop traffic.
    pub jobs: Arc<[RunningJob]>,
    /// Its open-loop traffic, if any.
    pub traffic: Option<Traffic>,
    /// It was ended before it was drained.
    pub gave_up: bool,
    /// What the injection channels of its nodes could carry.
    pub capacity: Capacity,
    /// What the messages of its open-loop traffic take in an idle network.
    pub unloaded: Option<Unloaded>,
    /// When a run has ended that would go on without end beside its jobs.
    pub end: Option<Time>,
    /// What the runtime system has done, if there is one.
    pub runtime: Option<RuntimeRecord>,
    /// What a governor has done, if there is one.
    pub governor: Option<GovernorRecord>,
    /// What the governor of a cap has done, if there is one.
    pub cap: Option<CapRecord>,
    /// The scheduler of its jobs, if there is one.
    pub schedule: Option<Scheduling>,
    /// By job, how many repetitions it has ended; `None` where the program says it.
    pub repetitions: Vec<Option<u64>>,
    /// The intervals in which was recorded what was done over time, if it was.
    pub over_time: Option<IntervalLength>,
}

/// Makes the record of a run from what its shards have measured; programs were measured until some time.
pub fn make(run: Finished, mut shares: Vec<Share>, until: Option<Time>) -> Record {
    let counts = shares.iter().map(|share| share.counts).fold(Counts::NOTHING, Counts::plus);
    let ranks = rank_records(&run, &shares);
    let jobs = job_records(&run, &ranks);
    let window = run.traffic.iter().map(|traffic| traffic.measure).max().unwrap_or_default();
    let measured = until.unwrap_or(window);
    let of_ranks = [0, 1].map(|of| merged(shares.iter_mut().map(|share| std::mem::take(&mut share.of_ranks[of]))));
    let of_open_loop =
        [0, 1].map(|of| merged(shares.iter_mut().map(|share| std::mem::take(&mut share.of_open_loop[of]))));
    let ([packet_latency, message_latency], background) = match (run.end, run.traffic.is_some()) {
        (Some(_), true) => (of_ranks, Some(background(&run, counts, measured, of_open_loop))),
        (None, true) => (of_open_loop, None),
        (_, false) => (of_ranks, None),
    };
    let sum = |count: fn(&Share) -> u64| -> u64 { shares.iter().map(count).sum() };
    let [injected, delivered] = [sum(|share| share.injected), sum(|share| share.delivered)];
    let [hops, events] = [sum(|share| share.hops), sum(|share| share.events)];
    let of_jobs = job_warnings(&run, &shares);
    let mut message_sizes = MessageSizes::default();
    shares.iter().for_each(|share| message_sizes.merge(&share.message_sizes));
    let reordering = shares.iter().filter_map(|share| share.reordering).reduce(Reordering::plus);
    let transport = shares.iter().filter_map(|share| share.transport).reduce(TransportRecord::plus);
    let between_nodes = between_nodes(&shares);
    let operations = operations(&mut shares);
    let over_time = over_time(&run, &mut shares, measured);
    let contention = shares.iter().map(|share| share.contention).fold(Contention::default(), Contention::plus);
    let extrapolation =
        shares.iter_mut().filter_map(|share| share.extrapolation.take()).reduce(ExtrapolationRecord::plus);
    let channels = channels(shares);
    let (open_loop, mut warnings) = open_loop(&run, counts, hops as f64 / injected.max(1) as f64, &channels);
    warnings.extend(of_jobs);
    warnings.extend(contention.warning());
    warnings.extend(run.runtime.iter().flat_map(|told| runtime_warnings(told, &jobs)));
    Record {
        makespan: until.map(|_| jobs.iter().filter(|job| !job.again).map(|job| job.finish).max().unwrap_or_default()),
        measured,
        packets_injected: injected,
        packets_delivered: delivered,
        hops,
        events,
        packet_latency,
        message_latency,
        message_sizes,
        reordering,
        transport,
        between_nodes,
        ranks,
        operations,
        jobs,
        open_loop,
        background,
        cores: run.schedule.as_ref().map(|schedule| schedule.scheduler().cores()),
        free_nodes: run.schedule.as_ref().map(|schedule| schedule.scheduler().free_times(measured)),
        runtime: run.runtime,
        governor: run.governor,
        cap: run.cap,
        over_time,
        extrapolation,
        warnings,
        channels,
    }
}

/// Returns when the first message between two nodes was handed over, and when the last had arrived; `None` without any.
fn between_nodes(shares: &[Share]) -> Option<[Time; 2]> {
    let first = shares.iter().map(|share| share.between_nodes[0]).min()?;
    let last = shares.iter().map(|share| share.between_nodes[1]).max()?;
    (first <= last).then_some([Time(first), Time(last)])
}

/// Joins a histogram of all shards; that of a single one is not copied.
fn merged(histograms: impl Iterator<Item = Histogram>) -> Histogram {
    let joined = histograms.reduce(|mut all, histogram| {
        all.merge(&histogram);
        all
    });
    joined.unwrap_or_default()
}

/// Takes what the policy remembers of each channel of a shard.
fn states<P: Policy>(shard: &mut Shard<P>) -> impl ExactSizeIterator<Item = P::State> + use<P> {
    let accounts = std::mem::take(&mut shard.fabric.switches.links.accounts);
    let first = shard.fabric.switches.partition.link(0) as usize;
    accounts.into_iter().skip(first).map(|account| account.policy)
}

/// Takes what the policy remembers of each channel of all shards, in the order of the record's.
pub fn take_states<P: Policy>(shards: &mut [Shard<P>]) -> Vec<P::State> {
    let spans: Vec<[Spans; 2]> = shards.iter().map(|shard| shard.fabric.switches.partition.spans()).collect();
    in_order(&spans, shards.iter_mut().map(states).collect())
}

/// Returns what all channels did.
fn channels(shares: Vec<Share>) -> Vec<ChannelRecord> {
    let spans: Vec<[Spans; 2]> = shares.iter().map(|share| share.spans.clone()).collect();
    let snapshots = shares.into_iter().filter_map(|share| share.channels);
    in_order(&spans, snapshots.map(Snapshot::into_records).collect())
}

/// Orders what is known of the channels of all shards, whose ports and nodes these are, as in the whole network: all ports
/// first, then all nodes. Of a large network it takes much room, and is not kept twice.
fn in_order<T>(spans: &[[Spans; 2]], mut of_shards: Vec<impl ExactSizeIterator<Item = T>>) -> Vec<T> {
    if of_shards.len() == 1 {
        return of_shards.swap_remove(0).collect();
    }
    let mut all = Vec::with_capacity(of_shards.iter().map(ExactSizeIterator::len).sum());
    for kind in [0, 1] {
        let ranges = |(shard, spans): (usize, &[Spans; 2])| -> Vec<(Range<u32>, usize)> {
            spans[kind].ranges().map(|range| (range, shard)).collect()
        };
        let mut ranges: Vec<_> = spans.iter().enumerate().flat_map(ranges).collect();
        ranges.sort_unstable_by_key(|(range, _)| range.start);
        for (range, shard) in ranges {
            all.extend(of_shards[shard].by_ref().take(range.len()));
        }
    }
    all
}

fn rank_records(run: &Finished, shares: &[Share]) -> Vec<RankRecord> {
    let count = run.jobs.iter().map(|job| job.ranks as usize).sum();
    let mut records = vec![RankRecord::default(); count];
    shares.iter().flat_map(|share| &share.ranks).for_each(|&(number, record)| records[number as usize] = record);
    records
}

/// Takes what was counted of ranks by kind of operation, in their order.
fn operations(shares: &mut [Share]) -> Vec<BTreeMap<OperationKind, OperationTimes>> {
    let mut operations: Vec<_> = shares.iter_mut().flat_map(|share| std::mem::take(&mut share.operations)).collect();
    operations.sort_unstable_by_key(|&(number, _)| number);
    operations.into_iter().map(|(_, kinds)| kinds).collect()
}

/// Joins what was done over time, where that was recorded.
fn over_time(run: &Finished, shares: &mut [Share], measured: Time) -> Option<OverTime> {
    let of_shards = shares.iter_mut().filter_map(|share| share.over_time.take());
    let free = run.schedule.iter().flat_map(|schedule| schedule.scheduler().free_periods(measured));
    Some(OverTime::new(run.over_time?, of_shards, free, measured))
}

fn job_records(run: &Finished, ranks: &[RankRecord]) -> Vec<JobRecord> {
    let mut rest = ranks;
    let jobs = run.jobs.iter().enumerate().map(|(number, job)| {
        let (mine, others) = rest.split_at(job.ranks as usize);
        rest = others;
        let last = mine.iter().rev().max_by_key(|rank| rank.finish).copied().unwrap_or_default();
        let RankRecord { finish, path, .. } = last;
        let (name, ranks) = (job.name.clone(), job.ranks);
        let (start, held) = match &run.schedule {
            Some(schedule) => (schedule.started()[number].unwrap_or_default(), schedule.scheduler().held(number)),
            None => (job.start, u64::from(ranks)),
        };
        let repetitions = run.repetitions[number].or(job.repetitions).unwrap_or_default();
        // One that starts again may not have begun when the run ended.
        let finish = finish.max(start);
        JobRecord { name, ranks, arrival: job.start, start, held, path, finish, repetitions, again: job.is_again() }
    });
    jobs.collect()
}

/// Warns of jobs whose iterations the runtime system has not learned, and of schedules that it has turned down.
fn runtime_warnings(told: &RuntimeRecord, jobs: &[JobRecord]) -> Vec<Warning> {
    let unknown = told.jobs.iter().zip(jobs).filter(|(told, _)| told.learned_at.is_none());
    let unknown = unknown.map(|(told, job)| Warning::NotLearned { job: job.name.clone(), iterations: told.iterations });
    let turned_down = told.turned_down.iter().map(|&(at, to)| Warning::TurnedDown { at, to });
    unknown.chain(turned_down).collect()
}

fn job_warnings(run: &Finished, shares: &[Share]) -> Vec<Warning> {
    let said = run.jobs.iter().flat_map(RunningJob::warnings);
    let mut warnings: Vec<Warning> = said.map(Warning::Source).collect();
    let sum = |count: fn(&Share) -> u64| -> u64 { shares.iter().map(count).sum() };
    let (messages, receives) = (sum(|share| share.unreceived), sum(|share| share.unanswered));
    let stopped: BTreeSet<u32> = shares.iter().flat_map(|share| share.stopped.iter().copied()).collect();
    warnings.extend((!stopped.is_empty()).then_some(Warning::Stopped { jobs: stopped.len() as u64 }));
    warnings.extend((messages > 0).then_some(Warning::UnmatchedSends { messages }));
    warnings.extend((receives > 0).then_some(Warning::UnmatchedReceives { receives }));
    warnings
}

/// Returns the loads and warnings of open-loop traffic, whose packets took so many hops in the mean.
fn open_loop(
    run: &Finished,
    counts: Counts,
    hops: f64,
    channels: &[ChannelRecord],
) -> (Option<OpenLoopRecord>, Vec<Warning>) {
    let traffic = run.traffic.as_ref().filter(|_| run.end.is_none());
    let Some((traffic, unloaded)) = traffic.zip(run.unloaded.as_ref()) else { return (None, Vec::new()) };
    let waking = channels.iter().map(|channel| u128::from(channel.time_lost.0)).sum();
    let (generated, delivered) = (counts.generated_flits, counts.delivered_flits);
    let verdict = unloaded.judge(traffic, Shown { generated, delivered, hops, waking, gave_up: run.gave_up });
    let record = OpenLoopRecord {
        generated_flits: generated,
        delivered_flits: delivered,
        capacity_flits: run.capacity.flits(traffic.measure),
        saturated: verdict == Verdict::Saturated,
        too_short: matches!(verdict, Verdict::TooShort { .. }),
    };
    let mut warnings = Vec::new();
    match verdict {
        Verdict::Accepts => {}
        Verdict::Saturated => warnings.push(Warning::Saturated),
        Verdict::TooShort { percent } => warnings.push(Warning::WindowTooShort { percent }),
    }
    if counts.outstanding() > 0 {
        warnings.push(Warning::NotDrained { packets: counts.outstanding() });
    }
    (Some(record), warnings)
}

/// Returns what became of open-loop traffic beside jobs, with the latencies of its packets and messages.
fn background(run: &Finished, counts: Counts, measured: Time, latencies: [Histogram; 2]) -> BackgroundRecord {
    let [packet_latency, message_latency] = latencies;
    BackgroundRecord {
        packets_generated: counts.generated,
        packets_delivered: counts.delivered,
        generated_flits: counts.generated_flits,
        delivered_flits: counts.delivered_flits,
        capacity_flits: run.capacity.flits(measured),
        packet_latency,
        message_latency,
    }
}
