//! What the writers of all formats share: the program that they write, and why something is not written.

mod pending;
mod sizes;
mod tags;

use std::io;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

pub(crate) use pending::Pending;
pub(crate) use sizes::Sizes;
pub(crate) use tags::Tags;

use crate::error::shortened;
use crate::text::shown;

/// Why a program cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The program cannot be read.
    #[error("{0}")]
    Source(#[from] SourceError),
    /// The file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The format cannot say what the program does.
    #[error("rank {rank}, operation {operation} (`{line}`): {why}")]
    Refused {
        /// The rank.
        rank: u32,
        /// The number of its operation, from 1.
        operation: u64,
        /// The operation.
        line: String,
        /// Why not, and what to do.
        why: String,
    },
}

/// A program that can be read several times.
pub(crate) struct Program<'a> {
    pub open: &'a dyn Fn() -> Box<dyn OperationSource>,
    /// The speed at which operations of formats that hold them became time.
    pub speed: FlopRate,
}

/// The place of an operation.
#[derive(Clone, Copy)]
pub(crate) struct At<'o> {
    pub rank: u32,
    pub number: u64,
    pub operation: &'o Operation,
}

impl At<'_> {
    /// Refuses the operation.
    pub fn refuse<T>(self, why: impl Into<String>) -> Result<T, WriteError> {
        let (rank, operation, line) = (self.rank, self.number, shortened(&shown(self.operation)));
        Err(WriteError::Refused { rank, operation, line, why: why.into() })
    }
}

impl Program<'_> {
    /// Calls `visit` with each operation of a rank.
    pub fn each(
        source: &mut dyn OperationSource,
        rank: u32,
        mut visit: impl FnMut(At) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let (mut number, mut operations) = (0, Vec::new());
        loop {
            operations.clear();
            source.refill(rank, &mut operations)?;
            if operations.is_empty() {
                return Ok(());
            }
            for operation in &operations {
                number += 1;
                visit(At { rank, number, operation })?;
            }
        }
    }

    /// Calls `visit` with each operation of all ranks, from the beginning.
    pub fn each_of_all(&self, mut visit: impl FnMut(At) -> Result<(), WriteError>) -> Result<(), WriteError> {
        let mut source = (self.open)();
        (0..source.ranks()).try_for_each(|rank| Self::each(source.as_mut(), rank, &mut visit))
    }
}

/// What a format does not tell of the operations that were written, in numbers.
#[derive(Default)]
pub(crate) struct Untold(Vec<(&'static str, u64)>);

impl Untold {
    /// Counts operations.
    pub fn add(&mut self, what: &'static str, count: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == what) {
            _ if count == 0 => {}
            Some((_, sum)) => *sum += count,
            None => self.0.push((what, count)),
        }
    }

    /// Says what is not told.
    pub fn notes(self) -> Vec<String> {
        self.0.into_iter().map(|(what, count)| format!("{count} {what}")).collect()
    }
}

/// Modes of sends that most formats do not have.
pub(crate) const MODES: &str = "sends are buffered, ready or synchronous ones, which are written as usual ones";

/// Marks of iterations.
pub(crate) const MARKS: &str = "marks of iterations are left out";

/// Elements of collectives.
pub(crate) const ELEMENTS: &str =
    "collectives name a number of elements, which is not written: choices that depend on it see bytes";
