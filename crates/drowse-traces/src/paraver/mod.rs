//! Paraver traces (`.prv`) of MPI programs, as Extrae records them, from one text file.
//!
//! A task of the first application is a rank; only its first thread is simulated. Times are nanoseconds (`_ns` in the
//! header) or microseconds. How records become operations:
//!
//! - A rank computes between the end of one MPI call and the begin of the next (events 50000001 to 50000003).
//! - A message (record 3) is sent where its logical send is. It is a blocking send if the call there is one (MPI_Send
//!   and its kin, MPI_Sendrecv), else an immediate one: the trace does not tell which wait is for which send.
//! - It is received where its logical receive is, if the call there is MPI_Recv. Else the receive is posted there, and
//!   waited for where the message is received physically, which is the end of the call that completed it.
//! - Receives have the sender and the tag of their message, so a receive of any sender or tag takes the one that it
//!   took. The communicator of messages is not in the trace: all are in that of all ranks.
//! - Collectives have operation, sizes, root and communicator in their events. Sizes mean what [`crate::dimemas`] says.
//! - States and other events have no effect.
//!
//! Records of all ranks are mixed by time, so the file is read whole: some 70 bytes per call and message stay in
//! memory.

mod build;
mod call;
mod calls;
mod ends;
mod header;
mod load;
mod source;

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::OperationSource;

use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::files::Found;
use crate::info::TraceInfo;
use crate::reader::{Counted, Opened, Reader};
pub(crate) use build::Program;
use source::ParaverSource;

/// The name in results.
pub(crate) const NAME: &str = "paraver";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "Paraver traces (.prv)";

/// The beginning of the first line.
const MARK: &[u8] = b"#Paraver";

/// Returns whether the one file begins as a Paraver trace.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    Ok(found.single_head()?.is_some_and(|head| head.starts_with(MARK)))
}

/// Opens the trace that was found: reads and checks it.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    Ok(Arc::new(Opened(Arc::new(load::load(&found.into_single()?)?))))
}

impl Counted for Program {
    fn info(&self) -> &TraceInfo {
        &self.info
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn recorded(&self) -> Option<Vec<Time>> {
        Some(self.recorded.clone())
    }

    fn source(self: Arc<Self>, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(ParaverSource::new(self, compute))
    }
}
