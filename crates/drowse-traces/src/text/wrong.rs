//! What can be wrong with a line of Drowse's own format.

use drowse_core::model::units::{Time, UnitError};
use drowse_core::workload::communicators::GroupError;

/// Why a line is wrong. The error that carries it adds the file and the line number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The first line is no header of a version that is read.
    #[error("the first line is not `drowse-trace 1`; write it so, or choose another file")]
    NoHeader,
    /// The number of ranks is missing.
    #[error("the number of ranks is not given; write `ranks N` in the second line")]
    NoRanks,
    /// There are too many ranks, or none.
    #[error("{found} ranks are no program; write 1 to {most} ranks")]
    RankCount {
        /// What the line holds.
        found: u64,
        /// The most.
        most: u32,
    },
    /// A line of the head stands behind the first operations.
    #[error("`{word}` stands behind the first `rank`; put it before")]
    BehindRanks {
        /// The first word.
        word: String,
    },
    /// An operation stands before the first rank.
    #[error("`{word}` belongs to no rank; write `rank N` before it")]
    NoRank {
        /// The first word.
        word: String,
    },
    /// The rank is not in the program.
    #[error("names rank {rank}, but there are {ranks} ranks; correct it, or the line `ranks {ranks}`")]
    NoSuchRank {
        /// The rank.
        rank: u32,
        /// The number of ranks.
        ranks: u32,
    },
    /// The sections of ranks are too many to be kept.
    #[error("there are more than {most} sections of ranks; write what a rank does without a break")]
    TooManySections {
        /// The most.
        most: usize,
    },
    /// Communicators are too large to be kept.
    #[error("the communicators have more than {most} ranks together; declare fewer")]
    TooManyMembers {
        /// The most.
        most: usize,
    },
    /// A communicator is declared twice.
    #[error("communicator `{name}` is declared twice; choose another name")]
    Twice {
        /// Its name.
        name: String,
    },
    /// A communicator cannot be made.
    #[error("declares {0}; correct its ranks")]
    Group(GroupError),
    /// A communicator is not declared.
    #[error("communicator `{name}` is not declared; write `communicator {name} RANK...` before the first `rank`")]
    NoCommunicator {
        /// Its name.
        name: String,
    },
    /// The operation is unknown.
    #[error("`{word}` is no operation; the first word must be one, or `rank`, or `#`")]
    NoOperation {
        /// The first word.
        word: String,
    },
    /// Something is missing.
    #[error("{what} is missing; write it like `{form}`")]
    Missing {
        /// What is missing.
        what: &'static str,
        /// How the line should look.
        form: &'static str,
    },
    /// Something does not belong there.
    #[error("`{word}` does not belong there; write it like `{form}`")]
    Surplus {
        /// The word.
        word: String,
        /// How the line should look.
        form: &'static str,
    },
    /// A word is no number of the required kind.
    #[error("{what} is `{word}`; it must be {expected}")]
    NoNumber {
        /// What it means.
        what: &'static str,
        /// What the line holds.
        word: String,
        /// What is expected.
        expected: &'static str,
    },
    /// A quantity cannot be read.
    #[error("{0}")]
    Quantity(UnitError),
    /// The operation names what the program does not have.
    #[error("{0}")]
    NotRunnable(String),
    /// The computations of a rank are longer than what is simulated.
    #[error("up to here the rank computes for {time}, and {most} are simulated; write shorter times")]
    ComputesTooLong {
        /// The sum of its computations.
        time: Time,
        /// The longest simulated time.
        most: Time,
    },
    /// The line is no text.
    #[error("is not UTF-8 text; correct or remove the line")]
    NoText,
}
