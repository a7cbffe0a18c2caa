//! A program whose operations come from iterators.

use std::sync::Arc;

use super::communicators::Communicators;
use super::operation::{Operation, OperationSource, SourceError};

/// A program with an iterator of operations for each rank: one that is written by hand, or that a caller makes or reads as
/// it goes on.
///
/// ```
/// use drowse_core::model::units::Time;
/// use drowse_core::workload::listed::Listed;
/// use drowse_core::workload::operation::{Operation, OperationSource};
///
/// // Rank 0 computes and sends; rank 1 receives.
/// let send = Operation::send(1, 7, 1_024);
/// let mut program = Listed::new(vec![
///     vec![Operation::Compute(Time::from_us(5)), send],
///     vec![Operation::recv(0, 7)],
/// ]);
/// let mut operations = Vec::new();
/// program.refill(0, &mut operations)?;
/// assert_eq!((program.ranks(), operations.len()), (2, 2));
/// # Ok::<(), drowse_core::workload::operation::SourceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Listed<I> {
    communicators: Arc<Communicators>,
    ranks: Vec<I>,
}

/// Operations that are taken from an iterator at a time.
const BLOCK: usize = 256;

impl<I: Iterator<Item = Operation>> Listed<I> {
    /// Takes the operations of each rank, in its order; they name no communicator but that of all ranks.
    pub fn new<R: IntoIterator<Item = Operation, IntoIter = I>>(ranks: Vec<R>) -> Self {
        Listed::among(Communicators::of(ranks.len() as u32), ranks)
    }

    /// Takes the operations of each rank, and the communicators that they name.
    pub fn among<R: IntoIterator<Item = Operation, IntoIter = I>>(
        communicators: impl Into<Arc<Communicators>>,
        ranks: Vec<R>,
    ) -> Self {
        Listed { communicators: communicators.into(), ranks: ranks.into_iter().map(R::into_iter).collect() }
    }
}

impl<I: Iterator<Item = Operation> + Send> OperationSource for Listed<I> {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        operations.extend(self.ranks[rank as usize].by_ref().take(BLOCK));
        Ok(())
    }
}
