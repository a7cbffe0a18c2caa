//! Dimemas traces (`.dim`), as `prv2dim` makes them of Paraver traces, from one text file.
//!
//! The grammar is that of Dimemas' own writer and reader (`common_utilities/Dimemas_Generation.h`,
//! `Simulator/input/file_data_access.c`). A task is a rank. How records become operations:
//!
//! - A CPU burst computes for its time. GPU bursts are computed by the task itself.
//! - A send is a send (sync 0), a synchronous one (1), an immediate one (2), or an immediate synchronous one (3).
//!   Nothing waits for immediate sends: a trace has no record of that. Whether messages are sent eagerly is the simulation's
//!   choice, by size.
//! - A receive blocks (type 0), is posted (1), or waits (2, 3) for the first posted one with the same sender, tag and
//!   communicator. A wait without one has no effect, and is counted.
//! - A send and its receive have the same id in the place of a communicator, or name one. See [`comms`].
//! - Collectives are those of MPI, over the ranks of the communicator. Dimemas' own models of collectives are not used.
//!   Operations 16 to 31 are immediate; sync 2 waits for the first one of the kind. The root is the rank that says so.
//!   A rank's share of an alltoallv or alltoallw is not told for each pair: it is split evenly, and counted. An
//!   alltoall whose ranks receive as many times what they send as there are ranks names the size of one message, as
//!   `prv2dim` does; else it names what is sent in all. Combining data takes no time.
//! - Operation 13 is a scan in old traces, whose header does not name accelerator tasks, and else a reduce-scatter.
//! - Events and empty records (NOOP) have no effect. File and one-sided operations are left out, and counted.
//! - Only the first thread of a task is simulated. Bursts of others are left out, and counted; communication of others
//!   cannot be simulated.
//!
//! The file is read twice: once to check it and to find each task, its collectives' roots and sizes, and once, in small
//! blocks, by the simulation. Memory does not depend on its length, but for some 50 bytes per collective (and a size
//! per rank where these differ).

mod collectives;
mod comms;
mod counts;
mod header;
mod kind;
mod pending;
mod record;
mod scan;
mod source;
mod write;

use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

use crate::compute::ComputeModel;
use crate::error::{Place, TraceError};
use crate::files::Found;
use crate::info::TraceInfo;
use crate::reader::{Counted, LinesOf, Opened, Reader};
use scan::Scanned;
use source::DimemasSource;

pub(crate) use collectives::Collectives;
pub(crate) use comms::Comms;
pub(crate) use kind::Kind;
pub(crate) use record::Called;
pub(crate) use write::write;

/// The name in results.
pub(crate) const NAME: &str = "dimemas";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "Dimemas traces (.dim)";

/// The beginning of the first line.
const MARK: &[u8] = b"#DIMEMAS:";

/// Returns whether the one file begins as a Dimemas trace.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    Ok(found.single_head()?.is_some_and(|head| head.starts_with(MARK)))
}

/// Opens the trace that was found: reads and checks it.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    Ok(Arc::new(Opened(Arc::new(scan::scan(found.into_single()?)?))))
}

impl Counted for Scanned {
    fn info(&self) -> &TraceInfo {
        &self.info
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn source(self: Arc<Self>, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(DimemasSource::new(self, compute))
    }

    fn places(self: Arc<Self>, rank: u32, wanted: &[u64]) -> Result<Vec<Place>, TraceError> {
        let Some((text, _)) = self.tasks.get(rank as usize) else { return Ok(Vec::new()) };
        let mut source = DimemasSource::new(Arc::clone(&self), ComputeModel::TEN_GIGAFLOPS);
        let (mut lines, mut operations, mut read) = (LinesOf::new(wanted), Vec::new(), true);
        while read && !lines.is_complete() {
            operations.clear();
            read = source.read_block(rank, &mut operations, &mut |line, count| lines.line(line, count))?;
        }
        Ok(lines.places(&text.label))
    }
}
