//! Minimal and non-minimal routes on low-diameter networks, from their definitions.
//!
//! A non-minimal route leads by an intermediate group, or switch where there are no groups: neither the source's nor
//! the destination's. Valiant always takes one. UGAL takes one at the source switch if the shortest queue towards it,
//! times the hops of its route, is less than for the minimal route. Progressive decides once more after the first hop
//! of a route that is still minimal.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::Geometry;
use drowse_core::topology::geometry::graph::Routes;
use drowse_core::topology::groups::Local;

use crate::arbiter::mix;
use crate::net::{Net, Trip};

impl Net<'_> {
    /// Returns whether a packet decides on its route at its switch.
    pub fn decides(&self, trip: Trip) -> bool {
        let last = match self.config.routing {
            RoutingKind::Valiant | RoutingKind::Ugal => 1,
            RoutingKind::Progressive => 2,
            _ => 0,
        };
        !trip.non_minimal && trip.hops <= last
    }

    /// Returns the trip by an intermediate group or switch. None is needed within a group.
    pub fn non_minimal(&self, switch: usize, trip: Trip) -> Option<Trip> {
        let (here, there) = (self.place(switch), self.place(self.target(trip)));
        if here == there || self.places() < 3 {
            return None;
        }
        let salts = (0..1 << 13).map(|more| (trip.salt + more) % (1 << 13));
        let mut drawn = salts.map(|salt| (salt, self.intermediate(there, salt)));
        let (salt, via) = drawn.find(|&(_, via)| via != here)?;
        Some(Trip { salt, non_minimal: true, via: Some(via), ..trip })
    }

    /// Draws a group or switch other than that of the destination.
    fn intermediate(&self, there: usize, salt: u64) -> usize {
        let drawn = mix(salt << 32 | there as u64) >> 32;
        let place = ((drawn * (self.places() as u64 - 1)) >> 32) as usize;
        if place < there { place } else { place + 1 }
    }

    /// Returns the number of links between switches on a packet's route, which takes the first port everywhere.
    pub fn route_length(&self, mut switch: usize, mut trip: Trip) -> usize {
        let mut links = 0;
        while trip.via.is_some() || switch != self.target(trip) {
            switch = self.leads_to(self.next_ports(switch, trip)[0]).unwrap_or(switch);
            trip = self.arrive(switch, Trip { hops: trip.hops + 1, ..trip });
            links += 1;
        }
        links
    }

    /// Returns the trip of a packet that comes to a switch.
    pub fn arrive(&self, switch: usize, trip: Trip) -> Trip {
        Trip { via: trip.via.filter(|&via| via != self.place(switch)), ..trip }
    }

    /// Returns the number of groups, or of switches where there are none.
    fn places(&self) -> usize {
        match &self.network.geometry {
            Geometry::Groups(groups) => groups.count as usize,
            _ => self.network.switches() as usize,
        }
    }

    /// Returns the group of a switch, or the switch itself.
    fn place(&self, switch: usize) -> usize {
        match &self.network.geometry {
            Geometry::Groups(groups) => switch / groups.size as usize,
            _ => switch,
        }
    }

    /// Returns the largest number of links between switches that a packet takes.
    pub fn most_hops(&self) -> usize {
        let [between_nodes, from_nodes, between_any] = self.eccentricities();
        let kind = self.config.routing;
        let by_two = |first: usize, second: usize| match kind {
            RoutingKind::Valiant | RoutingKind::Ugal => first + second,
            // Any path may begin after the first hop.
            RoutingKind::Progressive => 1 + between_any.max(first) + second,
            _ => between_nodes,
        };
        match &self.network.geometry {
            Geometry::Groups(groups) => {
                // Between nodes, from nodes to links between groups, and between such links, even if no two need all.
                let [within, out, across] = match groups.local {
                    Local::LeafSpine { .. } => [2, 1, 2],
                    Local::Lattice(_) => [self.group_diameter(groups.size as usize); 3],
                };
                let minimal = if groups.count > 1 { within.max(out + 1 + out) } else { within };
                match kind {
                    RoutingKind::Valiant | RoutingKind::Ugal if groups.count > 2 => out + 1 + across + 1 + out,
                    RoutingKind::Progressive if groups.count > 2 => 1 + across + 1 + across + 1 + out,
                    _ => minimal,
                }
            }
            Geometry::HyperX(_) if self.network.switches() < 3 => between_nodes,
            Geometry::Graph(tables) if kind == RoutingKind::KShortest => match &tables.routes {
                Routes::Paths(paths) => paths.longest as usize,
                _ => 0,
            },
            _ => by_two(from_nodes, from_nodes),
        }
    }

    /// Returns the largest distance between two switches with nodes, from one with nodes to any, and between any.
    fn eccentricities(&self) -> [usize; 3] {
        let has_nodes = |switch: usize| self.network.node_switch.contains(&(switch as u32));
        let switches = 0..self.network.switches() as usize;
        let farthest = |from: bool, to: bool| {
            let ends = |wanted: bool| switches.clone().filter(move |&switch| !wanted || has_nodes(switch));
            ends(from).flat_map(|a| ends(to).map(move |b| self.distance[a][b])).max().unwrap_or(0)
        };
        [farthest(true, true), farthest(true, false), farthest(false, false)]
    }

    fn group_diameter(&self, size: usize) -> usize {
        let pairs = (0..size).flat_map(|a| (0..size).map(move |b| (a, b)));
        pairs.map(|(a, b)| self.distance[a][b]).max().unwrap_or(0)
    }
}
