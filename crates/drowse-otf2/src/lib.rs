//! Reads OTF2 archives, as Score-P records them, through their own library, libotf2: no other text specifies the format.
//!
//! The build script looks for the library. Where it is not found, [`FOUND`] is false and nothing can be opened.
//!
//! libotf2 checks what it reads, and its errors come back as [`Error`]; it prints nothing. It is a library in C, so
//! a file that was made to harm it may do so: read archives only of people whom you trust.

#[cfg(otf2_found)]
mod archive;
#[cfg(otf2_found)]
mod library;

use std::collections::HashMap;
#[cfg(not(otf2_found))]
use std::path::Path;

#[cfg(otf2_found)]
pub use archive::Archive;

/// Whether this build has the library.
pub const FOUND: bool = cfg!(otf2_found);

/// Why an archive cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The build has no library.
    #[error("this build has no OTF2: install libotf2-trace-dev (Debian, Ubuntu) and build again")]
    NotBuilt,
    /// The path holds a byte that no path in C can hold.
    #[error("the path holds a zero byte; rename the file")]
    Path,
    /// The library reports an error.
    #[error("{what} cannot be read ({problem}): the archive is damaged or incomplete; copy all its files again")]
    Library {
        /// What was being read.
        what: String,
        /// The library's words.
        problem: String,
    },
    /// Files of the archive do not fit together.
    #[error("{0}: the archive is damaged or incomplete; copy all its files again")]
    Incomplete(String),
}

/// What all locations share.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Ticks of the clock in a second.
    pub ticks_per_second: u64,
    /// Texts, by id.
    pub strings: HashMap<u32, String>,
    /// The texts' ids of regions' names, by region.
    pub regions: HashMap<u32, u32>,
    /// Groups, by id.
    pub groups: HashMap<u32, Group>,
    /// The groups of communicators, by communicator.
    pub communicators: HashMap<u32, u32>,
    /// Threads of processors: their ids and numbers of events, in order of definition.
    pub locations: Vec<(u64, u64)>,
}

/// A group of ranks or locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What its members are.
    pub kind: GroupKind,
    /// Whether it is of MPI.
    pub is_mpi: bool,
    /// The members.
    pub members: Vec<u64>,
}

/// What the members of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// The locations of ranks 0, 1, ...
    Locations,
    /// Ranks: places in the group of locations.
    Ranks,
    /// None: each rank is alone.
    Itself,
    /// Something that has nothing to do with messages.
    Other,
}

/// A collective operation, as a rank records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Its number in `OTF2_CollectiveOp`.
    pub operation: u8,
    /// The communicator.
    pub communicator: u32,
    /// The root's rank in the communicator; of no meaning without a root.
    pub root: u32,
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
}

/// A message, as one of its ends records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The rank of the other end, in the communicator.
    pub peer: u32,
    /// The communicator.
    pub communicator: u32,
    /// The tag.
    pub tag: u32,
    /// The size.
    pub bytes: u64,
}

/// An event of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Enters a region of code.
    Enter(u32),
    /// Leaves a region of code.
    Leave(u32),
    /// Sends.
    Send(Message),
    /// Starts a send, of a request.
    Isend(Message, u64),
    /// Finds a send complete.
    IsendComplete(u64),
    /// Posts a receive, of a request.
    IrecvRequest(u64),
    /// Receives.
    Recv(Message),
    /// Finds a receive complete.
    Irecv(Message, u64),
    /// Cancels a request.
    Cancelled(u64),
    /// Begins a collective.
    CollectiveBegin,
    /// Ends a collective.
    CollectiveEnd(Collective),
    /// Starts a collective that does not block, of a request.
    IcollectiveRequest(u64),
    /// Finds such a collective complete.
    IcollectiveComplete(Collective, u64),
}

/// An open archive. This build can open none.
#[cfg(not(otf2_found))]
pub struct Archive(std::convert::Infallible);

#[cfg(not(otf2_found))]
impl Archive {
    /// Fails: the build has no library.
    pub fn open(_anchor: &Path) -> Result<Self, Error> {
        Err(Error::NotBuilt)
    }

    /// Returns what all locations share.
    pub fn definitions(&self) -> &Definitions {
        match self.0 {}
    }

    /// Reads the local definitions of locations.
    pub fn select(&mut self, _locations: &[u64]) -> Result<(), Error> {
        match self.0 {}
    }

    /// Reads the events of a selected location, with their times in ticks. Returns how many there are of all kinds.
    pub fn events(&mut self, _location: u64, _each: &mut dyn FnMut(u64, Event)) -> Result<u64, Error> {
        match self.0 {}
    }
}
