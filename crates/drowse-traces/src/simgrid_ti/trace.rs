//! An open `SimGrid` TI trace.

use std::path::Path;
use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

use super::scan::scan;
use super::source::TiSource;
use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::files::{self, Found, TraceFiles};
use crate::info::TraceInfo;
use crate::reader::Reader;

/// An open `SimGrid` TI trace.
pub(crate) struct TiTrace(Arc<TraceFiles>);

impl TiTrace {
    /// Opens the trace at `path`. An archive is decompressed here, once.
    pub fn open(path: &Path, found: Found) -> Result<Self, TraceError> {
        Ok(TiTrace(Arc::new(TraceFiles::open(path, found)?)))
    }
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
}
