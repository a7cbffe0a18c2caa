//! Algorithms of collective operations that another crate adds.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::member::Member;

/// A collective operation for which algorithms can be added, by its key in experiments (`job.collectives`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the operations of MPI")]
pub enum Called {
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    ReduceScatter,
}

impl Called {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Called::Barrier,
        Called::Bcast,
        Called::Reduce,
        Called::Allreduce,
        Called::Gather,
        Called::Scatter,
        Called::Allgather,
        Called::Alltoall,
        Called::ReduceScatter,
    ];

    /// Returns its key.
    pub const fn key(self) -> &'static str {
        match self {
            Called::Barrier => "barrier",
            Called::Bcast => "bcast",
            Called::Reduce => "reduce",
            Called::Allreduce => "allreduce",
            Called::Gather => "gather",
            Called::Scatter => "scatter",
            Called::Allgather => "allgather",
            Called::Alltoall => "alltoall",
            Called::ReduceScatter => "reduce_scatter",
        }
    }
}

/// A call of a collective operation.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The rank whose share is asked for, and how many there are.
    pub member: Member,
    /// The root; 0 where there is none.
    pub root: u32,
    /// The bytes of all data of a broadcast or reduction, else of one rank's block; 0 of a barrier and where `sizes` are
    /// given.
    pub bytes: u64,
    /// By rank, the bytes of its block, of a reduce-scatter.
    pub sizes: &'a [u64],
}

/// What a rank does in one step of an algorithm. It waits for all of it before the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The rank to which it sends, and the bytes.
    pub send: Option<(u32, u64)>,
    /// The rank from which it receives.
    pub receive: Option<u32>,
}

/// An algorithm of another crate for one operation. Combining data takes no time in its steps; the time that a program
/// states for it follows them.
///
/// ```
/// use drowse_core::workload::own_algorithms::{Call, Called, CollectiveAlgorithm, Step};
///
/// /// The root sends to its neighbour, that to the next, and so on.
/// struct Line;
///
/// impl CollectiveAlgorithm for Line {
///     const OPERATION: Called = Called::Bcast;
///     const WORD: &'static str = "line";
///     const ABOUT: &'static str = "All data goes from rank to rank.";
///
///     fn steps(call: &Call<'_>) -> Vec<Step> {
///         let (rank, size) = (call.member.rank, call.member.size);
///         let place = (rank + size - call.root) % size;
///         let receive = (place > 0).then_some((rank + size - 1) % size);
///         let send = (place + 1 < size).then_some(((rank + 1) % size, call.bytes));
///         vec![Step { receive, send: None }, Step { receive: None, send }]
///     }
/// }
/// ```
pub trait CollectiveAlgorithm {
    /// The operation that it does.
    const OPERATION: Called;
    /// The word that selects it, such as in `job.collectives.bcast`.
    const WORD: &'static str;
    /// What it does.
    const ABOUT: &'static str;

    /// Returns what a rank does, step by step. Sends and receives of each two ranks must come in the same order at both.
    fn steps(call: &Call<'_>) -> Vec<Step>;
}

/// An algorithm of another crate.
#[derive(Clone, Copy)]
pub struct OwnAlgorithm {
    /// The operation that it does.
    pub operation: Called,
    /// The word that selects it.
    pub word: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Returns what a rank does.
    pub steps: fn(&Call<'_>) -> Vec<Step>,
}

impl OwnAlgorithm {
    /// Returns the algorithm of a type.
    pub const fn of<A: CollectiveAlgorithm>() -> Self {
        OwnAlgorithm { operation: A::OPERATION, word: A::WORD, about: A::ABOUT, steps: A::steps }
    }
}

impl fmt::Debug for OwnAlgorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word)
    }
}

/// One is another where it has another word: a word stands for one algorithm of an operation.
impl PartialEq for OwnAlgorithm {
    fn eq(&self, other: &Self) -> bool {
        (self.operation, self.word) == (other.operation, other.word)
    }
}

impl Eq for OwnAlgorithm {}

/// The algorithms of other crates that are named, at most one for an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnAlgorithms([Option<OwnAlgorithm>; Called::ALL.len()]);

impl OwnAlgorithms {
    /// Names an algorithm for its operation.
    pub fn set(&mut self, algorithm: OwnAlgorithm) {
        self.0[algorithm.operation as usize] = Some(algorithm);
    }

    /// Returns the algorithm of an operation.
    pub fn of(&self, operation: Called) -> Option<OwnAlgorithm> {
        self.0[operation as usize]
    }

    /// Returns whether none is named.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

/// As the words by the keys of their operations.
impl Serialize for OwnAlgorithms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for algorithm in self.0.iter().flatten() {
            map.serialize_entry(algorithm.operation.key(), algorithm.word)?;
        }
        map.end()
    }
}
