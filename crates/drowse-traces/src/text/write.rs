//! Writes a program of any origin as a trace of Drowse's own format. Reading it gives the same operations.

use std::io::{self, Write};

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, OperationSource, RequestId};

use super::forms::name;
use super::outline::{MAGIC, VERSION};
use crate::write_error::WriteError;

/// Writes a program, rank after rank, in blocks.
pub fn write(source: &mut dyn OperationSource, out: &mut (impl Write + ?Sized)) -> Result<(), WriteError> {
    let communicators = source.communicators();
    writeln!(out, "{MAGIC} {VERSION}\nranks {}", source.ranks())?;
    for comm in 1..communicators.count() {
        declare(comm, &communicators, out)?;
    }
    let mut operations = Vec::new();
    for rank in 0..source.ranks() {
        writeln!(out, "rank {rank}")?;
        loop {
            operations.clear();
            source.refill(rank, &mut operations)?;
            if operations.is_empty() {
                break;
            }
            operations.iter().try_for_each(|operation| line(operation, out))?;
        }
    }
    Ok(())
}

/// Writes a communicator; consecutive ranks as a range.
fn declare(comm: CommId, communicators: &Communicators, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    write!(out, "communicator c{comm}")?;
    let size = communicators.size(comm).unwrap_or(0);
    let mut ranks = (0..size).filter_map(|rank| communicators.rank(comm, rank)).peekable();
    while let Some(first) = ranks.next() {
        let mut last = first;
        while let Some(next) = ranks.next_if(|&next| Some(next) == last.checked_add(1)) {
            last = next;
        }
        if first == last { write!(out, " {first}")? } else { write!(out, " {first}-{last}")? }
    }
    writeln!(out)
}

/// Returns an operation as a line, for messages.
pub(crate) fn shown(operation: &Operation) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = line(operation, &mut text);
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

/// Writes an operation.
fn line(operation: &Operation, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    write!(out, "{}", name(operation))?;
    match operation {
        Operation::Iteration | Operation::WaitAll => {}
        Operation::Compute(time) => write_time(*time, out)?,
        Operation::Send { to, tag, comm, bytes, .. } => {
            write!(out, " {to} {bytes}")?;
            options(Some(*tag), *comm, None, out)?;
        }
        Operation::Isend { to, tag, comm, bytes, request, .. } => {
            write!(out, " {to} {bytes}")?;
            options(Some(*tag), *comm, *request, out)?;
        }
        Operation::Recv { from, tag, comm } | Operation::Probe { from, tag, comm } => {
            write_rank(*from, out)?;
            options(*tag, *comm, None, out)?;
        }
        Operation::Irecv { from, tag, comm, request } => {
            write_rank(*from, out)?;
            options(*tag, *comm, Some(*request), out)?;
        }
        Operation::Wait { request } => write!(out, " {request}")?,
        Operation::WaitAny(requests) | Operation::WaitSome(requests) => {
            requests.iter().try_for_each(|request| write!(out, " {request}"))?;
        }
        Operation::Collective { comm, collective } => {
            write_collective(collective, out)?;
            options(Some(0), *comm, None, out)?;
        }
        Operation::Icollective { comm, request, collective } => {
            write_collective(collective, out)?;
            options(Some(0), *comm, Some(*request), out)?;
        }
    }
    writeln!(out)
}

fn write_rank(rank: Option<u32>, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    match rank {
        Some(rank) => write!(out, " {rank}"),
        None => write!(out, " any"),
    }
}

/// Writes a time in nanoseconds if it is a whole number of them.
fn write_time(Time(picoseconds): Time, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    if picoseconds.is_multiple_of(1_000) {
        write!(out, " {}", picoseconds / 1_000)
    } else {
        write!(out, " {picoseconds} ps")
    }
}

/// Writes what differs from the usual: a tag but 0, a communicator but that of all ranks, a request.
fn options(
    tag: Option<u32>,
    comm: CommId,
    request: Option<RequestId>,
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
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
fn write_collective(collective: &Collective, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
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
