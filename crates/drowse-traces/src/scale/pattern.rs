//! Finds the grid on which ranks at like places do the same.

use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
use std::mem::discriminant;

use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::{Operation, OperationSource};
use drowse_core::workload::operation_line::shown;
use rustc_hash::{FxHashMap, FxHasher};

use super::error::ScaleError;
use super::grid::Grid;
use crate::Trace;
use crate::check::each;

/// A grid, and how far neighbours are in each of its dimensions.
pub(super) struct Pattern {
    pub grid: Grid,
    pub reach: Vec<u32>,
}

/// A grid that may be the one.
struct Candidate {
    grid: Grid,
    reach: Vec<u32>,
    /// A hash of what each rank does, with the ways to its neighbours.
    ranks: Vec<u64>,
    /// A hash of the way to each rank that the current rank names.
    offsets: FxHashMap<u32, u64>,
}

/// Finds the grid with the nearest neighbours.
pub(super) fn find(
    trace: &Trace,
    source: &mut dyn OperationSource,
    numbers: &[Option<CommId>],
) -> Result<Pattern, ScaleError> {
    let ranks = source.ranks();
    let new = |grid: Grid| {
        let reach = vec![0; grid.sizes().len()];
        Candidate { grid, reach, ranks: Vec::new(), offsets: FxHashMap::default() }
    };
    let mut candidates: Vec<Candidate> = Grid::all(ranks).into_iter().map(new).collect();
    for rank in 0..ranks {
        candidates.iter_mut().for_each(Candidate::begin_rank);
        let mut refused = None;
        each(source, rank, |at, operation| {
            if refused.is_none()
                && let Some(why) = obstacle(operation, numbers)
            {
                refused = Some((at.operation, shown(operation), why));
            }
            if let Some(what) = what(operation) {
                candidates.iter_mut().for_each(|candidate| candidate.add(rank, what, operation.peer()));
            }
        })?;
        if let Some((operation, line, why)) = refused {
            let places = trace.reader.places(rank, &[operation])?;
            let place = places.first().map_or_else(String::new, |place| format!("{place}: "));
            return Err(ScaleError::Operation { place, rank, operation, line, why });
        }
    }
    candidates.retain(Candidate::is_large_enough);
    // Neighbours on the right grid are nearer than on others; without any, the one with fewest dimensions is taken.
    candidates.sort_by_key(|candidate| (candidate.reach.iter().sum::<u32>(), candidate.grid.sizes().len()));
    let mut best: Option<(u32, u32, String)> = None;
    for candidate in candidates {
        let (unlike, first) = candidate.unlike();
        if unlike == 0 {
            return Ok(Pattern { grid: candidate.grid, reach: candidate.reach });
        }
        if best.as_ref().is_none_or(|&(least, ..)| unlike < least) {
            best = Some((unlike, first, candidate.grid.words()));
        }
    }
    Err(match best {
        Some((unlike, first, best)) => ScaleError::NoPattern { best, unlike, ranks, first },
        None => ScaleError::TooSmall { ranks },
    })
}

/// Says why an operation does not go on with the number of ranks.
pub(super) fn obstacle(operation: &Operation, numbers: &[Option<CommId>]) -> Option<&'static str> {
    if operation.comm().is_some_and(|comm| numbers.get(comm as usize).copied().flatten().is_none()) {
        return Some("its communicator is not one of all ranks in their order");
    }
    operation.called().and_then(|collective| collective.sizes()).map(|_| "it lists a size for each rank")
}

/// Returns a hash of what an operation does, but for its peer and the names of its requests; `None` for computing.
pub(super) fn what(operation: &Operation) -> Option<u64> {
    let hash = BuildHasherDefault::<FxHasher>::default();
    let kind = discriminant(operation);
    Some(match operation {
        Operation::Compute(_) => return None,
        Operation::Send { tag, comm, mode, bytes, .. } | Operation::Isend { tag, comm, mode, bytes, .. } => {
            hash.hash_one((kind, tag, comm, mode, bytes))
        }
        Operation::Recv { tag, comm, .. } | Operation::Irecv { tag, comm, .. } | Operation::Probe { tag, comm, .. } => {
            hash.hash_one((kind, tag, comm))
        }
        Operation::WaitAny(requests) | Operation::WaitSome(requests) => hash.hash_one((kind, requests.len())),
        Operation::Iteration | Operation::Wait { .. } | Operation::WaitAll => hash.hash_one(kind),
        Operation::Collective { comm, collective } => collective_hash(kind, *comm, collective),
        Operation::Icollective { comm, collective, .. } => collective_hash(kind, *comm, collective),
    })
}

/// Returns a hash of what an operation does, as [`what`], but for its tag, too.
pub(super) fn without_tag(operation: &Operation) -> u64 {
    let mut operation = operation.clone();
    match &mut operation {
        Operation::Send { tag, .. } | Operation::Isend { tag, .. } => *tag = 0,
        Operation::Recv { tag, .. } | Operation::Irecv { tag, .. } | Operation::Probe { tag, .. } => *tag = None,
        _ => {}
    }
    what(&operation).unwrap_or_default()
}

/// Returns a hash of a collective, but for the time in which it combines data.
fn collective_hash(
    kind: std::mem::Discriminant<Operation>,
    comm: CommId,
    collective: &drowse_core::workload::operation::Collective,
) -> u64 {
    let hash = BuildHasherDefault::<FxHasher>::default();
    hash.hash_one((kind, comm, discriminant(collective), collective.root(), collective.largest()))
}

impl Candidate {
    fn begin_rank(&mut self) {
        self.ranks.push(0);
        self.offsets.clear();
    }

    /// Adds an operation of the current rank.
    fn add(&mut self, rank: u32, what: u64, peer: Option<u32>) {
        let Candidate { grid, reach, ranks, offsets } = self;
        let way = peer.map(|peer| {
            *offsets.entry(peer).or_insert_with(|| {
                let way = grid.way(rank, peer);
                for (reach, way) in reach.iter_mut().zip(&way) {
                    *reach = (*reach).max(way.unsigned_abs() as u32);
                }
                BuildHasherDefault::<FxHasher>::default().hash_one(&way)
            })
        });
        if let Some(sum) = ranks.last_mut() {
            let mut hasher = FxHasher::default();
            (*sum, what, way).hash(&mut hasher);
            *sum = hasher.finish();
        }
    }

    /// Returns whether there are places that are no one's borders.
    fn is_large_enough(&self) -> bool {
        self.grid.sizes().iter().zip(&self.reach).all(|(&size, &reach)| size > 2 * reach)
    }

    /// Returns how many ranks do not do what the first at a like place does, and the first of them.
    fn unlike(&self) -> (u32, u32) {
        let mut known: FxHashMap<u32, u64> = FxHashMap::default();
        let (mut unlike, mut first) = (0, 0);
        for (rank, &does) in (0..).zip(&self.ranks) {
            if *known.entry(self.grid.class(rank, &self.reach)).or_insert(does) != does {
                first = if unlike == 0 { rank } else { first };
                unlike += 1;
            }
        }
        (unlike, first)
    }
}
