//! Breadth-first searches of Graph500 (version 2.1, `replicated-csr`), of which each rank knows the whole front as a
//! bitmap. In a level a rank expands its share of the front; all ask whether any has found a vertex, and then gather the
//! bitmap and its summary, one bit for each 64 bits. A search is an iteration. Set-up comes before all searches, and a
//! check after each, if they are asked for.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::graph500_edges::Edges;
use super::keys::{Given, Parts, ProgramKeys, parts};
use super::program::{Program, Steps};
use super::writer::Writer;
use crate::workload::operation::Collective;

/// Bits of a word of a bitmap, and its bytes.
const WORD_BITS: u64 = 64;
const WORD: u64 = 8;
/// Bytes of a yes or no.
const FLAG: u64 = 4;

/// What is done in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Search,
    /// A search and its check.
    CheckedSearch,
    /// What comes before so many searches.
    SetUp(u32),
}

/// Searches in a graph of 2^scale vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph500 {
    ranks: u32,
    scale: u32,
    /// How often the front is expanded; the last time in vain.
    levels: u32,
    /// Edges for each vertex.
    edge_factor: u32,
    part: Part,
}

impl Graph500 {
    /// Makes searches that take so many levels, with 16 edges for each vertex.
    pub fn new(ranks: u32, scale: u32, levels: u32) -> Result<Self, ProgramError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        check("scale", scale, 1..=48)?;
        check("levels", levels, 1..=1_000)?;
        Ok(Graph500 { ranks, scale, levels, edge_factor: 16, part: Part::Search })
    }

    /// Sets the edges for each vertex.
    pub fn with_edge_factor(self, edge_factor: u32) -> Result<Self, ProgramError> {
        check("edge_factor", edge_factor, 1..=1_024)?;
        Ok(Graph500 { edge_factor, ..self })
    }

    /// Adds the check of each search.
    #[must_use]
    pub fn checked(self) -> Self {
        Graph500 { part: Part::CheckedSearch, ..self }
    }

    /// Returns what comes before so many searches. Ranks do not compute in it.
    #[must_use]
    pub fn set_up(self, searches: u32) -> Self {
        Graph500 { part: Part::SetUp(searches), ..self }
    }

    /// Returns the words of a rank's part of the summary. It is one of whole words, and so is the bitmap.
    fn summary(&self) -> u64 {
        (1_u64 << self.scale).div_ceil(self.ranks.into()).div_ceil(WORD_BITS * WORD_BITS)
    }

    /// Returns the size of a rank's part of the bitmap.
    fn bitmap(&self) -> u64 {
        self.summary() * WORD_BITS * WORD
    }

    fn edges(&self) -> Edges {
        Edges { ranks: self.ranks, vertices: 1 << self.scale, factor: self.edge_factor }
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
        match self.part {
            Part::Search => self.bitmap(),
            Part::CheckedSearch => self.bitmap().max(self.edges().largest()),
            Part::SetUp(_) => self.edges().largest(),
        }
    }

    fn computations(&self) -> u64 {
        if let Part::SetUp(_) = self.part { 0 } else { self.levels.into() }
    }

    fn calls(&self) -> u64 {
        let search = 3 * u64::from(self.levels) - 2;
        let of_a_rank = match self.part {
            Part::Search => search,
            Part::CheckedSearch => search + 5 + 5 * self.edges().rounds() + 2,
            Part::SetUp(searches) => 2 + u64::from(searches) + 3 * self.edges().blocks(),
        };
        u64::from(self.ranks) * of_a_rank
    }

    fn is_marked(&self) -> bool {
        !matches!(self.part, Part::SetUp(_))
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Graph500 {
    fn count(&self, _: u32) -> u64 {
        match self.part {
            Part::Search => self.levels.into(),
            Part::CheckedSearch => u64::from(self.levels) + self.edges().rounds() + 2,
            Part::SetUp(searches) => u64::from(searches) + 2 + self.edges().blocks(),
        }
    }

    fn take(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        match self.part {
            Part::SetUp(searches) => self.prepare_searches(rank, step, searches.into(), writer),
            _ if step < self.levels.into() => self.expand(step, writer),
            _ => self.check_search(rank, step - u64::from(self.levels), writer),
        }
    }
}

impl Graph500 {
    /// Expands the front once.
    fn expand(&self, level: u64, writer: &mut Writer<'_>) {
        if level > 0 {
            writer.call(Collective::Allgather { bytes: self.bitmap() });
            writer.call(Collective::Allgather { bytes: self.summary() * WORD });
        }
        writer.compute_part(level..level + 1, self.levels.into());
        writer.sum(1, WORD);
    }

    /// Finds the largest share of edges, a root for each search, each at the first try, and the last vertex; then deals out
    /// edges.
    fn prepare_searches(&self, rank: u32, step: u64, searches: u64, writer: &mut Writer<'_>) {
        match step.checked_sub(searches + 2) {
            Some(block) => self.edges().distribute(rank, block, writer),
            None if step == 0 || step == searches + 1 => writer.sum(1, WORD),
            None => writer.sum(1, FLAG),
        }
    }

    /// Checks a search: parents are vertices, one level above, and joined by an edge, and edges lead one level away at
    /// most.
    fn check_search(&self, rank: u32, step: u64, writer: &mut Writer<'_>) {
        let rounds = self.edges().rounds();
        match step.checked_sub(1) {
            None => {
                writer.sum(1, FLAG);
                writer.sum(1, WORD);
                self.edges().ask_parents(rank, writer);
            }
            Some(round) if round < rounds => self.edges().check(rank, round, writer),
            Some(_) => {
                writer.sum(1, WORD);
                writer.sum(1, FLAG);
            }
        }
    }
}

/// The keys of Graph500.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Graph500Keys {
    /// Ranks.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
    /// The graph has 2^`scale` vertices.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 20), range(min = 1, max = 48)))]
    scale: Option<u32>,
    /// How often a search expands its front; the last time in vain.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 7), range(min = 1, max = 1000)))]
    levels: Option<u32>,
    /// Edges for each vertex, which set-up and checks send.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 16), range(min = 1, max = 1024)))]
    edge_factor: Option<u32>,
    /// Whether edges are dealt out before the first search.
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    setup: Option<bool>,
    /// Whether each search is checked, with remote memory emulated by collectives.
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    validation: Option<bool>,
}

impl ProgramKeys for Graph500Keys {
    const KIND: &'static str = "graph500";
    const ABOUT: &'static str = "Breadth-first searches of Graph500, `replicated-csr`: one in an iteration.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        let search = Graph500::new(self.ranks, self.scale.unwrap_or(20), self.levels.unwrap_or(7))?;
        let search = search.with_edge_factor(self.edge_factor.unwrap_or(16))?;
        let searches = given.iterations.unwrap_or(1);
        let set_up = (search.set_up(searches), u32::from(self.setup.unwrap_or(false)));
        let searches = (if self.validation.unwrap_or(false) { search.checked() } else { search }, searches);
        Ok(parts([set_up, searches]))
    }
}
