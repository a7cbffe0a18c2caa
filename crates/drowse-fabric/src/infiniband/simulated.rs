//! From the tables of a dump to those that are simulated: LIDs become nodes, and ports those of the graph.

use std::collections::HashMap;

use drowse_core::topology::{Forwarding, Lanes};

use super::tables::{LaneTables, ServiceLevels, SwitchTable, Tables};
use crate::model::fabric::Fabric;

/// What a dump says of routes.
#[derive(Clone, Copy, Debug)]
pub struct Dump<'a> {
    /// The forwarding tables.
    pub tables: &'a Tables,
    /// The service levels of pairs, and the lanes that switches have for them, where they are known.
    pub lanes: Option<(&'a ServiceLevels, &'a LaneTables)>,
}

/// Tables cannot be simulated: what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {help}")]
pub struct Unrouted {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

const OTHER_SWEEP: &str = "name tables and topology of one sweep of the subnet manager";

impl Fabric {
    /// Makes the tables that are simulated from those of a dump, and says what of them does not fit.
    pub fn forwarding(&self, dump: Dump<'_>) -> Result<(Forwarding, Vec<String>), Unrouted> {
        let ports = Ports::new(self)?;
        let of_guid: HashMap<u64, &SwitchTable> =
            dump.tables.switches.iter().map(|table| (table.guid, table)).collect();
        let (mut notes, mut outputs) = (Vec::new(), Vec::new());
        let mut strange = Counted::default();
        let tables: Vec<Option<&SwitchTable>> =
            self.switch_addresses.iter().map(|address| of_guid.get(&address.guid?).copied()).collect();
        let missing = tables.iter().filter(|table| table.is_none()).count();
        if let Some(first) = tables.iter().position(Option::is_none) {
            let message = format!(
                "{missing} of {} switches have no table in this file, such as `{}`",
                tables.len(),
                self.graph.names[first]
            );
            return Err(Unrouted { message, help: OTHER_SWEEP.into() });
        }
        for (node, (home, port)) in self.homes().zip(self.node_ports()).enumerate() {
            let lid = self.lid(node)?;
            for (switch, table) in tables.iter().enumerate() {
                let port_of = |table: &SwitchTable| match (table.port(lid), table.not_printed) {
                    (None, Some(left_out)) if left_out == lid && switch != home => Err(not_printed(lid)),
                    (to, _) => Ok(to),
                };
                let to = table.map(port_of).transpose()?.flatten().filter(|&to| to != 0).map(u16::from);
                let local = to.and_then(|to| ports.local(switch, to));
                if to.is_some() && local.is_none() || switch == home && to.is_some_and(|to| to != port) {
                    strange.add(|| format!("LID {lid} at {}", self.graph.names[switch]));
                }
                if local.is_none() && switch != home && self.graph.nodes[switch] > 0 {
                    let [there, name] = [&self.graph.names[switch], &self.graph.node_names[node]];
                    let message = format!("the table of `{there}` has no output for `{name}` (LID {lid})");
                    return Err(Unrouted { message, help: OTHER_SWEEP.into() });
                }
                outputs.push(local.filter(|_| switch != home).unwrap_or(Forwarding::NOWHERE));
            }
        }
        let more = dump.tables.switches.len().saturating_sub(tables.len());
        if more > 0 {
            notes.push(format!("the tables do not fit the topology: {more} of switches that it lacks; {OTHER_SWEEP}"));
        }
        if let Some(first) = &strange.first {
            let count = strange.count;
            notes.push(format!("the tables do not fit the topology: {count} entries, such as {first}; {OTHER_SWEEP}"));
        }
        let lanes = dump.lanes.map(|(levels, maps)| self.lanes(&ports, levels, maps, &mut notes)).transpose()?;
        Ok((Forwarding { outputs, lanes }, notes))
    }

    /// Returns the switch of each node.
    fn homes(&self) -> impl Iterator<Item = usize> {
        self.graph.nodes.iter().enumerate().flat_map(|(switch, &nodes)| (0..nodes).map(move |_| switch))
    }

    /// Returns the number of the port that each node is on; those of a switch's nodes follow those of its links.
    fn node_ports(&self) -> impl Iterator<Item = u16> {
        let of_switch = |(&nodes, numbers): (&u32, &Vec<u16>)| {
            let links = numbers.len().saturating_sub(nodes as usize);
            numbers[links..].to_vec()
        };
        self.graph.nodes.iter().zip(&self.graph.port_numbers).flat_map(of_switch)
    }

    fn lid(&self, node: usize) -> Result<u16, Unrouted> {
        self.node_addresses.get(node).and_then(|address| address.lid).ok_or_else(|| Unrouted {
            message: format!("node `{}` has no LID", self.graph.node_names[node]),
            help: "name a topology in which the subnet manager has given LIDs, as ibnetdiscover prints it".into(),
        })
    }

    fn lanes(
        &self,
        ports: &Ports,
        levels: &ServiceLevels,
        maps: &LaneTables,
        notes: &mut Vec<String>,
    ) -> Result<Lanes, Unrouted> {
        let lids = (0..self.node_addresses.len()).map(|node| self.lid(node)).collect::<Result<Vec<u16>, Unrouted>>()?;
        let mut unknown = Counted::default();
        let mut of_pair = Vec::with_capacity(lids.len() * lids.len());
        for (&from, &to) in lids.iter().flat_map(|from| lids.iter().map(move |to| (from, to))) {
            let level = levels.level(from, to);
            if level.is_none() && from != to {
                unknown.add(|| format!("LID {from} to {to}"));
            }
            of_pair.push(level.unwrap_or(0));
        }
        if let Some(first) = &unknown.first {
            let count = unknown.count;
            notes.push(format!("pairs without a service level, which have 0 here: {count}, such as {first}"));
        }
        let of_switch = |(switch, address): (usize, &crate::model::fabric::Address)| {
            let numbers = &ports.numbers[switch];
            let pairs = numbers.iter().flat_map(|&input| numbers.iter().map(move |&output| (input, output)));
            let lane = |input: u16, output: u16, level: usize| {
                let [input, output] = [input, output].map(u8::try_from);
                maps.lane(address.guid?, input.ok()?, output.ok()?, level as u8)
            };
            let row = |(input, output)| {
                (0..Lanes::LEVELS).map(move |level| lane(input, output, level).unwrap_or(super::tables::DROPPED))
            };
            pairs.flat_map(row).collect()
        };
        let maps = self.switch_addresses.iter().enumerate().map(of_switch).collect();
        Ok(Lanes { levels: of_pair, maps })
    }
}

/// Says that a tool leaves out a LID which the switches may know.
fn not_printed(lid: u16) -> Unrouted {
    Unrouted {
        message: format!(
            "there is no entry for LID {lid}, the highest: dump_fts and ibroute never print one that is a multiple of 64"
        ),
        help: "name opensm-lfts.dump, which OpenSM writes with the options -D 0x43 --dump_files_dir DIR".into(),
    }
}

/// The ports of switches, by the numbers of the file.
struct Ports {
    /// By switch and port of the graph: the number in the file.
    numbers: Vec<Vec<u16>>,
    /// By switch and number in the file: the port of the graph.
    local: Vec<HashMap<u16, u16>>,
}

impl Ports {
    fn new(fabric: &Fabric) -> Result<Self, Unrouted> {
        let graph = &fabric.graph;
        if fabric.switch_addresses.is_empty() || graph.port_numbers.len() != graph.nodes.len() {
            let message = "this file numbers no ports, and gives switches no GUIDs".to_owned();
            return Err(Unrouted { message, help: "tables go with the output of ibnetdiscover".into() });
        }
        let numbers = graph.port_numbers.clone();
        let local = numbers.iter().map(|numbers| numbers.iter().copied().zip(0..).collect()).collect();
        Ok(Ports { numbers, local })
    }

    fn local(&self, switch: usize, number: u16) -> Option<u16> {
        self.local[switch].get(&number).copied()
    }
}

/// A number, and the first of what is counted.
#[derive(Default)]
struct Counted {
    count: usize,
    first: Option<String>,
}

impl Counted {
    fn add(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(what);
    }
}
