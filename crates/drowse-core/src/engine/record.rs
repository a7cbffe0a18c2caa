//! What the shards have measured becomes the record of the run.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::measure::{
    BackgroundRecord, Histogram, JobRecord, MessageSizes, OpenLoopRecord, OperationTimes, RankRecord, Record, Warning,
};
use crate::model::units::Time;
use crate::power::Policy;
use crate::power::runtime::RuntimeRecord;
use crate::workload::Traffic;
use crate::workload::operation_kind::OperationKind;

use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::open_loop::{Capacity, Counts};
use crate::engine::endpoint::ranks::Ranks;
use crate::engine::link::snapshot::Snapshot;
use crate::engine::parallel::scheduling::Scheduling;
use crate::engine::parallel::shard::Shard;

/// A run that is done, from which its record is made.
pub struct Finished<'a, P: Policy> {
    /// Its shards.
    pub shards: Vec<Shard<'a, P>>,
    /// Its jobs; none under open-loop traffic.
    pub jobs: Arc<[RunningJob]>,
    /// Its open-loop traffic, if any.
    pub traffic: Option<Traffic>,
    /// What was counted of that.
    pub counts: Counts,
    /// It was ended before it was drained.
    pub gave_up: bool,
    /// What the injection channels of its nodes could carry.
    pub capacity: Capacity,
    /// When a run with open-loop traffic beside its jobs has ended.
    pub end: Option<Time>,
    /// What the runtime system has done, if there is one.
    pub runtime: Option<RuntimeRecord>,
    /// The scheduler of its jobs, if there is one.
    pub schedule: Option<Scheduling>,
}

/// Makes the record of a run that is done, and returns it with the policy's state of each channel.
pub fn make<P: Policy>(mut run: Finished<P>) -> (Record, Vec<P::State>) {
    let ranks = rank_records(&run);
    let operations = operations(&mut run);
    let jobs = job_records(&run, &ranks);
    let has_ranks = run.traffic.is_none() || run.end.is_some();
    let makespan = has_ranks.then(|| ranks.iter().map(|r| r.finish).max().unwrap_or_default());
    let runtime = run.runtime.take();
    let (measured, snapshots) = measured(&mut run, makespan);
    let of_ranks = [merged(tallies(&mut run, 0)), merged(tallies(&mut run, 1))];
    let of_open_loop = [merged(of_open_loop(&mut run, 0)), merged(of_open_loop(&mut run, 1))];
    let ([packet_latency, message_latency], background) = match (run.end, run.traffic.is_some()) {
        (Some(_), _) => (of_ranks, Some(background(&run, measured, of_open_loop))),
        (None, true) => (of_open_loop, None),
        (None, false) => (of_ranks, None),
    };
    let (open_loop, mut warnings) = open_loop(&run);
    warnings.extend(job_warnings(&run));
    warnings.extend(runtime.iter().flat_map(|told| runtime_warnings(told, &jobs)));
    let mut message_sizes = MessageSizes::default();
    run.shards.iter().for_each(|shard| message_sizes.merge(&shard.tally.message_sizes));
    let sum = |count: fn(&Shard<P>) -> u64| run.shards.iter().map(count).sum();
    let record = Record {
        makespan,
        measured,
        packets_injected: sum(|shard| shard.nics.injected),
        packets_delivered: sum(|shard| shard.tally.packets_delivered),
        hops: sum(|shard| shard.switches.hops),
        events: sum(|shard| shard.tally.events),
        packet_latency,
        message_latency,
        message_sizes,
        channels: Vec::new(),
        ranks,
        operations,
        jobs,
        open_loop,
        background,
        runtime,
        cores: run.schedule.as_ref().map(|schedule| schedule.scheduler().cores()),
        warnings,
    };
    let ports: Vec<usize> = run.shards.iter().map(|shard| shard.switches.partition.all_ports.len()).collect();
    let states = run.shards.iter_mut().map(states).collect();
    // The records take as much room as half of the run, which has done its work.
    drop(run);
    let channels = in_order(&ports, snapshots.into_iter().map(Snapshot::into_records).collect());
    (Record { channels, ..record }, in_order(&ports, states))
}

/// Takes the latencies of ranks' packets, or messages, from all shards.
fn tallies<P: Policy>(run: &mut Finished<P>, of_messages: usize) -> impl Iterator<Item = Histogram> {
    run.shards.iter_mut().map(move |shard| std::mem::take(&mut shard.tally.latencies[of_messages]))
}

/// Takes those of open-loop traffic.
fn of_open_loop<P: Policy>(run: &mut Finished<P>, of_messages: usize) -> impl Iterator<Item = Histogram> {
    let open_loops = run.shards.iter_mut().filter_map(|shard| shard.sources.open_loop.as_mut());
    open_loops.map(move |open_loop| std::mem::take(&mut open_loop.latencies[of_messages]))
}

/// Joins a histogram of all shards; that of a single one is not copied.
fn merged(histograms: impl Iterator<Item = Histogram>) -> Histogram {
    let joined = histograms.reduce(|mut all, histogram| {
        all.merge(&histogram);
        all
    });
    joined.unwrap_or_default()
}

/// Returns the measured time and what every channel did in it.
///
/// Programs are measured from the start until their end, or until a channel was woken after it: by a message that nobody
/// receives, or at the end of a window of a governed trunk. With open-loop traffic beside them, until that has ended.
fn measured<P: Policy>(run: &mut Finished<P>, makespan: Option<Time>) -> (Time, Vec<Snapshot>) {
    let shards = &mut run.shards;
    let Some(Time(makespan)) = makespan else {
        let traffic = run.traffic.iter().map(|traffic| traffic.measure).max().unwrap_or_default();
        shards.iter_mut().for_each(|shard| shard.measure(u64::MAX));
        return (traffic, shards.iter_mut().filter_map(|shard| shard.measured.take()).collect());
    };
    let end = run.end.map_or(makespan, |Time(end)| end.max(makespan));
    let end = shards.iter().map(|shard| shard.trunks.last_woken(&shard.switches.links)).fold(end, u64::max);
    (Time(end), shards.iter_mut().map(|shard| shard.snapshot(end)).collect())
}

/// Takes what the policy remembers of each channel of a shard.
fn states<P: Policy>(shard: &mut Shard<P>) -> Vec<P::State> {
    let accounts = std::mem::take(&mut shard.switches.links.accounts);
    let first = shard.switches.partition.link(0) as usize;
    accounts.into_iter().skip(first).map(|account| account.policy).collect()
}

/// Orders what is known of the channels of all shards as in the whole network: all ports first, then all nodes. `ports`
/// counts the ports of each shard.
fn in_order<T>(ports: &[usize], mut of_shards: Vec<Vec<T>>) -> Vec<T> {
    // Those of a single shard are in order, and are not copied: of a large network they take much room.
    if of_shards.len() == 1 {
        return of_shards.swap_remove(0);
    }
    let split = |(&ports, channels): (&usize, Vec<T>)| {
        let mut of_ports = channels;
        let of_nodes = of_ports.split_off(ports.min(of_ports.len()));
        (of_ports, of_nodes)
    };
    let (mut channels, nodes): (Vec<_>, Vec<_>) = ports.iter().zip(of_shards).map(split).unzip();
    channels.extend(nodes);
    channels.into_iter().flatten().collect()
}

fn rank_records<P: Policy>(run: &Finished<P>) -> Vec<RankRecord> {
    let count = run.jobs.iter().map(|job| job.ranks as usize).sum();
    let mut records = vec![RankRecord::default(); count];
    for shard in &run.shards {
        if let Some(ranks) = shard.ranks() {
            ranks.records().for_each(|(number, record)| records[number as usize] = record);
        }
    }
    records
}

/// Takes what was counted of ranks by kind of operation, in their order.
fn operations<P: Policy>(run: &mut Finished<P>) -> Vec<BTreeMap<OperationKind, OperationTimes>> {
    let ranks = run.shards.iter_mut().filter_map(Shard::ranks_mut);
    let mut operations: Vec<_> = ranks.flat_map(Ranks::take_operations).collect();
    operations.sort_unstable_by_key(|&(number, _)| number);
    operations.into_iter().map(|(_, kinds)| kinds).collect()
}

fn job_records<P: Policy>(run: &Finished<P>, ranks: &[RankRecord]) -> Vec<JobRecord> {
    let mut rest = ranks;
    let jobs = run.jobs.iter().enumerate().map(|(number, job)| {
        let (mine, others) = rest.split_at(job.ranks as usize);
        rest = others;
        let last = mine.iter().rev().max_by_key(|rank| rank.finish).copied().unwrap_or_default();
        let RankRecord { finish, path, .. } = last;
        let (name, ranks) = (job.name.clone(), job.ranks);
        let (start, held) = match &run.schedule {
            Some(schedule) => (schedule.started()[number].unwrap_or_default(), schedule.scheduler().held(ranks)),
            None => (job.start, u64::from(ranks)),
        };
        JobRecord { name, ranks, arrival: job.start, start, held, path, finish }
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

fn job_warnings<P: Policy>(run: &Finished<P>) -> Vec<Warning> {
    let said = run.jobs.iter().flat_map(RunningJob::warnings);
    let mut warnings: Vec<Warning> = said.map(Warning::Source).collect();
    let sum = |count: fn(&Ranks) -> u64| -> u64 { run.shards.iter().filter_map(Shard::ranks).map(count).sum() };
    let (messages, receives) = (sum(Ranks::unreceived), sum(Ranks::unanswered));
    warnings.extend((messages > 0).then_some(Warning::UnmatchedSends { messages }));
    warnings.extend((receives > 0).then_some(Warning::UnmatchedReceives { receives }));
    warnings
}

/// Returns the loads and warnings of open-loop traffic.
fn open_loop<P: Policy>(run: &Finished<P>) -> (Option<OpenLoopRecord>, Vec<Warning>) {
    let Some(traffic) = run.traffic.as_ref().filter(|_| run.end.is_none()) else { return (None, Vec::new()) };
    let counts = run.counts;
    // Generated and delivered traffic also differ by chance: by about the packets in flight at the ends of the window.
    let behind = (counts.delivered_flits as f64) < 0.95 * counts.generated_flits as f64;
    let record = OpenLoopRecord {
        generated_flits: counts.generated_flits,
        delivered_flits: counts.delivered_flits,
        capacity_flits: run.capacity.flits(traffic.measure),
        saturated: behind || (traffic.drain && run.gave_up),
    };
    let mut warnings = Vec::new();
    if record.saturated {
        warnings.push(Warning::Saturated);
    }
    if counts.outstanding() > 0 {
        warnings.push(Warning::NotDrained { packets: counts.outstanding() });
    }
    (Some(record), warnings)
}

/// Returns what became of open-loop traffic beside jobs, with the latencies of its packets and messages.
fn background<P: Policy>(run: &Finished<P>, measured: Time, latencies: [Histogram; 2]) -> BackgroundRecord {
    let [packet_latency, message_latency] = latencies;
    BackgroundRecord {
        packets_generated: run.counts.generated,
        packets_delivered: run.counts.delivered,
        generated_flits: run.counts.generated_flits,
        delivered_flits: run.counts.delivered_flits,
        capacity_flits: run.capacity.flits(measured),
        packet_latency,
        message_latency,
    }
}
