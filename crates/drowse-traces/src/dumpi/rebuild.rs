//! Rebuilds communicators: each rank numbers them by itself, and only all ranks' calls together say who is in which.
//!
//! Every rank's calls are followed up to the next one that makes a communicator. Once all ranks of the parent have
//! called, its ranks are known. The calls of one parent are in the same order at all its ranks, so that they are
//! counted. A communicator that cannot be rebuilt is kept with the reason, which is an error only where it is used.

use rustc_hash::FxHashMap;

use drowse_core::workload::communicators::{ALL, CommId, Communicators};

use super::comm_calls::{CommCall, How, NULL, OWN, Step, WORLD};
use super::groups::{Group, Groups};

/// What a call that makes a communicator returns at a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    Comm(CommId),
    /// The rank is in none.
    Nothing,
    /// The function and why its ranks are not known.
    Unknown(u16, &'static str),
}

/// The communicators of a trace.
pub(crate) struct Rebuilt {
    pub communicators: Communicators,
    /// The communicator of each rank alone, where it is used.
    pub own: Vec<Option<CommId>>,
    /// What each call of each rank that makes a communicator returns, in their order.
    pub made: Vec<Vec<Made>>,
}

/// Why the ranks of a communicator of several groups are not known.
const FOREIGN: &str = "it joins ranks of several groups or programs";

/// Rebuilds the communicators from the calls of all ranks; `uses_own` says which use that of themselves alone.
pub(crate) fn rebuild(calls: &[Vec<CommCall>], uses_own: &[bool]) -> Rebuilt {
    let ranks = calls.len() as u32;
    let mut communicators = Communicators::of(ranks);
    let mut members: Vec<Group> = vec![(0..ranks).collect()];
    let mut own = Vec::new();
    for (rank, &used) in (0..).zip(uses_own) {
        let comm = used.then(|| communicators.add(vec![rank]).ok()).flatten();
        members.extend(comm.map(|_| Group::from([rank])));
        own.push(comm);
    }
    let states = own.iter().map(|own| {
        let own = own.map(|comm| (OWN, Made::Comm(comm)));
        let comms = [(WORLD, Made::Comm(ALL))].into_iter().chain(own).collect();
        RankState { next: 0, comms, groups: Groups::default(), calls: FxHashMap::default(), made: Vec::new() }
    });
    let mut rebuilding = Rebuilding {
        all: calls,
        states: states.collect(),
        communicators,
        members,
        grids: FxHashMap::default(),
        waiting: FxHashMap::default(),
    };
    let mut ready: Vec<u32> = (0..ranks).rev().collect();
    while let Some(rank) = ready.pop() {
        rebuilding.follow(rank, &mut ready);
    }
    rebuilding.give_up();
    let made = rebuilding.states.into_iter().map(|state| state.made).collect();
    Rebuilt { communicators: rebuilding.communicators, own, made }
}

/// How far a rank is.
struct RankState {
    next: usize,
    comms: FxHashMap<u16, Made>,
    groups: Groups,
    /// How many communicators it has made of each parent.
    calls: FxHashMap<CommId, u32>,
    made: Vec<Made>,
}

/// The ranks that have made the same call, by the parent and the number of the call.
type Waiting = FxHashMap<(CommId, u32), Vec<u32>>;

struct Rebuilding<'a> {
    all: &'a [Vec<CommCall>],
    states: Vec<RankState>,
    communicators: Communicators,
    /// The ranks of each communicator.
    members: Vec<Group>,
    /// The dimensions of communicators that are grids.
    grids: FxHashMap<CommId, Box<[i32]>>,
    waiting: Waiting,
}

impl<'a> Rebuilding<'a> {
    /// Follows the calls of a rank until it has to wait for others.
    fn follow(&mut self, rank: u32, ready: &mut Vec<u32>) {
        while let Some(call) = self.call(rank) {
            match &call.step {
                Step::Make { parent, .. } => match self.states[rank as usize].comms.get(parent).cloned() {
                    Some(Made::Comm(parent)) => return self.wait(rank, parent, ready),
                    Some(Made::Unknown(function, why)) => self.bind(rank, Made::Unknown(function, why)),
                    _ => self.bind(rank, Made::Unknown(call.function, "no call of the trace makes its parent")),
                },
                Step::Foreign { .. } => self.bind(rank, Made::Unknown(call.function, FOREIGN)),
                step => {
                    self.change(rank, call.function, step);
                    self.states[rank as usize].next += 1;
                }
            }
        }
    }

    fn call(&self, rank: u32) -> Option<&'a CommCall> {
        self.all[rank as usize].get(self.states[rank as usize].next)
    }

    /// Counts a rank that makes a communicator. The last one makes it for all.
    fn wait(&mut self, rank: u32, parent: CommId, ready: &mut Vec<u32>) {
        let count = self.states[rank as usize].calls.entry(parent).or_default();
        let key = (parent, *count);
        *count += 1;
        let waiting = self.waiting.entry(key).or_default();
        waiting.push(rank);
        if waiting.len() == self.members[parent as usize].len() {
            self.waiting.remove(&key);
            let members = self.members[parent as usize].clone();
            for (&rank, made) in members.iter().zip(self.make(parent, &members)) {
                self.bind(rank, made);
                ready.push(rank);
            }
        }
    }

    /// Notes under which number a rank knows a communicator that it has made, and goes on to its next call.
    fn bind(&mut self, rank: u32, made: Made) {
        let Some(call) = self.call(rank) else { return };
        let state = &mut self.states[rank as usize];
        if let Step::Make { new, .. } | Step::Foreign { new } = call.step
            && new > NULL
        {
            state.comms.insert(new, made.clone());
        }
        state.made.push(made);
        state.next += 1;
    }

    /// Takes a step that concerns one rank only.
    fn change(&mut self, rank: u32, function: u16, step: &Step) {
        let state = &mut self.states[rank as usize];
        match step {
            Step::Free { comm } => drop(state.comms.remove(comm)),
            Step::GroupOf { comm, new } => {
                let group = match state.comms.get(comm) {
                    Some(Made::Comm(comm)) => Some(self.members[*comm as usize].clone()),
                    _ => None,
                };
                state.groups.set(*new, group);
            }
            Step::Combine { groups, new } => state.groups.set(*new, state.groups.combine(function, *groups)),
            Step::Choose { group, ranks, included, new } => {
                state.groups.set(*new, state.groups.choose(*group, ranks, *included));
            }
            Step::Ranges { group, ranges, included, new } => {
                state.groups.set(*new, state.groups.ranges(*group, ranges, *included));
            }
            Step::NoGroup { group } => state.groups.set(*group, None),
            Step::Make { .. } | Step::Foreign { .. } => {}
        }
    }

    /// Makes communicators of all ranks of a parent; returns what each gets.
    fn make(&mut self, parent: CommId, members: &Group) -> Vec<Made> {
        let calls: Vec<(&How, u16)> = members
            .iter()
            .filter_map(|&rank| match self.call(rank) {
                Some(CommCall { function, step: Step::Make { how, .. } }) => Some((how, *function)),
                _ => None,
            })
            .collect();
        let function = calls.first().map_or(0, |&(_, function)| function);
        let unknown = |why| vec![Made::Unknown(function, why); members.len()];
        if calls.len() < members.len() || calls.iter().any(|&(_, other)| other != function) {
            return unknown("the ranks of its parent call different functions");
        }
        match calls[0].0 {
            How::All => {
                let grid = self.grids.get(&parent).cloned();
                self.first(members, members.len() as u64, grid.as_deref())
            }
            How::Grid(dims) => {
                let places = dims.iter().try_fold(1_u64, |places, &dim| places.checked_mul(dim.try_into().ok()?));
                match places.filter(|&places| places > 0 && places <= members.len() as u64) {
                    Some(places) => self.first(members, places, Some(dims)),
                    None => unknown("its grid has more places than ranks, or none"),
                }
            }
            How::First(count) => match u64::try_from(*count) {
                Ok(count) if count <= members.len() as u64 => self.first(members, count, None),
                _ => unknown("its graph has more nodes than ranks"),
            },
            How::Split { .. } => {
                let keys = calls.iter().map(|(how, _)| match how {
                    How::Split { color, key } => (*color, *key),
                    _ => (-1, 0),
                });
                let keys: Vec<_> = keys.collect();
                self.split(members, &keys, None)
            }
            How::Remain(_) => self.remain(parent, members, &calls).unwrap_or_else(|| unknown("its parent is no grid")),
            How::Group(_) => self
                .grouped(members, &calls)
                .unwrap_or_else(|| unknown("the ranks of its group are not known, or not all in its parent")),
        }
    }

    /// Puts the first ranks into one communicator.
    fn first(&mut self, members: &Group, count: u64, grid: Option<&[i32]>) -> Vec<Made> {
        let keys: Vec<_> = (0..members.len() as u64).map(|rank| (if rank < count { 0 } else { -1 }, 0)).collect();
        self.split(members, &keys, grid)
    }

    /// Puts ranks with the same color, if it is not negative, into one communicator, by key and then rank.
    fn split(&mut self, members: &Group, keys: &[(i64, i64)], grid: Option<&[i32]>) -> Vec<Made> {
        let mut order: Vec<usize> = (0..members.len()).filter(|&place| keys[place].0 >= 0).collect();
        order.sort_by_key(|&place| keys[place]);
        let mut made = vec![Made::Nothing; members.len()];
        for group in order.chunk_by(|&one, &other| keys[one].0 == keys[other].0) {
            let comm = self.add(group.iter().map(|&place| members[place]).collect());
            let Some(comm) = comm else { continue };
            if let Some(grid) = grid {
                self.grids.insert(comm, grid.into());
            }
            for &place in group {
                made[place] = Made::Comm(comm);
            }
        }
        made
    }

    /// Puts ranks that differ only in the remaining dimensions into one communicator.
    fn remain(&mut self, parent: CommId, members: &Group, calls: &[(&How, u16)]) -> Option<Vec<Made>> {
        let How::Remain(remains) = calls[0].0 else { return None };
        let dims = self.grids.get(&parent).filter(|dims| dims.len() == remains.len())?;
        let color = |place: usize| {
            let (mut color, mut scale, mut rest) = (0, 1, place as u64);
            for (&dim, &remains) in dims.iter().zip(remains).rev() {
                let dim = u64::try_from(dim).unwrap_or(1).max(1);
                if remains == 0 {
                    color += scale * (rest % dim);
                    scale *= dim;
                }
                rest /= dim;
            }
            (i64::try_from(color).unwrap_or(-1), 0)
        };
        let keys: Vec<_> = (0..members.len()).map(color).collect();
        let kept: Vec<i32> =
            dims.iter().zip(remains).filter(|&(_, &remains)| remains != 0).map(|(&dim, _)| dim).collect();
        Some(self.split(members, &keys, Some(&kept)))
    }

    /// Puts the ranks of each group into one communicator.
    fn grouped(&mut self, members: &Group, calls: &[(&How, u16)]) -> Option<Vec<Made>> {
        let mut known: FxHashMap<Group, CommId> = FxHashMap::default();
        let mut made = Vec::new();
        for (&rank, (how, _)) in members.iter().zip(calls) {
            let How::Group(number) = how else { return None };
            let group = self.states[rank as usize].groups.get(*number)?;
            if !group.contains(&rank) {
                made.push(Made::Nothing);
                continue;
            }
            let comm = match known.get(&group) {
                Some(&comm) => comm,
                None => self.add(group.clone())?,
            };
            known.insert(group, comm);
            made.push(Made::Comm(comm));
        }
        let parent: rustc_hash::FxHashSet<_> = members.iter().collect();
        known.keys().all(|group| group.iter().all(|rank| parent.contains(rank))).then_some(made)
    }

    /// Adds a communicator.
    fn add(&mut self, group: Group) -> Option<CommId> {
        let comm = self.communicators.add(group.to_vec()).ok()?;
        self.members.push(group);
        Some(comm)
    }

    /// Ends the calls of ranks that wait for others for ever.
    fn give_up(&mut self) {
        for rank in 0..self.states.len() as u32 {
            while let Some(call) = self.call(rank) {
                match &call.step {
                    Step::Make { .. } => {
                        self.bind(rank, Made::Unknown(call.function, "not all ranks of its parent call it"));
                    }
                    Step::Foreign { .. } => self.bind(rank, Made::Unknown(call.function, FOREIGN)),
                    step => {
                        self.change(rank, call.function, step);
                        self.states[rank as usize].next += 1;
                    }
                }
            }
        }
    }
}
