//! Names of what belongs to a rank: its activities, its requests and its large sends.

/// An activity of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityOf {
    /// The rank, in the whole simulation.
    pub number: u32,
    /// Which of its activities.
    pub activity: u32,
}

/// A request of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestOf {
    /// The rank, in the whole simulation.
    pub number: u32,
    /// Which of its requests.
    pub request: u32,
}

/// A large send of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SendOf {
    /// The sending rank, in the whole simulation.
    pub number: u32,
    /// Which of its large sends.
    pub send: u32,
}
