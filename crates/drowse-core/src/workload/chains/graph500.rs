//! Breadth-first searches of Graph500 (version 2.1, `replicated-csr`), of which each rank knows the whole front as a
//! bitmap. In a level a rank expands its share of the front; all ask whether any has found a vertex, and then gather the
//! bitmap and its summary, one bit for each 64 bits. A search is an iteration. Set-up and validation are left out.

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, MOST_RANKS, check};
use crate::workload::operation::Collective;

/// Bits of a word of a bitmap, and its bytes.
const WORD_BITS: u64 = 64;
const WORD: u64 = 8;

/// Searches in a graph of 2^scale vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph500 {
    ranks: u32,
    scale: u32,
    /// How often the front is expanded; the last time in vain.
    levels: u32,
}

impl Graph500 {
    /// Makes searches that take so many levels.
    pub fn new(ranks: u32, scale: u32, levels: u32) -> Result<Self, GraphError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        check("scale", scale, 1..=48)?;
        check("levels", levels, 1..=1_000)?;
        Ok(Graph500 { ranks, scale, levels })
    }

    /// Returns the words of a rank's part of the summary. It is one of whole words, and so is the bitmap.
    fn summary(&self) -> u64 {
        (1_u64 << self.scale).div_ceil(self.ranks.into()).div_ceil(WORD_BITS * WORD_BITS)
    }
}

impl Program for Graph500 {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    /// None but those of collectives.
    fn messages(&self) -> u64 {
        0
    }

    fn largest(&self) -> u64 {
        self.summary() * WORD_BITS * WORD
    }

    fn computations(&self) -> u64 {
        self.levels.into()
    }

    fn calls(&self) -> u64 {
        u64::from(self.ranks) * (3 * u64::from(self.levels) - 2)
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Graph500 {
    fn count(&self, _: u32) -> u64 {
        self.levels.into()
    }

    fn take(&self, _: u32, step: u64, writer: &mut Writer<'_>) {
        if step > 0 {
            writer.call(Collective::Allgather { bytes: self.largest() });
            writer.call(Collective::Allgather { bytes: self.summary() * WORD });
        }
        writer.compute_part(step..step + 1, self.levels.into());
        writer.sum(1, WORD);
    }
}
