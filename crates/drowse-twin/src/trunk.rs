//! The state of governed trunks, and what the two ends of each have told each other.

use drowse_core::power::Trunk as Thresholds;
use drowse_core::topology::Geometry;

use crate::net::Net;
use crate::policy::Policy;

/// The parallel links between two switches in one direction, or one link whose lanes are governed.
pub struct Trunk {
    /// Its ports in an order that is the same at both ends.
    pub ports: Vec<usize>,
    pub thresholds: Thresholds,
    /// Flits that it had sent by the begin of the window, and the number of the window.
    pub sent: u64,
    pub window: u64,
    pub agreement: Agreement,
}

/// What an end of a trunk knows whose two directions go together.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// What this end and the other end want, until that is decided.
    pub wants: [Option<Change>; 2],
    /// When the other end will have told what it wants.
    pub told: Vec<(u64, Change)>,
    /// The edges at which it is decided.
    pub decided_at: Vec<u64>,
    /// How often in a row this end has wanted one port fewer since it sent something.
    pub asked: u32,
}

/// What happens to a trunk: so many ports more or fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    More(u8),
    Fewer(u8),
}

/// How often an end that sends nothing asks for one port fewer. It asks again when it has been told something.
pub const ASKS: u32 = 2;

/// Finds the governed trunks of a network.
pub fn trunks(net: &Net, policies: &[Policy]) -> Vec<Trunk> {
    let mut found = Vec::new();
    for ports in parallel_ports(net) {
        let class = usize::from(net.network.port_class[ports[0]]);
        let sleeps = net.config.classes[class].states.is_some();
        let make = |ports, thresholds| Trunk { ports, thresholds, sent: 0, window: 0, agreement: Agreement::default() };
        match &policies[class] {
            _ if !sleeps => {}
            Policy::Trunk(thresholds) if ports.len() > 1 => found.push(make(ports, *thresholds)),
            Policy::Width(width) => found.extend(ports.into_iter().map(|port| make(vec![port], width.thresholds))),
            _ => {}
        }
    }
    found
}

/// Returns the ports of all trunks between switches, each in the order of the lower port of its links.
fn parallel_ports(net: &Net) -> Vec<Vec<usize>> {
    let mut trunks: Vec<Vec<usize>> = Vec::new();
    for port in (0..net.ports).filter(|&port| net.leads_to(port).is_some()) {
        // Both directions round a ring of two lead to the same switch.
        let direction = |port: usize| match &net.network.geometry {
            Geometry::Grid(grid) => (0..grid.dims.len())
                .flat_map(|d| [(d, true), (d, false)])
                .find(|&(d, up)| net.has_trunk(grid, net.switch(port), d, up).is_some_and(|t| t.contains(&port))),
            _ => None,
        };
        let same = |other: usize| {
            let key =
                |port: usize| (net.switch(port), net.leads_to(port), net.network.port_class[port], direction(port));
            key(other) == key(port)
        };
        match trunks.iter_mut().find(|trunk| same(trunk[0])) {
            Some(trunk) => trunk.push(port),
            None => trunks.push(vec![port]),
        }
    }
    trunks.iter_mut().for_each(|ports| ports.sort_by_key(|&port| port.min(net.back[port])));
    trunks
}

impl Agreement {
    /// Hears what the other end wants. Of wishes that arrive together, the one for the fewest ports counts: first those
    /// for fewer, and of those the one for most.
    pub fn hear(&mut self, now: u64, clock: u64) {
        let told: Vec<Change> = self.told.extract_if(.., |&mut (at, _)| at <= now).map(|(_, told)| told).collect();
        let rank = |change: &Change| match *change {
            Change::More(count) => (0, count),
            Change::Fewer(count) => (1, count),
        };
        if let Some(last) = told.into_iter().max_by_key(rank) {
            self.wants[1] = Some(last);
            self.decided_at.push(now + clock);
            self.asked = self.asked.min(ASKS - 1);
        }
    }
}
