//! The communication matrix: what ranks send to ranks, in blocks of ranks where there are many (Totoni et al. 2014,
//! Fig. 2).

use super::Traffic;

/// The most blocks in each direction.
const MOST_BLOCKS: u32 = 256;

/// What each block of ranks sends to each.
#[derive(Clone, Debug)]
pub struct Matrix {
    ranks: u32,
    /// Ranks of a block; the last may have fewer.
    block: u32,
    /// Row by row: from, then to.
    cells: Vec<Traffic>,
    /// The first rank of the job that sends.
    first: u32,
}

impl Matrix {
    /// Makes the matrix of so many ranks, with nothing in it.
    pub fn new(ranks: u32) -> Self {
        let block = ranks.div_ceil(MOST_BLOCKS).max(1);
        let blocks = ranks.div_ceil(block) as usize;
        Matrix { ranks, block, cells: vec![Traffic::default(); blocks * blocks], first: 0 }
    }

    /// Counts the ranks of a job from this one on.
    pub fn begin_at(&mut self, first: u32) {
        self.first = first;
    }

    /// Returns the number of ranks of all jobs.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Returns the number of ranks of a block.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> u32 {
        self.ranks.div_ceil(self.block)
    }

    /// Returns what a block sends to another.
    pub fn of(&self, from: u32, to: u32) -> Traffic {
        self.cells[(from * self.blocks() + to) as usize]
    }

    /// Counts what a rank of the job sends to another.
    pub fn add(&mut self, from: u32, to: u32, traffic: Traffic) {
        let (from, to, blocks) = ((self.first + from) / self.block, (self.first + to) / self.block, self.blocks());
        self.cells[(from * blocks + to) as usize] += traffic;
    }

    /// Counts what each of the job's first so many ranks sends to each other.
    pub(super) fn add_to_all(&mut self, ranks: u32, traffic: Traffic) {
        let (first, blocks) = (self.first, self.blocks());
        let members = |block: u32| {
            let (begin, end) = (block * self.block, (block + 1) * self.block);
            u64::from(end.min(first + ranks).saturating_sub(begin.max(first)))
        };
        for from in 0..blocks {
            for to in 0..blocks {
                // A rank sends nothing to itself.
                let pairs = members(from) * members(to) - if from == to { members(from) } else { 0 };
                self.cells[(from * blocks + to) as usize] += traffic.times(pairs);
            }
        }
    }
}
