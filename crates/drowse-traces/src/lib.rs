//! Readers of application traces: from files to the simulation's operations.
//!
//! [`FORMATS`] lists the formats that are read, from folders, archives and single files. What is compressed is
//! decompressed once into a spool (memory up to 64 MiB, then an unnamed temporary file). Each rank's operations are
//! made in small blocks as the simulation asks for them.
//!
//! Formats are recognised by content. [`known_formats`] lists them, and those that are refused by name. No file content makes the crate panic.
//! Every error names the file and, where there is one, the line.

use std::path::Path;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{OperationSource, SourceError};

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
mod generated;
mod goal;
mod info;
pub mod input;
mod line_error;
mod numbers;
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
use generated::Generated;
pub use info::{Computing, Coverage, Messages, NotSimulated, Noted, TraceInfo};
pub use line_error::LineError;
pub use profile::{Profile, Profiling};
use reader::Reader;
pub use registry::KnownFormat;
pub use scale::{ScaleError, Scaled};
use started_twice::StartedOnce;
pub use write_error::WriteError;

/// An open trace, from which any number of simulations can read at the same time. Clones are cheap.
#[derive(Clone)]
pub struct Trace {
    reader: Arc<dyn Reader>,
}

impl Trace {
    /// Opens a trace. An archive is decompressed here, once.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TraceError> {
        let found = files::look_at(path.as_ref())?;
        Ok(Trace { reader: Format::of(&found)?.open(found)? })
    }

    /// Opens a trace as one of a format, whatever it looks like.
    pub fn open_as(path: impl AsRef<Path>, format: &Format) -> Result<Self, TraceError> {
        Ok(Trace { reader: format.open(files::look_at(path.as_ref())?)? })
    }

    /// Makes a trace of a program that is computed, and that `open` begins anew.
    pub fn of_program(open: impl Fn() -> Box<dyn OperationSource> + Send + Sync + 'static) -> Self {
        Trace { reader: Arc::new(Generated(open)) }
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.reader.ranks()
    }

    /// Counts what the trace holds, in one pass, and checks every line on the way.
    pub fn info(&self) -> Result<TraceInfo, TraceError> {
        self.reader.info()
    }

    /// Checks whether the ranks fit together. Keeps the `most` first findings, and counts all.
    pub fn check(&self, most: usize) -> Result<Findings, CheckError> {
        check::check(self.reader.as_ref(), most)
    }

    /// Returns how long each rank ran when it was recorded, if the format says so: the time of which its computations
    /// are a share.
    pub fn recorded(&self) -> Option<Vec<Time>> {
        self.reader.recorded()
    }

    /// Runs the program where communication costs no time; `None` if ranks wait for each other in vain.
    pub fn ideal_run(&self, compute: ComputeModel) -> Result<Option<IdealRun>, SourceError> {
        let mut replay = cut::Replay::new(self.operations(compute));
        replay.run(Time::NEVER, &mut |_, _| {})?;
        let ended = replay.has_ended()?;
        Ok(ended.then(|| replay.ideal_run()))
    }

    /// Returns a hash of all ranks' texts, in one pass. It does not depend on how the trace is stored.
    pub fn fingerprint(&self) -> Result<u64, TraceError> {
        self.reader.fingerprint()
    }

    /// Returns the operations, from the beginning.
    pub fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource> {
        let operations = self.reader.operations(compute);
        if !self.reader.names_requests() {
            return operations;
        }
        Box::new(StartedOnce::new(Arc::clone(&self.reader), operations))
    }
}

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
