//! What can be wrong with a DUMPI file.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::MOST_BYTES;

/// Why a place of a file cannot be read. The error that carries it adds the file and the offset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It does not begin like a DUMPI file.
    #[error("does not begin like a DUMPI file; choose another file")]
    NoMagic,
    /// It has no index at its end.
    #[error("the file does not end with the index of a DUMPI file: it is cut off; copy it again")]
    NoIndex,
    /// The index points out of the file.
    #[error(
        "the index says that the {section} begins at byte {offset}, but it ends at byte {end}; copy the file again"
    )]
    OutsideIndex {
        /// The section.
        section: &'static str,
        /// Where it should be.
        offset: u64,
        /// Where sections end.
        end: u64,
    },
    /// Something goes on behind the end of its section.
    #[error("{what} goes on behind the end of its section; the file is damaged: copy it again")]
    Cut {
        /// What goes on.
        what: &'static str,
    },
    /// The body has no end.
    #[error("the calls end without the mark of their end; the file is damaged: copy it again")]
    NoEnd,
    /// A number is that of no function.
    #[error("{id} is the number of no MPI function that DUMPI records; the file is damaged: copy it again")]
    UnknownFunction {
        /// The number.
        id: u16,
    },
    /// A count is negative.
    #[error("MPI_{function} has a count of {count}; the file is damaged: copy it again")]
    NegativeCount {
        /// The function.
        function: &'static str,
        /// The count.
        count: i64,
    },
    /// More is sent at once than one call of MPI can name.
    #[error("MPI_{function} sends {bytes} B at once, and the most is {MOST_BYTES} B (32 GiB); copy the file again")]
    TooManyBytes {
        /// The function.
        function: &'static str,
        /// The size.
        bytes: u128,
    },
    /// The size of a datatype is not known.
    #[error("MPI_{function} has datatype {datatype}, whose size the trace does not tell; record it again")]
    UnknownDatatype {
        /// The function.
        function: &'static str,
        /// The datatype.
        datatype: u16,
    },
    /// A peer or a root is not in its communicator.
    #[error("MPI_{function} names rank {rank} of a communicator of {size} ranks; see that all files are there")]
    NoSuchRank {
        /// The function.
        function: &'static str,
        /// The rank.
        rank: i64,
        /// The ranks of the communicator.
        size: u32,
    },
    /// A list has another length than its communicator.
    #[error(
        "MPI_{function} lists {given} counts in a communicator of {size} ranks; the file is damaged: copy it again"
    )]
    WrongList {
        /// The function.
        function: &'static str,
        /// The length of the list.
        given: usize,
        /// The ranks of the communicator.
        size: u32,
    },
    /// A communicator's ranks are not known.
    #[error("MPI_{function} uses communicator {comm}{}: {why}; choose a trace without it", by(*maker))]
    UnknownCommunicator {
        /// The function.
        function: &'static str,
        /// The communicator, as the rank numbers it.
        comm: u16,
        /// The function that makes the communicator.
        maker: Option<&'static str>,
        /// Why it is not known.
        why: &'static str,
    },
    /// The trace says something else of a communicator than what its making calls say.
    #[error("MPI_{function} returns {found} for communicator {comm}, which has {known} by the calls that make it")]
    OtherCommunicator {
        /// The function.
        function: &'static str,
        /// The communicator, as the rank numbers it.
        comm: u16,
        /// What the trace says.
        found: i64,
        /// What was rebuilt.
        known: u32,
    },
    /// The computations of a rank are longer than what is simulated.
    #[error("up to here the rank computes for {time}, and {most} are simulated; give a smaller scale")]
    ComputesTooLong {
        /// The sum of its computations.
        time: Time,
        /// The longest simulated time.
        most: Time,
    },
}

/// Names the function that makes a communicator.
fn by(maker: Option<&str>) -> String {
    maker.map_or(String::new(), |maker| format!(", which MPI_{maker} makes"))
}
