//! `network.tables`: forwarding tables of a subnet, and the virtual lanes that go with them.

use drowse_core::topology::{Forwarding, TableKind};
use drowse_fabric::Fabric;
use drowse_fabric::infiniband::Dump;
use drowse_fabric::infiniband::{LaneTables, ServiceLevels, Tables};

use crate::diagnostic::{Diagnostic, Location};
use crate::keys::Keys;
use crate::subnet_files::dump;

/// The keys of the files.
const TABLES: &str = "network.tables";
const LEVELS: &str = "network.service_levels";
const MAPS: &str = "network.lane_maps";

/// The files that are named, relative to the experiment's folder.
pub struct Named<'a> {
    pub tables: &'a Option<String>,
    pub service_levels: &'a Option<String>,
    pub lane_maps: &'a Option<String>,
}

impl Named<'_> {
    /// Reads the tables where packets go by them; adds to the notes what does not fit.
    pub fn read(
        &self,
        fabric: &Fabric,
        kind: TableKind,
        keys: &Keys,
        notes: &mut Vec<String>,
    ) -> Result<Option<Forwarding>, Diagnostic> {
        let Some(tables) = self.tables else {
            return match (self.service_levels, self.lane_maps) {
                (None, None) if kind == TableKind::Forwarding => {
                    let message = "packets go by tables, and none are named";
                    Err(keys.error("network.routing", message, "write network.tables = \"fabric.lft\""))
                }
                (None, None) => Ok(None),
                (levels, _) => {
                    let key = if levels.is_some() { LEVELS } else { MAPS };
                    let message = format!("`{key}` goes with forwarding tables");
                    Err(keys.error(key, message, "write network.tables, too"))
                }
            };
        };
        // Another routing may be compared with them; they are not read then.
        if kind != TableKind::Forwarding {
            return Ok(None);
        }
        let path = |name: &str| keys.source().resolve(name);
        let tables = dump(&path(tables), Tables::read).map_err(|error| at_key(error, TABLES, keys))?;
        let lanes = match (self.service_levels, self.lane_maps) {
            (Some(levels), Some(maps)) => {
                let levels = dump(&path(levels), ServiceLevels::read).map_err(|error| at_key(error, LEVELS, keys))?;
                Some((levels, dump(&path(maps), LaneTables::read).map_err(|error| at_key(error, MAPS, keys))?))
            }
            (None, None) => None,
            (levels, _) => {
                let [there, lacks] = if levels.is_some() { [LEVELS, MAPS] } else { [MAPS, LEVELS] };
                let message = format!("`{there}` stands without `{lacks}`");
                return Err(keys.error(there, message, "write both: a lane follows from level, input and output"));
            }
        };
        let dump = Dump { tables: &tables, lanes: lanes.as_ref().map(|(levels, maps)| (levels, maps)) };
        let (forwarding, of_dump) =
            fabric.forwarding(dump).map_err(|error| keys.error(TABLES, error.message, error.help))?;
        notes.extend(of_dump);
        Ok(Some(forwarding))
    }
}

/// Tells at its key that a file cannot be read; what is wrong in a file is told there.
fn at_key(error: Diagnostic, key: &str, keys: &Keys) -> Diagnostic {
    match &error.location {
        Location::File { file } => {
            let message = format!("{file}: {}", error.message);
            Diagnostic { machine: error.machine, ..keys.error(key, message, error.help) }
        }
        _ => error,
    }
}
