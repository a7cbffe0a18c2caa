//! Why a part of a trace is no program.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::SourceError;

use crate::error::TraceError;

/// Why a trace is not cut.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    /// It cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Its operations cannot be read.
    #[error("{0}")]
    Source(#[from] SourceError),
    /// It has no iterations.
    #[error(
        "no iterations are found: the trace marks none, and the calls of its ranks do not repeat alike at least three \
         times; convert it to Drowse's own text, and mark them there by lines `iteration`"
    )]
    NoIterations,
    /// Ranks have different numbers of marks.
    #[error("rank 0 marks {first} iterations and rank {rank} marks {count}; correct the marks")]
    DifferentMarks {
        /// The marks of rank 0.
        first: u64,
        /// The first rank that has others.
        rank: u32,
        /// Its marks.
        count: u64,
    },
    /// It does not have such iterations.
    #[error(
        "the trace has {count} iterations, so iterations {first} to {last} cannot be kept; give some of 1 to {count}"
    )]
    NoSuchIterations {
        /// How many there are.
        count: u64,
        /// The first that is wanted.
        first: u64,
        /// The last that is wanted.
        last: u64,
    },
    /// All ranks have ended before.
    #[error(
        "nothing is left from {from} on: where communication costs no time, and messages do not cross the cut, the trace \
         ends at {end}; give an earlier time"
    )]
    NoSuchTime {
        /// Where the part is to begin.
        from: Time,
        /// When all has ended.
        end: Time,
    },
    /// Something crosses a cut by time up to the end of a rank.
    #[error(
        "something crosses the cut at {at} up to the end of rank {rank}: a message, a request or a collective that has no \
         other end; `drowse trace check` says which"
    )]
    NoEnd {
        /// Where the cut was to be.
        at: Time,
        /// The rank.
        rank: u32,
    },
    /// Something crosses the cut wherever it is made.
    #[error(
        "the cut {place} is nowhere between two iterations: {why}, and this is so for a whole iteration; so the part \
         would be no program"
    )]
    Crossing {
        /// Which end of the part.
        place: String,
        /// What crosses.
        why: String,
    },
    /// It does not have so many ranks.
    #[error("{keeps} ranks cannot be kept of {ranks}; give a number from 1 to {ranks}")]
    NoSuchRanks {
        /// How many are wanted.
        keeps: u32,
        /// How many there are.
        ranks: u32,
    },
    /// A kept rank talks to one that is not kept.
    #[error(
        "{place}rank {rank}, operation {operation} (`{line}`): {why}, and ranks from {keeps} on are not kept; so the \
         part would be no program"
    )]
    Leaves {
        /// The file and the line, where the format has lines.
        place: String,
        /// The rank.
        rank: u32,
        /// The number of its operation, from 1.
        operation: u64,
        /// The operation.
        line: String,
        /// With whom.
        why: String,
        /// The ranks that are kept.
        keeps: u32,
    },
    /// The part does not pass the check.
    #[error("the part would be no program: {what} (as counted in the part)")]
    Unfit {
        /// The first finding.
        what: String,
    },
}
