//! The files of all ranks become a program.

use std::collections::BTreeMap;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_core::workload::operation::{Operation, RequestId, SendMode};
use rustc_hash::FxHashMap;

use super::call::{Action, Call, Kind};
use super::group::{Group, MOST_RANKS};
use super::rank::{Counts, RankTrace};
use super::timeline::Step;
use crate::counting::Counting;
use crate::error::{Place, TraceError, shortened};
use crate::files::{FNV_OFFSET, fnv1a};
use crate::info::{Coverage, NotSimulated, Noted, TraceInfo};
use crate::paraver::Program;

/// Why a call of an unknown name is not simulated.
const STRANGE: &str = "it is no call of torch.distributed that is known, and nothing says what it moves";

/// Why a kernel is not simulated that nothing describes.
const SILENT: &str = "neither the kernel nor a call of the host says what it moves; record with PyTorch 2.3 or later";

/// A request of a communication.
type Started = (RequestId, u32);

/// A format of PyTorch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PyTorchFormat {
    /// The name in results.
    pub name: &'static str,
    /// What is said of calls in which ranks take part whose files are not given.
    pub absent: &'static str,
}

/// Makes the program of all ranks while these are added in order.
pub(super) struct Assembly {
    pub ranks: u32,
    /// Which ranks have files.
    present: Vec<bool>,
    /// The rank whose file stands for those of all ranks, if one does.
    pub origin: Option<u32>,
    format: PyTorchFormat,
    pub communicators: Communicators,
    /// Those of groups that all have: by name and members.
    pub known: BTreeMap<(Option<String>, Vec<u32>), CommId>,
    pub counts: Counts,
    /// Calls that are simulated, by name.
    pub calls: BTreeMap<String, u64>,
    not_simulated: Vec<NotSimulated>,
}

/// The communicator of a group, and its ranks, or why there is none.
type Resolved = Result<(CommId, Arc<[u32]>), &'static str>;

/// Makes a program of the ranks' files, which name each rank once. `label` names them all in messages.
pub(crate) fn assemble(traces: Vec<RankTrace>, format: PyTorchFormat, label: &str) -> Result<Program, TraceError> {
    let ranks = world(&traces, label)?;
    let mut present = vec![false; ranks as usize];
    for trace in &traces {
        if let Some(rank) = trace.rank.and_then(|rank| present.get_mut(rank as usize)) {
            *rank = true;
        }
    }
    let mut assembly = Assembly::new((ranks, present), None, format);
    let mut programs: Vec<Vec<Operation>> = vec![Vec::new(); ranks as usize];
    let mut recorded = vec![Time::ZERO; ranks as usize];
    let mut fingerprint = FNV_OFFSET;
    for mut trace in traces {
        fingerprint = trace.hash.to_le_bytes().into_iter().fold(fingerprint, fnv1a);
        let rank = trace.rank.unwrap_or_default() as u32;
        recorded[rank as usize] = time(trace.recorded, &trace)?;
        assembly.counts.add(std::mem::take(&mut trace.counts));
        programs[rank as usize] = assembly.program(rank, &trace)?;
    }
    let mut counting = Counting::default();
    for (rank, operations) in (0..).zip(&programs) {
        operations.iter().for_each(|operation| counting.add(rank, operation));
        counting.end_rank(rank);
    }
    let (info, communicators) = assembly.finish(counting);
    let (ranks, communicators, label) = (programs, Arc::new(communicators), label.to_owned());
    Ok(Program { ranks, communicators, label, info, fingerprint, recorded })
}

/// Returns the number of ranks that the files tell, else that of their groups.
pub(super) fn world(traces: &[RankTrace], label: &str) -> Result<u32, TraceError> {
    let refuse = |problem: String| TraceError::Other { place: at(label), what: problem };
    let told = |trace: &RankTrace| {
        let groups = trace.communications.iter().flatten().map(|call| &call.group);
        let of_group = |group: &Group| group.size.unwrap_or_default().max(group.highest() + 1);
        let of_groups = || groups.filter(|group| !group.is_one()).map(of_group).max();
        let ranks = trace.world.or(trace.definitions.all()).or_else(of_groups).unwrap_or(1);
        ranks.max(trace.rank.unwrap_or_default() + 1)
    };
    let named = |trace: &&RankTrace| trace.world.is_some();
    if let Some(first) = traces.iter().find(named)
        && let Some(other) = traces.iter().filter(named).find(|other| other.world != first.world)
    {
        let (one, two) = (first.world.unwrap_or_default(), other.world.unwrap_or_default());
        let (first, other) = (&first.label, &other.label);
        return Err(refuse(format!(
            "{first} is of a job of {one} ranks (world_size), {other} of one of {two}; keep the files of one job"
        )));
    }
    let ranks = traces.iter().map(told).max().unwrap_or_default();
    match u32::try_from(ranks).ok().filter(|_| ranks <= MOST_RANKS) {
        Some(ranks) => Ok(ranks.max(1)),
        None => Err(refuse(format!("the files name {ranks} ranks, and up to {MOST_RANKS} are read; check them"))),
    }
}

/// Names files as a place.
pub(super) fn at(label: &str) -> Place {
    Place { file: label.to_owned(), line: 0 }
}

/// Returns a time of a rank. Fails where it is too long to be simulated.
pub(super) fn time(nanoseconds: u64, trace: &RankTrace) -> Result<Time, TraceError> {
    let time = nanoseconds.checked_mul(1000).map(Time).filter(|&time| time <= Time::LONGEST);
    time.ok_or_else(|| TraceError::Other {
        place: at(&trace.label),
        what: format!("its events are more than {} apart; cut the file", Time::LONGEST),
    })
}

impl Assembly {
    /// Begins with so many ranks, and which of them have files.
    pub fn new((ranks, present): (u32, Vec<bool>), origin: Option<u32>, format: PyTorchFormat) -> Self {
        Assembly {
            ranks,
            present,
            origin,
            format,
            communicators: Communicators::of(ranks),
            known: BTreeMap::new(),
            counts: Counts::default(),
            calls: BTreeMap::new(),
            not_simulated: Vec::new(),
        }
    }

    /// Makes the operations of a rank.
    pub fn program(&mut self, rank: u32, trace: &RankTrace) -> Result<Vec<Operation>, TraceError> {
        let mut operations = Vec::new();
        let mut groups: FxHashMap<&Group, Resolved> = FxHashMap::default();
        // The requests of communications that were started, and the next one.
        let mut pending: FxHashMap<u32, Vec<RequestId>> = FxHashMap::default();
        let mut next = 0;
        for step in &trace.steps {
            match *step {
                Step::Iteration => operations.push(Operation::Iteration),
                Step::Compute(nanoseconds) => operations.push(Operation::Compute(time(nanoseconds, trace)?)),
                Step::Start(number) => {
                    let calls = trace.communications.get(number as usize).map_or(&[][..], Vec::as_slice);
                    for call in calls {
                        let Some(operation) = self.start((next, rank), call, trace, &mut groups) else { continue };
                        operations.push(operation);
                        pending.entry(number).or_default().push(next);
                        next += 1;
                    }
                }
                Step::Wait(number) => {
                    for request in pending.remove(&number).unwrap_or_default() {
                        wait(&mut operations, request);
                    }
                }
            }
        }
        match pending.into_values().flatten().collect::<Vec<_>>()[..] {
            [] => {}
            [request] => wait(&mut operations, request),
            _ => operations.push(Operation::WaitAll),
        }
        Ok(operations)
    }

    /// Returns the operation that starts a call; nothing where it moves nothing, or cannot be simulated.
    fn start<'c>(
        &mut self,
        (request, rank): Started,
        call: &'c Call,
        trace: &'c RankTrace,
        groups: &mut FxHashMap<&'c Group, Resolved>,
    ) -> Option<Operation> {
        let kind = match call.kind() {
            Some(Kind::Nothing) => return None,
            Some(kind) => kind,
            None => return self.refuse(call, if call.name.is_some() { STRANGE } else { SILENT }, trace),
        };
        if call.group.is_one() {
            *self.counts.left_out.entry("calls in groups of one rank move nothing").or_default() += 1;
            return None;
        }
        let group = groups.entry(&call.group).or_insert_with(|| self.resolve(&call.group, rank, trace));
        let (comm, members) = match group {
            Ok((comm, members)) => (*comm, Arc::clone(members)),
            Err(why) => return self.refuse(call, why, trace),
        };
        let (action, guessed) = match call.action(kind, &members) {
            Ok(action) => action,
            Err(why) => return self.refuse(call, why, trace),
        };
        let mut note = |is: bool, what| *self.counts.approximated.entry(what).or_default() += u64::from(is);
        note(guessed.root, "collectives do not tell their root: it is the first rank of their group");
        note(guessed.split, "all-to-alls do not tell all their splits: they are even");
        let (mode, request_of) = (SendMode::Ready, Some(request));
        let operation = match action {
            Action::Collective(collective) => {
                Operation::Icollective { comm, request, collective: Box::new(collective) }
            }
            Action::Send { .. } | Action::Receive { .. } if self.origin.is_some() => {
                return self.refuse(
                    call,
                    "one rank's file does not tell the messages of others; give all files",
                    trace,
                );
            }
            Action::Send { to, .. } | Action::Receive { from: to } if to >= self.ranks || to == rank => {
                return self.refuse(call, "the rank with which it exchanges a message is no other rank", trace);
            }
            Action::Send { to, bytes } => Operation::Isend { to, tag: 0, comm, mode, bytes, request: request_of },
            Action::Receive { from } => Operation::Irecv { from: Some(from), tag: Some(0), comm, request },
        };
        *self.calls.entry(shortened(call.name.as_deref().unwrap_or_default())).or_default() += 1;
        Some(operation)
    }

    /// Returns the communicator of a group that a rank names.
    fn resolve(&mut self, group: &Group, rank: u32, trace: &RankTrace) -> Resolved {
        let files = self.present.iter().filter(|&&is| is).count() as u64;
        if group.size.is_some_and(|size| size > files) {
            return Err(self.format.absent);
        }
        let members = group.members(&trace.definitions, rank, self.ranks)?;
        if self.origin.is_some() {
            members.grid(self.ranks)?;
        }
        if members.ranks.iter().any(|&member| !self.present[member as usize]) {
            return Err(self.format.absent);
        }
        let what = "lists of process groups are cut off: they go on with the steps of what is listed";
        *self.counts.approximated.entry(what).or_default() += u64::from(members.continued);
        let shared: Arc<[u32]> = members.ranks.as_slice().into();
        let is_all = members.ranks.iter().copied().eq(0..self.ranks);
        if is_all && group.name.as_deref().is_none_or(|name| name == "0" || name == "default_pg") {
            return Ok((ALL, shared));
        }
        let key = (group.name.clone(), members.ranks);
        if let Some(&comm) = self.known.get(&key) {
            return Ok((comm, shared));
        }
        let added = self.communicators.add(key.1.clone());
        let comm = added.map_err(|_| "its process group has a rank twice; check the file")?;
        if let Some(name) = &group.name {
            self.communicators.set_name(comm, &shortened(name));
        }
        self.known.insert(key, comm);
        Ok((comm, shared))
    }

    /// Counts a call that cannot be simulated.
    fn refuse(&mut self, call: &Call, obstacle: &'static str, trace: &RankTrace) -> Option<Operation> {
        let action = shortened(call.name.as_deref().unwrap_or("a kernel of NCCL"));
        let known = self.not_simulated.iter_mut().find(|known| known.action == action && known.obstacle == obstacle);
        if let Some(known) = known {
            known.occurrences += 1;
        } else {
            let first = at(&trace.label);
            self.not_simulated.push(NotSimulated { action, obstacle, first, occurrences: 1 });
        }
        None
    }

    /// Says what the files hold, and returns the communicators.
    pub fn finish(self, counting: Counting) -> (TraceInfo, Communicators) {
        let mut info = counting.finish(self.format.name, self.ranks, &self.communicators);
        let called: u64 = self.calls.values().sum();
        let noted = |counts: BTreeMap<&'static str, u64>| -> Vec<Noted> {
            counts.into_iter().filter_map(|(what, count)| Noted::some(count, what)).collect()
        };
        info.operations = self.counts.events.iter().map(|(&name, &count)| (name.to_owned(), count)).collect();
        let kernels: u64 = self.counts.events.values().sum();
        info.collectives = self.calls;
        info.coverage = Coverage {
            simulated: (kernels + called).saturating_sub(self.counts.approximated.values().sum()),
            approximated: noted(self.counts.approximated),
            ignored: noted(self.counts.left_out),
        };
        let said: Vec<String> = info.coverage.warnings().collect();
        info.warnings.extend(said);
        info.not_simulated = self.not_simulated;
        if !info.not_simulated.is_empty() {
            // What is left out makes ranks differ that do not.
            info.different_collectives = None;
        }
        (info, self.communicators)
    }
}

/// Adds a wait; what was started just before becomes an operation that blocks.
fn wait(operations: &mut Vec<Operation>, request: RequestId) {
    let blocking = match operations.last() {
        Some(Operation::Icollective { comm, request: last, collective }) if *last == request => {
            Operation::Collective { comm: *comm, collective: (**collective).clone() }
        }
        Some(Operation::Irecv { from, tag, comm, request: last }) if *last == request => {
            Operation::Recv { from: *from, tag: *tag, comm: *comm }
        }
        Some(&Operation::Isend { to, tag, comm, mode, bytes, request: Some(last) }) if last == request => {
            Operation::Send { to, tag, comm, mode, bytes }
        }
        _ => {
            operations.push(Operation::Wait { request });
            return;
        }
    };
    operations.pop();
    operations.push(blocking);
}
