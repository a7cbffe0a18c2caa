//! A program on another number of ranks than it was traced on, in the manner of ScalaExtrap (Wu and Mueller 2011): the
//! ranks are a grid on which all talk to the same neighbours, so a larger grid has the same program at like places.
//!
//! A grid is open, or closed to a torus. Ranks are at like places if they are as far from each border, up to the reach
//! of the farthest neighbour. They must do the same: send and receive the same sizes and tags in the same order, by the
//! way to their neighbours, and call the same collectives. Where there is no such grid, the ranks may be butterflies
//! ([`butterfly`]). Collectives are those of all ranks. This is weak scaling: sizes, and the computing of each rank,
//! stay as they are.

mod butterfly;
mod error;
mod grid;
mod pattern;
mod source;
mod stages;

use std::sync::Arc;

use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{OperationSource, SourceError};

pub use error::ScaleError;

use crate::Trace;
use crate::check;
use crate::compute::ComputeModel;
use butterfly::{Butterfly, Shape};
use grid::Grid;
use source::ScaledSource;

/// A trace on another number of ranks.
#[derive(Clone)]
pub struct Scaled {
    trace: Trace,
    compute: ComputeModel,
    way: Arc<Way>,
    communicators: Arc<Communicators>,
    /// The numbers that communicators of all ranks have.
    numbers: Arc<[Option<CommId>]>,
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
    /// Scales a trace to a number of ranks, if its pattern is known.
    pub fn of(trace: &Trace, compute: ComputeModel, ranks: u32) -> Result<Self, ScaleError> {
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
        let notes = vec![format!("{words}; sizes, and what each rank computes, stay as they are")];
        let (way, communicators) = (Arc::new(way), Arc::new(communicators));
        let scaled = Scaled { trace: trace.clone(), compute, way, communicators, numbers: numbers.into(), notes };
        match check::first_finding(&|| scaled.operations())? {
            Some(what) => Err(ScaleError::Unfit { what }),
            None => Ok(scaled),
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
