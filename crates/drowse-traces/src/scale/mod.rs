//! A program on another number of ranks than it was traced on, in the manner of ScalaExtrap (Wu and Mueller 2011): the
//! ranks are a grid on which all talk to the same neighbours, so a larger grid has the same program at like places.
//!
//! A grid is open, or closed to a torus. Ranks are at like places if they are as far from each border, up to the reach
//! of the farthest neighbour. They must do the same: send and receive the same sizes and tags in the same order, by the
//! way to their neighbours, and call the same collectives. Where there is no such grid, the ranks may be butterflies
//! ([`butterfly`]). Collectives are those of all ranks. By one trace this is weak scaling: sizes, and the computing of
//! each rank, stay as they are. A second trace tells how they change ([`laws`]).

mod butterfly;
mod error;
mod grid;
mod laws;
mod pattern;
mod powers;
mod real_power;
mod source;
mod stages;

use std::sync::Arc;

use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

pub use error::ScaleError;

use crate::Trace;
use crate::check;
use crate::compute::ComputeModel;
use butterfly::{Butterfly, Shape};
use grid::Grid;
use laws::Laws;
use source::ScaledSource;

/// A trace on another number of ranks.
///
/// ```
/// use drowse_traces::{ComputeModel, Scaled, Trace};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("ring.drowse");
/// // Eight ranks in a ring: each sends to the next, ten times.
/// let step = |rank| format!("isend {} 1 KiB as 0\nrecv {}\nwait 0\n", (rank + 1) % 8, (rank + 7) % 8);
/// let ranks: String = (0..8).map(|rank| format!("rank {rank}\n{}", step(rank).repeat(10))).collect();
/// std::fs::write(&path, format!("drowse-trace 1\nranks 8\n{ranks}"))?;
/// let scaled = Scaled::of(&Trace::open(&path)?, ComputeModel::TEN_GIGAFLOPS, 32)?;
/// let mut last = Vec::new();
/// scaled.operations().refill(31, &mut last)?;
/// // In a ring of 32, the last rank sends to the first.
/// assert_eq!((scaled.operations().ranks(), last[0].peer()), (32, Some(0)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Scaled {
    trace: Trace,
    compute: ComputeModel,
    way: Arc<Way>,
    communicators: Arc<Communicators>,
    /// The numbers that communicators of all ranks have.
    numbers: Arc<[Option<CommId>]>,
    /// How sizes and computing change, if a second trace tells.
    laws: Option<Arc<Laws>>,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

/// What was found, and what is wanted.
enum Way {
    Grid(Grids),
    Butterfly(Butterfly, Shape),
}

/// The grid that was found, and the one that is wanted.
struct Grids {
    traced: Grid,
    scaled: Grid,
    /// How far neighbours are in each dimension.
    reach: Vec<u32>,
}

impl Scaled {
    /// Scales a trace to a number of ranks, if its pattern is known. Sizes and computing stay as they are.
    pub fn of(trace: &Trace, compute: ComputeModel, ranks: u32) -> Result<Self, ScaleError> {
        let (mut scaled, words) = Scaled::found(trace, compute, ranks)?;
        scaled.notes = vec![format!("{words}; sizes, and what each rank computes, stay as they are")];
        scaled.checked()
    }

    /// Scales a trace to a number of ranks. Sizes and computing change as they do between it and another trace.
    pub fn by_both(trace: &Trace, other: &Trace, compute: ComputeModel, ranks: u32) -> Result<Self, ScaleError> {
        if other.ranks() == trace.ranks() {
            return Err(ScaleError::SameRanks { ranks: other.ranks() });
        }
        let (laws, sizes) = Laws::find(&Scaled::of(trace, compute, other.ranks())?, other, ranks)?;
        let (mut scaled, words) = Scaled::found(trace, compute, ranks)?;
        scaled.laws = Some(Arc::new(laws));
        scaled.notes = vec![format!("{words}; {sizes}")];
        scaled.checked()
    }

    /// Finds the pattern of a trace, and makes it of so many ranks. Returns what is to be said of it, too.
    fn found(trace: &Trace, compute: ComputeModel, ranks: u32) -> Result<(Self, String), ScaleError> {
        if ranks == 0 || ranks > MOST_RANKS {
            return Err(ScaleError::Ranks { ranks, most: MOST_RANKS });
        }
        let mut source = trace.operations(compute);
        let (communicators, numbers) = communicators(&source.communicators(), trace.ranks(), ranks);
        let (way, words) = match pattern::find(trace, source.as_mut(), &numbers) {
            Ok(found) => Way::grid(found, ranks)?,
            Err(no_grid) => match butterfly::find(trace.operations(compute).as_mut(), &numbers)? {
                Some(found) => Way::butterfly(found, ranks)?,
                None => return Err(no_grid),
            },
        };
        let (way, communicators, numbers) = (Arc::new(way), Arc::new(communicators), numbers.into());
        let trace = trace.clone();
        Ok((Scaled { trace, compute, way, communicators, numbers, laws: None, notes: Vec::new() }, words))
    }

    /// Refuses what is no program.
    fn checked(self) -> Result<Self, ScaleError> {
        match check::first_finding(&|| self.operations())? {
            Some(what) => Err(ScaleError::Unfit { what }),
            None => Ok(self),
        }
    }

    /// Returns the number of ranks.
    fn ranks(&self) -> u32 {
        match &*self.way {
            Way::Grid(grids) => grids.scaled.ranks(),
            Way::Butterfly(_, shape) => shape.ranks(),
        }
    }

    /// Returns the operations, from the beginning.
    pub fn operations(&self) -> Box<dyn OperationSource> {
        Box::new(ScaledSource::new(self.clone()))
    }
}

impl Way {
    /// Makes a grid of so many ranks of one that was found.
    fn grid(found: pattern::Pattern, ranks: u32) -> Result<(Way, String), ScaleError> {
        let scaled = found.grid.scaled(ranks, &found.reach).ok_or_else(|| ScaleError::NoGrid {
            ranks,
            grid: found.grid.words(),
            least: found.reach.iter().map(|reach| (2 * reach + 1).to_string()).collect::<Vec<_>>().join(" x "),
        })?;
        let words = format!("its ranks are {}, and become {}", found.grid.words(), scaled.words());
        Ok((Way::Grid(Grids { traced: found.grid, scaled, reach: found.reach }), words))
    }

    /// Makes butterflies of so many ranks of those that were found.
    fn butterfly(found: Butterfly, ranks: u32) -> Result<(Way, String), ScaleError> {
        let shape = found.shape.scaled(ranks);
        let shape = shape.ok_or_else(|| ScaleError::NoButterfly { ranks, found: found.words() })?;
        let words = format!("its ranks make {}, and become {}", found.words(), shape.words());
        Ok((Way::Butterfly(found, shape), words))
    }
}

impl Grids {
    /// Returns the neighbour of a rank that is where a traced rank has one.
    fn neighbour(&self, rank: u32, model: u32, peer: u32) -> Result<u32, SourceError> {
        self.scaled.at(rank, &self.traced.way(model, peer)).ok_or_else(|| {
            SourceError(format!("rank {rank} would have no neighbour where traced rank {model} has rank {peer}"))
        })
    }
}

/// The most ranks that are made.
const MOST_RANKS: u32 = 1 << 20;

/// Returns the communicators of a larger program, and the number that each of all ranks has there.
fn communicators(traced: &Communicators, ranks: u32, scaled: u32) -> (Communicators, Vec<Option<CommId>>) {
    let mut all = Communicators::of(scaled);
    let number = |comm: CommId| {
        if comm == ALL {
            return Some(ALL);
        }
        let is_all = traced.size(comm) == Some(ranks) && (0..ranks).all(|rank| traced.rank(comm, rank) == Some(rank));
        is_all.then(|| all.add((0..scaled).collect()).ok()).flatten()
    };
    let numbers = (0..traced.count()).map(number).collect();
    (all, numbers)
}

/// Replaces the communicator of an operation by its number in the larger program.
fn renumber(operation: &mut Operation, numbers: &[Option<CommId>]) {
    if let Some(comm) = operation.comm_mut() {
        *comm = numbers.get(*comm as usize).copied().flatten().unwrap_or(ALL);
    }
}
