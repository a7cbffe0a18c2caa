//! The program that is written, read as often as a format needs it.

use drowse_core::model::units::FlopRate;
use drowse_core::workload::operation::{Operation, OperationSource};
use drowse_core::workload::operation_line::shown;

use crate::write_error::WriteError;

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
        let (rank, operation, line) = (self.rank, self.number, shown(self.operation));
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
