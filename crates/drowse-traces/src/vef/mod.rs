//! VEF traces, as VEF-Prospector writes and VEF-TraceLIB replays them (Andújar et al.), from one text file.
//!
//! A header names the numbers of tasks, messages, communicators and collectives. Then come the communicators, then one
//! record per message and one per task and collective. A record begins a time after one event of its task: the start of
//! the run (dependency 0), a send (1), the receipt of a message (2), or the end of its part of a collective (3). So a
//! trace is a graph with one parent per record. Receives have no records.
//!
//! # The rule by which records become programs
//!
//! 1. Each task runs its records in the order of the file. Messages are injected whole, without asking
//!    ([`SendMode::Ready`]), and no task waits for a send.
//! 2. Before a record that depends on the receipt of a message, its task receives that message, unless it has. The tag
//!    is the number of the message's record, so no other message is taken. The receipt is when the task comes there: a
//!    message that is early waits for it, as in the program that was traced.
//! 3. A message on which nothing depends is received beside the program: the receive is posted when the message is
//!    sent, in the order of the file, and the task waits for all of them at its end.
//! 4. Between an event and the record that depends on it, the task computes for the record's time, less what it has
//!    computed since that event. Times of independent records count from the smallest of them all.
//!
//! This is exact for a record if its task waits for nothing between the event that it depends on and the record itself,
//! which is the case where programs were traced call by call. Two kinds of records are approximated and counted:
//!
//! - A record that depends on an event before another wait of its task. A task is a sequence here, so the record comes
//!   after that wait. What the task would wait there on a network without delay is taken off its time.
//! - A record that follows one which begins later, by the same rules: it begins with that one.
//!
//! Where tasks cannot run in the order of the file (a record that depends on a later one of its task, or tasks that
//! would wait for each other), all records are put in the order of their times on a network without delay, and
//! collectives go on beside the program. Such an order exists unless the trace waits for itself, which is an error.
//!
//! # Memory
//!
//! A record may depend on any other, and tasks may be interleaved in any way, so that the file is read whole: about 50
//! bytes a record stay in memory, and some 110 are needed while it is read.
//!
//! [`SendMode::Ready`]: drowse_core::workload::operation::SendMode::Ready

mod calls;
mod header;
mod ids;
mod load;
mod order;
mod program;
mod record;
mod source;
mod write;

use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::files::Found;
use crate::info::TraceInfo;
use crate::reader::{Counted, Opened, Reader};
use program::Program;
use source::VefSource;

pub(crate) use write::write;

/// The name in results.
pub(crate) const NAME: &str = "vef";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "VEF traces";

/// Returns whether the one file begins with the word `VEF`, perhaps with a version, and not with a path of that name.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    Ok(found.single_head()?.is_some_and(|head| {
        let word = head.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        word.strip_prefix(b"VEF").is_some_and(|version| version.iter().all(u8::is_ascii_digit))
    }))
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

    fn source(self: Arc<Self>, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(VefSource::new(self, compute))
    }
}
