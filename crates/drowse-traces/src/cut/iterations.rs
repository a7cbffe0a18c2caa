//! Where iterations begin and end in each rank.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use drowse_core::workload::iterations::{Iterations, is_call};
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::crossing::Crossing;
use super::error::CutError;
use super::walk::Walk;
use crate::check::each;

/// How the iterations of a program are known.
enum Known {
    /// By its marks, of which each rank has as many.
    Marks(u64),
    /// By the period of its calls.
    Period(Arc<Iterations>),
}

/// The place of a cut, before it moves.
#[derive(Clone, Copy)]
enum Place {
    /// Before an iteration, counted from 0.
    Before(u64),
    /// After an iteration.
    After(u64),
}

/// A cut that is made in all ranks, one after the other.
struct Cutting<'k> {
    known: &'k Known,
    walk: Walk,
    crossing: Crossing,
    /// The calls, or the marks, of each rank up to the cut.
    passed: Vec<u64>,
}

/// Finds which operations of each rank are those of some iterations, counted from 1; and says what was moved.
pub(super) fn find(
    open: &dyn Fn() -> Box<dyn OperationSource>,
    wanted: &RangeInclusive<u64>,
) -> Result<(Vec<Range<u64>>, Vec<String>), CutError> {
    let known = Known::of(open)?;
    let (count, first, last) = (known.count(), *wanted.start(), *wanted.end());
    if first == 0 || first > last || last > count {
        return Err(CutError::NoSuchIterations { count, first, last });
    }
    let source = open();
    let (ranks, communicators) = (source.ranks(), source.communicators());
    let mut cutting = Cutting {
        known: &known,
        walk: Walk::new(source),
        crossing: Crossing::new(ranks, communicators),
        passed: vec![0; ranks as usize],
    };
    let mut notes = Vec::new();
    let begins = cutting.cut(Place::Before(first - 1), &mut notes)?;
    let ends = cutting.cut(Place::After(last - 1), &mut notes)?;
    Ok((begins.into_iter().zip(ends).map(|(begin, end)| begin..end).collect(), notes))
}

impl Known {
    /// Finds the iterations of a program: its marks, if it has any.
    fn of(open: &dyn Fn() -> Box<dyn OperationSource>) -> Result<Self, CutError> {
        let mut source = open();
        let mut marks = Vec::new();
        for rank in 0..source.ranks() {
            let mut count = 0_u64;
            each(source.as_mut(), rank, |_, operation| count += u64::from(*operation == Operation::Iteration))?;
            marks.push(count);
        }
        let first = marks.first().copied().unwrap_or(0);
        if marks.iter().any(|&count| count > 0) {
            return match (0..).zip(&marks).find(|&(_, &count)| count != first) {
                Some((rank, &count)) => Err(CutError::DifferentMarks { first, rank, count }),
                None => Ok(Known::Marks(first)),
            };
        }
        Iterations::of_calls(open().as_mut())?.map(Known::Period).ok_or(CutError::NoIterations)
    }

    /// Returns the number of iterations.
    fn count(&self) -> u64 {
        match self {
            Known::Marks(count) => *count,
            Known::Period(iterations) => iterations.count() as u64,
        }
    }

    /// Returns how many calls, or marks, of a rank are before a place, and before the place one iteration later. `None`
    /// for ranks that take part in no iteration.
    fn passes(&self, rank: u32, place: Place) -> Option<(u64, u64)> {
        match (self, place) {
            (Known::Marks(_), Place::Before(iteration)) => Some((iteration, iteration + 1)),
            (Known::Marks(_), Place::After(iteration)) => Some((iteration + 1, iteration + 2)),
            (Known::Period(iterations), Place::Before(iteration)) => {
                let calls = iterations.calls(rank, iteration as usize)?;
                Some((calls.start as u64, calls.end as u64))
            }
            (Known::Period(iterations), Place::After(iteration)) => {
                let calls = iterations.calls(rank, iteration as usize)?;
                Some((calls.end as u64, (calls.end + calls.len()) as u64))
            }
        }
    }

    /// Returns whether an operation may begin an iteration, and does not complete one: a mark, a call, computing at the
    /// end of the program, or a probe.
    fn begins(&self, operation: &Operation) -> bool {
        let is_period = matches!(self, Known::Period(_));
        self.counts(operation) || is_period && matches!(operation, Operation::Compute(_) | Operation::Probe { .. })
    }

    /// Returns whether an operation is one of those that are counted.
    fn counts(&self, operation: &Operation) -> bool {
        match self {
            Known::Marks(_) => *operation == Operation::Iteration,
            Known::Period(_) => is_call(operation),
        }
    }
}

impl Cutting<'_> {
    /// Cuts all ranks at a place, and moves on to where nothing crosses the cut. Returns the number of operations that
    /// each rank has before it.
    fn cut(&mut self, place: Place, notes: &mut Vec<String>) -> Result<Vec<u64>, CutError> {
        let words = place.words();
        for rank in 0..self.walk.ranks() {
            if let Some((passes, _)) = self.known.passes(rank, place) {
                self.go_to(rank, passes)?;
            }
        }
        let before: Vec<u64> = (0..self.walk.ranks()).map(|rank| self.walk.taken(rank)).collect();
        loop {
            let forced = self.crossing.forced();
            if forced.is_empty() {
                break;
            }
            for (rank, reason) in forced {
                let limit = self.known.passes(rank, place).map_or(0, |(_, limit)| limit);
                if self.passed[rank as usize] > limit || !self.step(rank)? {
                    return Err(CutError::Crossing { place: words, why: reason.words(rank) });
                }
            }
        }
        let after: Vec<u64> = (0..self.walk.ranks()).map(|rank| self.walk.taken(rank)).collect();
        let moved = before.iter().zip(&after).filter(|(before, after)| before != after).count();
        if moved > 0 {
            notes.push(format!(
                "at {moved} ranks the cut {words} is later than where the period begins, so that nothing crosses it"
            ));
        }
        Ok(after)
    }

    /// Goes on in a rank until so many calls, or marks, are passed, and the next step begins an iteration.
    fn go_to(&mut self, rank: u32, passes: u64) -> Result<(), SourceError> {
        while let Some(next) = self.walk.next(rank)? {
            let stays = self.known.begins(next);
            if self.passed[rank as usize] >= passes && stays {
                break;
            }
            self.step(rank)?;
        }
        Ok(())
    }

    /// Goes on by one step in a rank; false at its end.
    fn step(&mut self, rank: u32) -> Result<bool, SourceError> {
        let Some(operation) = self.walk.take(rank)? else { return Ok(false) };
        self.passed[rank as usize] += u64::from(self.known.counts(&operation));
        self.crossing.add(rank, &operation);
        Ok(true)
    }
}

impl Place {
    fn words(self) -> String {
        match self {
            Place::Before(iteration) => format!("before iteration {}", iteration + 1),
            Place::After(iteration) => format!("after iteration {}", iteration + 1),
        }
    }
}
