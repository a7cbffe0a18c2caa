//! One route, hop by hop, as `ibtracert` prints it.

use super::fit::{Rows, fit};
use super::wiring::{Owner, Target, Wiring};
use crate::infiniband::subnet::Subnet;
use crate::infiniband::tables::Tables;

/// A hop: from the port of a device to that of the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The port that sends.
    pub output: u16,
    /// The name of the next device.
    pub to: String,
    /// Its GUID as cables have it: of a switch, or of the adapter's port.
    pub guid: Option<u64>,
    /// The port at which the cable ends.
    pub input: u16,
}

/// Routes of pairs, followed one by one.
#[derive(Debug)]
pub struct Walker<'s> {
    wiring: Wiring<'s>,
    rows: Rows<'s>,
}

impl<'s> Walker<'s> {
    /// Puts tables and topology together.
    pub fn new(subnet: &'s Subnet, tables: &'s Tables) -> Self {
        let wiring = Wiring::new(subnet);
        let (rows, _) = fit(&wiring, tables);
        Walker { wiring, rows }
    }

    /// Returns the hops from the port with a LID to another LID; else the hops so far, and what is wrong.
    pub fn walk(&self, from: u16, to: u16) -> Result<Vec<Hop>, (Vec<Hop>, String)> {
        let mut hops = Vec::new();
        let (Some(start), Some(end)) = (self.owner(from), self.owner(to)) else {
            return Err((hops, format!("there is no port with LID {from}, or none with LID {to}")));
        };
        if start == end {
            return Ok(hops);
        }
        let mut switch = match start {
            Owner::Switch(switch) => switch,
            Owner::Host(host) => {
                let host = self.wiring.hosts[host as usize];
                hops.push(self.to_switch(host.end.port, host.switch, host.switch_port));
                host.switch
            }
        };
        for _ in 0..=self.wiring.switches.len() {
            if end == Owner::Switch(switch) {
                return Ok(hops);
            }
            let name = self.wiring.switch_name(switch);
            let Some(row) = self.rows[switch as usize] else { return Err((hops, format!("{name} has no table"))) };
            let Some(port) = row.port(to) else { return Err((hops, format!("{name} has no entry for LID {to}"))) };
            let is_port = (1..=self.wiring.ports(switch)).contains(&u32::from(port));
            let port = u16::from(port);
            let target =
                if is_port { self.wiring.targets[self.wiring.channel(switch, port) as usize] } else { Target::Nothing };
            match target {
                Target::Switch(next, input) => {
                    hops.push(self.to_switch(port, next, input));
                    switch = next;
                }
                Target::Host(host) => {
                    hops.push(self.to_host(port, host));
                    let arrived = end == Owner::Host(host);
                    let wrong = || format!("{name} [{port}] leads to another host");
                    return if arrived { Ok(hops) } else { Err((hops, wrong())) };
                }
                Target::Nothing => return Err((hops, format!("{name} [{port}] leads nowhere"))),
            }
        }
        Err((hops, "the route goes round a loop".to_owned()))
    }

    fn owner(&self, lid: u16) -> Option<Owner> {
        let all = &self.wiring.destinations;
        all.binary_search_by_key(&lid, |destination| destination.lid).ok().map(|at| all[at].owner)
    }

    fn to_switch(&self, output: u16, switch: u32, input: u16) -> Hop {
        let to = self.wiring.switch_name(switch).to_owned();
        Hop { output, to, guid: self.wiring.guid(switch), input }
    }

    fn to_host(&self, output: u16, host: u32) -> Hop {
        let to = self.wiring.host_name(host).to_owned();
        let end = self.wiring.hosts[host as usize].end;
        let device = self.wiring.subnet.device(end);
        let guid = device.ports.iter().find(|port| port.number == end.port).and_then(|port| port.guid);
        Hop { output, to, guid: guid.or(device.guid), input: end.port }
    }
}
