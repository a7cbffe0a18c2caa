//! GOAL schedules (Group Operation Assembly Language, Hoefler et al. 2009), as schedgen writes and LogGOPSim replays them,
//! as texts ([`parse`]) or in binary form ([`binary`]).
//!
//! Each rank is a graph of sends, receives and calculations. `A requires B`: A starts when B has ended; `A irequires B`:
//! A starts when B has started.
//!
//! ```text
//! num_ranks 2
//! rank 0 {
//! l1: calc 100
//! l2: send 8b to 1 tag 5
//! l2 requires l1
//! }
//! rank 1 {
//! l1: recv 8b from 0 tag 5
//! }
//! ```
//!
//! # How graphs become programs
//!
//! A rank starts what is ready: sends and receives first, then calculations, each in the order of the file. Where
//! nothing is ready, it waits for what the first of the statements that wait requires. That is exact where one statement
//! waits at a time; where several wait for different messages, whichever comes first would go on, but the first in the
//! file is waited for. Such waits are counted as approximated. So are calculations on other processors than 0, which run
//! one after the other here. A receive of any tag leaves the messages of collectives to their receives
//! ([`collectives`]), which is counted, too.
//!
//! The file is read whole, and each rank's graph becomes its program when the rank ends: about 40 bytes a statement stay.

mod binary;
mod collectives;
mod counts;
mod graph;
mod order;
mod parse;
mod source;
mod write;

use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

use crate::compute::ComputeModel;
use crate::error::{Place, TraceError};
use crate::files::Found;
use crate::info::TraceInfo;
use crate::reader::{Counted, Opened, Reader};
use order::Step;
use source::{GoalSource, Program};

pub(crate) use write::write;

/// The name in results.
pub(crate) const NAME: &str = "goal";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "GOAL schedules (text or binary)";

/// Returns whether the one file is of the binary form, or its first statement gives the number of ranks.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    Ok(found.single_head()?.is_some_and(|head| {
        if head.starts_with(&binary::MAGIC) {
            return true;
        }
        let mut comments = parse::Comments::default();
        let mut lines = head.split(|&byte| byte == b'\n').map(|line| comments.strip(line));
        let first = lines.find(|line| !line.trim_ascii().is_empty());
        first.is_some_and(|line| line.trim_ascii().starts_with(b"num_ranks"))
    }))
}

/// Opens the trace that was found: reads and checks it.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    let is_binary = found.single_head()?.is_some_and(|head| head.starts_with(&binary::MAGIC));
    let stored = found.into_single()?;
    let program = if is_binary { binary::load(&stored)? } else { parse::load(stored)? };
    Ok(Arc::new(Opened(Arc::new(program))))
}

impl Counted for Program {
    fn info(&self) -> &TraceInfo {
        &self.info
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn source(self: Arc<Self>, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(GoalSource::new(self, compute))
    }

    fn places(self: Arc<Self>, rank: u32, wanted: &[u64]) -> Result<Vec<Place>, TraceError> {
        let (Some(text), Some(steps)) = (&self.text, self.ranks.get(rank as usize)) else { return Ok(Vec::new()) };
        let statement = |&operation: &u64| {
            let step = usize::try_from(operation - 1).ok().and_then(|place| steps.get(place));
            // The end of a rank is no statement.
            step.map_or(u32::MAX, |step| match *step {
                Step::Start(_, place) | Step::Wait(place) => place,
                Step::WaitAll => u32::MAX,
            })
        };
        let statements: Vec<u32> = wanted.iter().map(statement).collect();
        let lines = parse::lines(text, rank, &statements)?;
        Ok(lines.into_iter().map(|line| Place { file: self.label.clone(), line }).collect())
    }
}
