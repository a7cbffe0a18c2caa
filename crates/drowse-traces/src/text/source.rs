//! The operations of a trace, one block of text at a time.

use std::sync::Arc;

use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::line_reader::LineReader;
use super::section::{Section, at};
use super::text_trace::TextTrace;
use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::files::{Extent, LineBlock, LineCursor, Location, RankText, Stored};
use crate::reader::refill;

/// The size of blocks of text, some hundred lines.
const BLOCK_BYTES: usize = 16 << 10;

/// The operations of a trace.
pub(crate) struct TextSource {
    trace: Arc<TextTrace>,
    compute: ComputeModel,
    states: Vec<RankState>,
    block: LineBlock,
}

/// The progress of a rank.
#[derive(Clone, Default)]
pub(crate) struct RankState {
    /// Which of its sections is read.
    section: usize,
    /// Where in it; `None` before it.
    cursor: Option<LineCursor>,
    reader: LineReader,
}

impl TextSource {
    /// Makes the operations of a trace.
    pub fn new(trace: Arc<TextTrace>, compute: ComputeModel) -> Self {
        let states = vec![RankState::default(); trace.outline.head.ranks as usize];
        TextSource { trace, compute, states, block: LineBlock::default() }
    }
}

impl RankState {
    /// Appends the operations of the next block of a rank's sections; false at their end. Calls `seen` with each line
    /// and the number of its operations.
    pub fn read_block(
        &mut self,
        trace: &TextTrace,
        rank: u32,
        compute: &ComputeModel,
        block: &mut LineBlock,
        operations: &mut Vec<Operation>,
        seen: &mut impl FnMut(u64, usize),
    ) -> Result<bool, TraceError> {
        let stored = &trace.stored;
        let mut cursor = loop {
            let Some(section) = trace.outline.section(rank, self.section) else { return Ok(false) };
            let mut cursor = self.cursor.unwrap_or_else(|| LineCursor::after_lines(section.lines_before));
            if text(stored, section).next_lines(stored.spool.as_ref(), &mut cursor, block, BLOCK_BYTES)? {
                break cursor;
            }
            (self.section, self.cursor) = (self.section + 1, None);
        };
        for (number, line) in block.lines() {
            let read = self
                .reader
                .line(&trace.outline.head, rank, line, compute)
                .map_err(|wrong| at(stored, number, wrong))?;
            seen(number, usize::from(read.is_some()));
            operations.extend(read);
        }
        self.cursor = Some(std::mem::take(&mut cursor));
        Ok(true)
    }
}

/// Returns the lines of a section.
fn text(stored: &Stored, Section { extent, .. }: Section) -> RankText {
    let location = match &stored.text.location {
        Location::File(path) => Location::Part(path.clone(), extent),
        Location::Part(path, whole) => {
            Location::Part(path.clone(), Extent { offset: whole.offset + extent.offset, ..extent })
        }
        Location::Spooled(whole) => {
            let start = whole.first().map_or(0, |whole| whole.offset);
            Location::Spooled(vec![Extent { offset: start + extent.offset, ..extent }])
        }
    };
    RankText { label: stored.text.label.clone(), location }
}

impl OperationSource for TextSource {
    fn ranks(&self) -> u32 {
        self.states.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.trace.outline.head.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let Some(state) = self.states.get_mut(rank as usize) else { return Ok(()) };
        refill(operations, |operations| {
            state.read_block(&self.trace, rank, &self.compute, &mut self.block, operations, &mut |_, _| {})
        })
    }
}
