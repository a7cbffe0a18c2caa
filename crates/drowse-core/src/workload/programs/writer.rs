//! How the steps of a program become operations.

use std::ops::Range;

use crate::model::units::Time;
use crate::workload::communicators::{ALL, CommId};
use crate::workload::operation::{Collective, Operation, RequestId, SendMode};

/// Returns some of so many equal parts of a whole, in integers; all parts sum to it.
pub(super) fn parts(whole: u64, parts: Range<u64>, of: u64) -> u64 {
    let until = |part: u64| (u128::from(whole) * u128::from(part) / u128::from(of)) as u64;
    until(parts.end) - until(parts.start)
}

/// Writes the operations of a rank: sends complete as its phase says, and computations take the time that it has.
#[derive(Debug)]
pub struct Writer<'a> {
    operations: &'a mut Vec<Operation>,
    mode: SendMode,
    compute: Time,
    /// The communicator of the program's first group.
    first: CommId,
}

impl<'a> Writer<'a> {
    /// Appends to a list; a computation takes the given time, and groups have the communicators from `first` on.
    pub fn new(operations: &'a mut Vec<Operation>, mode: SendMode, compute: Time, first: CommId) -> Self {
        Writer { operations, mode, compute, first }
    }

    /// Returns the length of the list.
    pub fn written(&self) -> usize {
        self.operations.len()
    }

    /// Appends operations as they are.
    pub(super) fn extend(&mut self, operations: impl IntoIterator<Item = Operation>) {
        self.operations.extend(operations);
    }

    /// Computes.
    pub fn compute(&mut self) {
        self.compute_part(0..1, 1);
    }

    /// Computes some of so many shares of the time; all shares sum to it.
    pub fn compute_part(&mut self, shares: Range<u64>, of: u64) {
        let time = Time(parts(self.compute.0, shares, of));
        if time > Time::ZERO {
            self.operations.push(Operation::Compute(time));
        }
    }

    /// Computes, or waits for something outside of the program, for a time of its own.
    pub fn compute_for(&mut self, time: Time) {
        self.operations.push(Operation::Compute(time));
    }

    /// Sends, and waits until that is complete.
    pub fn send(&mut self, to: u32, tag: u32, bytes: u64) {
        self.operations.push(Operation::Send { to, tag, comm: ALL, mode: self.mode, bytes });
    }

    /// Waits for a message.
    pub fn receive(&mut self, from: u32, tag: u32) {
        self.operations.push(Operation::recv(from, tag));
    }

    /// Waits for a message of any rank.
    pub fn receive_from_any(&mut self, tag: u32) {
        self.operations.push(Operation::recv(None, tag));
    }

    /// Starts a send.
    pub fn start(&mut self, to: u32, tag: u32, bytes: u64, request: RequestId) {
        let request = Some(request);
        self.operations.push(Operation::Isend { to, tag, comm: ALL, mode: self.mode, bytes, request });
    }

    /// Posts a receive.
    pub fn post(&mut self, from: u32, tag: u32, request: RequestId) {
        self.operations.push(Operation::irecv(from, tag, request));
    }

    /// Sends to one rank while it receives from another, and waits for both.
    pub fn exchange(&mut self, [to, from]: [u32; 2], tag: u32, bytes: u64) {
        self.post(from, tag, 0);
        self.send(to, tag, bytes);
        self.wait(0);
    }

    /// Waits for a request.
    pub fn wait(&mut self, request: RequestId) {
        self.operations.push(Operation::Wait { request });
    }

    /// Waits for all requests.
    pub fn wait_all(&mut self) {
        self.operations.push(Operation::WaitAll);
    }

    /// Calls a collective of all ranks.
    pub fn call(&mut self, collective: Collective) {
        self.operations.push(Operation::collective(collective));
    }

    /// Sums so many elements at all ranks.
    pub fn sum(&mut self, count: u64, size: u64) {
        self.call(Collective::Allreduce { bytes: count * size, count, compute: Time::ZERO });
    }

    /// Calls a collective of a group.
    pub fn call_in(&mut self, group: u32, collective: Collective) {
        self.operations.push(Operation::Collective { comm: self.first + group, collective });
    }

    /// Starts a collective of a group.
    pub fn start_in(&mut self, group: u32, collective: Collective, request: RequestId) {
        let (comm, collective) = (self.first + group, Box::new(collective));
        self.operations.push(Operation::Icollective { comm, request, collective });
    }
}
