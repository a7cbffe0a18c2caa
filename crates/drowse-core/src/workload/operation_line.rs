//! Operations as users write them: a line of Drowse's own trace format.

use std::fmt;

use super::communicators::{ALL, CommId};
use super::operation::{Collective, Operation, RequestId};
use super::operation_kind::OperationKind;
use crate::model::units::Time;

/// The most characters of a line in a message.
const MOST_SHOWN: usize = 60;

/// Returns an operation as a line, shortened to fit a message.
pub fn shown(operation: &Operation) -> String {
    let line = operation.to_string();
    match line.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(OperationKind::of(self).name())?;
        match self {
            Operation::Iteration | Operation::WaitAll => Ok(()),
            Operation::Compute(time) => write_time(*time, out),
            Operation::Send { to, tag, comm, bytes, .. } => {
                write!(out, " {to} {bytes}")?;
                options(Some(*tag), *comm, None, out)
            }
            Operation::Isend { to, tag, comm, bytes, request, .. } => {
                write!(out, " {to} {bytes}")?;
                options(Some(*tag), *comm, *request, out)
            }
            Operation::Recv { from, tag, comm } | Operation::Probe { from, tag, comm } => {
                write_rank(*from, out)?;
                options(*tag, *comm, None, out)
            }
            Operation::Irecv { from, tag, comm, request } => {
                write_rank(*from, out)?;
                options(*tag, *comm, Some(*request), out)
            }
            Operation::Wait { request } => write!(out, " {request}"),
            Operation::WaitAny(requests) | Operation::WaitSome(requests) => {
                requests.iter().try_for_each(|request| write!(out, " {request}"))
            }
            Operation::Collective { comm, collective } => {
                write_collective(collective, out)?;
                options(Some(0), *comm, None, out)
            }
            Operation::Icollective { comm, request, collective } => {
                write_collective(collective, out)?;
                options(Some(0), *comm, Some(*request), out)
            }
        }
    }
}

fn write_rank(rank: Option<u32>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match rank {
        Some(rank) => write!(out, " {rank}"),
        None => write!(out, " any"),
    }
}

/// Writes a time in nanoseconds if it is a whole number of them.
fn write_time(Time(picoseconds): Time, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    if picoseconds.is_multiple_of(1_000) {
        write!(out, " {}", picoseconds / 1_000)
    } else {
        write!(out, " {picoseconds} ps")
    }
}

/// Writes what differs from the usual: a tag but 0, a communicator but that of all ranks, a request.
fn options(tag: Option<u32>, comm: CommId, request: Option<RequestId>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match tag {
        Some(0) => {}
        Some(tag) => write!(out, " tag {tag}")?,
        None => write!(out, " tag any")?,
    }
    if comm != ALL {
        write!(out, " in c{comm}")?;
    }
    request.map_or(Ok(()), |request| write!(out, " as {request}"))
}

/// Writes root and sizes, a count that is not that of bytes, and a time of computing.
fn write_collective(collective: &Collective, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(root) = collective.root() {
        write!(out, " {root}")?;
    }
    match collective.sizes() {
        Some(sizes) => sizes.iter().try_for_each(|size| write!(out, " {size}"))?,
        None if *collective == Collective::Barrier => {}
        None => write!(out, " {}", collective.largest())?,
    }
    match *collective {
        Collective::Bcast { bytes, count, .. }
        | Collective::Reduce { bytes, count, .. }
        | Collective::Allreduce { bytes, count, .. }
            if count != bytes =>
        {
            write!(out, " count {count}")?;
        }
        _ => {}
    }
    match collective.compute().filter(|&time| time > Time::ZERO) {
        Some(time) => {
            write!(out, " compute")?;
            write_time(time, out)
        }
        None => Ok(()),
    }
}
