//! What all locations share: the file `NAME.def`.

use rustc_hash::FxHashMap;

use super::bytes::{Bytes, Fault};
use super::chunks::Chunks;
use super::files::OneFile;
use crate::error::TraceError;

/// Types of records.
const CLOCK: u8 = 5;
const STRING: u8 = 10;
const LOCATION: u8 = 14;
const REGION: u8 = 15;
const GROUP: u8 = 18;
const COMMUNICATOR: u8 = 22;

/// The number of MPI among the paradigms.
const MPI: u8 = 4;
/// The number of threads of processors among the kinds of locations.
const CPU_THREAD: u8 = 1;

/// What all locations share.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// Ticks of the clock in a second.
    pub ticks_per_second: u64,
    /// Texts, by id.
    pub strings: FxHashMap<u32, String>,
    /// The texts' ids of regions' names, by region.
    pub regions: FxHashMap<u32, u32>,
    /// Groups, by id.
    pub groups: FxHashMap<u32, Group>,
    /// The groups of communicators, by communicator.
    pub communicators: FxHashMap<u32, u32>,
    /// The numbers of events of threads of processors, by location.
    pub locations: FxHashMap<u64, u64>,
}

/// A group of ranks or locations.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// What its members are.
    pub kind: GroupKind,
    /// Whether it is of MPI.
    pub is_mpi: bool,
    /// The members.
    pub members: Vec<u64>,
}

/// What the members of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// The locations of ranks 0, 1, ...
    Locations,
    /// Ranks: places in the group of locations.
    Ranks,
    /// None: each rank is alone.
    Itself,
    /// Something that has nothing to do with messages.
    Other,
}

impl Definitions {
    /// Reads the file, whose chunks have a length.
    pub fn read(file: OneFile, chunk: u64) -> Result<Self, TraceError> {
        let (mut definitions, mut chunks) = (Definitions::default(), Chunks::open(file, chunk)?);
        while let Some(kind) = chunks.next_type()? {
            let added = definitions.add(kind, chunks.record()?);
            added.map_err(|problem| chunks.wrong(problem))?;
        }
        Ok(definitions)
    }

    /// Adds a record. Others than these are not needed, nor is what a record holds behind what is read.
    fn add(&mut self, kind: u8, mut record: Bytes) -> Result<(), Fault> {
        match kind {
            CLOCK => self.ticks_per_second = record.u64()?,
            STRING => {
                let (id, text) = (record.u32()?, record.text()?);
                self.strings.insert(id, String::from_utf8_lossy(text).into_owned());
            }
            LOCATION => {
                let (id, _name, kind, events) = (record.u64()?, record.u32()?, record.u8()?, record.u64()?);
                if kind == CPU_THREAD {
                    self.locations.insert(id, events);
                }
            }
            REGION => {
                let (id, name) = (record.u32()?, record.u32()?);
                self.regions.insert(id, name);
            }
            GROUP => {
                let id = record.u32()?;
                self.groups.insert(id, group(&mut record)?);
            }
            COMMUNICATOR => {
                let (id, _name, group) = (record.u32()?, record.u32()?, record.u32()?);
                self.communicators.insert(id, group);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Reads a group from its name on. Version 1.2 put kind and paradigm behind the members; before, one number told both.
fn group(record: &mut Bytes) -> Result<Group, Fault> {
    let (_name, before, count) = (record.u32()?, record.u8()?, record.u32()?);
    // Each member takes a byte or more, so a number that lies finds the end of the record.
    let members = (0..count).map(|_| record.u64()).collect::<Result<_, _>>()?;
    let (kind, is_mpi) = match before {
        _ if record.left() > 0 => (record.u8()?, record.u8()? == MPI),
        4 => (5, true),
        5 => (6, true),
        6 => (4, true),
        _ => (0, false),
    };
    let kind = match kind {
        4 => GroupKind::Locations,
        5 => GroupKind::Ranks,
        6 => GroupKind::Itself,
        _ => GroupKind::Other,
    };
    Ok(Group { kind, is_mpi, members })
}

#[cfg(test)]
mod tests {
    use super::super::bytes::Order;
    use super::*;

    fn read(bytes: &[u8]) -> Result<Group, Fault> {
        group(&mut Bytes::new(bytes, Order::Little))
    }

    /// A group of members 3 and 0: of version 1.1, and with what version 1.2 added.
    #[test]
    fn groups_of_old_and_new_versions() {
        let of = |kind, is_mpi| Ok(Group { kind, is_mpi, members: vec![3, 0] });
        assert_eq!(read(&[0, 4, 1, 2, 1, 3, 0]), of(GroupKind::Ranks, true));
        assert_eq!(read(&[0, 6, 1, 2, 1, 3, 0]), of(GroupKind::Locations, true));
        assert_eq!(read(&[0, 1, 1, 2, 1, 3, 0]), of(GroupKind::Other, false));
        assert_eq!(read(&[0, 0, 1, 2, 1, 3, 0, 4, 4, 0]), of(GroupKind::Locations, true));
        assert_eq!(read(&[0, 4, 1, 2, 1, 3, 0, 5, 2, 0]), of(GroupKind::Ranks, false));
    }

    #[test]
    fn a_lying_number_of_members_is_refused() {
        assert!(read(&[0, 4, 0xff, 1, 3, 0]).is_err());
    }
}
