//! Ranks and communicators, by the definitions of an archive.

use std::sync::Arc;

use drowse_core::workload::collectives::Member;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use drowse_otf2::{Definitions, GroupKind};
use rustc_hash::FxHashMap;

/// The communicators, by the archive's ids.
pub(super) struct Members {
    /// The locations of the ranks.
    pub locations: Vec<u64>,
    pub table: Arc<Communicators>,
    of: FxHashMap<u32, Comm>,
}

/// A communicator.
enum Comm {
    /// Of these ranks.
    Ranks(CommId, Vec<u32>),
    /// Of each rank alone.
    Itself,
}

impl Members {
    /// Gathers those of MPI. The error says what is wrong.
    pub fn new(definitions: &Definitions) -> Result<Self, String> {
        let groups = definitions.groups.values();
        let mut ranks = groups.filter(|group| group.is_mpi && group.kind == GroupKind::Locations);
        let (Some(group), None) = (ranks.next(), ranks.next()) else {
            return Err("has no list of the ranks of one MPI program; record one with `scorep --mpp=mpi`".to_owned());
        };
        let locations = group.members.clone();
        let known = |location: &u64| definitions.locations.iter().any(|(id, _)| id == location);
        if let Some(lost) = locations.iter().find(|location| !known(location)) {
            return Err(format!("names location {lost} as a rank, and does not define it; copy all its files again"));
        }
        let count = locations.len() as u32;
        if count == 0 {
            return Err("has no rank; check that the program called MPI_Init".to_owned());
        }
        let mut members = Members { locations, table: Arc::new(Communicators::of(count)), of: FxHashMap::default() };
        let mut ids: Vec<_> = definitions.communicators.iter().collect();
        ids.sort_unstable();
        let mut has_world = false;
        for (&id, group) in ids {
            let Some(group) = definitions.groups.get(group).filter(|group| group.is_mpi) else { continue };
            let comm = match group.kind {
                GroupKind::Itself => Comm::Itself,
                GroupKind::Ranks => {
                    let rank = |&rank: &u64| u32::try_from(rank).ok().filter(|&rank| rank < count);
                    let ranks: Option<Vec<u32>> = group.members.iter().map(rank).collect();
                    let ranks = ranks.ok_or_else(|| {
                        format!("has {count} ranks, and a higher one in communicator {id}; copy all its files again")
                    })?;
                    if ranks.is_empty() {
                        continue;
                    }
                    let is_world =
                        ranks.len() == count as usize && (0..).zip(&ranks).all(|(place, &rank)| place == rank);
                    if is_world && !has_world {
                        has_world = true;
                        Comm::Ranks(ALL, ranks)
                    } else {
                        let added = Arc::make_mut(&mut members.table).add(ranks.clone());
                        Comm::Ranks(added.map_err(|error| format!("communicator {id}: {error}"))?, ranks)
                    }
                }
                GroupKind::Locations | GroupKind::Other => continue,
            };
            members.of.insert(id, comm);
        }
        Ok(members)
    }

    /// Returns the communicator of a message, and the rank of its other end.
    pub fn peer(&self, communicator: u32, rank: u32, peer: u32) -> Result<(CommId, u32), String> {
        match self.comm(communicator)? {
            Comm::Itself if peer == 0 => Ok((ALL, rank)),
            Comm::Ranks(comm, ranks) if (peer as usize) < ranks.len() => Ok((*comm, ranks[peer as usize])),
            _ => Err(format!("names rank {peer} of communicator {communicator}, which has fewer; record it again")),
        }
    }

    /// Returns the communicator of a collective, and the rank's place in it; `None` where the rank is alone.
    pub fn collective(&self, communicator: u32, rank: u32) -> Result<Option<(CommId, Member)>, String> {
        match self.comm(communicator)? {
            Comm::Itself => Ok(None),
            Comm::Ranks(comm, _) => match self.table.member(*comm, rank) {
                Some(member) => Ok(Some((*comm, member))),
                None => Err(format!("calls a collective of communicator {communicator}, and is not in it")),
            },
        }
    }

    fn comm(&self, communicator: u32) -> Result<&Comm, String> {
        let lost = || format!("names communicator {communicator}, which is not defined; copy all files again");
        self.of.get(&communicator).ok_or_else(lost)
    }
}
