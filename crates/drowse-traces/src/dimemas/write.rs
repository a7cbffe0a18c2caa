//! Writes a program as a Dimemas trace.

use std::io::{self, Write};
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, SendMode};

use super::kind::Kind;
use crate::write::{At, ELEMENTS, MARKS, Pending, Program, Sizes, Tags, UNWAITED, Untold, waits_for_receive};
use crate::write_error::WriteError;

/// Waits that have no record.
const WAITS: &str = "waits for sends are left out: Dimemas has no record for them";

/// Writes a program.
pub(crate) fn write(program: &Program, out: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    let mut source = (program.open)();
    let (ranks, communicators) = (source.ranks(), source.communicators());
    let ids = Tags::of(program, |comm| comm != ALL && is_whole(&communicators, comm))?;
    let names = Names { communicators: Arc::clone(&communicators), first: u64::from(ids.highest) + 1, ids };
    names.declare(ranks, out)?;
    let (mut sizes, mut untold) = (Sizes::of(program)?, Untold::default());
    for rank in 0..ranks {
        let pending = Pending::new();
        let mut writer = Rank { rank, names: &names, sizes: &mut sizes, pending, untold: &mut untold };
        // A rank without records would be missing.
        writeln!(out, "0:{rank}:0")?;
        Program::each(source.as_mut(), rank, |at| writer.operation(at, out))?;
    }
    Ok(untold.notes())
}

/// Returns whether a communicator has all ranks in their order.
fn is_whole(communicators: &Communicators, comm: CommId) -> bool {
    let size = communicators.size(comm);
    size == communicators.size(ALL) && (0..size.unwrap_or(0)).all(|rank| communicators.rank(comm, rank) == Some(rank))
}

/// How communicators are named. Messages in a communicator of all ranks beside the first, such as those that a Dimemas
/// trace tells apart by an id, have their tag as the id of the message, below the names of communicators.
struct Names {
    communicators: Arc<Communicators>,
    ids: Tags,
    first: u64,
}

impl Names {
    /// Writes the header and the communicators.
    fn declare(&self, ranks: u32, out: &mut dyn Write) -> io::Result<()> {
        let threads = vec!["1"; ranks as usize].join(",");
        let count = self.communicators.count();
        writeln!(out, "#DIMEMAS:\"drowse.dim\":0:{ranks}({threads}),{count},0,0")?;
        for comm in 0..count {
            let size = self.communicators.size(comm).unwrap_or(0);
            write!(out, "d:1:{}:{size}", self.of(comm))?;
            for task in (0..size).filter_map(|rank| self.communicators.rank(comm, rank)) {
                write!(out, ":{task}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Returns the name of a communicator.
    fn of(&self, comm: CommId) -> u64 {
        self.first + u64::from(comm)
    }

    /// Returns the tag and the communicator of a message, as they are written.
    fn message(&self, at: At, comm: CommId, tag: Option<u32>) -> Result<(i64, u64), WriteError> {
        if comm == ALL || !is_whole(&self.communicators, comm) {
            return Ok((tag.map_or(-1, i64::from), self.of(comm)));
        }
        match self.ids.tag(at, comm, tag)? {
            Some(id) => Ok((id.into(), id.into())),
            None => {
                at.refuse("takes any tag in a communicator of all ranks beside the first, which Dimemas cannot tell")
            }
        }
    }
}

/// What a wait names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Send,
    /// Sender, tag and communicator, as they are written, and the size.
    Receive(i64, i64, u64),
    Collective(Kind, CommId),
}

/// A rank that is being written.
struct Rank<'a> {
    rank: u32,
    names: &'a Names,
    sizes: &'a mut Sizes,
    pending: Pending<Key>,
    untold: &'a mut Untold,
}

impl Rank<'_> {
    fn operation(&mut self, at: At, out: &mut dyn Write) -> Result<(), WriteError> {
        match *at.operation {
            Operation::Iteration => self.untold.add(MARKS, 1),
            Operation::Compute(time) => self.burst(time, out)?,
            Operation::Send { to, tag, comm, mode, bytes } => {
                let sync = self.sync(mode);
                self.send(at, (to, bytes), (tag, comm), sync, out)?;
            }
            Operation::Isend { to, tag, comm, mode, bytes, request } => {
                let sync = 2 | self.sync(mode);
                self.send(at, (to, bytes), (tag, comm), sync, out)?;
                if let Some(request) = request {
                    // Each has a queue of its own: no wait is written.
                    self.pending.forget(Key::Send, request);
                }
            }
            Operation::Recv { from, tag, comm } => {
                let bytes = self.size(from, tag, comm);
                let (tag, comm) = self.names.message(at, comm, tag)?;
                self.receive(Key::Receive(from.map_or(-1, i64::from), tag, comm), bytes, 0, out)?;
            }
            Operation::Irecv { from, tag, comm, request } => {
                let bytes = self.size(from, tag, comm);
                let (tag, comm) = self.names.message(at, comm, tag)?;
                let key = Key::Receive(from.map_or(-1, i64::from), tag, comm);
                self.pending.start(key, Some(request));
                self.receive(key, bytes, 1, out)?;
            }
            Operation::Wait { request } => match self.pending.end(request) {
                Ok(Some(key)) => self.wait(key, out)?,
                // It returns at once.
                Ok(None) => {}
                Err(()) => {
                    return at.refuse(
                        "a wait of a Dimemas trace is for the oldest request of a kind, and this one is for a later one",
                    );
                }
            },
            Operation::WaitAll => {
                for key in self.pending.end_all() {
                    self.wait(key, out)?;
                }
            }
            Operation::WaitAny(_) | Operation::WaitSome(_) | Operation::Probe { .. } => {
                return at.refuse("Dimemas has no record for it");
            }
            Operation::Collective { comm, ref collective } => {
                self.collective(at, comm, collective, false, out)?;
                self.burst(collective.compute().unwrap_or_default(), out)?;
            }
            Operation::Icollective { comm, request, ref collective } => {
                if collective.compute().is_some_and(|time| time > Time::ZERO) {
                    return at.refuse("a collective of a Dimemas trace does not tell how long it combines data");
                }
                let kind = self.collective(at, comm, collective, true, out)?;
                self.pending.start(Key::Collective(kind, comm), Some(request));
            }
        }
        Ok(())
    }

    /// Writes a computation.
    fn burst(&self, Time(picoseconds): Time, out: &mut dyn Write) -> io::Result<()> {
        let (seconds, rest) = (picoseconds / 1_000_000_000_000, picoseconds % 1_000_000_000_000);
        match rest % 1_000 {
            _ if picoseconds == 0 => Ok(()),
            0 => writeln!(out, "1:{}:0:{seconds}.{:09}", self.rank, rest / 1_000),
            _ => writeln!(out, "1:{}:0:{seconds}.{rest:012}", self.rank),
        }
    }

    /// Returns the marks of a send: 1 if it is synchronous, and 2 if it is immediate. So are those that wait for no
    /// receive.
    fn sync(&mut self, mode: SendMode) -> u8 {
        self.untold.add(UNWAITED, u64::from(!waits_for_receive(mode)));
        u8::from(mode == SendMode::Synchronous) | if waits_for_receive(mode) { 0 } else { 2 }
    }

    fn send(
        &self,
        at: At,
        (to, bytes): (u32, u64),
        (tag, comm): (u32, CommId),
        sync: u8,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        let (tag, comm) = self.names.message(at, comm, Some(tag))?;
        Ok(writeln!(out, "2:{}:0:{to}:-1:{bytes}:{tag}:{comm}:{sync}", self.rank)?)
    }

    /// Returns the size of the message that a receive takes; 0 where that is not known.
    fn size(&mut self, from: Option<u32>, tag: Option<u32>, comm: CommId) -> u64 {
        let known = from.zip(tag).and_then(|(from, tag)| self.sizes.next((comm, from, self.rank, tag)));
        known.unwrap_or(0)
    }

    fn receive(&self, key: Key, bytes: u64, how: u8, out: &mut dyn Write) -> io::Result<()> {
        let Key::Receive(from, tag, comm) = key else { return Ok(()) };
        writeln!(out, "3:{}:0:{from}:-1:{bytes}:{tag}:{comm}:{how}", self.rank)
    }

    fn wait(&mut self, key: Key, out: &mut dyn Write) -> io::Result<()> {
        match key {
            Key::Send => self.untold.add(WAITS, 1),
            Key::Receive(..) => self.receive(key, 0, 2, out)?,
            Key::Collective(kind, comm) => {
                let (operation, comm) = (kind as u8 + 16, self.names.of(comm));
                writeln!(out, "10:{}:0:{operation}:{comm}:0:0:0:0:2", self.rank)?;
            }
        }
        Ok(())
    }

    /// Writes a call; returns its kind.
    fn collective(
        &mut self,
        at: At,
        comm: CommId,
        collective: &Collective,
        immediate: bool,
        out: &mut dyn Write,
    ) -> Result<Kind, WriteError> {
        let Some(member) = self.names.communicators.member(comm, self.rank) else {
            return at.refuse("the rank is not in its communicator");
        };
        let place = member.rank as usize;
        if let Collective::Alltoallv { bytes } = collective {
            let (all, ranks) = (bytes.iter().sum::<u64>(), u64::from(member.size));
            let split = |place: u64| all / ranks + u64::from(place < all % ranks);
            if (0..).zip(bytes).any(|(place, &size)| size != split(place)) {
                return at.refuse(
                    "Dimemas only knows how much a rank sends to all others together, and this one sends unequal shares",
                );
            }
        }
        let Some(Call { kind, sends, receives }) = call(collective, place, member.size.into()) else {
            return at.refuse("Dimemas has no such collective");
        };
        if let Collective::Bcast { bytes, count, .. }
        | Collective::Reduce { bytes, count, .. }
        | Collective::Allreduce { bytes, count, .. } = collective
        {
            self.untold.add(ELEMENTS, u64::from(bytes != count));
        }
        let is_root = u8::from(collective.root() == Some(member.rank));
        let (operation, sync) = if immediate { (kind as u8 + 16, 0) } else { (kind as u8, 1) };
        let (rank, comm) = (self.rank, self.names.of(comm));
        writeln!(out, "10:{rank}:0:{operation}:{comm}:{is_root}:0:{sends}:{receives}:{sync}")?;
        Ok(kind)
    }
}

/// What a record of a collective tells.
struct Call {
    kind: Kind,
    sends: u64,
    receives: u64,
}

/// Returns the record of a rank's call; `None` for an exscan, which Dimemas does not have.
fn call(collective: &Collective, place: usize, ranks: u64) -> Option<Call> {
    let sum = |sizes: &[u64]| sizes.iter().sum::<u64>();
    let own = |sizes: &[u64]| sizes.get(place).copied().unwrap_or(0);
    let is_root = collective.root().is_some_and(|root| root as usize == place);
    let at_root = |bytes: u64| if is_root { bytes } else { 0 };
    let (kind, sends, receives) = match collective {
        Collective::Barrier => (Kind::Barrier, 0, 0),
        Collective::Bcast { bytes, .. } => (Kind::Bcast, at_root(*bytes), bytes - at_root(*bytes)),
        Collective::Reduce { bytes, .. } => (Kind::Reduce, *bytes, at_root(*bytes)),
        Collective::Allreduce { bytes, .. } => (Kind::Allreduce, *bytes, *bytes),
        Collective::Gather { bytes, .. } => (Kind::Gather, *bytes, at_root(bytes * ranks)),
        Collective::Gatherv { bytes, .. } => (Kind::Gatherv, own(bytes), at_root(sum(bytes))),
        Collective::Scatter { bytes, .. } => (Kind::Scatter, at_root(bytes * ranks), *bytes),
        Collective::Scatterv { bytes, .. } => (Kind::Scatterv, at_root(sum(bytes)), own(bytes)),
        Collective::Allgather { bytes } => (Kind::Allgather, *bytes, bytes * ranks),
        Collective::Allgatherv { bytes } => (Kind::Allgatherv, own(bytes), sum(bytes)),
        Collective::Alltoall { bytes } => (Kind::Alltoall, *bytes, bytes * ranks),
        Collective::Alltoallv { bytes } => (Kind::Alltoallv, sum(bytes), sum(bytes)),
        Collective::ReduceScatter { bytes, .. } => (Kind::ReduceScatter, sum(bytes), own(bytes)),
        Collective::Scan { bytes, .. } => (Kind::Scan, *bytes, *bytes),
        Collective::Exscan { .. } => return None,
    };
    Some(Call { kind, sends, receives })
}
