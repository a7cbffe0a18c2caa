//! A program on another number of ranks than it was traced on, in the manner of ScalaExtrap (Wu and Mueller 2011): the
//! ranks are a grid on which all talk to the same neighbours, so a larger grid has the same program at like places.
//!
//! A grid is open, or closed to a torus. Ranks are at like places if they are as far from each border, up to the reach
//! of the farthest neighbour. They must do the same: send and receive the same sizes and tags in the same order, by the
//! way to their neighbours, and call the same collectives. Collectives are those of all ranks. This is weak scaling:
//! sizes, and the computing of each rank, stay as they are.

mod error;
mod grid;
mod pattern;
mod source;

use std::sync::Arc;

use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::OperationSource;

pub use error::ScaleError;

use crate::Trace;
use crate::check;
use crate::compute::ComputeModel;
use grid::Grid;
use source::ScaledSource;

/// A trace on another number of ranks.
#[derive(Clone)]
pub struct Scaled {
    trace: Trace,
    compute: ComputeModel,
    grids: Arc<Grids>,
    communicators: Arc<Communicators>,
    /// The numbers that communicators of all ranks have.
    numbers: Arc<[Option<CommId>]>,
    /// What is to be said of it.
    pub notes: Vec<String>,
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
        let found = pattern::find(trace, source.as_mut(), &numbers)?;
        let scaled = found.grid.scaled(ranks, &found.reach).ok_or_else(|| ScaleError::NoGrid {
            ranks,
            grid: found.grid.words(),
            least: found.reach.iter().map(|reach| (2 * reach + 1).to_string()).collect::<Vec<_>>().join(" x "),
        })?;
        let notes = vec![format!(
            "its ranks are {}, and become {}; sizes, and what each rank computes, stay as they are",
            found.grid.words(),
            scaled.words()
        )];
        let grids = Arc::new(Grids { traced: found.grid, scaled, reach: found.reach });
        let communicators = Arc::new(communicators);
        let scaled = Scaled { trace: trace.clone(), compute, grids, communicators, numbers: numbers.into(), notes };
        match check::first_finding(&|| scaled.operations())? {
            Some(what) => Err(ScaleError::Unfit { what }),
            None => Ok(scaled),
        }
    }

    /// Returns the operations, from the beginning.
    pub fn operations(&self) -> Box<dyn OperationSource> {
        Box::new(ScaledSource::new(self.clone()))
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
