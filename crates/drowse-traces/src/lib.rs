//! Readers of application traces: from files to the simulation's operations.
//!
//! One format is read, `SimGrid`'s time-independent traces ([`simgrid_ti`]), from directories, archives and merged
//! files. Reading streams: an archive is decompressed once into a spool (memory up to 64 MiB, then an unnamed temporary
//! file), and each rank's text is read in small blocks as the simulation asks for them.
//!
//! Files in other known formats are recognised by their first bytes and refused by name. The crate never panics on
//! what a file holds; every error names the file and the line.

use std::path::Path;
use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

mod error;
mod files;
mod info;
mod pairs;
pub mod simgrid_ti;

pub use error::{Place, TraceError};
use files::{Content, Found, TraceFiles};
pub use info::{Messages, NotSimulated, TraceInfo};
pub use simgrid_ti::ComputeModel;
use simgrid_ti::source::TiSource;

/// A trace format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `SimGrid`'s time-independent traces.
    SimgridTi,
}

impl Format {
    /// Returns the format's name in configurations and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Format::SimgridTi => "simgrid-ti",
        }
    }
}

/// An opened trace, from which any number of simulations can read at the same time; cloning it is cheap.
#[derive(Clone)]
pub struct Trace {
    files: Arc<TraceFiles>,
}

impl Trace {
    /// Opens a trace; an archive is decompressed here, once.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TraceError> {
        Ok(Trace { files: Arc::new(TraceFiles::open(path.as_ref())?) })
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.files.texts.len() as u32
    }

    /// Counts what the trace holds, in one pass, and checks every line on the way.
    pub fn info(&self) -> Result<TraceInfo, TraceError> {
        simgrid_ti::scan::scan(&self.files)
    }

    /// Returns a hash of all ranks' texts, in one pass: the same wherever the trace lies.
    pub fn fingerprint(&self) -> Result<u64, TraceError> {
        self.files.fingerprint()
    }

    /// Returns the operations, from the beginning.
    pub fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(TiSource::new(Arc::clone(&self.files), compute))
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

/// Returns a trace's format from the first bytes, without reading the rest; other formats are errors that name them.
pub fn detect(path: impl AsRef<Path>) -> Result<Format, TraceError> {
    let path = path.as_ref();
    let file = || path.display().to_string();
    match files::look_at(path)? {
        Found::Directory => files::check_directory(path).map(|()| Format::SimgridTi),
        Found::File(Content::Tar | Content::Compressed(_) | Content::Text) => Ok(Format::SimgridTi),
        Found::File(Content::Foreign(format)) => Err(TraceError::OtherFormat { file: file(), format }),
        Found::File(Content::Binary) => Err(TraceError::UnknownFormat { file: file() }),
    }
}
