//! An open trace of Drowse's own format.

use std::sync::Arc;

use drowse_core::workload::operation::OperationSource;

use super::NAME;
use super::outline::{MAGIC, Outline};
use super::scan::COMPUTE;
use super::source::{RankState, TextSource};
use super::text_trace::TextTrace;
use crate::compute::ComputeModel;
use crate::counting::Counting;
use crate::error::{Place, TraceError};
use crate::files::{Found, LineBlock};
use crate::info::TraceInfo;
use crate::reader::{LinesOf, Reader};

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "Drowse's own text (one file that begins with `drowse-trace 1`)";

/// Returns whether what was found is such a trace: the first line that is no comment begins with the magic word.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    let Some(head) = found.single_head()? else { return Ok(false) };
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    Ok(lines.find(|line| !line.is_empty() && line[0] != b'#').is_some_and(|line| line.starts_with(MAGIC.as_bytes())))
}

/// Opens the trace that was found, and reads it once.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    let stored = found.into_single()?;
    let outline = Outline::read(&stored)?;
    Ok(Arc::new(Shared(Arc::new(TextTrace { stored, outline }))))
}

/// A trace from which several simulations read.
struct Shared(Arc<TextTrace>);

impl Reader for Shared {
    fn ranks(&self) -> u32 {
        self.0.outline.head.ranks
    }

    fn info(&self) -> Result<TraceInfo, TraceError> {
        self.0.outline.info.clone().map_or_else(|| scan(&self.0), Ok)
    }

    fn fingerprint(&self) -> Result<u64, TraceError> {
        Ok(self.0.outline.fingerprint)
    }

    fn names_requests(&self) -> bool {
        true
    }

    fn operations(&self, compute: ComputeModel) -> Box<dyn OperationSource> {
        Box::new(TextSource::new(Arc::clone(&self.0), compute))
    }

    fn places(&self, rank: u32, wanted: &[u64]) -> Result<Vec<Place>, TraceError> {
        let (mut state, mut block, mut operations) = (RankState::default(), LineBlock::default(), Vec::new());
        let (mut lines, compute) = (LinesOf::new(wanted), ComputeModel::TEN_GIGAFLOPS);
        let mut read = true;
        while read && !lines.is_complete() {
            operations.clear();
            let mut seen = |line, count| lines.line(line, count);
            read = state.read_block(&self.0, rank, &compute, &mut block, &mut operations, &mut seen)?;
        }
        Ok(lines.places(&self.0.stored.text.label))
    }
}

/// Counts what a trace holds rank after rank: where sections are not in their order.
fn scan(trace: &TextTrace) -> Result<TraceInfo, TraceError> {
    let head = &trace.outline.head;
    let (mut block, mut operations) = (LineBlock::default(), Vec::new());
    let mut counting = Counting::default();
    for rank in 0..head.ranks {
        let mut state = RankState::default();
        while state.read_block(trace, rank, &COMPUTE, &mut block, &mut operations, &mut |_, _| {})? {
            operations.drain(..).for_each(|operation| counting.add(rank, &operation));
        }
        counting.end_rank(rank);
    }
    Ok(counting.finish(NAME, head.ranks, &head.communicators))
}
