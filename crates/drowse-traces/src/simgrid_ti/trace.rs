//! An open `SimGrid` TI trace.

use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

use super::scan::scan;
use super::source::TiSource;
use crate::compute::ComputeModel;
use crate::error::{Place, TraceError};
use crate::files::{self, Found, TraceFiles};
use crate::info::TraceInfo;
use crate::reader::{LinesOf, Reader};

/// What this format is, for messages.
pub(crate) const ABOUT: &str =
    "SimGrid time-independent (TI) traces (a folder or an archive with an index, the index itself, or one merged text)";

/// An open `SimGrid` TI trace.
struct TiTrace(Arc<TraceFiles>);

/// Opens the trace that was found.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    Ok(Arc::new(TiTrace(Arc::new(TraceFiles::open(found)?))))
}

impl Reader for TiTrace {
    fn ranks(&self) -> u32 {
        self.0.texts.len() as u32
    }

    fn info(&self) -> Result<TraceInfo, TraceError> {
        scan(&self.0)
    }

    fn fingerprint(&self) -> Result<u64, TraceError> {
        files::fingerprint(&self.0)
    }

    fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(TiSource::new(Arc::clone(&self.0), compute))
    }

    fn places(&self, rank: u32, wanted: &[u64]) -> Result<Vec<Place>, TraceError> {
        let Some(text) = self.0.texts.get(rank as usize) else { return Ok(Vec::new()) };
        let mut source = TiSource::new(Arc::clone(&self.0), ComputeModel::TEN_GIGAFLOPS);
        let (mut lines, mut operations, mut read) = (LinesOf::new(wanted), Vec::new(), true);
        while read && !lines.is_complete() {
            operations.clear();
            read = source.read_block(rank, &mut operations, &mut |line, count| lines.line(line, count))?;
        }
        Ok(lines.places(&text.label))
    }
}
