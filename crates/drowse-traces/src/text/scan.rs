//! Counts what a trace holds while the text is read for its outline.

use super::NAME;
use super::head::Head;
use super::line_reader::LineReader;
use super::wrong::Wrong;
use crate::compute::ComputeModel;
use crate::counting::Counting;
use crate::info::TraceInfo;

/// Computations as they are.
pub(super) const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

/// Counts of sections that have one rank each, in their order.
#[derive(Default)]
pub(super) struct Scan {
    counting: Counting,
    rank: u32,
    reader: LineReader,
}

impl Scan {
    /// Begins a section. Returns nothing if it is out of order.
    pub fn begin(mut self, first: u32, last: u32) -> Option<Self> {
        if first != last || first < self.rank {
            return None;
        }
        if first > self.rank {
            self.counting.end_rank(self.rank);
            (self.rank, self.reader) = (first, LineReader::default());
        }
        Some(self)
    }

    /// Counts a line of the section.
    pub fn line(&mut self, head: &Head, line: &[u8]) -> Result<(), Wrong> {
        if let Some(operation) = self.reader.line(head, self.rank, line, &COMPUTE)? {
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
