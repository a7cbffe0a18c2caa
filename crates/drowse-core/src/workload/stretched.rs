//! A program whose ranks compute longer than it says, so that it takes as long as it is known to have taken.
//!
//! All ranks compute the same time more, in the same parts: before their first operation, and at each later mark of an
//! iteration. So what a rank sends in an iteration leaves later by the same time on all ranks, and nothing else changes:
//! the program ends later by the whole time, exactly, unless messages of different iterations met in the network before.

use std::sync::Arc;

use crate::model::units::Time;

use super::algorithms::Algorithms;
use super::communicators::Communicators;
use super::operation::{Operation, OperationSource, Repeats, SourceError};

/// The operations of a stretched program.
pub struct Stretched {
    source: Box<dyn OperationSource>,
    /// How much longer each rank computes in all.
    longer: Time,
    /// In how many parts.
    parts: u64,
    /// By rank: the parts that it has begun.
    begun: Vec<u64>,
    /// When its ranks are stopped, from their start.
    limit: Option<Time>,
}

impl Stretched {
    /// Stretches a program whose ranks mark so many iterations or more, or none, by a time.
    pub fn new(source: Box<dyn OperationSource>, longer: Time, marks: u64) -> Self {
        let begun = vec![0; source.ranks() as usize];
        Stretched { source, longer, parts: marks.max(1), begun, limit: None }
    }

    /// Stops the ranks that have not ended a time after their start.
    #[must_use]
    pub fn limited(mut self, limit: Option<Time>) -> Self {
        self.limit = limit;
        self
    }

    /// Returns how much longer a rank computes in a part: their sum over all parts is the whole time.
    fn part(&self, number: u64) -> Time {
        let until = |parts: u64| u128::from(self.longer.0) * u128::from(parts) / u128::from(self.parts);
        if number < self.parts { Time((until(number + 1) - until(number)) as u64) } else { Time::ZERO }
    }

    /// Returns the next part of a rank.
    fn next_part(&mut self, rank: u32) -> Operation {
        let number = self.begun[rank as usize];
        self.begun[rank as usize] += 1;
        Operation::Compute(self.part(number))
    }
}

impl OperationSource for Stretched {
    fn ranks(&self) -> u32 {
        self.source.ranks()
    }

    fn communicators(&self) -> Arc<Communicators> {
        self.source.communicators()
    }

    fn algorithms(&self) -> Algorithms {
        self.source.algorithms()
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let mut read = Vec::new();
        self.source.refill(rank, &mut read)?;
        for (place, operation) in read.into_iter().enumerate() {
            let is_first = place == 0 && self.begun[rank as usize] == 0;
            let is_mark = matches!(operation, Operation::Iteration);
            operations.push(operation);
            if is_first || is_mark {
                let part = self.next_part(rank);
                // Before the first operation, but behind the mark of the iteration that it begins.
                let at = operations.len() - usize::from(is_first && !is_mark);
                operations.insert(at, part);
            }
        }
        Ok(())
    }

    fn repetitions(&self) -> Option<u64> {
        self.source.repetitions()
    }

    fn repeats(&self) -> Option<Repeats> {
        self.source.repeats()
    }

    /// The parts of what is left out are left out, too: they are as long as others to a picosecond.
    fn leave_out(&mut self, iterations: u64) {
        self.source.leave_out(iterations);
        self.begun.iter_mut().for_each(|begun| *begun += iterations);
    }

    fn limit(&self) -> Option<Time> {
        self.limit
    }

    fn warnings(&self) -> Vec<String> {
        self.source.warnings()
    }

    fn warns_of_what_is_read(&self) -> bool {
        self.source.warns_of_what_is_read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::listed::Listed;

    /// Returns how long each rank computes, and how often.
    fn computing(ranks: Vec<Vec<Operation>>, longer: u64, marks: u64) -> Vec<(u64, usize)> {
        let count = ranks.len() as u32;
        let mut stretched = Stretched::new(Box::new(Listed::new(ranks)), Time(longer), marks);
        let of_rank = |rank| {
            let mut operations = Vec::new();
            stretched.refill(rank, &mut operations).unwrap();
            let times = operations.iter().filter_map(|operation| match operation {
                Operation::Compute(time) => Some(time.0),
                _ => None,
            });
            (times.clone().sum(), times.filter(|&time| time > 0).count())
        };
        (0..count).map(of_rank).collect()
    }

    #[test]
    fn the_parts_add_up_to_the_whole_time() {
        let marked = vec![Operation::Iteration, Operation::WaitAll, Operation::Iteration, Operation::Iteration];
        let unmarked = vec![Operation::WaitAll, Operation::Compute(Time(5))];
        assert_eq!(computing(vec![marked.clone(), marked.clone()], 100, 3), [(100, 3), (100, 3)]);
        assert_eq!(computing(vec![unmarked.clone(), Vec::new()], 100, 0), [(105, 2), (0, 0)]);
        // More marks than were expected: the rest is as it was.
        assert_eq!(computing(vec![marked], 101, 2), [(101, 2)]);
    }
}
