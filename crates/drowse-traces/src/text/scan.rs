//! Counts what a trace holds, in one pass over the sections of each rank.

use super::forms::name;
use super::source::RankState;
use super::trace::{NAME, TextTrace};
use crate::compute::ComputeModel;
use crate::counting::Counting;
use crate::error::TraceError;
use crate::files::LineBlock;
use crate::info::TraceInfo;

/// Counts what a trace holds.
pub(crate) fn scan(trace: &TextTrace) -> Result<TraceInfo, TraceError> {
    let head = &trace.outline.head;
    let (mut block, mut operations) = (LineBlock::default(), Vec::new());
    let mut counting = Counting::default();
    for rank in 0..head.ranks {
        let mut state = RankState::default();
        while state.read_block(
            trace,
            rank,
            &ComputeModel::TEN_GIGAFLOPS,
            &mut block,
            &mut operations,
            &mut |_, _| {},
        )? {
            operations.drain(..).for_each(|operation| counting.add(rank, name(&operation), &operation));
        }
        counting.end_rank(rank);
    }
    Ok(counting.finish(NAME, head.ranks, &head.communicators))
}
