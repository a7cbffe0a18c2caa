//! The permitted outputs of a packet, found by searching the network's tables.

use std::ops::Range;

use drowse_core::config::Config;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Geometry, Network, Ties};

use crate::groups;

/// An output, as a port of the whole network, with a virtual channel at its other end.
pub type Output = (usize, usize);

/// The permitted outputs of a packet at a switch.
#[derive(Clone, Debug, Default)]
pub struct Permitted {
    /// Adaptive outputs.
    pub adaptive: Vec<Output>,
    /// The escape outputs, or the only ones.
    pub escape: Vec<Output>,
}

impl Permitted {
    /// Gives all ports, adaptive ones first; one that is both comes twice.
    pub fn ports(&self) -> impl Iterator<Item = usize> {
        self.adaptive.iter().chain(&self.escape).map(|&(port, _)| port)
    }
}

/// Routing on one network.
pub struct Routes<'a> {
    network: &'a Network,
    config: &'a Config,
    /// On trees, whether a node's switch lies below a switch, or is it.
    below: Vec<Vec<bool>>,
    /// On graphs and HyperX, the channels between any two switches.
    distance: Vec<Vec<usize>>,
    /// The most between two with nodes, at least 1.
    longest: usize,
}

impl<'a> Routes<'a> {
    /// Prepares routing.
    pub fn new(network: &'a Network, config: &'a Config) -> Self {
        let switches = network.switches() as usize;
        let mut routes = Routes { network, config, below: Vec::new(), distance: Vec::new(), longest: 1 };
        if matches!(network.geometry, Geometry::Graph(_) | Geometry::HyperX(_)) {
            routes.distance = (0..switches).map(|from| routes.distances_from(from)).collect();
            let nodes = || network.node_port.iter().map(|&port| network.port_switch[port as usize] as usize);
            let pairs = nodes().flat_map(|a| nodes().map(move |b| (a, b)));
            routes.longest = pairs.map(|(a, b)| routes.distance[a][b]).max().unwrap_or(0).max(1);
        }
        if matches!(network.geometry, Geometry::Levels(_)) {
            routes.below = (0..switches).map(|leaf| (0..switches).map(|s| s == leaf).collect()).collect();
            // Switches are numbered from the bottom up.
            for switch in 0..switches {
                for port in routes.ports_of(switch, routes.level(switch)) {
                    let Some(child) = routes.leads_to(port) else { continue };
                    let reached = routes.below[child].clone();
                    routes.below[switch].iter_mut().zip(reached).for_each(|(below, also)| *below |= also);
                }
            }
        }
        routes
    }

    /// Finds the permitted outputs at a switch of a packet to a node.
    ///
    /// `memory` is a number of the packet's own where ways are random, on rings a bit for each dateline that it has crossed, on graphs
    /// and HyperX the channels that it has taken, on dragonflies both a number and
    /// these.
    pub fn permitted(&self, switch: usize, to: usize, memory: u16) -> Permitted {
        let port = self.network.node_port[to] as usize;
        let target = self.network.port_switch[port] as usize;
        if switch == target {
            return Permitted { adaptive: Vec::new(), escape: vec![(port, 0)] };
        }
        match &self.network.geometry {
            Geometry::Levels(_) => Permitted { adaptive: Vec::new(), escape: self.on_tree(switch, target, to, memory) },
            Geometry::Groups(groups) => {
                Permitted { adaptive: Vec::new(), escape: self.on_groups(groups, switch, target, memory) }
            }
            Geometry::Graph(_) | Geometry::HyperX(_) => self.on_graph(switch, target, usize::from(memory)),
            _ => self.on_grid(switch, target, memory),
        }
    }

    /// Gives how many links of a port's trunk come before it.
    pub fn before(&self, port: usize) -> usize {
        let leads_to = |port: usize| (self.leads_to(port), self.network.port_class[port]);
        let switch = self.network.port_switch[port] as usize;
        (self.ports(switch).start..port).filter(|&other| leads_to(other) == leads_to(port)).count()
    }

    /// Gives what a packet remembers after it has taken a port.
    pub fn memory_after(&self, port: usize, memory: u16) -> u16 {
        if matches!(self.network.geometry, Geometry::Groups(_)) {
            return memory + groups::CHANNEL;
        }
        if matches!(self.network.geometry, Geometry::Graph(_) | Geometry::HyperX(_)) {
            return memory + 1;
        }
        let (Geometry::Grid(grid), Some(to)) = (&self.network.geometry, self.leads_to(port)) else { return memory };
        let from = self.network.port_switch[port] as usize;
        let d = usize::from(self.network.port_class[port]) - 1;
        let (x, y) = (self.coordinate(from, d), self.coordinate(to, d));
        // On a ring of two, the trunk that closes it leads up from 1 and down from 0.
        let around =
            if grid.dims[d] == 2 { self.trunk_ports(from, d, x == 1).contains(&port) } else { x.abs_diff(y) > 1 };
        memory | u16::from(grid.wraps[d] && around) << d
    }

    fn on_grid(&self, switch: usize, target: usize, crossed: u16) -> Permitted {
        let Geometry::Grid(grid) = &self.network.geometry else { return Permitted::default() };
        let vcs = self.config.switch.vcs;
        let (adaptive, escape) = (usize::from(vcs.adaptive), usize::from(vcs.escape));
        let mut permitted = Permitted::default();
        for (d, x, y, k) in self.differences(switch, target) {
            let up_distance = (y + k - x) % k;
            let (up, down) = if grid.wraps[d] { (2 * up_distance <= k, 2 * up_distance >= k) } else { (y > x, y < x) };
            if permitted.escape.is_empty() {
                let tie_goes_up = if grid.ties == Ties::Direct { x < y } else { x % 2 == 0 };
                let prefers_up = self.config.routing == RoutingKind::Adaptive || tie_goes_up;
                let [begin, middle, end] = [0, escape / 2, escape].map(|vc| adaptive + vc);
                let class = match (grid.wraps[d], crossed >> d & 1) {
                    (false, _) => begin..end,
                    (true, 0) => begin..middle,
                    (true, _) => middle..end,
                };
                permitted.escape = self.trunk(switch, d, up && (prefers_up || !down), class);
            }
            for (way, allowed) in [(true, up), (false, down)] {
                if allowed && self.config.routing == RoutingKind::Adaptive {
                    permitted.adaptive.extend(self.trunk(switch, d, way, 0..adaptive));
                }
            }
        }
        permitted
    }

    /// Gives the dimensions in which two switches of a grid differ: number, coordinates, size.
    pub fn differences(&self, from: usize, to: usize) -> Vec<(usize, u32, u32, u32)> {
        let Geometry::Grid(grid) = &self.network.geometry else { return Vec::new() };
        let all = grid.dims.iter().enumerate().map(|(d, &k)| (d, self.coordinate(from, d), self.coordinate(to, d), k));
        all.filter(|&(_, x, y, _)| x != y).collect()
    }

    /// Gives the links to the neighbour in a dimension, with virtual channels.
    pub fn trunk(&self, switch: usize, d: usize, up: bool, vcs: Range<usize>) -> Vec<Output> {
        with_vcs(self.trunk_ports(switch, d, up), vcs)
    }

    /// Gives the ports of the links to the neighbour in a dimension.
    fn trunk_ports(&self, switch: usize, d: usize, up: bool) -> Vec<usize> {
        let Geometry::Grid(grid) = &self.network.geometry else { return Vec::new() };
        let (x, k) = (self.coordinate(switch, d), grid.dims[d]);
        let ports = self.ports_of(switch, 1 + d);
        if grid.wraps[d] && k == 2 {
            // Both ways lead to the same neighbour; the ports up come first.
            let (ups, downs) = ports.split_at(ports.len() / 2);
            return if up { ups } else { downs }.to_vec();
        }
        let neighbour = if up { (x + 1) % k } else { (x + k - 1) % k };
        let leads = |port: &usize| self.leads_to(*port).is_some_and(|to| self.coordinate(to, d) == neighbour);
        ports.into_iter().filter(leads).collect()
    }

    /// Gives all neighbours that are nearer, on the virtual channels of the next hop. The ports up to the first gap are the escape.
    fn on_graph(&self, switch: usize, target: usize, taken: usize) -> Permitted {
        let class = self.vcs_by_hop() / self.longest;
        let nearer = |port: &usize| {
            self.leads_to(*port).is_some_and(|next| self.distance[next][target] < self.distance[switch][target])
        };
        let ports: Vec<usize> = self.ports(switch).filter(nearer).collect();
        let gap = ports.windows(2).position(|pair| pair[1] != pair[0] + 1).map(|place| place + 1);
        let vcs = taken * class..(taken + 1) * class;
        Permitted {
            adaptive: gap.map_or(Vec::new(), |_| with_vcs(ports.iter().copied(), vcs.clone())),
            escape: with_vcs(ports[..gap.unwrap_or(ports.len())].iter().copied(), vcs),
        }
    }

    /// Gives the virtual channels of all classes of hops.
    pub(crate) fn vcs_by_hop(&self) -> usize {
        usize::from(self.config.switch.vcs.hop)
    }

    /// Gives the channels from a switch to all.
    fn distances_from(&self, from: usize) -> Vec<usize> {
        let mut distance = vec![usize::MAX; self.network.switches() as usize];
        let mut reached = vec![from];
        for steps in 0.. {
            reached.retain(|&switch| distance[switch] == usize::MAX);
            if reached.is_empty() {
                break;
            }
            reached.iter().for_each(|&switch| distance[switch] = steps);
            let neighbours = |&switch: &usize| self.ports(switch).filter_map(|port| self.leads_to(port));
            reached = reached.iter().flat_map(neighbours).collect();
        }
        distance
    }

    fn on_tree(&self, switch: usize, target: usize, to: usize, salt: u16) -> Vec<Output> {
        let Geometry::Levels(levels) = &self.network.geometry else { return Vec::new() };
        let vcs = 0..usize::from(self.config.switch.vcs.any);
        let level = self.level(switch);
        let leads = |port: &usize| self.leads_to(*port).is_some_and(|child| self.below[child][target]);
        let down: Vec<usize> = self.ports_of(switch, level).into_iter().filter(leads).collect();
        if !down.is_empty() {
            return with_vcs(down, vcs);
        }
        let up = self.ports_of(switch, level + 1);
        let parents = levels.shape.up[level] as usize;
        let parent = match self.config.routing {
            RoutingKind::Random => (mix(u64::from(salt) << 32 | switch as u64) % parents as u64) as usize,
            RoutingKind::DModK => {
                let width: usize = levels.shape.up[..level].iter().map(|&up| up as usize).product();
                to / width % parents
            }
            _ => return with_vcs(up, vcs),
        };
        let links = up.len() / parents;
        with_vcs(up[parent * links..][..links].iter().copied(), vcs)
    }

    /// Gives the ports of a switch.
    pub fn ports(&self, switch: usize) -> Range<usize> {
        self.network.first_port[switch] as usize..self.network.first_port[switch + 1] as usize
    }

    /// Gives the ports of a switch whose links are of a class.
    fn ports_of(&self, switch: usize, class: usize) -> Vec<usize> {
        self.ports(switch).filter(|&port| usize::from(self.network.port_class[port]) == class).collect()
    }

    /// Gives the level of a switch of a tree: class l joins levels l - 1 and l.
    fn level(&self, switch: usize) -> usize {
        usize::from(self.network.port_class[self.ports(switch).start])
    }

    /// Gives the switch at the other end of a port's link.
    pub(crate) fn leads_to(&self, port: usize) -> Option<usize> {
        let peer = self.network.peer[port];
        (peer < self.network.ports()).then(|| self.network.port_switch[peer as usize] as usize)
    }

    /// Gives a coordinate of a switch: a digit of its number.
    fn coordinate(&self, switch: usize, d: usize) -> u32 {
        let Geometry::Grid(grid) = &self.network.geometry else { return 0 };
        let unit: u32 = grid.dims[..d].iter().product();
        switch as u32 / unit % grid.dims[d]
    }
}

pub fn with_vcs(ports: impl IntoIterator<Item = usize>, vcs: Range<usize>) -> Vec<Output> {
    ports.into_iter().flat_map(|port| vcs.clone().map(move |vc| (port, vc))).collect()
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), which spreads every bit.
pub fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
