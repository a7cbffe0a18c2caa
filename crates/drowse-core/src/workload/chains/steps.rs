//! What a chained program says of itself, and how its steps become operations.

use std::fmt::Debug;
use std::ops::Range;

use crate::model::units::Time;
use crate::workload::communicators::{ALL, CommId};
use crate::workload::operation::{Collective, Operation, RequestId, SendMode};

/// A chained program: what ranks do in an iteration, step by step, from the numbers of rank and step alone. One of another
/// crate is run as a [`Chain::Other`](super::Chain::Other):
///
/// ```
/// use std::sync::Arc;
///
/// use drowse_core::workload::application::{Application, Phase};
/// use drowse_core::workload::chains::{Chain, OtherProgram, Program, Steps, Writer};
///
/// /// A message goes once around all ranks.
/// #[derive(Clone, Copy, Debug)]
/// struct Token {
///     ranks: u32,
///     bytes: u64,
/// }
///
/// impl Program for Token {
///     fn ranks(&self) -> u32 {
///         self.ranks
///     }
///
///     fn messages(&self) -> u64 {
///         self.ranks.into()
///     }
///
///     fn largest(&self) -> u64 {
///         self.bytes
///     }
///
///     fn computations(&self) -> u64 {
///         0
///     }
///
///     fn prepare(&self) -> Box<dyn Steps> {
///         Box::new(*self)
///     }
/// }
///
/// impl Steps for Token {
///     fn count(&self, _rank: u32) -> u64 {
///         1
///     }
///
///     fn take(&self, rank: u32, _step: u64, writer: &mut Writer<'_>) {
///         let (before, after) = ((rank + self.ranks - 1) % self.ranks, (rank + 1) % self.ranks);
///         if rank > 0 {
///             writer.receive(before, 0);
///         }
///         writer.send(after, 0, self.bytes);
///         if rank == 0 {
///             writer.receive(before, 0);
///         }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let token = Chain::Other(OtherProgram(Arc::new(Token { ranks: 4, bytes: 8 })));
/// let application = Application::new(vec![Phase::new(token, 10, drowse_core::model::units::Time::ZERO)])?;
/// // In each iteration every rank marks it, sends once and receives once.
/// assert_eq!(application.operations(), 10 * 4 * 3);
/// # Ok(())
/// # }
/// ```
pub trait Program: Debug + Send + Sync {
    /// Returns the number of ranks.
    fn ranks(&self) -> u32;

    /// Returns the number of messages of an iteration.
    fn messages(&self) -> u64;

    /// Returns the size of the largest message, or a bound of it where collectives have blocks.
    fn largest(&self) -> u64;

    /// Returns the bytes that an iteration sends. Default: all messages are as large as the largest.
    fn bytes(&self) -> u64 {
        self.messages().saturating_mul(self.largest())
    }

    /// Returns how often a rank computes in an iteration. Default: once.
    fn computations(&self) -> u64 {
        1
    }

    /// Returns how often all ranks together compute in an iteration. Default: each as often as the others.
    fn all_computations(&self) -> u64 {
        u64::from(self.ranks()) * self.computations()
    }

    /// Returns the number of waits and collectives of all ranks in an iteration. Default: none.
    fn calls(&self) -> u64 {
        0
    }

    /// Returns the time that the rank that computes most does so in an iteration, if the program knows it. Default: it does not.
    fn time(&self) -> Option<Time> {
        None
    }

    /// Returns whether iterations are marked. Default: they are.
    fn is_marked(&self) -> bool {
        true
    }

    /// Returns the groups of ranks that call collectives among themselves. Default: none.
    fn groups(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }

    /// Prepares the steps of all ranks.
    fn prepare(&self) -> Box<dyn Steps>;
}

/// The steps of the ranks of a program. A step has at most a few dozen operations.
pub trait Steps: Debug + Send + Sync {
    /// Returns the number of steps of a rank in an iteration.
    fn count(&self, rank: u32) -> u64;

    /// Writes what a rank does in a step, counted from 0.
    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>);
}

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
