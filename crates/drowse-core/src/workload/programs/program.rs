//! What a program says of itself, and its steps.

use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;

use super::flow::Communication;
use super::writer::Writer;
use crate::model::units::Time;
use crate::workload::operation::SendMode;

/// What ranks do in an iteration, step by step, from the numbers of rank and step alone. A program of another crate is
/// one like any other:
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::workload::programs::{Application, Phase, Program, Steps, Writer};
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
/// let application = Application::new(vec![Phase::new(Token { ranks: 4, bytes: 8 }, 10, Time::ZERO)])?;
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

    /// Returns the time that the rank that computes most does so in an iteration, if the program knows it. Default: it does
    /// not.
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

    /// Returns how sends complete unless the experiment says. Default: `ready`, since most programs send before they
    /// receive.
    fn mode(&self) -> SendMode {
        SendMode::Ready
    }

    /// Returns whether ranks are accelerators. Default: they are not.
    fn has_accelerators(&self) -> bool {
        false
    }

    /// Returns what ranks send, if they send all messages of an iteration at once. Default: they do not.
    fn at_once(&self) -> Option<&dyn Communication> {
        None
    }

    /// Prepares the steps of all ranks.
    fn prepare(&self) -> Box<dyn Steps>;
}

/// The steps of the ranks of a program. A step has at most a few dozen operations, unless all messages of an iteration
/// are sent at once.
pub trait Steps: Debug + Send + Sync {
    /// Returns the number of steps of a rank in an iteration. Default: one.
    fn count(&self, _rank: u32) -> u64 {
        1
    }

    /// Writes what a rank does in a step, counted from 0.
    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>);
}

/// A program, shared by all that ask it.
#[derive(Clone, Debug)]
pub struct Work(Arc<dyn Program>);

impl<P: Program + 'static> From<P> for Work {
    fn from(program: P) -> Self {
        Work(Arc::new(program))
    }
}

impl Deref for Work {
    type Target = dyn Program;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref()
    }
}
