//! An open `SimGrid` TI trace.

use std::sync::{Arc, OnceLock};

use drowse_core::workload::operation::OperationSource;

use super::scan::scan;
use super::source::TiSource;
use crate::compute::ComputeModel;
use crate::error::{Place, TraceError};
use crate::files::{Found, TraceFiles};
use crate::info::TraceInfo;
use crate::reader::{LinesOf, Reader};

/// What this format is, for messages.
pub(crate) const ABOUT: &str =
    "SimGrid time-independent (TI) traces (a folder or an archive with an index, the index itself, or one merged text)";

/// An open `SimGrid` TI trace.
///
/// Its text is read once to count, check and hash it, and once by each simulation. A simulation cannot do without the
/// first: whether all ranks call the same collectives is known at the end, and so is the trace's identity.
struct TiTrace {
    files: Arc<TraceFiles>,
    counted: OnceLock<(TraceInfo, u64)>,
}

/// Opens the trace that was found.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    Ok(Arc::new(TiTrace { files: Arc::new(TraceFiles::open(found)?), counted: OnceLock::new() }))
}

impl TiTrace {
    /// Returns what the trace holds, and a hash of it.
    fn counted(&self) -> Result<&(TraceInfo, u64), TraceError> {
        match self.counted.get() {
            Some(counted) => Ok(counted),
            None => scan(&self.files).map(|counted| self.counted.get_or_init(|| counted)),
        }
    }
}

impl Reader for TiTrace {
    fn ranks(&self) -> u32 {
        self.files.texts.len() as u32
    }

    fn info(&self) -> Result<TraceInfo, TraceError> {
        Ok(self.counted()?.0.clone())
    }

    fn fingerprint(&self) -> Result<u64, TraceError> {
        Ok(self.counted()?.1)
    }

    fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(TiSource::new(Arc::clone(&self.files), compute))
    }

    fn places(&self, rank: u32, wanted: &[u64]) -> Result<Vec<Place>, TraceError> {
        let Some(text) = self.files.texts.get(rank as usize) else { return Ok(Vec::new()) };
        let mut source = TiSource::new(Arc::clone(&self.files), ComputeModel::TEN_GIGAFLOPS);
        let (mut lines, mut operations, mut read) = (LinesOf::new(wanted), Vec::new(), true);
        while read && !lines.is_complete() {
            operations.clear();
            read = source.read_block(rank, &mut operations, &mut |line, count| lines.line(line, count))?;
        }
        Ok(lines.places(&text.label))
    }
}
