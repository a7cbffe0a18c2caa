//! Readers of application traces: from files to the simulation's operations.
//!
//! [`FORMATS`] lists the formats that are read, from folders, archives and single files. What is compressed is
//! decompressed once into a spool (memory up to 64 MiB, then an unnamed temporary file). Each rank's operations are
//! made in small blocks as the simulation asks for them.
//!
//! Formats are recognised by content. [`known_formats`] lists them, and those that are refused by name. No file content makes the crate panic.
//! Every error names the file and, where there is one, the line.

use std::path::Path;

use drowse_core::workload::operation::OperationSource;

mod agreement;
mod chakra;
mod check;
mod compute;
mod counting;
mod cut;
mod dimemas;
mod dumpi;
mod error;
mod files;
mod format;
mod formats;
mod generated;
mod goal;
mod info;
pub mod input;
mod line_error;
mod numbers;
mod opened;
mod otf2;
mod pairs;
mod paraver;
mod profile;
mod progress;
mod reader;
mod registry;
mod scale;
pub mod simgrid_ti;
mod started_twice;
pub mod text;
mod vef;
mod write;
mod write_error;

pub use check::{At, CheckError, Finding, Findings};
pub use compute::ComputeModel;
pub use cut::{Cut, CutError, IdealRun, Kept, parse_time};
pub use dumpi::Problem;
pub use error::{Place, TraceError};
pub use files::Refusal;
pub use format::{FORMATS, Format, known_formats};
pub use formats::{Formats, OtherFormat};
pub use info::{Computing, Coverage, Messages, NotSimulated, Noted, TraceInfo};
pub use line_error::LineError;
pub use opened::Trace;
pub use profile::{Profile, Profiling};
pub use registry::KnownFormat;
pub use scale::{ScaleError, Scaled};
pub use write_error::WriteError;

/// Opens a trace for one simulation.
pub fn open(path: impl AsRef<Path>, compute: ComputeModel) -> Result<Box<dyn OperationSource>, TraceError> {
    Ok(Trace::open(path)?.operations(compute))
}

/// Returns a trace's format from its first bytes, or those of its members. Errors name the formats that are not read.
pub fn detect(path: impl AsRef<Path>) -> Result<&'static Format, TraceError> {
    Format::of(&files::look_at(path.as_ref())?)
}

/// Counts what a trace holds.
pub fn info(path: impl AsRef<Path>) -> Result<TraceInfo, TraceError> {
    Trace::open(path)?.info()
}
