//! Collectives: all tasks' parts together say what is called, with which root and sizes.

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Collective, MOST_BYTES};

use super::record::Part;
use crate::line_error::LineError;

/// The operations by their numbers.
pub(super) const OPERATIONS: [&str; 8] =
    ["broadcast", "reduce", "allreduce", "gather", "scatter", "allgather", "barrier", "alltoall"];

/// A collective of all ranks of a communicator.
pub(super) struct Call {
    pub comm: CommId,
    pub kind: Kind,
    /// The rank in the communicator that all others send to, or receive from.
    pub root: u32,
    /// What each rank sends or receives beside the root, by rank of the communicator: one size where all are the same.
    pub sizes: Box<[u64]>,
}

/// The operation of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Broadcast,
    Reduce,
    Allreduce,
    Gather,
    Scatter,
    Allgather,
    Barrier,
    /// Sizes are those of one message.
    Alltoall,
    /// Sizes are what a rank sends in all, in equal parts.
    AlltoallSplit,
}

impl Kind {
    fn of(operation: u64, flag: u64) -> Option<Self> {
        Some(match operation {
            0 => Kind::Broadcast,
            1 => Kind::Reduce,
            2 => Kind::Allreduce,
            3 => Kind::Gather,
            4 => Kind::Scatter,
            5 => Kind::Allgather,
            6 => Kind::Barrier,
            7 if flag == 1 => Kind::AlltoallSplit,
            7 => Kind::Alltoall,
            _ => return None,
        })
    }

    /// Returns whose entries the ranks wait for.
    pub fn waits(self) -> Waits {
        match self {
            Kind::Broadcast | Kind::Scatter => Waits::ForRoot,
            Kind::Reduce | Kind::Gather => Waits::AtRoot,
            _ => Waits::All,
        }
    }
}

/// Whose entries the ranks of a collective wait for, beside their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    /// All for all.
    All,
    /// All for the root.
    ForRoot,
    /// The root for all.
    AtRoot,
}

impl Call {
    /// Makes a collective of its parts, in the order of the ranks of the communicator.
    pub fn new(comm: CommId, parts: &[&Part]) -> Result<Self, LineError> {
        let (operation, flag) = parts.first().map_or((6, 0), |part| (part.operation, part.receives));
        let kind = Kind::of(operation, flag).ok_or_else(|| {
            LineError::Record(format!("operation {operation} is none; they are 0 (broadcast) to 7 (alltoall)"))
        })?;
        if let Some(part) = parts.iter().find(|part| Kind::of(part.operation, part.receives) != Some(kind)) {
            let (first, other) = (name(operation), name(part.operation));
            return Err(LineError::Record(format!(
                "begins a collective that is {first} here and {other} (or with another flag) at task {}; make them the \
                 same",
                part.task
            )));
        }
        if kind != Kind::Alltoall && kind != Kind::AlltoallSplit {
            let most = parts.iter().map(|part| part.receives).max().unwrap_or(0);
            if most > MOST_BYTES.saturating_mul(parts.len() as u64) {
                return Err(LineError::TooManyBytes { bytes: most.into() });
            }
        }
        let root = root(kind, parts)?;
        let sizes: Vec<u64> = match kind {
            Kind::Barrier => Vec::new(),
            Kind::Broadcast | Kind::Reduce => {
                vec![parts.iter().map(|part| part.sends.max(part.receives)).max().unwrap_or(0)]
            }
            // The root has the sum of all sizes in this field.
            Kind::Scatter => parts.iter().map(|part| part.receives).collect(),
            Kind::Allreduce | Kind::Gather | Kind::Allgather | Kind::Alltoall | Kind::AlltoallSplit => {
                parts.iter().map(|part| part.sends).collect()
            }
        };
        if let Some(&bytes) = sizes.iter().find(|&&bytes| bytes > MOST_BYTES) {
            return Err(LineError::TooManyBytes { bytes: bytes.into() });
        }
        let sizes = match sizes.first() {
            Some(first) if sizes.iter().all(|size| size == first) => [*first].into(),
            _ => sizes.into(),
        };
        Ok(Call { comm, kind, root, sizes })
    }

    /// Returns what a rank of the communicator calls.
    pub fn collective(&self, rank: u32, communicators: &Communicators) -> Collective {
        let ranks = u64::from(communicators.size(self.comm).unwrap_or(1)).max(1);
        let same = if self.sizes.len() > 1 { None } else { Some(self.sizes.first().copied().unwrap_or(0)) };
        let bytes = self.sizes.iter().copied().max().unwrap_or(0);
        let (root, compute) = (self.root, Time::ZERO);
        match (self.kind, same) {
            (Kind::Barrier, _) => Collective::Barrier,
            // The elements are not known; bytes are.
            (Kind::Broadcast, _) => Collective::Bcast { root, bytes, count: bytes },
            (Kind::Reduce, _) => Collective::Reduce { root, bytes, count: bytes, compute },
            (Kind::Allreduce, _) => Collective::Allreduce { bytes, count: bytes, compute },
            (Kind::Gather, Some(bytes)) => Collective::Gather { root, bytes },
            (Kind::Gather, None) => Collective::Gatherv { root, bytes: self.sizes.clone() },
            (Kind::Scatter, Some(bytes)) => Collective::Scatter { root, bytes },
            (Kind::Scatter, None) => Collective::Scatterv { root, bytes: self.sizes.clone() },
            (Kind::Allgather, Some(bytes)) => Collective::Allgather { bytes },
            (Kind::Allgather, None) => Collective::Allgatherv { bytes: self.sizes.clone() },
            (Kind::Alltoall, Some(bytes)) => Collective::Alltoall { bytes },
            (Kind::AlltoallSplit, Some(bytes)) if bytes % ranks == 0 => Collective::Alltoall { bytes: bytes / ranks },
            (Kind::Alltoall, None) => {
                let own = self.sizes.get(rank as usize).copied().unwrap_or(0);
                Collective::Alltoallv { bytes: (0..ranks).map(|_| own).collect() }
            }
            (Kind::AlltoallSplit, _) => {
                let own = self.sizes.get(rank as usize).or(self.sizes.first()).copied().unwrap_or(0);
                let share = |place| own / ranks + u64::from(place < own % ranks);
                Collective::Alltoallv { bytes: (0..ranks).map(share).collect() }
            }
        }
    }
}

/// Returns the root: the one rank that sends to all, or receives from all. Where nothing is sent, it is the first.
fn root(kind: Kind, parts: &[&Part]) -> Result<u32, LineError> {
    let is_root: fn(&&Part) -> bool = match kind {
        Kind::Broadcast | Kind::Scatter => |part| part.sends > 0,
        Kind::Reduce | Kind::Gather => |part| part.receives > 0,
        _ => return Ok(0),
    };
    let mut roots = (0..).zip(parts).filter(|(_, part)| is_root(part));
    let root = roots.next().map_or(0, |(rank, _)| rank);
    match roots.next() {
        None => Ok(root),
        Some((_, other)) => Err(LineError::Record(format!(
            "begins a {} with two roots, task {} and task {}; only the root {}",
            name(parts[0].operation),
            parts[root as usize].task,
            other.task,
            if matches!(kind, Kind::Broadcast | Kind::Scatter) { "sends" } else { "receives" }
        ))),
    }
}

/// Returns the name of an operation.
fn name(operation: u64) -> &'static str {
    usize::try_from(operation).ok().and_then(|place| OPERATIONS.get(place)).unwrap_or(&"unknown")
}
