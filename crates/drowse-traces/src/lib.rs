//! Readers of application traces: from files to the simulation's operations.
//!
//! [`FORMATS`] lists the formats that are read, from folders, archives and single files. What is compressed is
//! decompressed once into a spool (memory up to 64 MiB, then an unnamed temporary file). Each rank's operations are
//! made in small blocks as the simulation asks for them.
//!
//! Formats are recognised by content. [`known_formats`] lists them, and those that are refused by name. No file content makes the crate panic.
//! Every error names the file and, where there is one, the line.
//!
//! A trace is opened, and each rank's operations are read block by block:
//!
//! ```
//! use drowse_core::model::units::Time;
//! use drowse_core::workload::operation::Operation;
//! use drowse_traces::{ComputeModel, Trace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("ping.drowse");
//! let text = "drowse-trace 1\nranks 2\nrank 0\ncompute 1.5 us\nsend 1 8 KiB\nrank 1\nrecv 0\n";
//! std::fs::write(&path, text)?;
//! let trace = Trace::open(&path)?;
//! assert_eq!((trace.ranks(), trace.info()?.messages.bytes), (2, 8 << 10));
//!
//! let mut program = trace.operations(ComputeModel::TEN_GIGAFLOPS);
//! let mut operations = Vec::new();
//! for rank in 0..program.ranks() {
//!     let mut before = usize::MAX;
//!     // A refill adds nothing once the rank has ended.
//!     while operations.len() != before {
//!         before = operations.len();
//!         program.refill(rank, &mut operations)?;
//!     }
//! }
//! assert_eq!(operations.len(), 3);
//! assert_eq!(operations[0], Operation::Compute(Time::from_ns(1_500)));
//! assert_eq!(operations[1], Operation::send(1, 0, 8 << 10));
//! # Ok(())
//! # }
//! ```
//!
//! What is wrong with a file is said with its place:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("wrong.drowse");
//! std::fs::write(&path, "drowse-trace 1\nranks 2\nrank 0\nsend 2 8 KiB\n")?;
//! let said = drowse_traces::info(&path).unwrap_err().to_string();
//! // The fourth line sends to a rank that there is not.
//! assert!(said.contains("wrong.drowse:4: "), "{said}");
//! # Ok(())
//! # }
//! ```

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
mod execution_trace;
mod files;
mod format;
mod formats;
mod generated;
mod goal;
mod info;
pub mod input;
mod kineto;
mod line_error;
mod numbers;
mod opened;
mod otf2;
mod pairs;
mod paraver;
mod profile;
mod progress;
mod pytorch;
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
