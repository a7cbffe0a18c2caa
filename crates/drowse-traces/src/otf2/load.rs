//! Reads an archive: the programs of all ranks, and what is said of them.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::collectives::Member;
use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::Operation;
use rustc_hash::{FxHashMap, FxHashSet};

use super::anchor::Anchor;
use super::chunks::Chunks;
use super::counts::Counts;
use super::definitions::Definitions;
use super::events::{self, Collective};
use super::files::Files;
use super::local::Local;
use super::members::Members;
use super::rank::{Rank, Reading};
use super::regions::Region;
use crate::dimemas::{Called, Collectives, Kind};
use crate::error::TraceError;
use crate::info::{Computing, Coverage, Messages, Noted, TraceInfo};
use crate::paraver::Program;

/// Reads an archive; messages name its files, and the `label` where several are meant.
pub(super) fn load(files: &Files, label: &str) -> Result<Program, TraceError> {
    let refuse = |problem: String| TraceError::Otf2 { file: label.to_owned(), problem };
    let anchor = Anchor::read(&files.anchor()?)?;
    let definitions = Definitions::read(files.definitions()?, anchor.definitions)?;
    let members = Members::new(&definitions).map_err(refuse)?;
    check_locals(files, &members.locations)?;
    let regions = regions(&definitions);
    let mut counts = Counts::new();
    let mut ranks = Vec::with_capacity(members.locations.len());
    for (number, &location) in (0..).zip(&members.locations) {
        let mut reading = Reading::new(number, &members, &regions, definitions.ticks_per_second);
        let (local, mut read) = (local(files, location, &anchor)?, 0);
        events::read(Chunks::open(files.events(location)?, anchor.events)?, local, |ticks, event| {
            read += 1;
            counts.add(ticks, &event);
            reading.event(ticks, event).map_err(|problem| format!("rank {number} {problem}"))
        })?;
        let defined = definitions.locations.get(&location).copied().unwrap_or_default();
        if read != defined {
            let problem = format!("rank {number} has {read} events of {defined}; copy all files of the archive again");
            return Err(refuse(problem));
        }
        ranks.push(reading.finish());
    }
    let of_ranks: FxHashSet<u64> = members.locations.iter().copied().collect();
    let threads = definitions.locations.iter().filter(|(id, _)| !of_ranks.contains(id));
    counts.threads = threads.fold(0, |sum, (_, events)| sum.saturating_add(*events));
    finish(ranks, &members, label, counts).map_err(refuse)
}

/// Checks that all locations have files of their own definitions, or none.
fn check_locals(files: &Files, locations: &[u64]) -> Result<(), TraceError> {
    let (mut has, mut missing) = (false, None);
    for &location in locations {
        match files.local(location)? {
            Some(_) => has = true,
            None => missing = missing.or(Some(location)),
        }
    }
    missing.filter(|_| has).map_or(Ok(()), |location| Err(files.lacks_local(location)))
}

/// Reads what is of a location alone.
fn local(files: &Files, location: u64, anchor: &Anchor) -> Result<Local, TraceError> {
    files.local(location)?.map_or_else(|| Ok(Local::default()), |file| Local::read(file, anchor.definitions))
}

/// Returns what the regions are, by their ids.
fn regions(definitions: &Definitions) -> FxHashMap<u32, Region> {
    let name = |name: &u32| definitions.strings.get(name).map_or("", String::as_str);
    definitions.regions.iter().map(|(&id, of)| (id, Region::named(name(of)))).collect()
}

/// Returns the kind of a collective of `OTF2_CollectiveOp`.
const fn kind(operation: u8) -> Option<Kind> {
    Some(match operation {
        0 => Kind::Barrier,
        1 => Kind::Bcast,
        2 => Kind::Gather,
        3 => Kind::Gatherv,
        4 => Kind::Scatter,
        5 => Kind::Scatterv,
        6 => Kind::Allgather,
        7 => Kind::Allgatherv,
        8 => Kind::Alltoall,
        9 => Kind::Alltoallv,
        10 => Kind::Alltoallw,
        11 => Kind::Allreduce,
        12 => Kind::Reduce,
        13 => Kind::ReduceScatter,
        14 | 15 => Kind::Scan,
        16 => Kind::ReduceScatterBlock,
        _ => return None,
    })
}

/// Returns what a rank says of a collective: the data of one rank, where Score-P counts that of all.
fn called(collective: &Collective, kind: Kind, immediate: bool, member: Member) -> Called {
    let Collective { communicator, root, sent, received, .. } = *collective;
    let ranks = u64::from(member.size.max(1));
    let (sends, receives) = match kind {
        Kind::Bcast => (if received > 0 { received } else { sent / ranks }, 0),
        Kind::Reduce => (if sent > 0 { sent } else { received / ranks }, 0),
        Kind::Allreduce | Kind::Allgather | Kind::Allgatherv => (sent.max(received) / ranks, 0),
        Kind::ReduceScatter | Kind::ReduceScatterBlock => (0, sent / ranks),
        // A rank counts those above it when it sends, and those below it when it receives.
        Kind::Scan if member.rank > 0 => (received / u64::from(member.rank), 0),
        Kind::Scan => (sent / (ranks - 1).max(1), 0),
        _ => (sent, received),
    };
    let is_root = kind.has_root() && root == member.rank;
    Called { kind, immediate, comm: communicator.into(), is_root, sends, receives }
}

/// A collective of a rank: its place, its request, and what was said of it.
type Call = (usize, Option<u32>, CommId, u32, Member, Called);

/// Makes the programs whole: what ranks call together is known when all are read.
fn finish(mut ranks: Vec<Rank>, members: &Members, label: &str, mut counts: Counts) -> Result<Program, String> {
    let mut together = Collectives::default();
    let mut calls: Vec<Vec<Call>> = Vec::with_capacity(ranks.len());
    for (number, rank) in (0..).zip(&ranks) {
        let mut of_comm: FxHashMap<CommId, u32> = FxHashMap::default();
        let mut calls_here = Vec::with_capacity(rank.collectives.len());
        for (line, (place, collective, request)) in (1..).zip(&rank.collectives) {
            let at = |problem: String| format!("rank {number} {problem}");
            let Some(kind) = kind(collective.operation) else { continue };
            counts.exclusive += u64::from(collective.operation == 15);
            counts.split += u64::from(matches!(kind, Kind::Alltoallv | Kind::Alltoallw));
            *counts.collectives.entry(kind.name(request.is_some())).or_default() += 1;
            let Some((comm, member)) = members.collective(collective.communicator, number).map_err(at)? else {
                continue;
            };
            let called = called(collective, kind, request.is_some(), member);
            let next = of_comm.entry(comm).or_default();
            let added = together.add(comm, *next, member, &called, (line, number));
            added.map_err(|problem| format!("rank {number}, collective {line}: {problem}"))?;
            calls_here.push((*place, *request, comm, *next, member, called));
            *next += 1;
        }
        calls.push(calls_here);
    }
    for (rank, calls) in ranks.iter_mut().zip(&calls) {
        for (place, request, comm, number, member, called) in calls {
            let comm = *comm;
            let Some(collective) = together.collective(comm, *number, *member, called) else { continue };
            rank.operations[*place] = match *request {
                None => Operation::Collective { comm, collective },
                Some(request) => Operation::Icollective { comm, request, collective: Box::new(collective) },
            };
        }
    }
    let cut = together.check(|comm| members.table.size(comm).unwrap_or_default()).err();
    let cut = cut.map(|(number, problem)| format!("{label}: collective {number} of a rank: {problem}"));
    let fingerprint = counts.hash;
    let info = info(&ranks, counts, cut);
    Ok(Program {
        recorded: ranks.iter().map(|rank| Time(rank.recorded)).collect(),
        ranks: ranks.into_iter().map(|rank| rank.operations).collect(),
        communicators: Arc::clone(&members.table),
        label: label.to_owned(),
        info,
        fingerprint,
    })
}

/// Says what the archive holds.
fn info(ranks: &[Rank], counts: Counts, cut: Option<String>) -> TraceInfo {
    let sum = |of: fn(&Rank) -> u64| ranks.iter().map(of).fold(0_u64, u64::saturating_add);
    let ignored = [
        (sum(|rank| rank.unheld), "calls communicate, and the archive does not tell what: they are left out"),
        (sum(|rank| rank.unfinished), "receives are never found complete, so their sender is not known: left out"),
        (sum(|rank| rank.handles), "calls make or free communicators, windows or files: they are left out"),
        (counts.threads, "events are of threads that are no ranks: they are left out"),
    ];
    let approximated = [
        (counts.split, "calls of alltoallv do not tell what goes to which rank: it is split evenly"),
        (counts.exclusive, "calls of exscan are taken as scans"),
    ];
    let noted = |notes: &[(u64, &str)]| notes.iter().filter_map(|&(count, what)| Noted::some(count, what)).collect();
    let (approximated, ignored): (Vec<Noted>, Vec<Noted>) = (noted(&approximated), noted(&ignored));
    let known = approximated.iter().chain(&ignored).fold(0_u64, |known, noted| known.saturating_add(noted.count));
    let total: u64 = counts.events().map(|(_, count)| count).sum();
    let coverage = Coverage { simulated: total.saturating_sub(known), approximated, ignored };
    let named = |(name, count): (&'static str, u64)| (name.to_owned(), count);
    TraceInfo {
        format: super::NAME,
        ranks: ranks.len() as u32,
        operations: counts.events().map(named).collect(),
        messages: Messages { count: sum(|rank| rank.messages), bytes: sum(|rank| rank.bytes) },
        collectives: counts.collectives.into_iter().map(named).collect(),
        compute: Computing::Picoseconds(ranks.iter().map(|rank| u128::from(rank.computed)).sum()),
        warnings: coverage.warnings().chain(cut.clone()).collect(),
        coverage,
        not_simulated: Vec::new(),
        different_collectives: cut,
    }
}
