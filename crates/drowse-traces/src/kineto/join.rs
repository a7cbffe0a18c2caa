//! Which kernel of NCCL carries out which calls of PyTorch.
//!
//! A kernel and its call have one `External id`. A call that no kernel names is carried out by the next kernel that its
//! thread launches: several calls that PyTorch groups (`coalesced`) have one kernel. What a kernel does not say of its
//! call, the call says.

use rustc_hash::FxHashMap;

use super::read::{Kept, Kernel, Record};
use crate::pytorch::{Activity, Call, Kind, Recorded};

/// What is communicated, and when.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// What calls each communication has.
    pub communications: Vec<Vec<Call>>,
    pub recorded: Recorded,
    /// Calls without a kernel.
    pub without_kernel: u64,
    /// Calls that stand for their kernels, which are not recorded.
    pub by_host: u64,
}

/// Calls and kernels while they are joined.
struct Join<'k> {
    kept: &'k Kept,
    /// By `External id`, the place of a call.
    external: FxHashMap<i64, usize>,
    /// The communication that has each call.
    taken: Vec<Option<u32>>,
    joined: Joined,
}

/// Joins what was kept of a file.
pub(super) fn join(kept: &Kept) -> Joined {
    let external = |(place, record): (usize, &Record)| Some((record.external?, place)).filter(|_| communicates(record));
    let mut join = Join {
        kept,
        external: kept.records.iter().enumerate().filter_map(external).collect(),
        taken: vec![None; kept.records.len()],
        joined: Joined::default(),
    };
    let has_kernels = kept.kernels.iter().any(|kernel| kernel.call.is_some());
    let communications = if has_kernels { join.by_external() } else { vec![None; kept.kernels.len()] };
    if has_kernels {
        join.by_thread(&communications);
    } else {
        join.by_host();
    }
    join.record(&communications)
}

/// Returns whether a call moves something between ranks, as far as it is known.
fn communicates(record: &Record) -> bool {
    record.call.kind() != Some(Kind::Nothing) && !record.call.group.is_one()
}

impl Join<'_> {
    /// Adds a communication of a call.
    fn add(&mut self, call: Call) -> u32 {
        self.joined.communications.push(vec![call]);
        self.joined.communications.len() as u32 - 1
    }

    /// Returns the communication of each kernel that is one. A second kernel of a call is a part of the same.
    fn by_external(&mut self) -> Vec<Option<u32>> {
        let kept = self.kept;
        kept.kernels
            .iter()
            .map(|kernel| {
                let mut call = Call::clone(kernel.call.as_deref()?);
                let record = kernel.external.and_then(|external| self.external.get(&external)).copied();
                if let Some(place) = record {
                    if let Some(number) = self.taken[place] {
                        return Some(number);
                    }
                    call.complete(&kept.records[place].call);
                    let number = self.add(call);
                    self.taken[place] = Some(number);
                    return Some(number);
                }
                Some(self.add(call))
            })
            .collect()
    }

    /// Joins calls that no kernel names with the next kernel that their thread launches.
    fn by_thread(&mut self, communications: &[Option<u32>]) {
        let kept = self.kept;
        let mut threads: FxHashMap<i64, Vec<(i64, u32)>> = FxHashMap::default();
        for (kernel, number) in kept.kernels.iter().zip(communications) {
            if let (Some(number), Some((launched, thread))) = (*number, launch(kept, kernel)) {
                threads.entry(thread).or_default().push((launched, number));
            }
        }
        threads.values_mut().for_each(|launches| launches.sort_unstable());
        let mut first = vec![true; self.joined.communications.len()];
        for (place, record) in kept.records.iter().enumerate() {
            if self.taken[place].is_some() || !communicates(record) {
                continue;
            }
            let launches = threads.get(&record.thread).map_or(&[][..], Vec::as_slice);
            let next = launches.get(launches.partition_point(|launch| launch.0 < record.begin));
            // A barrier is told twice: as itself, and as the all-reduce that it is made of.
            let Some(&(_, number)) = next.filter(|_| record.call.kind() != Some(Kind::Barrier)) else {
                self.joined.without_kernel += u64::from(record.call.kind() != Some(Kind::Barrier));
                continue;
            };
            let calls = &mut self.joined.communications[number as usize];
            let is_blank = calls.iter().all(|call| call.kind().is_none_or(|kind| kind == Kind::Nothing));
            if is_blank && std::mem::take(&mut first[number as usize]) {
                calls.clear();
            }
            calls.push(record.call.clone());
            self.taken[place] = Some(number);
        }
    }

    /// Makes communications of the calls alone, where no kernel of NCCL is recorded.
    fn by_host(&mut self) {
        for (place, record) in self.kept.records.iter().enumerate() {
            if communicates(record) {
                self.taken[place] = Some(self.joined.communications.len() as u32);
                self.joined.communications.push(vec![record.call.clone()]);
                self.joined.by_host += 1;
            }
        }
    }

    /// Returns what was recorded.
    fn record(mut self, communications: &[Option<u32>]) -> Joined {
        let kept = self.kept;
        let of_kernels = kept.kernels.iter().zip(communications).map(|(kernel, &communication)| Activity {
            stream: kernel.stream,
            begin: kernel.begin,
            end: kernel.end,
            launched: launch(kept, kernel).map(|(launched, _)| launched),
            number: kernel.correlation.unwrap_or(i64::MIN),
            communication,
            blocks: false,
        });
        let mut activities: Vec<Activity> = of_kernels.collect();
        if self.joined.by_host > 0 {
            activities.extend(
                kept.records.iter().zip(&self.taken).filter_map(|(record, number)| host_activity(record, *number)),
            );
        }
        let (begin, end) = kept.span.unwrap_or_default();
        self.joined.recorded = Recorded {
            activities,
            host_waits: host_waits(kept),
            host_syncs: kept.host_syncs.clone(),
            stream_waits: kept.stream_waits.clone(),
            iterations: kept.iterations.clone(),
            begin,
            end,
        };
        self.joined
    }
}

/// Returns when the host launched a kernel, and on which thread.
fn launch(kept: &Kept, kernel: &Kernel) -> Option<(i64, i64)> {
    kernel.correlation.and_then(|correlation| kept.launches.get(&correlation)).copied()
}

/// Returns a call as if it had run on a stream of its own, and the host had waited for it.
fn host_activity(record: &Record, number: Option<u32>) -> Option<Activity> {
    let (begin, end) = (record.begin, record.end);
    let communication = Some(number?);
    Some(Activity { stream: i64::MIN, begin, end, launched: None, number: i64::MIN, communication, blocks: true })
}

/// Returns when the host made streams wait for communications: all times at which it made one wait, but for those
/// within calls of PyTorch that communicate, in which NCCL's stream waits for what is computed.
fn host_waits(kept: &Kept) -> Vec<i64> {
    let mut threads: FxHashMap<i64, Vec<(i64, i64)>> = FxHashMap::default();
    for record in kept.records.iter().filter(|record| record.call.kind() != Some(Kind::Nothing)) {
        threads.entry(record.thread).or_default().push((record.begin, record.end));
    }
    threads.values_mut().for_each(|calls| calls.sort_unstable());
    let within = |&(time, thread): &(i64, i64)| {
        let calls = threads.get(&thread).map_or(&[][..], Vec::as_slice);
        // Calls of a thread within each other are rare, and begin shortly before.
        let before = calls.partition_point(|call| call.0 <= time);
        calls[before.saturating_sub(8)..before].iter().any(|call| time <= call.1)
    };
    let made = kept.host_waits.iter().filter(|wait| !within(wait)).map(|&(time, _)| time);
    let told =
        kept.records.iter().filter(|record| record.call.name.as_deref() == Some("wait")).map(|record| record.begin);
    made.chain(told).collect()
}
