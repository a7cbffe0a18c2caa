//! Readers of application traces: from files to the simulation's operations.
//!
//! One format is read so far: `SimGrid`'s time-independent traces ([`simgrid_ti`]), from directories, archives and
//! merged files. Reading streams. An archive is decompressed once into a spool (memory up to 64 MiB, then an unnamed
//! temporary file). Each rank's text is read in small blocks as the simulation asks for them.
//!
//! Files in other known formats are recognised by their first bytes and refused by name. No file content makes the
//! crate panic. Every error names the file and, where there is one, the line.

use std::path::Path;
use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

mod compute;
mod error;
mod files;
mod format;
mod info;
mod line_error;
mod pairs;
mod reader;
pub mod simgrid_ti;

pub use compute::ComputeModel;
pub use error::{Place, TraceError};
pub use format::{Format, detect};
pub use info::{Messages, NotSimulated, TraceInfo};
pub use line_error::LineError;
use reader::Reader;

/// An open trace, from which any number of simulations can read at the same time. Clones are cheap.
#[derive(Clone)]
pub struct Trace {
    reader: Arc<dyn Reader>,
}

impl Trace {
    /// Opens a trace. An archive is decompressed here, once.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TraceError> {
        let path = path.as_ref();
        let found = files::look_at(path)?;
        Ok(Trace { reader: Format::of(found).open(path, found)? })
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.reader.ranks()
    }

    /// Counts what the trace holds, in one pass, and checks every line on the way.
    pub fn info(&self) -> Result<TraceInfo, TraceError> {
        self.reader.info()
    }

    /// Returns a hash of all ranks' texts, in one pass. It does not depend on how the trace is stored.
    pub fn fingerprint(&self) -> Result<u64, TraceError> {
        self.reader.fingerprint()
    }

    /// Returns the operations, from the beginning.
    pub fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource> {
        self.reader.operations(compute)
    }
}

/// Opens a trace for one simulation.
pub fn open(path: impl AsRef<Path>, compute: ComputeModel) -> Result<Box<dyn OperationSource>, TraceError> {
    Ok(Trace::open(path)?.operations(compute))
}

/// Counts what a trace holds.
pub fn info(path: impl AsRef<Path>) -> Result<TraceInfo, TraceError> {
    Trace::open(path)?.info()
}
