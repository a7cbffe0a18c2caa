//! A program that no file holds, read like a trace: what applications do is described, checked and written alike.

use drowse_core::workload::operation::OperationSource;

use crate::check::each;
use crate::compute::ComputeModel;
use crate::counting::Counting;
use crate::error::TraceError;
use crate::files::{FNV_OFFSET, add_line};
use crate::info::TraceInfo;
use crate::reader::Reader;

/// What such a program is called as a format.
const NAME: &str = "app";

/// A program whose operations are computed.
pub(crate) struct Generated<F>(pub F);

impl<F: Fn() -> Box<dyn OperationSource> + Send + Sync> Generated<F> {
    /// Reads all operations.
    fn count(&self) -> Result<(TraceInfo, u64), TraceError> {
        let mut source = (self.0)();
        let (mut counting, mut hash) = (Counting::default(), FNV_OFFSET);
        for rank in 0..source.ranks() {
            let read = each(source.as_mut(), rank, |_, operation| {
                counting.add(rank, operation);
                hash = add_line(hash, format!("{rank} {operation:?}").as_bytes());
            });
            read.map_err(|error| TraceError::Program { reason: error.to_string() })?;
            counting.end_rank(rank);
        }
        Ok((counting.finish(NAME, source.ranks(), &source.communicators()), hash))
    }
}

impl<F: Fn() -> Box<dyn OperationSource> + Send + Sync> Reader for Generated<F> {
    fn ranks(&self) -> u32 {
        (self.0)().ranks()
    }

    fn info(&self) -> Result<TraceInfo, TraceError> {
        self.count().map(|(info, _)| info)
    }

    fn fingerprint(&self) -> Result<u64, TraceError> {
        self.count().map(|(_, hash)| hash)
    }

    /// Returns the operations, whose computations are times already.
    fn operations(&self, _: ComputeModel) -> Box<dyn OperationSource> {
        (self.0)()
    }
}
