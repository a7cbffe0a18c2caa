//! Calls that send or receive, and what they say.

use drowse_core::workload::operation::SendMode;

use super::functions::id;
use super::record::Record;

/// What a call does between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    Send(SendMode),
    Receive,
}

/// Returns what a blocking, a started or a persistent call does.
pub(crate) fn transfer(function: u16) -> Option<Transfer> {
    Some(match function {
        id::SEND | id::ISEND | id::SEND_INIT => Transfer::Send(SendMode::Standard),
        id::BSEND | id::IBSEND | id::BSEND_INIT => Transfer::Send(SendMode::Buffered),
        id::SSEND | id::ISSEND | id::SSEND_INIT => Transfer::Send(SendMode::Synchronous),
        id::RSEND | id::IRSEND | id::RSEND_INIT => Transfer::Send(SendMode::Ready),
        id::RECV | id::IRECV | id::RECV_INIT => Transfer::Receive,
        _ => return None,
    })
}

/// Returns whether a call starts a send or a receive and names a request for it.
pub(crate) fn starts(function: u16) -> bool {
    (id::ISEND..=id::IRECV).contains(&function)
}

/// Returns whether a call makes a persistent request.
pub(crate) fn is_persistent(function: u16) -> bool {
    (id::SEND_INIT..=id::RECV_INIT).contains(&function)
}

/// Returns whether all ranks of a communicator take part in a call that moves data.
pub(crate) fn is_collective(function: u16) -> bool {
    matches!(function, id::BARRIER..=id::REDUCE | id::ALLREDUCE..=id::SCAN | id::ALLTOALLW | id::EXSCAN)
}

/// A kind of calls that are not simulated, and what is said of them.
pub(crate) fn ignored(function: u16) -> Option<&'static str> {
    Some(match function {
        id::ACCUMULATE | id::GET | id::PUT | id::WIN_FENCE..=id::WIN_WAIT => {
            "one-sided calls are left out, with the bytes that they move"
        }
        id::FILE_OPEN..=id::FILE_SYNC => "calls of files are left out, with the time that they take",
        _ => return None,
    })
}

/// Returns the requests that a call starts of those that persist.
pub(crate) fn started(record: &Record) -> impl Iterator<Item = i32> {
    let one = (record.function == id::START).then(|| record.number(0) as i32);
    let all = if record.function == id::STARTALL { record.list(0) } else { &[] };
    one.into_iter().chain(all.iter().copied())
}
