//! Where the edges of Graph500 lie before and while it checks a search, and what ranks ask each other of them.
//!
//! Read in version 2.1.4 of the reference code. Generated edges are dealt out in blocks of 2^23, so that of small graphs
//! only a few ranks hold any. Vertices are dealt out evenly, edges go to random ones: each rank is asked as often. Checks
//! read and write remote memory; where the code emulates that, ranks say how much they ask for (`alltoall`), ask
//! (`alltoallv`) and are answered (`alltoallv`).

use std::ops::Range;

use super::writer::{Writer, parts};
use crate::workload::operation::Collective;

/// Edges of a block, and those that are checked at a time.
const BLOCK: u64 = 1 << 23;
const AT_A_TIME: u64 = 1 << 21;
/// Bytes of an edge: two vertices.
const EDGE: u64 = 16;
/// Bytes of a count, and of an address or an answer.
const COUNT: u64 = 4;
const WORD: u64 = 8;

/// The edges of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    pub ranks: u32,
    pub vertices: u64,
    /// Edges for each vertex.
    pub factor: u32,
}

impl Edges {
    fn all(&self) -> u64 {
        self.vertices.saturating_mul(self.factor.into())
    }

    /// Returns the blocks of the rank that has most.
    pub fn blocks(&self) -> u64 {
        self.all().div_ceil(BLOCK).div_ceil(self.ranks.into())
    }

    /// Returns how often a block is looked at: as often as if it were full.
    pub fn rounds(&self) -> u64 {
        self.blocks() * (BLOCK / AT_A_TIME)
    }

    /// Returns which edges of all a rank has in a block.
    fn block(&self, rank: u32, block: u64) -> Range<u64> {
        let first = (block * u64::from(self.ranks) + u64::from(rank)) * BLOCK;
        first.min(self.all())..(first + BLOCK).min(self.all())
    }

    /// Returns which of them it checks in a round.
    fn round(&self, rank: u32, round: u64) -> Range<u64> {
        let of_block = BLOCK / AT_A_TIME;
        let Range { start, end } = self.block(rank, round / of_block);
        let first = start + round % of_block * AT_A_TIME;
        first.min(end)..(first + AT_A_TIME).min(end)
    }

    /// Returns the size of the largest message: a rank's share of a block, seen from both ends.
    pub fn largest(&self) -> u64 {
        let most = self.block(0, 0).end;
        (2 * most).div_ceil(self.ranks.into()) * EDGE
    }

    /// Sends each edge of a block to the owners of both of its vertices.
    pub fn distribute(&self, rank: u32, block: u64, writer: &mut Writer<'_>) {
        let Range { start, end } = self.block(rank, block);
        writer.sum(1, WORD);
        writer.call(Collective::Alltoall { bytes: COUNT });
        writer.call(self.spread(2 * (end - start), EDGE));
    }

    /// Reads what each vertex of a rank says of its parent.
    pub fn ask_parents(&self, rank: u32, writer: &mut Writer<'_>) {
        let own = |rank: u32| parts(self.vertices, u64::from(rank)..u64::from(rank) + 1, self.ranks.into());
        self.read(rank, own, writer);
    }

    /// Reads what both ends of each edge of a round say, and marks those that lead to a parent: all rounds of all ranks
    /// mark each vertex once.
    pub fn check(&self, rank: u32, round: u64, writer: &mut Writer<'_>) {
        let ends = |rank: u32| {
            let edges = self.round(rank, round);
            2 * (edges.end - edges.start)
        };
        self.read(rank, ends, writer);
        writer.call(Collective::Alltoall { bytes: COUNT });
        let marked = parts(self.vertices, self.round(rank, round), self.all());
        writer.call(self.spread(marked, WORD));
    }

    /// Reads a word for each of a rank's requests, which go to all ranks alike.
    fn read(&self, rank: u32, requests: impl Fn(u32) -> u64, writer: &mut Writer<'_>) {
        writer.call(Collective::Alltoall { bytes: COUNT });
        writer.call(self.spread(requests(rank), WORD));
        let place = u64::from(rank)..u64::from(rank) + 1;
        let answers = (0..self.ranks).map(|to| WORD * parts(requests(to), place.clone(), self.ranks.into()));
        writer.call(Collective::Alltoallv { bytes: answers.collect() });
    }

    /// Sends so many things of a size to all ranks alike.
    fn spread(&self, things: u64, size: u64) -> Collective {
        let of = |to: u64| size * parts(things, to..to + 1, self.ranks.into());
        Collective::Alltoallv { bytes: (0..u64::from(self.ranks)).map(of).collect() }
    }
}
