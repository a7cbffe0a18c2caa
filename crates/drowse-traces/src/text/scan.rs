//! Counts what a trace holds: while the text is read for its outline, or rank after rank where sections are not in
//! their order.

use super::outline::Head;
use super::source::RankState;
use super::trace::{NAME, TextTrace};
use super::wrong::Wrong;
use crate::compute::ComputeModel;
use crate::counting::Counting;
use crate::error::TraceError;
use crate::files::LineBlock;
use crate::info::TraceInfo;

/// Computations as they are.
const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

/// Counts of sections that have one rank each, in their order.
#[derive(Default)]
pub(super) struct Scan {
    counting: Counting,
    rank: u32,
    state: RankState,
}

impl Scan {
    /// Begins a section. Returns nothing if it is out of order.
    pub fn begin(mut self, first: u32, last: u32) -> Option<Self> {
        if first != last || first < self.rank {
            return None;
        }
        if first > self.rank {
            self.counting.end_rank(self.rank);
            (self.rank, self.state) = (first, RankState::default());
        }
        Some(self)
    }

    /// Counts a line of the section.
    pub fn line(&mut self, head: &Head, line: &[u8]) -> Result<(), Wrong> {
        if let Some(operation) = self.state.line(head, self.rank, line, &COMPUTE)? {
            self.counting.add(self.rank, &operation);
        }
        Ok(())
    }

    /// Returns what was counted.
    pub fn finish(mut self, head: &Head) -> TraceInfo {
        self.counting.end_rank(self.rank);
        self.counting.finish(NAME, head.ranks, &head.communicators)
    }
}

/// Counts what a trace holds, in one pass over the sections of each rank.
pub(super) fn scan(trace: &TextTrace) -> Result<TraceInfo, TraceError> {
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
