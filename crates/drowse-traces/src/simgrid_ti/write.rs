//! Writes a program as a SimGrid TI trace, all ranks in one text.

use std::io::{self, Write};

use drowse_core::model::units::{FlopRate, Time};
use drowse_core::workload::communicators::ALL;
use drowse_core::workload::operation::{Collective, Operation, RequestId, SendMode};

use crate::write::{At, MARKS, Pending, Program, Tags, UNWAITED, Untold, waits_for_receive};
use crate::write_error::WriteError;

/// The most sizes of alltoallv calls that are kept to write what each rank receives.
const MOST_SIZES: usize = 1 << 26;

/// The datatypes by which elements of a size are written.
const DATATYPES: [(u64, u8); 6] = [(1, 6), (2, 3), (4, 1), (8, 0), (16, 26), (32, 27)];

/// Writes a program.
pub(crate) fn write(program: &Program, out: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let (tags, received) = (Tags::of(program, |_| true)?, received(program)?);
    let mut source = (program.open)();
    let mut untold = Untold::default();
    for rank in 0..source.ranks() {
        writeln!(out, "{rank} init")?;
        let mut writer = Rank {
            rank,
            speed: program.speed,
            tags: &tags,
            received: &received,
            calls: 0,
            pending: Pending::new(),
            untold: &mut untold,
        };
        Program::each(source.as_mut(), rank, |at| writer.operation(at, out))?;
        // What nothing has waited for is complete when its rank ends.
        let mut left: Vec<Key> = writer.pending.forgotten().collect();
        left.sort_unstable();
        left.into_iter().try_for_each(|key| write_wait(rank, key, out))?;
        writeln!(out, "{rank} finalize")?;
    }
    Ok(untold.notes())
}

/// What ranks receive in the calls of alltoallv: the sizes of each call by sender.
fn received(program: &Program) -> Result<Vec<Vec<Box<[u64]>>>, WriteError> {
    let mut calls: Vec<Vec<Box<[u64]>>> = Vec::new();
    let (mut rank, mut number, mut kept) = (0, 0, 0);
    program.each_of_all(|at| {
        let Operation::Collective { comm: ALL, collective: Collective::Alltoallv { bytes } } = at.operation else {
            return Ok(());
        };
        if at.rank != rank {
            (rank, number) = (at.rank, 0);
        }
        if number == calls.len() {
            calls.push(Vec::new());
        }
        kept += bytes.len();
        if kept > MOST_SIZES {
            return at.refuse("the sizes of all alltoallv calls are too many to be turned around");
        }
        calls[number].push(bytes.clone());
        number += 1;
        Ok(())
    })?;
    Ok(calls)
}

/// What waits name: sender, receiver and tag, where a receive may take any.
type Key = (Option<u32>, u32, Option<u32>);

/// A rank that is being written.
struct Rank<'a> {
    rank: u32,
    speed: FlopRate,
    tags: &'a Tags,
    received: &'a [Vec<Box<[u64]>>],
    /// Calls of alltoallv so far.
    calls: usize,
    pending: Pending<Key>,
    untold: &'a mut Untold,
}

impl Rank<'_> {
    fn operation(&mut self, at: At, out: &mut dyn Write) -> Result<(), WriteError> {
        let rank = self.rank;
        match *at.operation {
            Operation::Iteration => self.untold.add(MARKS, 1),
            Operation::Compute(time) => {
                let flops = self.flops(time);
                if flops > 0 {
                    writeln!(out, "{rank} compute {flops}")?;
                }
            }
            Operation::Send { to, tag, comm, mode, bytes } => {
                let tag = self.tags.tag(at, comm, Some(tag))?;
                let name = match mode {
                    SendMode::Standard => "send",
                    SendMode::Synchronous => "Ssend",
                    SendMode::Buffered | SendMode::Ready => {
                        self.forget((Some(rank), to, tag));
                        "isend"
                    }
                };
                writeln!(out, "{rank} {name} {to} {} {bytes} 6", text(tag, -1))?;
            }
            Operation::Isend { to, tag, comm, mode, bytes, request } => {
                let tag = self.tags.tag(at, comm, Some(tag))?;
                let name = if mode == SendMode::Synchronous { "Issend" } else { "isend" };
                if waits_for_receive(mode) {
                    self.pending.start((Some(rank), to, tag), request);
                } else {
                    self.forget((Some(rank), to, tag));
                }
                writeln!(out, "{rank} {name} {to} {} {bytes} 6", text(tag, -1))?;
            }
            Operation::Recv { from, tag, comm } => {
                let tag = self.tags.tag(at, comm, tag)?;
                writeln!(out, "{rank} recv {} {} -1 6", text(from, -333), text(tag, -1))?;
            }
            Operation::Irecv { from, tag, comm, request } => {
                let tag = self.tags.tag(at, comm, tag)?;
                self.pending.start((from, rank, tag), Some(request));
                writeln!(out, "{rank} irecv {} {} -1 6", text(from, -333), text(tag, -1))?;
            }
            Operation::Wait { request } => self.wait(at, request, out)?,
            // A waitall is for all requests, those that nothing waits for as well.
            Operation::WaitAll if self.pending.has_forgotten() => {
                self.pending.requests().into_iter().try_for_each(|request| self.wait(at, request, out))?;
            }
            Operation::WaitAll => {
                self.pending.end_all();
                writeln!(out, "{rank} waitall")?;
            }
            Operation::WaitAny(_) | Operation::WaitSome(_) | Operation::Probe { .. } => {
                return at.refuse("SimGrid replays no such operation");
            }
            Operation::Collective { comm: ALL, ref collective } => self.collective(at, collective, out)?,
            Operation::Collective { .. } => {
                return at.refuse("the collectives of a SimGrid TI trace are those of all ranks");
            }
            Operation::Icollective { .. } => {
                return at.refuse("SimGrid replays no collective that goes on beside the program");
            }
        }
        Ok(())
    }

    fn collective(&mut self, at: At, collective: &Collective, out: &mut dyn Write) -> Result<(), WriteError> {
        let rank = self.rank;
        let own = |sizes: &[u64]| sizes.get(rank as usize).copied().unwrap_or(0);
        let flops = collective.compute().map_or(0, |time| self.flops(time));
        write!(out, "{rank} ")?;
        match collective {
            Collective::Barrier => writeln!(out, "barrier")?,
            Collective::Bcast { root, bytes, count } => {
                let (count, datatype) = elements(at, *bytes, *count)?;
                writeln!(out, "bcast {count} {root} {datatype}")?;
            }
            Collective::Reduce { root, bytes, count, .. } => {
                let (count, datatype) = elements(at, *bytes, *count)?;
                writeln!(out, "reduce {count} {flops} {root} {datatype}")?;
            }
            Collective::Allreduce { bytes, count, .. } => {
                let (count, datatype) = elements(at, *bytes, *count)?;
                writeln!(out, "allreduce {count} {flops} {datatype}")?;
            }
            Collective::Gather { root, bytes } => writeln!(out, "gather {bytes} {bytes} {root} 6 6")?,
            Collective::Scatter { root, bytes } => writeln!(out, "scatter {bytes} {bytes} {root} 6 6")?,
            Collective::Allgather { bytes } => writeln!(out, "allgather {bytes} {bytes} 6 6")?,
            Collective::Alltoall { bytes } => writeln!(out, "alltoall {bytes} {bytes} 6 6")?,
            Collective::Gatherv { root, bytes } => writeln!(out, "gatherv {} {} {root} 6 6", own(bytes), list(bytes))?,
            Collective::Scatterv { root, bytes } => {
                writeln!(out, "scatterv {} {} {root} 6 6", list(bytes), own(bytes))?;
            }
            Collective::Allgatherv { bytes } => writeln!(out, "allgatherv {} {} 6 6", own(bytes), list(bytes))?,
            Collective::Alltoallv { bytes } => {
                let call = self.received.get(self.calls).map_or(&[][..], Vec::as_slice);
                self.calls += 1;
                let received: Vec<u64> = call.iter().map(|sizes| own(sizes)).collect();
                if received.len() != bytes.len() {
                    return at.refuse("not all ranks call it");
                }
                let sum = |sizes: &[u64]| sizes.iter().sum::<u64>();
                let (sends, receives) = (sum(bytes), sum(&received));
                writeln!(out, "alltoallv {sends} {} {receives} {} 6 6", list(bytes), list(&received))?;
            }
            Collective::ReduceScatter { bytes, .. } => writeln!(out, "reducescatter {} {flops} 6", list(bytes))?,
            Collective::Scan { bytes, .. } => writeln!(out, "scan {bytes} {flops} 6")?,
            Collective::Exscan { bytes, .. } => writeln!(out, "exscan {bytes} {flops} 6")?,
        }
        Ok(())
    }

    /// Writes a wait for a request.
    fn wait(&mut self, at: At, request: RequestId, out: &mut dyn Write) -> Result<(), WriteError> {
        match self.pending.end(request) {
            // It returns at once.
            Ok(None) => Ok(()),
            Ok(Some(key)) => Ok(write_wait(self.rank, key, out)?),
            Err(()) => at.refuse(
                "a wait of a SimGrid TI trace is for the oldest request of a sender, receiver and tag, and this one is \
                 for a later one",
            ),
        }
    }

    /// Starts a send for which nothing waits, since it does not wait for its receive.
    fn forget(&mut self, key: Key) {
        self.untold.add(UNWAITED, 1);
        self.pending.start(key, None);
    }

    /// Returns the operations of a time, rounded.
    fn flops(&self, Time(picoseconds): Time) -> u64 {
        let flops = (u128::from(picoseconds) * u128::from(self.speed.0) + 500_000_000_000) / 1_000_000_000_000;
        u64::try_from(flops).unwrap_or(u64::MAX)
    }
}

/// Returns the elements and the datatype of data.
fn elements(at: At, bytes: u64, count: u64) -> Result<(u64, u8), WriteError> {
    let datatype = DATATYPES.into_iter().find(|(size, _)| count.checked_mul(*size) == Some(bytes));
    match datatype {
        Some((_, datatype)) => Ok((count, datatype)),
        None => at.refuse(format!("SimGrid has no datatype by which {count} elements are {bytes} B")),
    }
}

/// Writes a wait for the oldest request of a sender, receiver and tag.
fn write_wait(rank: u32, (from, to, tag): Key, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{rank} wait {} {to} {}", text(from, -333), text(tag, -1))
}

fn text(number: Option<u32>, any: i64) -> i64 {
    number.map_or(any, i64::from)
}

fn list(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}
