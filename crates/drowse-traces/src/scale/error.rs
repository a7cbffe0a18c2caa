//! Why a program is not scaled.

use drowse_core::workload::operation::SourceError;

use crate::error::TraceError;

/// Why a trace is not scaled.
#[derive(Debug, thiserror::Error)]
pub enum ScaleError {
    /// It cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Its operations cannot be read.
    #[error("{0}")]
    Source(#[from] SourceError),
    /// No such number of ranks.
    #[error("{ranks} ranks cannot be made; give a number from 1 to {most}")]
    Ranks {
        /// The number.
        ranks: u32,
        /// The most.
        most: u32,
    },
    /// An operation is not known to go on with the number of ranks.
    #[error("{place}rank {rank}, operation {operation} (`{line}`): {why}; so it is not known on more ranks")]
    Operation {
        /// The file and the line, where the format has lines.
        place: String,
        /// The rank.
        rank: u32,
        /// The number of its operation, from 1.
        operation: u64,
        /// The operation.
        line: String,
        /// Why not.
        why: &'static str,
    },
    /// The ranks are no grid.
    #[error(
        "no grid is found on which ranks at like places do the same: {best} fits best, where {unlike} of {ranks} ranks \
         differ, the first of them rank {first}; so it is not known what more ranks would do"
    )]
    NoPattern {
        /// The grid that fits best.
        best: String,
        /// The ranks that do not do what others do at like places.
        unlike: u32,
        /// All ranks.
        ranks: u32,
        /// The first of those that differ.
        first: u32,
    },
    /// Neighbours are too far away on all grids.
    #[error(
        "on any grid of {ranks} ranks, neighbours are as far as the borders: the ranks are no stencil, or too few to \
         tell"
    )]
    TooSmall {
        /// The ranks.
        ranks: u32,
    },
    /// The number of ranks has no such grid.
    #[error("its ranks are {grid}, and {ranks} ranks are no such grid of at least {least}; give another number")]
    NoGrid {
        /// The wanted number of ranks.
        ranks: u32,
        /// The grid that was found.
        grid: String,
        /// Its least sizes.
        least: String,
    },
    /// The number of ranks has no such butterflies.
    #[error(
        "its ranks make {found}; {ranks} ranks do not: rows and columns are powers of two and grow alike; give another \
         number"
    )]
    NoButterfly {
        /// The wanted number of ranks.
        ranks: u32,
        /// What was found.
        found: String,
    },
    /// A second trace has as many ranks as the first.
    #[error("both traces have {ranks} ranks: how sizes change is told by one of another number")]
    SameRanks {
        /// The ranks of both.
        ranks: u32,
    },
    /// Sizes do not follow from two traces.
    #[error("{place}rank {rank}, operation {operation} of the trace of {ranks} ranks (`{line}`): {why}")]
    Sizes {
        /// The file and the line, where the format has lines.
        place: String,
        /// The rank.
        rank: u32,
        /// The number of its operation, from 1.
        operation: u64,
        /// The ranks of the trace.
        ranks: u32,
        /// The operation.
        line: String,
        /// Why not.
        why: String,
    },
    /// What was made does not pass the check.
    #[error("what would be made is no program: {what} (as counted there)")]
    Unfit {
        /// The first finding.
        what: String,
    },
}
