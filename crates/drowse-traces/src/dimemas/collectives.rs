//! What the ranks of a communicator call together: roots and sizes, which each rank's own record does not tell.

use rustc_hash::FxHashMap;

use drowse_core::model::units::Time;
use drowse_core::workload::collectives::Member;
use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::{Collective, MOST_BYTES};

use super::kind::Kind;
use super::record::Called;
use crate::line_error::LineError;

/// All collectives, by communicator and in the order of calls.
#[derive(Default)]
pub(crate) struct Collectives {
    calls: FxHashMap<CommId, Vec<Call>>,
}

/// One collective.
struct Call {
    kind: Kind,
    immediate: bool,
    /// The line and task of the first record.
    line: u64,
    task: u32,
    root: Option<u32>,
    ranks: u32,
    /// What each rank names: one size while all are the same.
    sizes: Vec<u64>,
    /// Whether all receive as many times what they send as there are ranks.
    received_all: bool,
}

impl Collectives {
    /// Adds the `number`th call of a rank in a communicator.
    pub fn add(
        &mut self,
        comm: CommId,
        number: u32,
        member: Member,
        called: &Called,
        (line, task): (u64, u32),
    ) -> Result<(), LineError> {
        let Called { kind, immediate, is_root, sends, receives, .. } = *called;
        let calls = self.calls.entry(comm).or_default();
        if calls.len() == number as usize {
            let call =
                Call { kind, immediate, line, task, root: None, ranks: 0, sizes: Vec::new(), received_all: true };
            calls.push(call);
        }
        let Some(call) = calls.get_mut(number as usize) else { return Ok(()) };
        if (call.kind, call.immediate) != (kind, immediate) {
            let (here, there) = (kind.name(immediate), call.kind.name(call.immediate));
            return Err(LineError::Record(format!(
                "task {task} calls {here} where task {} calls {there} (line {}); all tasks of a communicator must call \
                 the same collectives in the same order",
                call.task, call.line
            )));
        }
        if is_root
            && kind.has_root()
            && let Some(other) = call.root.replace(member.rank)
        {
            return Err(LineError::Record(format!(
                "says that it is the root of a {}, and so does rank {other} of the communicator; correct one of them",
                kind.name(immediate)
            )));
        }
        let bytes = size(kind, sends, receives);
        let most = MOST_BYTES.saturating_mul(u64::from(member.size));
        if bytes > MOST_BYTES && !matches!(kind, Kind::Alltoall | Kind::Alltoallv | Kind::Alltoallw) || bytes > most {
            return Err(LineError::TooManyBytes { bytes: bytes.into() });
        }
        call.received_all &= sends.checked_mul(u64::from(member.size)) == Some(receives);
        call.ranks += 1;
        if call.sizes.is_empty() {
            call.sizes.push(bytes);
        } else if call.sizes.len() == 1 && call.sizes[0] != bytes && member.size > 1 {
            call.sizes.resize(member.size as usize, call.sizes[0]);
        }
        if call.sizes.len() > 1 {
            call.sizes[member.rank as usize] = bytes;
        }
        Ok(())
    }

    /// Checks that all ranks of each communicator have called all its collectives; else returns the line of one.
    pub fn check(&self, size: impl Fn(CommId) -> u32) -> Result<(), (u64, LineError)> {
        let mut missing: Vec<&Call> = Vec::new();
        for (&comm, calls) in &self.calls {
            missing.extend(calls.iter().find(|call| call.ranks != size(comm)));
        }
        match missing.into_iter().min_by_key(|call| call.line) {
            None => Ok(()),
            Some(call) => {
                let (name, ranks) = (call.kind.name(call.immediate), call.ranks);
                let problem = format!(
                    "task {} calls {name}, but only {ranks} tasks of the communicator do: the trace is cut off, or \
                     the communicator is wrong; copy it again",
                    call.task
                );
                Err((call.line, LineError::Record(problem)))
            }
        }
    }

    /// Returns what a rank calls.
    pub fn collective(&self, comm: CommId, number: u32, member: Member, called: &Called) -> Option<Collective> {
        let call = self.calls.get(&comm)?.get(number as usize)?;
        let (ranks, compute) = (u64::from(member.size), Time::ZERO);
        // Where nobody says that it is the root, it is the first.
        let root = call.root.unwrap_or(0);
        let most = call.sizes.iter().copied().max().unwrap_or(0);
        let list = || match call.sizes[..] {
            [same] => vec![same; ranks as usize].into_boxed_slice(),
            _ => call.sizes.clone().into_boxed_slice(),
        };
        let same = call.sizes.len() <= 1;
        let own = size(call.kind, called.sends, called.receives);
        let split = || (0..ranks).map(|place| own / ranks + u64::from(place < own % ranks)).collect();
        Some(match call.kind {
            Kind::Barrier => Collective::Barrier,
            Kind::Bcast => Collective::Bcast { root, bytes: most, count: most },
            Kind::Reduce => Collective::Reduce { root, bytes: most, count: most, compute },
            Kind::Allreduce => Collective::Allreduce { bytes: most, count: most, compute },
            Kind::Scan => Collective::Scan { bytes: most, compute },
            Kind::Gather | Kind::Gatherv if same => Collective::Gather { root, bytes: most },
            Kind::Gather | Kind::Gatherv => Collective::Gatherv { root, bytes: list() },
            Kind::Scatter | Kind::Scatterv if same => Collective::Scatter { root, bytes: most },
            Kind::Scatter | Kind::Scatterv => Collective::Scatterv { root, bytes: list() },
            Kind::Allgather | Kind::Allgatherv if same => Collective::Allgather { bytes: most },
            Kind::Allgather | Kind::Allgatherv => Collective::Allgatherv { bytes: list() },
            Kind::Alltoall if same && call.received_all => Collective::Alltoall { bytes: most },
            Kind::Alltoall if same && most % ranks == 0 => Collective::Alltoall { bytes: most / ranks },
            Kind::Alltoall if call.received_all => Collective::Alltoallv { bytes: (0..ranks).map(|_| own).collect() },
            Kind::Alltoall | Kind::Alltoallv | Kind::Alltoallw => Collective::Alltoallv { bytes: split() },
            Kind::ReduceScatter | Kind::ReduceScatterBlock => Collective::ReduceScatter { bytes: list(), compute },
        })
    }
}

/// Returns the size that matters of a rank's record.
const fn size(kind: Kind, sends: u64, receives: u64) -> u64 {
    match kind {
        Kind::Barrier => 0,
        // At the root of a reduction, and at the others of a broadcast, only the size received may be named.
        Kind::Bcast | Kind::Reduce | Kind::Allreduce | Kind::Scan => {
            if sends > receives {
                sends
            } else {
                receives
            }
        }
        Kind::Scatter | Kind::Scatterv | Kind::ReduceScatter | Kind::ReduceScatterBlock => receives,
        Kind::Gather
        | Kind::Gatherv
        | Kind::Allgather
        | Kind::Allgatherv
        | Kind::Alltoall
        | Kind::Alltoallv
        | Kind::Alltoallw => sends,
    }
}
