//! Calls of MPI and the messages between them, as the records of a trace tell of them.

/// A call of MPI.
pub(super) struct Call {
    pub line: u64,
    pub begin: u64,
    pub end: u64,
    /// The type of its events, and their value.
    pub kind: u64,
    pub value: u64,
    pub sends: u64,
    pub receives: u64,
    pub is_root: bool,
    pub communicator: u64,
    /// Whether a message was found that it sends, and one that it receives.
    pub has_send: bool,
    pub has_receive: bool,
}

/// A message.
pub(super) struct Message {
    pub from: u32,
    pub to: u32,
    pub tag: u32,
    pub bytes: u64,
    /// When its send begins, its receive begins, and the call ends that completes it.
    pub sent: u64,
    pub posted: u64,
    pub received: u64,
    /// The values of the calls in which its send and its receive begin; 0 where there is none.
    pub send_call: u64,
    pub receive_call: u64,
}
