//! A part of a program that is a program itself: some of its iterations, some of its ranks.
//!
//! Iterations are those that the program marks, or the periods of the calls of each rank
//! ([`drowse_core::workload::iterations`]). Where ranks begin them at different places, so that a message, a request or
//! a collective crosses the cut, the cut moves on ([`crossing`]). Of ranks, the first ones are kept, if no other rank
//! talks to them. The result is checked as `drowse trace check` does.

mod crossing;
mod error;
mod iterations;
mod left_out;
mod ranks;
mod replay;
mod source;
mod time;
mod walk;

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::OperationSource;

pub use error::CutError;
pub use replay::IdealRun;
pub(crate) use replay::Replay;
pub use time::parse as parse_time;
pub(crate) use walk::Walk;

use crate::Trace;
use crate::check;
use crate::compute::ComputeModel;
use source::CutSource;

/// What is kept of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Iterations, counted from 1; without them, all that the ranks do.
    pub iterations: Option<RangeInclusive<u64>>,
    /// A time, where communication costs none; beside no iterations.
    pub time: Option<Range<Time>>,
    /// The number of ranks, from rank 0 on; without it, all.
    pub ranks: Option<u32>,
}

/// What is kept of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    /// Its operations, counted from 0.
    operations: Range<u64>,
    /// What is left out of the first, if that computes.
    skips: Time,
    /// What is kept of the computing that comes behind them.
    keeps: Time,
}

impl Part {
    /// Keeps whole operations.
    fn whole(operations: Range<u64>) -> Self {
        Part { operations, skips: Time::ZERO, keeps: Time::ZERO }
    }
}

/// A part of a trace.
///
/// ```
/// use drowse_traces::{ComputeModel, Cut, Format, Kept, Trace};
/// use drowse_core::model::units::FlopRate;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("sums.drowse");
/// let iterations = "iteration\ncompute 1 us\nallreduce 8 B\n".repeat(10);
/// std::fs::write(&path, format!("drowse-trace 1\nranks 4\nrank 0-3\n{iterations}"))?;
/// let kept = Kept { iterations: Some(3..=5), ..Kept::default() };
/// let cut = Cut::of(&Trace::open(&path)?, ComputeModel::TEN_GIGAFLOPS, &kept)?;
/// let mut text = Vec::new();
/// let drowse = Format::named("drowse").expect("the project's own format");
/// drowse.write(&|| cut.operations(), FlopRate(1), &mut text)?;
/// // Three iterations of each of four ranks are left.
/// assert_eq!(String::from_utf8(text)?.matches("allreduce").count(), 3 * 4);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Cut {
    trace: Trace,
    compute: ComputeModel,
    /// What is kept of each kept rank.
    parts: Vec<Part>,
    communicators: Arc<Communicators>,
    /// The numbers that communicators have in the part.
    numbers: Vec<Option<CommId>>,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

impl Cut {
    /// Cuts a part out of a trace, if it is a program.
    pub fn of(trace: &Trace, compute: ComputeModel, kept: &Kept) -> Result<Self, CutError> {
        let program = || trace.operations(compute);
        let ranks = trace.ranks();
        let (mut parts, mut notes) = (vec![Part::whole(0..u64::MAX); ranks as usize], Vec::new());
        if let Some(wanted) = &kept.iterations {
            let (found, moved) = iterations::find(&program, wanted)?;
            (parts, notes) = (found.into_iter().map(Part::whole).collect(), moved);
        } else if let Some(wanted) = &kept.time {
            (parts, notes) = time::find(&program, wanted)?;
            notes.extend(left_out::notes(program().as_mut(), &parts)?);
        }
        let keeps = kept.ranks.unwrap_or(ranks);
        if keeps == 0 || keeps > ranks {
            return Err(CutError::NoSuchRanks { keeps, ranks });
        }
        if keeps < ranks {
            ranks::check(trace, program().as_mut(), &parts, keeps)?;
            parts.truncate(keeps as usize);
        }
        let (communicators, numbers) = ranks::communicators(&program().communicators(), keeps);
        let cut = Cut { trace: trace.clone(), compute, parts, communicators: Arc::new(communicators), numbers, notes };
        match check::first_finding(&|| cut.operations())? {
            Some(what) => Err(CutError::Unfit { what }),
            None => Ok(cut),
        }
    }

    /// Returns the operations, from the beginning.
    pub fn operations(&self) -> Box<dyn OperationSource> {
        Box::new(CutSource::new(self.trace.operations(self.compute), self))
    }
}
