//! A program whose operations are listed.

use std::sync::Arc;

use super::communicators::Communicators;
use super::operation::{Operation, OperationSource, SourceError};

/// A program whose operations are listed, rank by rank: one that is written by hand, or that another crate reads from a file.
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
pub struct Listed {
    communicators: Arc<Communicators>,
    ranks: Vec<Vec<Operation>>,
}

impl Listed {
    /// Takes the operations of each rank, in its order; they name no communicator but that of all ranks.
    pub fn new(ranks: Vec<Vec<Operation>>) -> Self {
        Listed::among(Communicators::of(ranks.len() as u32), ranks)
    }

    /// Takes the operations of each rank, and the communicators that they name.
    pub fn among(communicators: impl Into<Arc<Communicators>>, ranks: Vec<Vec<Operation>>) -> Self {
        Listed { communicators: communicators.into(), ranks }
    }
}

impl OperationSource for Listed {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.communicators)
    }

    /// Appends all of them at once.
    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        operations.append(&mut self.ranks[rank as usize]);
        Ok(())
    }
}
