//! What a chained program says of itself, and how its steps become operations.

use std::fmt::Debug;
use std::ops::Range;

use crate::model::units::Time;
use crate::workload::communicators::ALL;
use crate::workload::operation::{Operation, SendMode};

/// A chained program.
pub(super) trait Program {
    /// Returns the number of ranks.
    fn ranks(&self) -> u32;

    /// Returns the number of messages of an iteration.
    fn messages(&self) -> u64;

    /// Returns the size of the largest message.
    fn largest(&self) -> u64;

    /// Returns the bytes that an iteration sends.
    fn bytes(&self) -> u64 {
        self.messages().saturating_mul(self.largest())
    }

    /// Returns how often a rank computes in an iteration.
    fn computations(&self) -> u64 {
        1
    }

    /// Prepares the steps of all ranks.
    fn prepare(&self) -> Box<dyn Steps>;
}

/// The steps of the ranks of a program. A step has at most a few dozen operations.
pub(in crate::workload) trait Steps: Debug + Send + Sync {
    /// Returns the number of steps of a rank in an iteration.
    fn count(&self, rank: u32) -> u64;

    /// Writes what a rank does in a step, counted from 0.
    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>);
}

/// Writes operations.
pub(in crate::workload) struct Writer<'a> {
    operations: &'a mut Vec<Operation>,
    mode: SendMode,
    compute: Time,
}

impl<'a> Writer<'a> {
    /// Appends to a list; a computation takes the given time.
    pub fn new(operations: &'a mut Vec<Operation>, mode: SendMode, compute: Time) -> Self {
        Writer { operations, mode, compute }
    }

    /// Returns the length of the list.
    pub fn written(&self) -> usize {
        self.operations.len()
    }

    /// Computes.
    pub fn compute(&mut self) {
        self.compute_part(0..1, 1);
    }

    /// Computes some of so many shares of the time; all shares sum to it.
    pub fn compute_part(&mut self, shares: Range<u64>, of: u64) {
        let until = |share: u64| (u128::from(self.compute.0) * u128::from(share) / u128::from(of)) as u64;
        let time = Time(until(shares.end) - until(shares.start));
        if time > Time::ZERO {
            self.operations.push(Operation::Compute(time));
        }
    }

    /// Sends, and waits until that is complete.
    pub fn send(&mut self, to: u32, tag: u32, bytes: u64) {
        self.operations.push(Operation::Send { to, tag, comm: ALL, mode: self.mode, bytes });
    }

    /// Waits for a message.
    pub fn receive(&mut self, from: u32, tag: u32) {
        self.operations.push(Operation::recv(from, tag));
    }
}
