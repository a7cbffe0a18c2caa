//! Traces of PyTorch's profiler (Kineto): a JSON file per rank, with what ran on the host and on the streams of the
//! GPU.
//!
//! Each rank's file is read once, event by event ([`read`]). Kernels of NCCL are joined with the calls that PyTorch
//! records ([`join`]): kernels tell when, calls tell what. The timeline becomes a program as
//! [`crate::pytorch`] describes. Execution traces in the same folder complete what calls do not tell.
//!
//! Some 300 bytes an event of the GPU, 40 a launch and 600 a call are in memory for the rank that is read; of others,
//! 16 bytes a step and 300 a call; of the program, 60 bytes an operation.

mod event;
mod join;
mod load;
pub(crate) mod one_rank;
mod read;

use std::sync::Arc;

use crate::error::TraceError;
use crate::files::Found;
use crate::pytorch::member;
use crate::reader::{Opened, Reader};
use crate::registry::Head;

/// The name in results.
pub(crate) const NAME: &str = "kineto";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "traces of PyTorch's profiler (Kineto: a JSON file per rank)";

/// Returns whether the one file is a trace of Kineto, or a folder or an archive holds one.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    member::any(found, is_kineto)
}

/// Opens the trace that was found: reads and checks it.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    Ok(Arc::new(Opened(Arc::new(load::load(found)?))))
}

/// Returns whether a file begins as Kineto writes them; other profilers write the same events without its keys.
fn is_kineto(head: &Head) -> bool {
    let events = head.is_json_with(&[b"\"traceEvents\""]);
    let keys: [&[u8]; 3] = [b"\"schemaVersion\"", b"\"deviceProperties\"", b"\"distributedInfo\""];
    events && keys.iter().any(|key| head.holds(key))
        || head.is_json_with(&[b"\"schemaVersion\"", b"\"deviceProperties\""])
}
