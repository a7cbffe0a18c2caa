//! The network, its parameters, and the permitted outputs of packets, found by searching the network's wiring.
//!
//! Routing by distance: most geometries offer the ports that lead nearer to the destination.

use std::collections::VecDeque;
use std::ops::Range;

use drowse_core::model::config::{ClassModel, Config, Escape, OutputQueues, Queues};
use drowse_core::model::rng::{self, Purpose};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::geometry::graph::{Routes, Tables};
use drowse_core::topology::grid::Grid;
use drowse_core::topology::levels::Levels;
use drowse_core::topology::{Geometry, Network, Ties};

use crate::arbiter::mix;
use crate::up_down::UpDown;

/// An output, as a port of the whole network, with a virtual channel at its other end.
pub type Output = (usize, usize);

/// The permitted outputs of a packet at a switch: adaptive ones, and escape or only ones.
pub type Permitted = [Vec<Output>; 2];

/// The state of a packet's route.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trip {
    /// The sending and the receiving node.
    pub from: usize,
    pub to: usize,
    /// The number of links taken, including its node's.
    pub hops: usize,
    /// A number of its own for random routes.
    pub salt: u64,
    /// Whether its route is non-minimal.
    pub non_minimal: bool,
    /// The group or switch by which a non-minimal route leads, until it gets there.
    pub via: Option<usize>,
}

/// A network with its parameters.
pub struct Net<'a> {
    pub network: &'a Network,
    pub config: &'a Config,
    /// The period of the clock.
    pub clock: u64,
    /// The virtual channels of a port.
    pub vcs: usize,
    /// The queues of a virtual channel: one, or one for each output, rounded up to a power of two.
    pub outputs: usize,
    /// The number of ports. Channels that leave switches are numbered as their ports; those of NICs follow.
    pub ports: usize,
    /// The other channel of each channel's link.
    pub back: Vec<usize>,
    /// The distances between all switches, in links.
    pub distance: Vec<Vec<usize>>,
    /// The largest number of hops of a packet, at least 1, among which virtual channels are divided.
    longest: usize,
    /// The paths up and down, where packets take these.
    up_down: Option<UpDown>,
}

impl<'a> Net<'a> {
    /// Finds all distances.
    pub fn new(network: &'a Network, config: &'a Config) -> Self {
        let (clock, vcs) = (config.switch.clock.0, config.switch.vcs.total().into());
        let back = network.peer.iter().chain(&*network.node_port).map(|&channel| channel as usize).collect();
        let ports = network.ports() as usize;
        let outputs = match config.switch.queues {
            Queues::Input | Queues::Output(_) => 1,
            Queues::VirtualOutput => network.radix().next_power_of_two() as usize,
        };
        let (distance, longest) = (Vec::new(), 1);
        let mut net = Net { network, config, clock, vcs, outputs, ports, back, distance, longest, up_down: None };
        net.distance = (0..network.switches() as usize).map(|from| net.distances_from(from)).collect();
        net.longest = net.most_hops().max(1);
        net.up_down = (config.routing == RoutingKind::UpDown).then(|| net.up_down_paths());
        net
    }

    fn up_down_paths(&self) -> UpDown {
        let neighbours_of = |switch| self.ports(switch).filter_map(|port| self.leads_to(port)).collect();
        let neighbours: Vec<Vec<usize>> = (0..self.distance.len()).map(neighbours_of).collect();
        let ends: Vec<usize> = self.network.node_switch.iter().map(|&switch| switch as usize).collect();
        UpDown::new(&self.distance, &neighbours, &ends)
    }

    fn distances_from(&self, from: usize) -> Vec<usize> {
        let mut distance = vec![usize::MAX; self.network.switches() as usize];
        let mut reached = VecDeque::from([(from, 0)]);
        while let Some((switch, hops)) = reached.pop_front() {
            if distance[switch] == usize::MAX {
                distance[switch] = hops;
                let neighbours = self.ports(switch).filter_map(|port| self.leads_to(port));
                reached.extend(neighbours.map(|next| (next, hops + 1)));
            }
        }
        distance
    }

    /// Begins the route of packet number `packet` of a node.
    pub fn trip(&self, from: usize, to: usize, packet: u64) -> Trip {
        let draw = rng::draw(self.config.seed, Purpose::Routing, from as u32, packet);
        // The number of bits of the draw that are used.
        let bits = if self.is_low_diameter() { 13 } else { 16 };
        Trip { from, to, hops: 1, salt: draw % (1 << bits), ..Trip::default() }
    }

    /// Returns whether routing may be minimal and non-minimal.
    fn is_low_diameter(&self) -> bool {
        use RoutingKind::{Minimal, Progressive, Ugal, Valiant};
        matches!(self.config.routing, Minimal | Valiant | Ugal | Progressive)
    }

    /// Returns the number of channels on a minimal route between two nodes that may sleep. Either all channels between
    /// switches may, or none.
    pub fn sleepers(&self, from: usize, to: usize) -> u64 {
        let trip = Trip { from, to, hops: 1, ..Trip::default() };
        let switch = self.network.node_switch[from] as usize;
        let links = match self.network.geometry {
            Geometry::Grid(_) | Geometry::Levels(_) => self.distance[switch][self.target(trip)],
            _ => self.route_length(switch, trip),
        };
        let sleeps = |class: Option<&ClassModel>| u64::from(class.is_some_and(|class| class.states.is_some()));
        2 * sleeps(self.config.classes.first()) + links as u64 * sleeps(self.config.classes.get(1))
    }

    /// Returns the switch of a packet's node.
    pub fn target(&self, trip: Trip) -> usize {
        self.network.node_switch[trip.to] as usize
    }

    /// Finds the permitted outputs of a packet at a switch.
    pub fn permitted(&self, switch: usize, trip: Trip) -> Permitted {
        if switch == self.target(trip) {
            // Only queues at outputs make a difference between virtual channels to a node.
            let vcs = if self.output_queues().is_some() { self.vcs_to_node(trip) } else { 0..1 };
            return [Vec::new(), with_vcs([self.network.node_port[trip.to] as usize], vcs)];
        }
        let (adaptive, escape) = match &self.network.geometry {
            Geometry::Grid(grid) => return self.on_grid(grid, switch, trip),
            Geometry::Levels(levels) => (Vec::new(), self.on_tree(levels, switch, trip)),
            _ => {
                let ports = self.next_ports(switch, trip);
                // The ports up to the first gap are the escape; without a gap, they are the only outputs.
                let first = ports.chunk_by(|port, next| port + 1 == *next).next().unwrap_or_default().to_vec();
                (if first.len() < ports.len() { ports } else { Vec::new() }, first)
            }
        };
        let vcs = self.vcs_of_hop(trip);
        [with_vcs(adaptive, vcs.clone()), with_vcs(escape, vcs)]
    }

    /// Returns the ports by which a packet may go on, where the network is neither a grid nor a tree.
    pub fn next_ports(&self, switch: usize, trip: Trip) -> Vec<usize> {
        let goal = trip.via.unwrap_or(self.target(trip));
        match (&self.network.geometry, self.config.routing) {
            (Geometry::Groups(groups), _) => self.on_groups(groups, switch, trip),
            (Geometry::Graph(tables), RoutingKind::KShortest) => self.on_path(tables, switch, trip),
            (Geometry::HyperX(_), RoutingKind::DimensionOrder) => {
                // Class d belongs to dimension d - 1.
                let (nearer, class) = (self.nearer(switch, goal), |port: &usize| self.network.port_class[*port]);
                let lowest = nearer.iter().map(class).min();
                nearer.into_iter().filter(|port| Some(class(port)) == lowest).collect()
            }
            _ => match &self.up_down {
                Some(paths) => self.leading(switch, |next| paths.leads(switch, next, goal)),
                None => self.nearer(switch, goal),
            },
        }
    }

    /// Returns the ports to the next switch of the path that has been drawn for a packet. The table of paths is the
    /// network's, and has a check of its own.
    fn on_path(&self, tables: &Tables, switch: usize, trip: Trip) -> Vec<usize> {
        let Routes::Paths(paths) = &tables.routes else { return Vec::new() };
        let path = paths.draw(self.network.node_switch[trip.from], trip.salt as u16);
        let place = paths.hops(path, self.target(trip) as u32)[trip.hops - 1];
        let next = tables.neighbours(switch as u32)[usize::from(place)].to as usize;
        self.leading(switch, |other| other == next)
    }

    fn on_grid(&self, grid: &Grid, switch: usize, trip: Trip) -> Permitted {
        let (d, [from, to], up) = self.leg(grid, switch, trip);
        let tie_goes_up = if grid.ties == Ties::Direct { from < to } else { from % 2 == 0 };
        let up = up.unwrap_or(tie_goes_up || self.config.routing == RoutingKind::Adaptive);
        // No route is longer than half the ring, so a packet farther than that from its origin has passed the end.
        let began = grid.coordinate(self.network.node_switch[trip.from], d);
        let has_crossed = 2 * u32::from(from.abs_diff(began)) > grid.dims[d];
        let adaptive = 0..usize::from(self.config.switch.vcs.adaptive);
        let half = adaptive.end + usize::from(self.config.switch.vcs.escape) / 2;
        let halves = [adaptive.end..half, half..self.vcs];
        let has_datelines = grid.wraps[d] && self.config.switch.escape == Escape::Dateline;
        let escape = if has_datelines { halves[usize::from(has_crossed)].clone() } else { adaptive.end..self.vcs };
        [with_vcs(self.nearer(switch, self.target(trip)), adaptive), with_vcs(self.trunk(grid, switch, d, up), escape)]
    }

    /// Returns the first dimension in which a packet's switch and its target differ, their coordinates in it, and
    /// whether up is shorter; `None` if both directions are equally long.
    pub fn leg(&self, grid: &Grid, switch: usize, trip: Trip) -> (usize, [u16; 2], Option<bool>) {
        let place = |d| (d, [switch, self.target(trip)].map(|switch| grid.coordinate(switch as u32, d)));
        let differs = |(_, [from, to]): &(usize, [u16; 2])| from != to;
        let (d, coordinates) = (0..grid.dims.len()).map(place).find(differs).unwrap_or_default();
        let nearer = self.nearer(switch, self.target(trip));
        let [up, down] = [true, false].map(|up| nearer.contains(&self.trunk(grid, switch, d, up).start));
        (d, coordinates, (up != down).then_some(up))
    }

    /// Returns the same, if there is a neighbour.
    pub fn has_trunk(&self, grid: &Grid, switch: usize, d: usize, up: bool) -> Option<Range<usize>> {
        let first = grid.trunk_of(switch as u32, d, up);
        (first != Grid::NO_TRUNK).then(|| self.trunk(grid, switch, d, up))
    }

    /// Returns the ports of the links to the neighbour upwards or downwards in a dimension.
    pub fn trunk(&self, grid: &Grid, switch: usize, d: usize, up: bool) -> Range<usize> {
        let first = self.ports(switch).start + usize::from(grid.trunk_of(switch as u32, d, up));
        first..first + grid.trunk[d] as usize
    }

    /// Returns the dimension and direction of the ring of a channel whose virtual channel a bubble protects.
    pub fn ring(&self, channel: usize, vc: usize) -> Option<(usize, bool)> {
        let Geometry::Grid(grid) = &self.network.geometry else { return None };
        let is_escape = vc >= usize::from(self.config.switch.vcs.adaptive);
        if channel >= self.ports || !is_escape || self.config.switch.escape == Escape::Dateline {
            return None;
        }
        let directions = (0..grid.dims.len()).filter(|&d| grid.wraps[d]).flat_map(|d| [(d, true), (d, false)]);
        let switch = self.switch(channel);
        directions.into_iter().find(|&(d, up)| self.trunk(grid, switch, d, up).contains(&channel))
    }

    /// Returns the number of links of a port's trunk before it.
    pub fn before(&self, port: usize) -> usize {
        let trunk = |port: usize| (self.leads_to(port), self.network.port_class[port]);
        (self.ports(self.switch(port)).start..port).filter(|&other| trunk(other) == trunk(port)).count()
    }

    /// Returns the ports to all nearer children or parents, or to the parent that the routing selects.
    fn on_tree(&self, levels: &Levels, switch: usize, trip: Trip) -> Vec<usize> {
        let nearer = self.nearer(switch, self.target(trip));
        let level = usize::from(levels.level[switch]);
        // Class l joins levels l - 1 and l.
        let downwards = usize::from(self.network.port_class[nearer[0]]) == level;
        if downwards || self.config.routing == RoutingKind::Adaptive {
            return nearer;
        }
        let parents = levels.shape.up[level] as usize;
        let random = self.config.routing == RoutingKind::Random;
        let number = if random { number(trip, switch) as usize } else { trip.to / levels.width[level] as usize };
        let links = nearer.len() / parents;
        nearer[number % parents * links..][..links].to_vec()
    }

    /// Returns the virtual channels of a packet's next hop: all, if virtual channels are not divided among hops.
    fn vcs_of_hop(&self, trip: Trip) -> Range<usize> {
        let width = usize::from(self.config.switch.vcs.hop) / self.longest;
        if width == 0 { 0..self.vcs } else { (trip.hops - 1) * width..trip.hops * width }
    }

    /// Returns the virtual channels to a node. After the largest number of hops, all are permitted.
    pub fn vcs_to_node(&self, trip: Trip) -> Range<usize> {
        if trip.hops > self.longest { 0..self.vcs } else { self.vcs_of_hop(trip) }
    }

    /// Returns the ports of a switch that lead nearer to another.
    fn nearer(&self, switch: usize, to: usize) -> Vec<usize> {
        let distance = |switch: usize| self.distance[switch][to];
        self.leading(switch, |next| distance(next) < distance(switch))
    }

    /// Returns the ports of a switch that lead to wanted switches.
    pub fn leading(&self, switch: usize, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        self.ports(switch).filter(|&port| self.leads_to(port).is_some_and(&wanted)).collect()
    }

    /// Returns the ports of a switch.
    pub fn ports(&self, switch: usize) -> Range<usize> {
        self.network.first_port[switch] as usize..self.network.first_port[switch + 1] as usize
    }

    /// Returns whether packets come to switches with their last bit.
    pub fn stores(&self) -> bool {
        self.config.switch.stores()
    }

    /// Returns the queues at outputs, if there are any.
    pub fn output_queues(&self) -> Option<OutputQueues> {
        self.config.switch.output_queues()
    }

    /// Returns the channel by which heads at inputs leave for a port: its link, or the crossbar path to its output queues.
    pub fn way(&self, port: usize) -> usize {
        if self.output_queues().is_some() { self.network.channels() as usize + port } else { port }
    }

    /// Returns the channels by which heads at inputs leave for some outputs.
    pub fn leaving_by(&self, outputs: Vec<Output>) -> Vec<Output> {
        outputs.into_iter().map(|(port, vc)| (self.way(port), vc)).collect()
    }

    /// Returns whether a channel is a crossbar path to output queues.
    pub fn is_way(&self, channel: usize) -> bool {
        channel >= self.network.channels() as usize
    }

    /// Returns the port of a channel, which is its link or the crossbar path to its output queues.
    pub fn port_of(&self, channel: usize) -> usize {
        if self.is_way(channel) { channel - self.network.channels() as usize } else { channel }
    }

    /// Returns the channel that feeds an input port, or the output queues of a port.
    pub fn feeder(&self, input: usize) -> usize {
        match input.checked_sub(self.ports) {
            Some(port) => self.way(port),
            None => self.network.peer[input] as usize,
        }
    }

    /// Returns the queues of all ports of a switch, numbered by port, output and virtual channel.
    pub fn slots(&self, switch: usize) -> Range<usize> {
        self.first_queue(self.ports(switch).start)..self.first_queue(self.ports(switch).end)
    }

    /// Returns the first queue of a port.
    pub fn first_queue(&self, port: usize) -> usize {
        port * self.outputs * self.vcs
    }

    /// Returns the port and the virtual channel of a queue.
    pub fn input(&self, queue: usize) -> (usize, usize) {
        (queue / self.vcs / self.outputs, queue % self.vcs)
    }

    /// Returns the queue that a packet joins at a port, by the output that it has chosen, or that it could always take.
    pub fn queue(&self, port: usize, vc: usize, trip: Trip, chosen: Option<usize>) -> usize {
        let switch = self.switch(port);
        let taken = || chosen.unwrap_or_else(|| self.permitted(switch, trip)[1][0].0);
        let output = || taken() - self.ports(switch).start;
        let output = if self.outputs > 1 { output() } else { 0 };
        self.first_queue(port) + output * self.vcs + vc
    }

    /// Returns whether the network is a tree.
    pub fn is_tree(&self) -> bool {
        matches!(self.network.geometry, Geometry::Levels(_))
    }

    /// Returns the switch of a port.
    pub fn switch(&self, port: usize) -> usize {
        self.network.port_switch(port) as usize
    }

    /// Returns the switch at the other end of a port's link.
    pub fn leads_to(&self, port: usize) -> Option<usize> {
        Some(self.back[port]).filter(|&back| back < self.ports).map(|back| self.switch(back))
    }
}

/// Returns all pairs of ports and virtual channels.
pub fn with_vcs(ports: impl IntoIterator<Item = usize>, vcs: Range<usize>) -> Vec<Output> {
    ports.into_iter().flat_map(|port| vcs.clone().map(move |vc| (port, vc))).collect()
}

/// Returns a number that differs by packet and switch.
pub fn number(trip: Trip, switch: usize) -> u64 {
    mix(trip.salt << 32 | switch as u64)
}
