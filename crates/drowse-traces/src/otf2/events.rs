//! The events of a location: the file `NAME/N.evt`.

use super::bytes::{Bytes, Fault};
use super::chunks::Chunks;
use super::local::Local;
use crate::error::TraceError;

/// A collective operation, as a rank records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Collective {
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
pub(super) struct Message {
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
pub(super) enum Event {
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
    /// Something that is not needed.
    Other,
}

/// Types of records that are no events: the time of those that follow, and what is said of the next.
const TIME: u8 = 5;
const ATTRIBUTES: u8 = 6;

/// Returns whether an event of a type is written as one number, without its length. Later versions add no such events.
fn is_number(kind: u8) -> bool {
    // Events of regions, requests, and OpenMP's threads and tasks.
    matches!(kind, 12 | 13 | 16 | 17 | 20 | 21 | 24 | 28..=30)
}

/// Reads all events, with their times in ticks, until one is found to be wrong.
pub(super) fn read(
    mut chunks: Chunks,
    mut local: Local,
    mut each: impl FnMut(u64, Event) -> Result<(), String>,
) -> Result<(), TraceError> {
    let mut time = 0;
    while let Some(kind) = chunks.next_type()? {
        let mut bytes = match kind {
            TIME => {
                let ticks = chunks.take(8)?.whole_u64();
                time = local.clock.common(ticks.map_err(|problem| chunks.wrong(problem))?);
                continue;
            }
            _ if is_number(kind) => chunks.number()?,
            _ => chunks.record()?,
        };
        if kind == ATTRIBUTES {
            continue;
        }
        let event = event(kind, &mut bytes, &local);
        let event = event.map_err(|problem| chunks.wrong(problem))?;
        each(time, event).map_err(|problem| chunks.wrong(problem))?;
    }
    Ok(())
}

/// Reads an event of a type.
fn event(kind: u8, bytes: &mut Bytes, local: &Local) -> Result<Event, Fault> {
    Ok(match kind {
        12 => Event::Enter(local.region(bytes.u32()?)),
        13 => Event::Leave(local.region(bytes.u32()?)),
        14 => Event::Send(message(bytes, local)?),
        15 => Event::Isend(message(bytes, local)?, bytes.u64()?),
        16 => Event::IsendComplete(bytes.u64()?),
        17 => Event::IrecvRequest(bytes.u64()?),
        18 => Event::Recv(message(bytes, local)?),
        19 => Event::Irecv(message(bytes, local)?, bytes.u64()?),
        21 => Event::Cancelled(bytes.u64()?),
        22 => Event::CollectiveBegin,
        23 => Event::CollectiveEnd(collective(bytes, local)?),
        85 => Event::IcollectiveRequest(bytes.u64()?),
        86 => Event::IcollectiveComplete(collective(bytes, local)?, bytes.u64()?),
        _ => {
            if is_number(kind) {
                bytes.u64()?;
            }
            Event::Other
        }
    })
}

fn message(bytes: &mut Bytes, local: &Local) -> Result<Message, Fault> {
    Ok(Message {
        peer: bytes.u32()?,
        communicator: local.communicator(bytes.u32()?),
        tag: bytes.u32()?,
        bytes: bytes.u64()?,
    })
}

fn collective(bytes: &mut Bytes, local: &Local) -> Result<Collective, Fault> {
    Ok(Collective {
        operation: bytes.u8()?,
        communicator: local.communicator(bytes.u32()?),
        root: bytes.u32()?,
        sent: bytes.u64()?,
        received: bytes.u64()?,
    })
}
