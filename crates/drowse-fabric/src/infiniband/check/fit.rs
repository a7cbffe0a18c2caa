//! Whether topology and tables are of one sweep: switches and LIDs that stand in one and not in the other.

use std::collections::{BTreeSet, HashMap};

use super::wiring::{Owner, Wiring};
use crate::infiniband::tables::{SwitchTable, Tables};

/// What of the topology and the tables does not fit together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    /// Switches of the topology without a table.
    pub without_table: Vec<String>,
    /// Switches that have a table and are not in the topology, with their GUIDs.
    pub not_in_topology: Vec<String>,
    /// LIDs that tables have and no port of the topology.
    pub unknown_lids: Vec<u16>,
    /// LIDs of the topology that no table has.
    pub unrouted_lids: Vec<u16>,
    /// LIDs that two ports of the topology have; the second is left out.
    pub lids_twice: Vec<u16>,
    /// Switches whose own LID in the table, the one with port 0, is another in the topology.
    pub moved: Vec<String>,
    /// A highest LID that is a multiple of 64, which `dump_fts` and `ibroute` never print. Routes to it are not
    /// checked; opensm-lfts.dump has them.
    pub not_printed: Option<u16>,
}

impl Fit {
    /// Returns whether all of the topology and the tables fits together.
    pub fn is_whole(&self) -> bool {
        *self == Fit { not_printed: self.not_printed, ..Fit::default() }
    }
}

/// The tables by the numbers of the switches.
pub(super) type Rows<'t> = Vec<Option<&'t SwitchTable>>;

/// Finds the table of each switch, and what does not fit.
pub(super) fn fit<'t>(wiring: &Wiring<'_>, tables: &'t Tables) -> (Rows<'t>, Fit) {
    let by_guid: HashMap<u64, &SwitchTable> = tables.switches.iter().map(|table| (table.guid, table)).collect();
    let switches = 0..wiring.switches.len() as u32;
    let guids: Vec<Option<u64>> = switches.clone().map(|switch| wiring.guid(switch)).collect();
    let rows: Rows<'t> = guids.iter().map(|guid| guid.and_then(|guid| by_guid.get(&guid).copied())).collect();
    let known: BTreeSet<u64> = guids.into_iter().flatten().collect();
    let strangers = tables.switches.iter().filter(|table| !known.contains(&table.guid));
    let name = |table: &SwitchTable| format!("{} 0x{:016x}", table.name, table.guid).trim_start().to_owned();
    let mut fit = Fit {
        without_table: missing(wiring, &rows),
        not_in_topology: strangers.map(name).collect(),
        lids_twice: wiring.twice.clone(),
        ..Fit::default()
    };
    fit_lids(wiring, tables, &mut fit);
    let moved = |switch: &u32| {
        let own = rows[*switch as usize].and_then(|row| row.ports.iter().position(|&port| port == 0));
        own.zip(wiring.switch_lid(*switch)).is_some_and(|(own, lid)| own != usize::from(lid))
    };
    fit.moved = switches.filter(moved).map(|switch| wiring.switch_name(switch).to_owned()).collect();
    (rows, fit)
}

fn missing(wiring: &Wiring<'_>, rows: &Rows<'_>) -> Vec<String> {
    let without = (0..).zip(rows).filter(|(_, row)| row.is_none());
    without.map(|(switch, _)| wiring.switch_name(switch).to_owned()).collect()
}

fn fit_lids(wiring: &Wiring<'_>, tables: &Tables, fit: &mut Fit) {
    let most = tables.switches.iter().map(|table| table.ports.len()).max().unwrap_or_default();
    let mut routed = vec![false; most.max(1 << 16)];
    for table in &tables.switches {
        (0..=u16::MAX).zip(&table.ports).for_each(|(lid, _)| routed[usize::from(lid)] |= table.port(lid).is_some());
    }
    let mut owned = vec![false; routed.len()];
    wiring.destinations.iter().for_each(|destination| owned[usize::from(destination.lid)] = true);
    let hidden: BTreeSet<u16> = tables.switches.iter().filter_map(|table| table.not_printed).collect();
    let is_host = |owner: Owner| matches!(owner, Owner::Host(_));
    fit.unknown_lids = (0..=u16::MAX).filter(|&lid| routed[usize::from(lid)] && !owned[usize::from(lid)]).collect();
    let unrouted = wiring.destinations.iter().filter(|destination| !routed[usize::from(destination.lid)]);
    // Engines for trees leave routes to switches out.
    let unrouted = unrouted.filter(|destination| is_host(destination.owner) || destination.is_base);
    fit.unrouted_lids = unrouted.map(|destination| destination.lid).filter(|lid| !hidden.contains(lid)).collect();
    fit.not_printed = hidden.into_iter().rfind(|&lid| !routed[usize::from(lid)] && owned[usize::from(lid)]);
}
