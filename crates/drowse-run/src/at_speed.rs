//! A program whose ranks run on processors of different speeds.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Operation, OperationSource, Repeats, SourceError};

/// A program, and how much faster each rank computes.
pub struct AtSpeed {
    source: Box<dyn OperationSource>,
    speeds: Arc<[f64]>,
}

impl AtSpeed {
    /// Runs a program at speeds, one a rank; 0 and less compute in no time.
    pub fn new(source: Box<dyn OperationSource>, speeds: Arc<[f64]>) -> Self {
        AtSpeed { source, speeds }
    }
}

/// Returns how long a computation takes at a speed.
fn at_speed(time: Time, speed: f64) -> Option<Time> {
    if speed.to_bits() == 1.0_f64.to_bits() {
        return Some(time);
    }
    if speed <= 0.0 {
        return Some(Time::ZERO);
    }
    let picoseconds = (time.0 as f64 / speed).round();
    #[expect(clippy::cast_sign_loss, reason = "it is neither negative nor too large")]
    (picoseconds <= Time::LONGEST.0 as f64).then_some(Time(picoseconds as u64))
}

impl OperationSource for AtSpeed {
    fn ranks(&self) -> u32 {
        self.source.ranks()
    }

    fn communicators(&self) -> Arc<Communicators> {
        self.source.communicators()
    }

    fn algorithms(&self) -> Algorithms {
        self.source.algorithms()
    }

    fn repetitions(&self) -> Option<u64> {
        self.source.repetitions()
    }

    fn repeats(&self) -> Option<Repeats> {
        self.source.repeats()
    }

    fn leave_out(&mut self, iterations: u64) {
        self.source.leave_out(iterations);
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let before = operations.len();
        self.source.refill(rank, operations)?;
        let speed = self.speeds.get(rank as usize).copied().unwrap_or(1.0);
        for operation in &mut operations[before..] {
            if let Operation::Compute(time) = operation {
                let scaled = at_speed(*time, speed);
                let too_long = || SourceError(format!("rank {rank}: {time} at speed {speed} cannot be simulated"));
                *time = scaled.ok_or_else(too_long)?;
            }
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.source.warnings()
    }

    fn warns_of_what_is_read(&self) -> bool {
        self.source.warns_of_what_is_read()
    }
}
