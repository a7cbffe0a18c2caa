//! What can be wrong with one line of a trace.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::MOST_BYTES;

/// Why a line is not an action. The error that carries it adds the file and the line number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The first field is no rank.
    #[error("begins with `{found}` instead of a rank; write lines like `3 compute 1000`")]
    NotARank {
        /// The first field.
        found: String,
    },
    /// The first field of a file that the user has not named is no rank; it is not quoted.
    #[error("does not begin with a rank; write lines like `3 compute 1000`")]
    NoRank,
    /// The rank differs from the file's.
    #[error("belongs to rank {found}, but the index lists this file for rank {expected}; reorder the index")]
    WrongRank {
        /// The line's rank.
        found: u32,
        /// The file's rank.
        expected: u32,
    },
    /// There is nothing after the rank.
    #[error("has a rank but no action; complete or remove the line")]
    NoAction,
    /// The action is unknown.
    #[error("`{found}` is no action of a SimGrid TI trace; correct or remove the line")]
    UnknownAction {
        /// The action's name.
        found: String,
    },
    /// Arguments are missing.
    #[error("`{action}` lacks {missing}; write it like `{form}`")]
    TooFewArguments {
        /// The action.
        action: &'static str,
        /// The first argument that is missing.
        missing: &'static str,
        /// The action's grammar.
        form: &'static str,
    },
    /// An argument is not a number of the required kind.
    #[error("{argument} is `{found}`; it must be {expected}")]
    WrongNumber {
        /// What the argument means.
        argument: &'static str,
        /// What the line holds.
        found: String,
        /// What is expected.
        expected: &'static str,
    },
    /// A peer or a root is no rank of the trace.
    #[error("{argument} is {found}, but the trace has {ranks} ranks; check that the index lists all of them")]
    PeerOutOfRange {
        /// What the argument means.
        argument: &'static str,
        /// What the line holds.
        found: i64,
        /// The number of ranks.
        ranks: u32,
    },
    /// A datatype is not in `SimGrid`'s table.
    #[error("datatype `{found}` is not in SimGrid's table (0 to 59); write the count in bytes and datatype 6")]
    UnknownDatatype {
        /// What the line holds.
        found: String,
    },
    /// A time is longer than what is simulated.
    #[error("{what} is too large to be simulated; check the count and the compute rate")]
    TooLarge {
        /// What is too large.
        what: &'static str,
    },
    /// The computations of a rank are longer than what is simulated.
    #[error(
        "up to here rank {rank} computes for {time}, and the most is {most}; check the counts and the compute rate"
    )]
    ComputesTooLong {
        /// The rank.
        rank: u32,
        /// The sum of its computations.
        time: Time,
        /// The longest simulated time.
        most: Time,
    },
    /// More is sent at once than one call of MPI can name.
    #[error("{bytes} B are sent at once, and the most is {MOST_BYTES} B (32 GiB); check the count and the datatype")]
    TooManyBytes {
        /// The size.
        bytes: u128,
    },
    /// The line is too long.
    #[error("is longer than {megabytes} MiB; check that the file is a text with one action per line")]
    TooLong {
        /// The limit.
        megabytes: usize,
    },
    /// A line ends with a carriage return alone.
    #[error("ends with a carriage return alone, as on old machines; write line ends anew: `tr '\\r' '\\n'`")]
    CarriageReturn,
    /// A record of another format is wrong.
    #[error("{0}")]
    Record(String),
    /// The action cannot be simulated.
    #[error("`{action}` cannot be simulated: {obstacle}; choose a trace without it")]
    NotSimulated {
        /// The action.
        action: &'static str,
        /// Why.
        obstacle: &'static str,
    },
    /// A line of Drowse's own format is wrong.
    #[error("{0}")]
    Text(#[from] crate::text::Wrong),
}
