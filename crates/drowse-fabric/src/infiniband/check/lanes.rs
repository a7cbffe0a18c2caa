//! Routes with their virtual lanes: each pair's service level, and at each switch the lane that follows from it.
//!
//! Path records are had pair by pair, so these routes are followed one by one.

use std::collections::{BTreeSet, HashSet};

use super::circle::Dependencies;
use super::fit::Rows;
use super::wiring::{Destination, Owner, Target, Wiring};
use crate::infiniband::tables::{DROPPED, LaneTables, ServiceLevels};

/// Vertices of a channel: one for each lane.
pub(super) const LANES: u32 = 16;

/// What is dumped of service levels and virtual lanes.
#[derive(Clone, Copy, Debug)]
pub struct Dumped<'d> {
    /// The service level of each pair of hosts.
    pub levels: &'d ServiceLevels,
    /// The lanes of each switch.
    pub lanes: &'d LaneTables,
}

/// What routes with lanes come to.
#[derive(Debug, Default)]
pub(super) struct LaneRoutes {
    pub edges: BTreeSet<(u32, u32)>,
    /// Pairs by service level.
    pub by_level: [u64; 16],
    /// The lanes that are used.
    pub lanes: BTreeSet<u8>,
    /// Pairs without a service level; of all LIDs they are followed with level 0.
    pub no_level: u64,
    /// Hops of which no lane is known.
    pub no_lane: u64,
    /// Pairs whose packets are dropped, because a table says lane 15.
    pub dropped: u64,
    /// Where routes to the LID at hand have come by, and with which service level; whatever comes there goes on alike.
    seen: HashSet<(u32, u16, u8)>,
}

impl LaneRoutes {
    pub fn dependencies(&self, wiring: &Wiring<'_>) -> Dependencies {
        Dependencies::new(wiring.targets.len() * LANES as usize, self.edges.iter().copied().collect())
    }
}

/// Where a route begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    lid: Option<u16>,
    switch: u32,
    /// The port at which packets come in; 0 of the switch's own.
    input: u16,
}

/// Follows the routes from hosts to hosts.
pub(super) fn of_data(wiring: &Wiring<'_>, rows: &Rows<'_>, dumped: Dumped<'_>) -> LaneRoutes {
    let mut routes = LaneRoutes::default();
    let hosts = wiring.hosts.iter().filter(|host| host.lid.is_some());
    let starts: Vec<Start> =
        hosts.map(|host| Start { lid: host.lid, switch: host.switch, input: host.switch_port }).collect();
    let is_host = |to: &&Destination| to.is_base && matches!(to.owner, Owner::Host(_));
    for &to in wiring.destinations.iter().filter(is_host) {
        for &from in starts.iter().filter(|from| from.lid != Some(to.lid)) {
            match from.lid.and_then(|lid| dumped.levels.level(lid, to.lid)) {
                Some(level) => {
                    routes.by_level[usize::from(level)] += 1;
                    routes.dropped += u64::from(routes.follow(wiring, rows, dumped, from, to, level));
                    routes.seen.clear();
                }
                None => routes.no_level += 1,
            }
        }
    }
    routes
}

/// Follows the routes from all ports to all LIDs. Pairs without a service level, such as those of switches, take 0.
pub(super) fn of_all(wiring: &Wiring<'_>, rows: &Rows<'_>, dumped: Dumped<'_>) -> LaneRoutes {
    let mut routes = LaneRoutes::default();
    let of_hosts =
        wiring.hosts.iter().map(|host| Start { lid: host.lid, switch: host.switch, input: host.switch_port });
    let switches = 0..wiring.switches.len() as u32;
    let of_switches = switches.map(|switch| Start { lid: wiring.switch_lid(switch), switch, input: 0 });
    let starts: Vec<Start> = of_hosts.chain(of_switches).filter(|start| start.lid.is_some()).collect();
    for &to in &wiring.destinations {
        let base = match to.owner {
            Owner::Host(host) => wiring.hosts[host as usize].lid,
            Owner::Switch(switch) => wiring.switch_lid(switch),
        };
        for &from in starts.iter().filter(|from| from.lid != base) {
            let level = |to: u16| from.lid.and_then(|lid| dumped.levels.level(lid, to));
            let level = level(to.lid).or_else(|| base.and_then(level));
            routes.no_level += u64::from(level.is_none());
            let level = level.unwrap_or_default();
            routes.follow(wiring, rows, dumped, from, to, level);
        }
        routes.seen.clear();
    }
    routes
}

impl LaneRoutes {
    /// Follows a route, and notes what waits for what. One that ends before it arrives is followed so far, and one that
    /// comes where another has been, so far as well. Returns whether packets are dropped.
    fn follow(
        &mut self,
        wiring: &Wiring<'_>,
        rows: &Rows<'_>,
        dumped: Dumped<'_>,
        from: Start,
        to: Destination,
        level: u8,
    ) -> bool {
        let (mut switch, mut input) = (from.switch, from.input);
        let mut before = None;
        // One that goes round a loop comes where it has been.
        loop {
            let port = rows[switch as usize].and_then(|row| row.port(to.lid)).map_or(0, u16::from);
            if port == 0 || u32::from(port) > wiring.ports(switch) {
                return false;
            }
            let channel = wiring.channel(switch, port);
            let Target::Switch(next, next_input) = wiring.targets[channel as usize] else { return false };
            let guid = wiring.guid(switch).unwrap_or_default();
            // Ports are at most 254 where subnets are read.
            let Some(lane) = dumped.lanes.lane(guid, input as u8, port as u8, level) else {
                self.no_lane += 1;
                return false;
            };
            if lane == DROPPED {
                return true;
            }
            self.lanes.insert(lane);
            let vertex = channel * LANES + u32::from(lane);
            self.edges.extend(before.map(|before| (before, vertex)));
            before = Some(vertex);
            if !self.seen.insert((switch, input, level)) {
                return false;
            }
            (switch, input) = (next, next_input);
        }
    }
}
