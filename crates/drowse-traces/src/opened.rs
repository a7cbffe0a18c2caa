//! An open trace, whatever its format.

use std::path::Path;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{OperationSource, SourceError};

use crate::check::{self, CheckError, Findings};
use crate::compute::ComputeModel;
use crate::cut::{self, IdealRun};
use crate::error::TraceError;
use crate::files;
use crate::format::Format;
use crate::generated::Generated;
use crate::info::TraceInfo;
use crate::reader::Reader;
use crate::started_twice::StartedOnce;

/// An open trace, from which any number of simulations can read at the same time. Clones are cheap.
#[derive(Clone)]
pub struct Trace {
    pub(crate) reader: Arc<dyn Reader>,
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
