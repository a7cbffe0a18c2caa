//! Counts what a trace holds.

use std::collections::BTreeMap;

use drowse_core::model::units::Time;

use super::kind::Kind;
use super::record::{How, Line, Record};
use crate::info::{Computing, Coverage, Messages, Noted, TraceInfo};
use crate::pairs::Pairs;

/// Counts over all tasks.
#[derive(Default)]
pub(super) struct Counts {
    operations: BTreeMap<&'static str, u64>,
    collectives: BTreeMap<&'static str, u64>,
    messages: Messages,
    computed: u128,
    pairs: Pairs,
    gpu_bursts: u64,
    others: u64,
    thread_bursts: u64,
    split: u64,
    /// Waits that find nothing to wait for.
    pub odd_waits: u64,
    /// The first record of a thread that communicates and is not the first of its task: its line, and their number.
    pub threads: Option<(u64, u64)>,
    /// Records without effect: events and empty ones.
    quiet: u64,
}

impl Counts {
    /// Counts a record.
    pub fn add(&mut self, number: u64, line: &Line) {
        let other_thread = line.thread > 0;
        let name = name(&line.record);
        *self.operations.entry(name).or_insert(0) += 1;
        match line.record {
            Record::Noop | Record::Event => self.quiet += 1,
            Record::Burst(_) | Record::GpuBurst(_) if other_thread => self.thread_bursts += 1,
            Record::Burst(time) => self.compute(time),
            Record::GpuBurst(time) => {
                self.gpu_bursts += 1;
                self.compute(time);
            }
            Record::Other => self.others += 1,
            _ if other_thread => {
                let (_, count) = self.threads.get_or_insert((number, 0));
                *count += 1;
            }
            Record::Send { to, bytes, .. } => {
                self.messages.count += 1;
                self.messages.bytes = self.messages.bytes.saturating_add(bytes);
                self.pairs.send(line.task, to);
            }
            Record::Receive { key, how: How::Block | How::Post } => self.pairs.receive(key.from, line.task),
            Record::Receive { .. } | Record::WaitCollective { .. } => {}
            Record::Collective(called) => {
                *self.collectives.entry(name).or_insert(0) += 1;
                self.split += u64::from(matches!(called.kind, Kind::Alltoallv | Kind::Alltoallw));
            }
        }
    }

    fn compute(&mut self, time: Time) {
        self.computed += u128::from(time.0);
    }

    /// Returns the result.
    pub fn finish(self, ranks: u32, offsets: Option<String>) -> TraceInfo {
        let operations: BTreeMap<String, u64> = owned(&self.operations);
        let noted = |count, what: &str| Noted::some(count, what);
        let ignored = [
            noted(self.others, "file and one-sided operations are left out"),
            noted(self.thread_bursts, "bursts of threads other than the first of their task are left out"),
            noted(self.odd_waits, "waits find no receive or collective to wait for: they return at once"),
        ];
        let approximated = [
            noted(self.gpu_bursts, "bursts of a GPU are computed by the task itself"),
            noted(
                self.split,
                "calls of alltoallv or alltoallw do not tell what goes to which rank: it is split evenly",
            ),
        ];
        let mut coverage = Coverage {
            simulated: operations.values().sum(),
            approximated: approximated.into_iter().flatten().collect(),
            ignored: ignored.into_iter().flatten().collect(),
        };
        let refused = self.threads.map_or(0, |(_, count)| count);
        let others = coverage.approximations() + coverage.omissions() + refused + self.quiet;
        coverage.simulated = coverage.simulated.saturating_sub(others);
        let mut warnings: Vec<String> = self.pairs.warnings();
        warnings.extend(coverage.warnings());
        warnings.extend(offsets);
        TraceInfo {
            format: super::NAME,
            ranks,
            operations,
            messages: self.messages,
            collectives: owned(&self.collectives),
            compute: Computing::Picoseconds(self.computed),
            coverage,
            warnings,
            not_simulated: Vec::new(),
            different_collectives: None,
        }
    }
}

/// Returns the same counts with names of their own.
fn owned(counts: &BTreeMap<&'static str, u64>) -> BTreeMap<String, u64> {
    counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

/// Returns the name of a record in results.
const fn name(record: &Record) -> &'static str {
    match record {
        Record::Noop => "noop",
        Record::Event => "event",
        Record::Burst(_) => "compute",
        Record::GpuBurst(_) => "gpu",
        Record::Send { synchronous: false, immediate: false, .. } => "send",
        Record::Send { synchronous: true, immediate: false, .. } => "ssend",
        Record::Send { synchronous: false, immediate: true, .. } => "isend",
        Record::Send { synchronous: true, immediate: true, .. } => "issend",
        Record::Receive { how: How::Block, .. } => "recv",
        Record::Receive { how: How::Post, .. } => "irecv",
        Record::Receive { how: How::Wait, .. } | Record::WaitCollective { .. } => "wait",
        Record::Collective(called) => called.kind.name(called.immediate),
        Record::Other => "other",
    }
}
