//! What a trace holds, in numbers.

use std::collections::BTreeMap;

use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::Collective;

use super::NAME;
use super::graph::Does;
use super::kind;
use super::order::Step;
use crate::error::Place;
use crate::files::ByteFile;
use crate::info::{Computing, Coverage, Messages, NotSimulated, Noted, TraceInfo};

/// What the nodes are, in numbers.
#[derive(Default)]
pub(super) struct Counts {
    /// By kind.
    pub nodes: BTreeMap<&'static str, u64>,
    pub messages: Messages,
    pub collectives: BTreeMap<&'static str, u64>,
    /// Picoseconds or operations.
    pub computed: u128,
    /// Collectives whose root, size or ranks are not told.
    pub rootless: u64,
    pub sizeless: u64,
    pub inferred: u64,
    /// Messages whose size is not told.
    pub sizeless_sends: u64,
    /// Nodes of memory and files, with and without a duration.
    pub storage: u64,
    pub storage_left_out: u64,
    pub others: u64,
    /// Computations with operations only, where others have durations.
    pub untimed: u64,
    /// Computations without operations, in a trace whose computations are operations.
    pub without_operations: u64,
    /// Waits beside which the rank has other work.
    pub waits: u64,
    /// Dependencies on nodes that are not there, and those that are left out.
    pub absent: u64,
    pub control: u64,
    pub without_control: bool,
    not_simulated: Vec<NotSimulated>,
}

impl Counts {
    /// Counts a node that cannot be simulated.
    pub fn not_simulated(&mut self, file: &ByteFile, number: i32, obstacle: &'static str) {
        let name = kind::name(number);
        match self.not_simulated.iter_mut().find(|known| known.action == name && known.obstacle == obstacle) {
            Some(known) => known.occurrences += 1,
            None => self.not_simulated.push(NotSimulated {
                action: name.to_owned(),
                obstacle,
                first: Place { file: file.label().to_owned(), line: 0 },
                occurrences: 1,
            }),
        }
    }

    /// Returns what is said of a trace.
    pub fn info(
        self,
        ranks: &[Vec<Step>],
        collectives: &[Collective],
        communicators: &Communicators,
        in_operations: bool,
    ) -> TraceInfo {
        let approximated = [
            (self.waits, "waits come when the rank has nothing else to do: what depends on them may start late"),
            (self.rootless, "collectives do not name their root: it is the first rank of their group"),
            (self.sizeless, "collectives have no comm_size: they move no data"),
            (self.sizeless_sends, "messages have no comm_size: they are of 0 B"),
            (self.inferred, "collectives name a group that nothing defines: it is the ranks that name it"),
            (self.storage, "nodes of memory and files take the time that was measured"),
        ];
        let ignored = [
            (self.storage_left_out, "nodes of memory and files without a duration are left out"),
            (self.others, "nodes of other kinds are left out"),
            (self.without_operations, "computations have neither a duration nor operations: they take no time"),
            (self.untimed, "computations have operations and no duration, as others have: they take no time"),
        ];
        let noted =
            |notes: &[(u64, &str)]| notes.iter().filter_map(|&(count, what)| Noted::some(count, what)).collect();
        let (approximated, ignored): (Vec<Noted>, Vec<Noted>) = (noted(&approximated), noted(&ignored));
        let total: u64 = self.nodes.values().sum();
        let not_exact = self.rootless.max(self.sizeless).max(self.inferred) + self.sizeless_sends + self.storage;
        let left_out: u64 = ignored.iter().map(|noted| noted.count).sum();
        let coverage = Coverage { simulated: total.saturating_sub(not_exact + left_out), approximated, ignored };
        let mut warnings: Vec<String> = coverage.warnings().collect();
        let control =
            "control dependencies form circles, as where they hold the stack of calls: data dependencies alone";
        if self.without_control {
            warnings.push(format!("{control} are followed ({} are left out)", self.control));
        }
        let absent = "dependencies on nodes that the files do not hold are left out";
        warnings.extend(Noted::some(self.absent, absent).map(|noted| format!("{} {}", noted.count, noted.what)));
        let named = |(name, count): (&'static str, u64)| (name.to_owned(), count);
        let compute = if in_operations {
            Computing::Flops(u64::try_from(self.computed).unwrap_or(u64::MAX))
        } else {
            Computing::Picoseconds(self.computed)
        };
        TraceInfo {
            format: NAME,
            ranks: ranks.len() as u32,
            operations: self.nodes.into_iter().map(named).collect(),
            messages: self.messages,
            collectives: self.collectives.into_iter().map(named).collect(),
            compute,
            coverage,
            warnings,
            not_simulated: self.not_simulated,
            different_collectives: different(ranks, collectives, communicators),
        }
    }
}

/// Says how the ranks of a communicator differ in what they call, if they do.
fn different(ranks: &[Vec<Step>], collectives: &[Collective], communicators: &Communicators) -> Option<String> {
    // The first rank that calls something in a communicator, its calls, and the number of ranks that do.
    let mut first: BTreeMap<CommId, (u32, Vec<u32>, u32)> = BTreeMap::new();
    for (rank, steps) in (0..).zip(ranks) {
        let mut of_rank: BTreeMap<CommId, Vec<u32>> = BTreeMap::new();
        for step in steps {
            if let Step::Start(Does::Collective { comm, which }, _) | Step::Do(Does::Collective { comm, which }) = *step
            {
                of_rank.entry(comm).or_default().push(which);
            }
        }
        for (comm, calls) in of_rank {
            let (other, theirs, callers) = first.entry(comm).or_insert_with(|| (rank, calls.clone(), 0));
            *callers += 1;
            if *theirs != calls {
                let differs = theirs.iter().zip(&calls).position(|(one, other)| one != other);
                let at = differs.unwrap_or(theirs.len().min(calls.len()));
                let name = |calls: &[u32]| match calls.get(at) {
                    Some(&which) => said(&collectives[which as usize]),
                    None => "nothing".to_owned(),
                };
                let (theirs, ours) = (name(theirs), name(&calls));
                return Some(format!(
                    "call {} of a group is {theirs} at rank {other}, and {ours} at rank {rank}",
                    at + 1
                ));
            }
        }
    }
    first.into_iter().find_map(|(comm, (rank, _, callers))| {
        let members = communicators.size(comm).filter(|&members| members != callers)?;
        Some(format!("{callers} of the {members} ranks of a group call its collectives, such as rank {rank}"))
    })
}

/// Says what a collective is.
fn said(collective: &Collective) -> String {
    let name = match collective {
        Collective::Allreduce { .. } => "an all-reduce",
        Collective::Reduce { .. } => "a reduce",
        Collective::Allgather { .. } => "an all-gather",
        Collective::Gather { .. } => "a gather",
        Collective::Scatterv { .. } => "a scatter",
        Collective::Bcast { .. } => "a broadcast",
        Collective::Alltoall { .. } | Collective::Alltoallv { .. } => "an all-to-all",
        Collective::ReduceScatter { .. } => "a reduce-scatter",
        _ => return "a barrier".to_owned(),
    };
    format!("{name} of {} B", collective.largest())
}
