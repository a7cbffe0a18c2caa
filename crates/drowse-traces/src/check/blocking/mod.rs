//! Whether ranks come to their ends where sends wait for their receives (rendezvous), as those of large messages do.
//!
//! The program runs without time, each rank as far as it gets. A send of the usual mode waits until its receive is
//! posted, unless its message is below a size that is sent eagerly. That size is 0 at first. Where ranks wait for each
//! other in a circle, it grows beyond the smallest message on the circle, and all go on: at the end it is the least with
//! which a run does not stop. A circle without such a send stops every run.
//!
//! Collectives wait for the data that they need, and no algorithm of theirs waits for more. A receive of any sender or
//! tag takes the earliest message; where a program has such receives, another order may be free of circles.

mod matching;
mod rank;

use std::collections::VecDeque;
use std::sync::Arc;

use drowse_core::model::config::NodeModel;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, OperationSource, RequestId, SendMode, SourceError};
use drowse_core::workload::operation_line::shown;
use rustc_hash::FxHashMap;

use super::finding::{At, Collected};
use matching::Matching;
use rank::{Party, Rank, Started, Wants};

/// How often the eager size may grow; a program that needs more is not followed to its end.
const MOST_SIZES: u32 = 256;

/// The most ranks of a circle that are named.
const MOST_NAMED: usize = 8;

/// What was found.
pub(super) struct Stops {
    /// The largest message that must be eager.
    pub eager: Option<u64>,
    /// What is to be said beside findings.
    pub notes: Vec<String>,
}

/// Runs a program whose messages and calls have their partners, and adds a finding where it stops by default.
pub(super) fn check(source: Box<dyn OperationSource>, found: &mut Collected) -> Result<Stops, SourceError> {
    let mut run = Run::new(source);
    run.run()?;
    let mut notes = Vec::new();
    let limit = NodeModel::default().eager_limit;
    if let Some(circle) = &run.endless {
        let what = format!("waits in a circle of ranks that no message ends: {}", circle.said);
        if run.any {
            notes.push(format!(
                "rank {}, operation {} (`{}`) {what}; where receives take any sender or tag, another order may be free \
                 of it",
                circle.at.rank, circle.at.operation, circle.line
            ));
        } else {
            found.add(circle.at, || format!("`{}` {what}", circle.line));
        }
    }
    if let Some((bytes, circle)) = &run.worst {
        let what = format!(
            "waits for its receive in a circle: {}. A run stops there unless messages of {bytes} B are sent eagerly",
            circle.said
        );
        if *bytes >= limit.0 && !run.any {
            let at = circle.at;
            found.add(at, || format!("`{}` {what}, as those below {} B are by default", circle.line, limit.0));
        } else {
            let (At { rank, operation }, line) = (circle.at, &circle.line);
            notes.push(format!("rank {rank}, operation {operation} (`{line}`) {what} (`node.eager_limit`)"));
        }
    }
    Ok(Stops { eager: run.worst.map(|(bytes, _)| bytes), notes })
}

/// Ranks that wait for each other.
struct Circle {
    /// The operation that is named, and its line.
    at: At,
    line: String,
    /// The ranks, in words.
    said: String,
}

/// A program that runs.
struct Run {
    source: Box<dyn OperationSource>,
    communicators: Arc<Communicators>,
    ranks: Vec<Rank>,
    ready: VecDeque<u32>,
    is_ready: Vec<bool>,
    matching: Matching,
    open_calls: FxHashMap<(CommId, u64), Call>,
    /// Messages below this size are eager, and how often it has grown.
    eager: u64,
    grown: u32,
    /// The circle with the largest smallest message, and that message.
    worst: Option<(u64, Circle)>,
    /// A circle that nothing ends.
    endless: Option<Circle>,
    /// Whether receives take any sender or tag, or waits any request.
    any: bool,
}

/// A call of a collective.
#[derive(Default)]
struct Call {
    called: u32,
    root_called: bool,
    /// Who waits for all, and who for the root.
    for_all: Vec<Party>,
    for_root: Vec<Party>,
}

/// Whom a rank waits for in a collective.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nobody,
    All,
    Root(u32),
}

impl Run {
    fn new(source: Box<dyn OperationSource>) -> Self {
        let (communicators, ranks) = (source.communicators(), source.ranks());
        Run {
            source,
            communicators,
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            ready: (0..ranks).collect(),
            is_ready: vec![true; ranks as usize],
            matching: Matching::default(),
            open_calls: FxHashMap::default(),
            eager: 0,
            grown: 0,
            worst: None,
            endless: None,
            any: false,
        }
    }

    /// Runs all ranks as far as they get, and frees circles of sends.
    fn run(&mut self) -> Result<(), SourceError> {
        loop {
            while let Some(rank) = self.ready.pop_front() {
                self.is_ready[rank as usize] = false;
                self.run_rank(rank)?;
            }
            let Some(circle) = self.circle() else { return Ok(()) };
            if !self.free(&circle) {
                return Ok(());
            }
        }
    }

    /// Runs a rank until it waits, or ends.
    fn run_rank(&mut self, rank: u32) -> Result<(), SourceError> {
        loop {
            let of_rank = &mut self.ranks[rank as usize];
            if !of_rank.read(rank, self.source.as_mut())? {
                return Ok(());
            }
            let Some(operation) = of_rank.current() else { return Ok(()) };
            if !matches!(operation, Operation::Compute(_) | Operation::Iteration) {
                let operation = operation.clone();
                if !self.does(rank, &operation) {
                    return Ok(());
                }
            }
            self.ranks[rank as usize].skip();
        }
    }

    /// Does an operation, if it need not wait.
    fn does(&mut self, rank: u32, operation: &Operation) -> bool {
        if let Some(blocking) = self.ranks[rank as usize].blocking {
            if blocking.done {
                self.ranks[rank as usize].blocking = None;
            }
            return blocking.done;
        }
        match *operation {
            Operation::Send { to, tag, comm, mode, bytes } => {
                let done = self.send(rank, (to, tag, comm), (mode, bytes), None);
                self.blocks(rank, done)
            }
            Operation::Isend { to, tag, comm, mode, bytes, request } => {
                let started = self.send(rank, (to, tag, comm), (mode, bytes), request);
                if let Some(request) = request {
                    self.ranks[rank as usize].start(request, started);
                }
                true
            }
            Operation::Recv { from, tag, comm } => {
                let started = self.receive(rank, (from, tag), comm, None);
                self.blocks(rank, started)
            }
            Operation::Irecv { from, tag, comm, request } => {
                let started = self.receive(rank, (from, tag), comm, Some(request));
                self.ranks[rank as usize].start(request, started);
                true
            }
            Operation::Probe { from, tag, comm } => {
                self.any |= from.is_none() || tag.is_none();
                self.matching.find(comm, rank, from, tag).is_some()
            }
            Operation::Collective { comm, ref collective } => {
                let started = self.call(rank, comm, collective, None);
                self.blocks(rank, started)
            }
            Operation::Icollective { comm, request, ref collective } => {
                let started = self.call(rank, comm, collective, Some(request));
                self.ranks[rank as usize].start(request, started);
                true
            }
            _ => self.waits(rank, operation),
        }
    }

    /// Goes on after a wait, if it is over.
    fn waits(&mut self, rank: u32, operation: &Operation) -> bool {
        let of_rank = &mut self.ranks[rank as usize];
        match operation {
            Operation::Wait { request } => {
                let over = !of_rank.is_undone(*request);
                if over {
                    of_rank.forget(*request);
                }
                over
            }
            Operation::WaitAll => {
                let over = of_rank.undone == 0;
                if over {
                    of_rank.pending.clear();
                }
                over
            }
            Operation::WaitAny(requests) | Operation::WaitSome(requests) => {
                self.any = true;
                let most = if matches!(operation, Operation::WaitAny(_)) { 1 } else { requests.len() };
                let pending = |request: &&RequestId| of_rank.pending.contains_key(request);
                let open: Vec<RequestId> = requests.iter().filter(pending).copied().collect();
                let done: Vec<_> = open.iter().filter(|request| !of_rank.is_undone(**request)).take(most).collect();
                let over = open.is_empty() || !done.is_empty();
                done.into_iter().for_each(|request| of_rank.forget(*request));
                over
            }
            _ => true,
        }
    }

    /// Begins a blocking operation; returns whether it is over at once.
    fn blocks(&mut self, rank: u32, started: Started) -> bool {
        self.ranks[rank as usize].blocking = (!started.done).then_some(started);
        started.done
    }

    fn send(
        &mut self,
        rank: u32,
        (to, tag, comm): (u32, u32, CommId),
        (mode, bytes): (SendMode, u64),
        request: Option<RequestId>,
    ) -> Started {
        let number = self.ranks[rank as usize].number();
        let party = Party { rank, number, request };
        let taken = self.matching.send(comm, (rank, to), tag, party);
        let is_eager = match mode {
            SendMode::Standard => bytes < self.eager,
            SendMode::Synchronous => false,
            SendMode::Buffered | SendMode::Ready => true,
        };
        if let Some(receiver) = taken {
            self.complete(receiver);
        } else {
            // It may be what a probe waits for.
            self.wake(to);
        }
        Started { number, wants: Wants::Send { to, bytes, mode }, done: is_eager || taken.is_some() }
    }

    fn receive(
        &mut self,
        rank: u32,
        (from, tag): (Option<u32>, Option<u32>),
        comm: CommId,
        request: Option<RequestId>,
    ) -> Started {
        self.any |= from.is_none() || tag.is_none();
        let number = self.ranks[rank as usize].number();
        let taken = self.matching.receive(comm, rank, (from, tag), Party { rank, number, request });
        if let Some(sender) = taken {
            self.complete(sender);
        }
        Started { number, wants: Wants::Receive { from }, done: taken.is_some() }
    }

    /// Calls a collective.
    fn call(&mut self, rank: u32, comm: CommId, collective: &Collective, request: Option<RequestId>) -> Started {
        let of_rank = &mut self.ranks[rank as usize];
        let number = of_rank.number();
        let calls = of_rank.calls.entry(comm).or_default();
        let call = *calls;
        *calls += 1;
        let size = self.communicators.size(comm).unwrap_or(0);
        let place = self.communicators.member(comm, rank).map(|member| member.rank);
        let needs = needs(collective, place);
        let root = if let Needs::Root(root) = needs { self.communicators.rank(comm, root) } else { None };
        let open = self.open_calls.entry((comm, call)).or_default();
        open.called += 1;
        open.root_called |= collective.root().is_some() && collective.root() == place;
        let (all, with_root) = (open.called >= size, open.root_called);
        let done = match needs {
            Needs::Nobody => true,
            Needs::All => all,
            Needs::Root(_) => with_root || all,
        };
        let party = Party { rank, number, request };
        match needs {
            Needs::All if !done => open.for_all.push(party),
            Needs::Root(_) if !done => open.for_root.push(party),
            _ => {}
        }
        let mut over = if with_root || all { std::mem::take(&mut open.for_root) } else { Vec::new() };
        if all {
            over.append(&mut open.for_all);
            self.open_calls.remove(&(comm, call));
        }
        over.into_iter().for_each(|party| self.complete(party));
        Started { number, wants: Wants::Call { comm, call, root }, done }
    }

    fn complete(&mut self, party: Party) {
        self.ranks[party.rank as usize].complete(party);
        self.wake(party.rank);
    }

    fn wake(&mut self, rank: u32) {
        if let Some(is_ready) = self.is_ready.get_mut(rank as usize).filter(|is_ready| !**is_ready) {
            *is_ready = true;
            self.ready.push_back(rank);
        }
    }

    /// Returns what a rank waits for: of several, one; `None` where it has ended.
    fn waits_for(&self, rank: u32) -> Option<Wants> {
        let of_rank = &self.ranks[rank as usize];
        if let Some(blocking) = &of_rank.blocking {
            return Some(blocking.wants);
        }
        let wants = |request: &RequestId| of_rank.pending.get(request).map(|started| started.wants);
        match of_rank.current()? {
            Operation::Wait { request } => wants(request),
            Operation::WaitAll => of_rank.pending.values().find(|started| !started.done).map(|started| started.wants),
            Operation::WaitAny(requests) | Operation::WaitSome(requests) => requests.iter().find_map(wants),
            Operation::Probe { from, .. } => Some(Wants::Receive { from: *from }),
            _ => None,
        }
    }

    /// Returns whether a rank has not ended.
    fn is_running(&self, rank: u32) -> bool {
        self.ranks.get(rank as usize).is_some_and(|rank| rank.current().is_some())
    }

    /// Returns a rank that has not called a collective and has not ended.
    fn missing(&self, comm: CommId, call: u64) -> Option<u32> {
        let members = (0..self.communicators.size(comm)?).filter_map(|place| self.communicators.rank(comm, place));
        let has_called = |other: u32| self.ranks[other as usize].calls.get(&comm).is_some_and(|&calls| calls > call);
        members.filter(|&other| !has_called(other)).find(|&other| self.is_running(other))
    }

    /// Finds ranks that wait for each other in a circle, with what each waits for.
    fn circle(&self) -> Option<Vec<(u32, Wants)>> {
        let running: Vec<u32> = (0..self.ranks.len() as u32).filter(|&rank| self.is_running(rank)).take(2).collect();
        let mut missing: FxHashMap<(CommId, u64), Option<u32>> = FxHashMap::default();
        // A rank that another waits for and that has not ended.
        let mut next = |rank: u32, wants: Wants| match wants {
            Wants::Send { to: other, .. }
            | Wants::Receive { from: Some(other) }
            | Wants::Call { root: Some(other), .. } => Some(other).filter(|&other| self.is_running(other)),
            Wants::Receive { from: None } => running.iter().copied().find(|&other| other != rank),
            Wants::Call { comm, call, root: None } => {
                *missing.entry((comm, call)).or_insert_with(|| self.missing(comm, call))
            }
        };
        // By rank, from which rank on it was come to.
        let mut seen = vec![u32::MAX; self.ranks.len()];
        for start in 0..self.ranks.len() as u32 {
            let (mut path, mut rank): (Vec<(u32, Wants)>, u32) = (Vec::new(), start);
            while seen[rank as usize] == u32::MAX {
                seen[rank as usize] = start;
                let Some(wants) = self.waits_for(rank) else { break };
                path.push((rank, wants));
                let Some(other) = next(rank, wants) else { break };
                if seen[other as usize] == start {
                    let first = path.iter().position(|(rank, _)| *rank == other)?;
                    return Some(path.split_off(first));
                }
                rank = other;
            }
        }
        None
    }

    /// Lets the smallest send of a circle go; returns whether there is one.
    fn free(&mut self, circle: &[(u32, Wants)]) -> bool {
        let standard = |&(rank, wants): &(u32, Wants)| match wants {
            Wants::Send { bytes, mode: SendMode::Standard, .. } => Some((bytes, rank)),
            _ => None,
        };
        let Some((bytes, rank)) = circle.iter().filter_map(standard).min() else {
            self.endless = circle.first().map(|&(rank, _)| self.said(rank, circle));
            return false;
        };
        if self.worst.as_ref().is_none_or(|(worst, _)| *worst < bytes) {
            self.worst = Some((bytes, self.said(rank, circle)));
        }
        self.grown += 1;
        self.eager = if self.grown < MOST_SIZES { bytes.saturating_add(1).max(self.eager) } else { u64::MAX };
        for rank in 0..self.ranks.len() as u32 {
            self.ranks[rank as usize].free(self.eager);
            self.wake(rank);
        }
        true
    }

    /// Puts a circle into words, beginning with a rank of it.
    fn said(&self, first: u32, circle: &[(u32, Wants)]) -> Circle {
        let of_rank = &self.ranks[first as usize];
        let place = circle.iter().position(|(rank, _)| *rank == first).unwrap_or_default();
        let turned = circle[place..].iter().chain(&circle[..place]);
        let mut said: Vec<String> = turned.take(MOST_NAMED).map(|(rank, _)| format!("rank {rank}")).collect();
        if circle.len() > MOST_NAMED {
            said.push(format!("{} more", circle.len() - MOST_NAMED));
        }
        let said = match circle {
            [_] => format!("rank {first} waits for itself"),
            _ => format!("{} and rank {first} again", said.join(", ")),
        };
        let at = At { rank: first, operation: of_rank.taken + 1 };
        Circle { at, line: of_rank.current().map(shown).unwrap_or_default(), said }
    }
}

/// Returns whom a rank of a place in its communicator waits for in a collective.
fn needs(collective: &Collective, place: Option<u32>) -> Needs {
    let is_root = collective.root().is_some() && collective.root() == place;
    match collective {
        Collective::Bcast { root, .. } | Collective::Scatter { root, .. } | Collective::Scatterv { root, .. } => {
            if is_root {
                Needs::Nobody
            } else {
                Needs::Root(*root)
            }
        }
        Collective::Reduce { .. } | Collective::Gather { .. } | Collective::Gatherv { .. } => {
            if is_root {
                Needs::All
            } else {
                Needs::Nobody
            }
        }
        Collective::Scan { .. } | Collective::Exscan { .. } => Needs::Nobody,
        _ => Needs::All,
    }
}
