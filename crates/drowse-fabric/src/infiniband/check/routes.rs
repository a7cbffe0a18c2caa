//! All routes over the real tables: which pairs are served, how long their routes are, how many use each channel, and
//! which channels follow each other.

use super::circle::Dependencies;
use super::fit::Rows;
use super::tree::{Fate, NONE, Tree};
use super::wiring::{Destination, Owner, Target, Wiring};

/// The most examples of a fault.
const EXAMPLES: usize = 10;

/// Pairs of LIDs, and those among them that no route serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Pairs of a port that sends and a LID of another port.
    pub number: u64,
    /// Pairs by the links of their routes, hosts' links included.
    pub by_links: Vec<u64>,
    /// Pairs whose packets end at a switch without a table.
    pub no_table: u64,
    /// At a switch whose table has no entry for the LID.
    pub no_entry: u64,
    /// At a switch whose entry leads elsewhere: to no cable, to another host, to itself.
    pub astray: u64,
    /// Pairs whose packets go round in a loop.
    pub loops: u64,
    /// Some of the pairs that are not served, in words.
    pub examples: Vec<String>,
}

impl Pairs {
    /// Returns how many pairs are not served.
    pub fn unserved(&self) -> u64 {
        self.no_table + self.no_entry + self.astray + self.loops
    }

    fn add(&mut self, fate: Fate, ends: u32, pairs: u64) {
        if pairs == 0 {
            return;
        }
        self.number += pairs;
        match fate {
            Fate::Arrives(links) => {
                let links = (links + ends) as usize;
                if self.by_links.len() <= links {
                    self.by_links.resize(links + 1, 0);
                }
                self.by_links[links] += pairs;
            }
            Fate::NoTable(_) => self.no_table += pairs,
            Fate::NoEntry(_) => self.no_entry += pairs,
            Fate::Astray(_) => self.astray += pairs,
            Fate::Loops(_) => self.loops += pairs,
        }
    }

    fn exemplify(&mut self, wiring: &Wiring<'_>, from: &str, to: Destination, fate: Fate) {
        if self.examples.len() == EXAMPLES {
            return;
        }
        let (switch, what) = match fate {
            Fate::Arrives(_) => return,
            Fate::NoTable(switch) => (switch, "has no table"),
            Fate::NoEntry(switch) => (switch, "has no entry for it"),
            Fate::Astray(switch) => (switch, "has an entry that leads elsewhere"),
            Fate::Loops(switch) => (switch, "is on the way round a loop"),
        };
        let owner = wiring.owner_name(to.owner);
        let at = wiring.switch_name(switch);
        self.examples.push(format!("{from} to {owner} (LID {}): switch {at} {what}", to.lid));
    }
}

/// What all routes come to.
#[derive(Debug)]
pub(super) struct Routes {
    /// From hosts to the first LIDs of hosts.
    pub data: Pairs,
    /// From all ports to all LIDs, to those of switches and further LIDs of ports, too.
    pub all: Pairs,
    /// Routes from host to host over each channel between switches.
    pub loads: Vec<u64>,
    /// What waits for what by routes from host to host, and by all.
    pub of_data: Dependencies,
    pub of_all: Dependencies,
}

/// Which ports of the next switch follow a channel.
type Followers = [u64; 4];

/// What is counted while the routes to one LID after another are looked at.
struct Count<'w> {
    wiring: &'w Wiring<'w>,
    /// Hosts with LIDs at each switch.
    hosts: Vec<u64>,
    data: Pairs,
    all: Pairs,
    loads: Vec<u64>,
    of_data: Vec<Followers>,
    of_all: Vec<Followers>,
}

/// Follows all routes. Routes to a highest LID that the dump left out are none.
pub(super) fn follow(wiring: &Wiring<'_>, rows: &Rows<'_>, not_printed: Option<u16>) -> Routes {
    let channels = wiring.targets.len();
    let mut count = Count {
        wiring,
        hosts: senders(wiring),
        data: Pairs::default(),
        all: Pairs::default(),
        loads: vec![0; channels],
        of_data: vec![[0; 4]; channels],
        of_all: vec![[0; 4]; channels],
    };
    let mut tree = Tree::new(rows.len());
    let mut flow = vec![0; rows.len()];
    for &to in wiring.destinations.iter().filter(|to| Some(to.lid) != not_printed) {
        tree.build(wiring, rows, to);
        if to.is_base && matches!(to.owner, Owner::Host(_)) {
            count.data(&tree, to, &mut flow);
        }
        count.all(&tree, to, &mut flow);
    }
    let Count { data, all, loads, of_data, of_all, .. } = count;
    let [of_data, of_all] = [of_data, of_all].map(|followers| dependencies(wiring, &followers));
    Routes { data, all, loads, of_data, of_all }
}

/// Returns how many hosts with LIDs each switch has.
fn senders(wiring: &Wiring<'_>) -> Vec<u64> {
    let mut hosts = vec![0; wiring.switches.len()];
    wiring.hosts.iter().filter(|host| host.lid.is_some()).for_each(|host| hosts[host.switch as usize] += 1);
    hosts
}

impl Count<'_> {
    /// Sets what each switch sends: its hosts without the destination itself.
    fn fill(&self, flow: &mut [u64], to: Destination) {
        flow.copy_from_slice(&self.hosts);
        if let Owner::Host(host) = to.owner {
            let switch = self.wiring.hosts[host as usize].switch as usize;
            flow[switch] = flow[switch].saturating_sub(1);
        }
    }

    /// Counts routes from hosts to a host.
    fn data(&mut self, tree: &Tree, to: Destination, flow: &mut [u64]) {
        self.fill(flow, to);
        for (&fate, (switch, &pairs)) in tree.fate.iter().zip((0..).zip(&*flow)).filter(|(_, (_, pairs))| **pairs > 0) {
            self.data.add(fate, 2, pairs);
            if !matches!(fate, Fate::Arrives(_)) && self.data.examples.len() < EXAMPLES {
                let from = first_host(self.wiring, switch, to);
                self.data.exemplify(self.wiring, from, to, fate);
            }
        }
        let (wiring, loads, followers) = (self.wiring, &mut self.loads, &mut self.of_data);
        tree.send(flow, |channel, after, packets| {
            loads[channel as usize] += packets;
            follow_up(wiring, followers, channel, after);
        });
    }

    /// Counts routes from all ports to a LID.
    fn all(&mut self, tree: &Tree, to: Destination, flow: &mut [u64]) {
        self.fill(flow, to);
        let own = if let Owner::Switch(switch) = to.owner { Some(switch) } else { None };
        let host_link = u32::from(own.is_none());
        for (switch, (&fate, flow)) in (0..).zip(tree.fate.iter().zip(&mut *flow)) {
            self.all.add(fate, 1 + host_link, *flow);
            if *flow > 0 && !matches!(fate, Fate::Arrives(_)) {
                self.all.exemplify(self.wiring, first_host(self.wiring, switch, to), to, fate);
            }
            if own != Some(switch) {
                self.all.add(fate, host_link, 1);
                self.all.exemplify(self.wiring, self.wiring.switch_name(switch), to, fate);
                *flow += 1;
            }
        }
        let (wiring, followers) = (self.wiring, &mut self.of_all);
        tree.send(flow, |channel, after, _| follow_up(wiring, followers, channel, after));
    }
}

/// Returns the first host of a switch that is not the destination.
fn first_host<'w>(wiring: &'w Wiring<'_>, switch: u32, to: Destination) -> &'w str {
    let host = wiring.outputs(switch).find_map(|(_, target)| match target {
        Target::Host(host) if to.owner != Owner::Host(host) => Some(host),
        _ => None,
    });
    host.map_or("", |host| wiring.host_name(host))
}

/// Notes that packets go on from a channel to another.
fn follow_up(wiring: &Wiring<'_>, followers: &mut [Followers], channel: u32, after: u32) {
    if after != NONE {
        let (_, port) = wiring.sender(after);
        followers[channel as usize][usize::from(port) / 64] |= 1 << (port % 64);
    }
}

/// Makes edges of what follows each channel.
fn dependencies(wiring: &Wiring<'_>, followers: &[Followers]) -> Dependencies {
    let mut edges = Vec::new();
    for (channel, followers) in (0..).zip(followers) {
        let Target::Switch(next, _) = wiring.targets[channel as usize] else { continue };
        let ports = (1..=255_u16).filter(|port| followers[usize::from(*port) / 64] & 1 << (port % 64) != 0);
        edges.extend(ports.map(|port| (channel, wiring.channel(next, port))));
    }
    Dependencies::new(followers.len(), edges)
}
