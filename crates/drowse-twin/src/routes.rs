//! The permitted outputs of a packet, found by searching the network's tables.

use std::collections::VecDeque;
use std::ops::Range;

use drowse_core::config::Config;
use drowse_core::rng::{self, Purpose};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::groups::Groups;
use drowse_core::topology::levels::Levels;
use drowse_core::topology::torus::Grid;
use drowse_core::topology::{Geometry, Network, Ties};

use crate::arbiter::mix;

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

/// What a packet remembers of its way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// A number of its own, where ways are random.
    salt: u64,
    /// The links between switches that it has taken.
    hops: usize,
    /// A bit for each dimension whose dateline it has crossed.
    crossed: u32,
}

/// Routing on one network.
pub struct Routes<'a> {
    network: &'a Network,
    config: &'a Config,
    /// The links between any two switches.
    distance: Vec<Vec<u16>>,
    /// The most hops of a packet, at least 1, among which virtual channels are dealt out.
    longest: usize,
}

impl<'a> Routes<'a> {
    /// Prepares routing.
    pub fn new(network: &'a Network, config: &'a Config) -> Self {
        let mut routes = Routes { network, config, distance: Vec::new(), longest: 3 };
        routes.distance = (0..network.switches() as usize).map(|from| routes.distances_from(from)).collect();
        // Between groups, it is a hop on either side of the global link, even where no two nodes need both.
        if !matches!(&network.geometry, Geometry::Groups(groups) if groups.count > 1) {
            let nodes = || network.node_port.iter().map(|&port| routes.switch(port as usize));
            let pairs = nodes().flat_map(|a| nodes().map(move |b| (a, b)));
            routes.longest = pairs.map(|(a, b)| routes.distance[a][b]).max().unwrap_or(0).max(1).into();
        }
        routes
    }

    fn distances_from(&self, from: usize) -> Vec<u16> {
        let mut distance = vec![u16::MAX; self.network.switches() as usize];
        distance[from] = 0;
        let mut reached = VecDeque::from([from]);
        while let Some(switch) = reached.pop_front() {
            for next in self.ports(switch).filter_map(|port| self.leads_to(port)) {
                if distance[next] == u16::MAX {
                    distance[next] = distance[switch] + 1;
                    reached.push_back(next);
                }
            }
        }
        distance
    }

    /// Gives what a packet remembers that is the so manieth of its node.
    pub fn memory(&self, node: usize, packet: u64) -> Memory {
        let draw = rng::draw(self.config.seed, Purpose::Routing, node as u32, packet);
        // So many bits of the draw are used.
        let bits = if matches!(self.network.geometry, Geometry::Groups(_)) { 13 } else { 16 };
        Memory { salt: draw % (1 << bits), ..Memory::default() }
    }

    /// Gives what a packet remembers after it has taken a port to another switch.
    pub fn memory_after(&self, port: usize, memory: Memory) -> Memory {
        let mut memory = Memory { hops: memory.hops + 1, ..memory };
        if let Geometry::Grid(grid) = &self.network.geometry {
            let d = usize::from(self.network.port_class[port]) - 1;
            let ends = [port, self.network.peer[port] as usize].map(|port| self.switch(port));
            let [x, y] = ends.map(|switch| grid.coordinate(switch as u32, d));
            let up = self.trunk(grid, ends[0], d, true).contains(&port);
            memory.crossed |= u32::from(up != (y > x)) << d;
        }
        memory
    }

    /// Finds the permitted outputs at a switch of a packet to a node.
    pub fn permitted(&self, switch: usize, to: usize, memory: Memory) -> Permitted {
        let port = self.network.node_port[to] as usize;
        let target = self.switch(port);
        if switch == target {
            return Permitted { escape: vec![(port, 0)], ..Permitted::default() };
        }
        let nearer = self.leading(switch, |next| self.distance[next][target] < self.distance[switch][target]);
        let (adaptive, escape, vcs) = match &self.network.geometry {
            Geometry::Grid(grid) => return self.on_grid(grid, switch, target, &nearer, memory),
            Geometry::Levels(levels) => {
                (Vec::new(), self.on_tree(levels, switch, nearer, to, memory), 0..self.config.switch.vcs.any.into())
            }
            Geometry::Groups(groups) => {
                (Vec::new(), self.on_groups(groups, switch, target, memory), self.vcs_of_hop(memory))
            }
            _ => {
                // The ports up to the first gap are the escape, and the only ones if there is no gap.
                let first = nearer.chunk_by(|port, next| port + 1 == *next).next().unwrap_or_default().to_vec();
                let adaptive = if first.len() < nearer.len() { nearer } else { Vec::new() };
                (adaptive, first, self.vcs_of_hop(memory))
            }
        };
        Permitted { adaptive: with_vcs(&adaptive, vcs.clone()), escape: with_vcs(&escape, vcs) }
    }

    fn on_grid(&self, grid: &Grid, switch: usize, target: usize, nearer: &[usize], memory: Memory) -> Permitted {
        let vcs = self.config.switch.vcs;
        let (adaptive, escape) = (usize::from(vcs.adaptive), usize::from(vcs.escape));
        let Some((d, x, y)) = difference(grid, switch, target) else { return Permitted::default() };
        let [up, down] = [true, false].map(|up| self.trunk(grid, switch, d, up));
        let [may_go_up, may_go_down] = [&up, &down].map(|trunk| nearer.contains(&trunk[0]));
        let tie_goes_up = match grid.ties {
            Ties::Direct => x < y,
            Ties::Alternate => x % 2 == 0,
        };
        let prefers_up = self.config.routing == RoutingKind::Adaptive || tie_goes_up;
        let goes_up = may_go_up && (prefers_up || !may_go_down);
        let half = adaptive + escape / 2;
        let class = match (grid.wraps[d], memory.crossed >> d & 1) {
            (false, _) => adaptive..adaptive + escape,
            (true, 0) => adaptive..half,
            (true, _) => half..adaptive + escape,
        };
        Permitted {
            adaptive: with_vcs(nearer, 0..adaptive),
            escape: with_vcs(if goes_up { &up } else { &down }, class),
        }
    }

    /// Gives the ports of the links to the neighbour upwards or downwards in a dimension.
    pub fn trunk(&self, grid: &Grid, switch: usize, d: usize, up: bool) -> Vec<usize> {
        let first = self.ports(switch).start + usize::from(grid.trunk_of(switch as u32, d, up));
        (first..first + grid.trunk[d] as usize).collect()
    }

    /// Gives how many links of a port's trunk come before it.
    pub fn before(&self, port: usize) -> usize {
        let trunk = |port: usize| (self.leads_to(port), self.network.port_class[port]);
        (self.ports(self.switch(port)).start..port).filter(|&other| trunk(other) == trunk(port)).count()
    }

    /// Gives the ports to all children or parents that are nearer, or to the parent that the routing takes.
    fn on_tree(&self, levels: &Levels, switch: usize, nearer: Vec<usize>, to: usize, memory: Memory) -> Vec<usize> {
        let level = usize::from(levels.level[switch]);
        // Class l joins levels l - 1 and l.
        let downwards = usize::from(self.network.port_class[nearer[0]]) == level;
        if downwards || self.config.routing == RoutingKind::Adaptive {
            return nearer;
        }
        let parents = levels.shape.up[level] as usize;
        let parent = match self.config.routing {
            RoutingKind::Random => mix(memory.salt << 32 | switch as u64) as usize % parents,
            _ => to / levels.width[level] as usize % parents,
        };
        let links = nearer.len() / parents;
        nearer[parent * links..][..links].to_vec()
    }

    /// Gives the ports towards a switch: within a group the way there; to another group a trunk of the switch's own, else the way to
    /// a switch with one. The packet's number picks among trunks, and is another at each switch.
    fn on_groups(&self, groups: &Groups, switch: usize, target: usize, memory: Memory) -> Vec<usize> {
        let group = |switch: usize| groups.group(switch as u32);
        if group(switch) == group(target) {
            return self.leading(switch, |next| next == target);
        }
        let choice = mix(memory.salt << 32 | switch as u64) as u32 as usize;
        let trunks = |switch: usize| -> Vec<Vec<usize>> {
            let ports = self.leading(switch, |next| group(next) == group(target));
            let side_by_side = |&a: &usize, &b: &usize| a + 1 == b && self.leads_to(a) == self.leads_to(b);
            ports.chunk_by(side_by_side).map(<[usize]>::to_vec).collect()
        };
        let own = trunks(switch);
        if !own.is_empty() {
            return own[choice % own.len()].clone();
        }
        let members = group(switch) * groups.size..(group(switch) + 1) * groups.size;
        let others: Vec<Vec<usize>> = members.flat_map(|member| trunks(member as usize)).collect();
        let by = self.switch(others[choice % others.len()][0]);
        self.leading(switch, |next| next == by)
    }

    /// Gives the virtual channels of a packet's next hop.
    fn vcs_of_hop(&self, memory: Memory) -> Range<usize> {
        let width = usize::from(self.config.switch.vcs.hop) / self.longest;
        memory.hops * width..(memory.hops + 1) * width
    }

    /// Gives the virtual channels to a node: where they belong to hops, all are left only to packets that have made the most.
    pub fn vcs_to_node(&self, memory: Memory) -> Range<usize> {
        let of_hop = self.vcs_of_hop(memory);
        if of_hop.is_empty() || memory.hops == self.longest { 0..self.config.switch.vcs.total().into() } else { of_hop }
    }

    /// Gives the ports of a switch that lead to switches that are wanted.
    fn leading(&self, switch: usize, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        self.ports(switch).filter(|&port| self.leads_to(port).is_some_and(&wanted)).collect()
    }

    /// Gives the ports of a switch.
    pub fn ports(&self, switch: usize) -> Range<usize> {
        self.network.first_port[switch] as usize..self.network.first_port[switch + 1] as usize
    }

    /// Gives the switch of a port.
    pub fn switch(&self, port: usize) -> usize {
        self.network.port_switch(port) as usize
    }

    /// Gives the switch at the other end of a port's link.
    fn leads_to(&self, port: usize) -> Option<usize> {
        let peer = self.network.peer[port];
        (peer < self.network.ports()).then(|| self.switch(peer as usize))
    }
}

pub fn with_vcs(ports: &[usize], vcs: Range<usize>) -> Vec<Output> {
    ports.iter().flat_map(|&port| vcs.clone().map(move |vc| (port, vc))).collect()
}

/// Gives the first dimension in which two switches of a grid differ, and their coordinates there.
pub fn difference(grid: &Grid, from: usize, to: usize) -> Option<(usize, u16, u16)> {
    let coordinates = |d| (d, grid.coordinate(from as u32, d), grid.coordinate(to as u32, d));
    (0..grid.dims.len()).map(coordinates).find(|&(_, x, y)| x != y)
}
