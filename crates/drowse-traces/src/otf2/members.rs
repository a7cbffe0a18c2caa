//! Ranks and communicators, by the definitions of an archive.

use std::sync::Arc;

use drowse_core::workload::collectives::Member;
use drowse_core::workload::communicators::{ALL, CommId, Communicators, GroupError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::definitions::{Definitions, GroupKind};

/// The communicators, by the archive's ids.
pub(super) struct Members {
    /// The locations of the ranks.
    pub locations: Vec<u64>,
    pub table: Arc<Communicators>,
    of: FxHashMap<u32, Comm>,
}

/// A communicator.
#[derive(Clone, Copy)]
enum Comm {
    /// Of several ranks.
    Ranks(CommId),
    /// Of each rank alone.
    Itself,
}

impl Members {
    /// Gathers those of MPI. The error says what is wrong.
    pub fn new(definitions: &Definitions) -> Result<Self, String> {
        let locations = locations(definitions)?;
        let mut table = Communicators::of(locations.len() as u32);
        let mut ids: Vec<_> = definitions.communicators.iter().collect();
        ids.sort_unstable();
        let (mut of, mut of_group, mut has_world) = (FxHashMap::default(), FxHashMap::default(), false);
        for (&id, group_id) in ids {
            let Some(group) = definitions.groups.get(group_id).filter(|group| group.is_mpi) else { continue };
            let comm = match group.kind {
                GroupKind::Itself => Comm::Itself,
                GroupKind::Ranks if !group.members.is_empty() => {
                    // The second communicator of a group is a duplicate of the first.
                    let comm = match of_group.get(group_id) {
                        Some(&comm) => table.duplicate(comm),
                        None => add(&mut table, &group.members, &mut has_world),
                    };
                    let comm =
                        comm.map_err(|problem| format!("communicator {id}: {problem}; copy all its files again"))?;
                    of_group.insert(*group_id, comm);
                    Comm::Ranks(comm)
                }
                GroupKind::Ranks | GroupKind::Locations | GroupKind::Other => continue,
            };
            of.insert(id, comm);
        }
        Ok(Members { locations, table: Arc::new(table), of })
    }

    /// Returns the communicator of a message, and the rank of its other end.
    pub fn peer(&self, communicator: u32, rank: u32, peer: u32) -> Result<(CommId, u32), String> {
        let found = match self.comm(communicator)? {
            Comm::Itself => (peer == 0).then_some((ALL, rank)),
            Comm::Ranks(comm) => self.table.rank(comm, peer).map(|rank| (comm, rank)),
        };
        found.ok_or_else(|| {
            format!("names rank {peer} of communicator {communicator}, which has fewer; record it again")
        })
    }

    /// Returns the communicator of a collective, and the rank's place in it; `None` where the rank is alone.
    pub fn collective(&self, communicator: u32, rank: u32) -> Result<Option<(CommId, Member)>, String> {
        match self.comm(communicator)? {
            Comm::Itself => Ok(None),
            Comm::Ranks(comm) => match self.table.member(comm, rank) {
                Some(member) => Ok(Some((comm, member))),
                None => Err(format!("calls a collective of communicator {communicator}, and is not in it")),
            },
        }
    }

    fn comm(&self, communicator: u32) -> Result<Comm, String> {
        let lost = || format!("names communicator {communicator}, which is not defined; copy all files again");
        self.of.get(&communicator).copied().ok_or_else(lost)
    }
}

/// Returns the locations of the ranks.
fn locations(definitions: &Definitions) -> Result<Vec<u64>, String> {
    let groups = definitions.groups.values();
    let mut ranks = groups.filter(|group| group.is_mpi && group.kind == GroupKind::Locations);
    let (Some(group), None) = (ranks.next(), ranks.next()) else {
        return Err("has no list of the ranks of one MPI program; record one with `scorep --mpp=mpi`".to_owned());
    };
    if group.members.is_empty() {
        return Err("has no rank; check that the program called MPI_Init".to_owned());
    }
    let mut seen = FxHashSet::default();
    for &location in &group.members {
        if !definitions.locations.contains_key(&location) {
            return Err(format!(
                "names location {location} as a rank, and does not define it; copy all its files again"
            ));
        }
        if !seen.insert(location) {
            return Err(format!("names location {location} as two ranks; copy all its files again"));
        }
    }
    Ok(group.members.clone())
}

/// Adds a communicator of ranks: the first one of all is [`ALL`].
fn add(table: &mut Communicators, ranks: &[u64], has_world: &mut bool) -> Result<CommId, GroupError> {
    // A number that is too high for a rank is too high for this one.
    let ranks: Vec<u32> = ranks.iter().map(|&rank| u32::try_from(rank).unwrap_or(u32::MAX)).collect();
    let is_world =
        !*has_world && table.size(ALL) == Some(ranks.len() as u32) && ranks.iter().copied().eq(0..ranks.len() as u32);
    *has_world |= is_world;
    if is_world { Ok(ALL) } else { table.add(ranks) }
}
