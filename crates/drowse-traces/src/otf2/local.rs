//! What is of a location alone: its ids of regions and communicators, and its clock.

use super::bytes::{Bytes, Fault};
use super::chunks::Chunks;
use super::clock::Clock;
use super::files::OneFile;
use super::id_map::IdMap;
use crate::error::TraceError;

/// Types of records.
const ID_MAP: u8 = 5;
const CLOCK_OFFSET: u8 = 6;

/// What ids of a table are of.
const OF_REGIONS: u8 = 3;
const OF_COMMUNICATORS: u8 = 6;

/// What is of a location alone.
#[derive(Default)]
pub(super) struct Local {
    regions: Option<IdMap>,
    communicators: Option<IdMap>,
    pub clock: Clock,
}

impl Local {
    /// Reads the file of a location's definitions, whose chunks have a length.
    pub fn read(file: OneFile, chunk: u64) -> Result<Self, TraceError> {
        let (mut local, mut chunks) = (Local::default(), Chunks::open(file, chunk)?);
        while let Some(kind) = chunks.next_type()? {
            let added = local.add(kind, chunks.record()?);
            added.map_err(|problem| chunks.wrong(problem))?;
        }
        Ok(local)
    }

    /// Returns the id of a region for all locations.
    pub fn region(&self, id: u32) -> u32 {
        global(self.regions.as_ref(), id)
    }

    /// Returns the id of a communicator for all locations.
    pub fn communicator(&self, id: u32) -> u32 {
        global(self.communicators.as_ref(), id)
    }

    /// Adds a record. Others than these are not needed.
    fn add(&mut self, kind: u8, mut record: Bytes) -> Result<(), Fault> {
        match kind {
            ID_MAP => {
                let map = match record.u8()? {
                    OF_REGIONS => &mut self.regions,
                    OF_COMMUNICATORS => &mut self.communicators,
                    _ => return Ok(()),
                };
                if map.replace(IdMap::read(&mut record)?).is_some() {
                    return Err("the ids of a location are told twice; the file is damaged: copy it again");
                }
            }
            CLOCK_OFFSET => {
                let (time, offset) = (record.whole_u64()?, record.u64()?.cast_signed());
                if !self.clock.add(time, offset) {
                    return Err("a clock was compared at a time before the last; the file is damaged: copy it again");
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the id for all locations. OTF2 knows none above 32 bits.
fn global(map: Option<&IdMap>, id: u32) -> u32 {
    map.map_or(id, |map| map.global(id.into()) as u32)
}
