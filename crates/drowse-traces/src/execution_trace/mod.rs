//! Execution traces of PyTorch (Chakra's host traces, `1.*-chakra.*`): a JSON file per rank, with a node for each call.
//!
//! They have no times. The calls of torch.distributed run one after the other, in the order of their ids, and nothing
//! is computed between them. Where Chakra's linker has added times and the nodes of the GPU ([`linked`]), these are a
//! timeline, as that of the profiler. The rank of a file is the number by which the files' names differ.
//!
//! Files are read once, node by node. 300 bytes a call are in memory, 60 a node and 700 a kernel of a linked file, and
//! of the program 60 bytes an operation.

mod linked;
mod load;
mod node;
mod read;

use std::sync::Arc;

use crate::error::TraceError;
use crate::files::Found;
use crate::pytorch::member;
use crate::reader::{Opened, Reader};
use crate::registry::Head;

pub(crate) use load::{Calls, calls};

/// The name in results.
pub(crate) const NAME: &str = "execution-trace";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "execution traces of PyTorch (a JSON file per rank, perhaps linked by Chakra)";

/// Returns whether the one file is an execution trace, or a folder or an archive holds one.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    member::any(found, is_execution_trace)
}

/// Opens the trace that was found: reads and checks it.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    Ok(Arc::new(Opened(Arc::new(load::load(found)?))))
}

/// Returns whether a file begins as PyTorch or Chakra's linker writes it.
pub(crate) fn is_execution_trace(head: &Head) -> bool {
    head.is_json_with(&[b"\"schema\"", b"-chakra."])
}
