//! Chakra execution traces (MLCommons), as `chakra_converter`, ASTRA-sim and STG write them: a file per rank,
//! `PREFIX.0.et`, `PREFIX.1.et`, ..., each with a graph of what the rank computes, sends and calls.
//!
//! A node runs when the nodes that it depends on have ended. Process groups come from nodes of PyTorch, from a JSON
//! file beside the trace, as ASTRA-sim takes it, or from which ranks name them.
//!
//! # How graphs become programs
//!
//! A rank has two processors, for nodes with `is_cpu_op` and for the others; each runs one node at a time, and of those
//! that are ready the first in the order of ids ([`order`]). Communications start as soon as they are ready, go on
//! beside the processors, and are waited for when nothing else is left to do. So a node that depends on one may start
//! late where the rank has other work; such waits are counted as approximated.
//!
//! Files are read twice, one node at a time: for their process groups, and for their graphs. The graph of one rank is
//! in memory at a time, some 100 bytes a node and 8 a dependency. 24 bytes stay of what a node does.

mod attribute;
mod counts;
mod dimensions;
mod files;
mod graph;
mod groups;
mod kind;
mod messages;
mod order;
mod read;
mod source;
mod stream;
mod survey;

use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::files::Found;
use crate::info::TraceInfo;
use crate::reader::{Counted, Opened, Reader};
use source::{ChakraSource, Program};

pub(crate) use files::recognises;

/// The name in results.
pub(crate) const NAME: &str = "chakra";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "Chakra execution traces (a folder or an archive with PREFIX.0.et, PREFIX.1.et, ...)";

/// Opens the trace that was found: reads and checks it.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    let trace = files::files(found)?;
    Ok(Arc::new(Opened(Arc::new(read::load(&trace)?))))
}

impl Counted for Program {
    fn info(&self) -> &TraceInfo {
        &self.info
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn source(self: Arc<Self>, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(ChakraSource::new(self, compute))
    }
}
