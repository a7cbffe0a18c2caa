//! The routing of a simulation: what all that asks for permitted outputs goes through.

use super::direct::{self, HopVcs};
use super::grid::{self, GridVcs};
use super::levels::{self, Destination};
use super::{Candidates, Outputs, RoutingKind, graph};
use crate::model::config::Config;
use crate::topology::graph::{Routes, Tables};
use crate::topology::{Geometry, Network};

/// How packets find their way.
#[derive(Clone, Debug)]
pub struct Router<'a> {
    network: &'a Network,
    /// The kind.
    pub kind: RoutingKind,
    /// The virtual channels of tori and meshes, by purpose.
    pub grid_vcs: GridVcs,
    /// Those of direct networks, by hop.
    pub hop_vcs: HopVcs,
    /// All, one bit each.
    pub all_vcs: u8,
    /// Packets are on virtual channels by hop.
    pub counts_hops: bool,
    /// Packets decide on their ways in switches.
    pub decides: bool,
}

impl<'a> Router<'a> {
    /// Takes the routing of a simulation.
    pub fn new(network: &'a Network, config: &Config) -> Self {
        let vcs = config.switch.vcs;
        let longest = direct::longest(network, config.routing);
        Router {
            network,
            kind: config.routing,
            grid_vcs: GridVcs::new(vcs, config.switch.escape),
            hop_vcs: HopVcs::new(vcs, longest.unwrap_or(1)),
            all_vcs: ((1u16 << vcs.total()) - 1) as u8,
            counts_hops: longest.is_some(),
            decides: config.routing.decides(),
        }
    }

    /// Returns what a packet remembers at first, by random bits of its own.
    #[inline]
    pub fn begin(&self, from: u32, random: u16) -> u16 {
        match &self.network.geometry {
            Geometry::Graph(Tables { routes: Routes::Paths(paths), .. }) => paths.draw(from, random),
            _ => random,
        }
    }

    /// Returns the permitted outputs of a packet at a switch where these are always one run; `hop` tells how many channels between
    /// switches it has come by.
    pub fn only_run(&self, at: u32, to: Destination, route: u16, hop: impl FnOnce() -> u32) -> Option<Outputs> {
        Some(self.run(at, to, route, hop)).filter(|run| run.count > 0)
    }

    /// Does the same where it must be quick; gives [`Outputs::NONE`] where these are not one run.
    #[inline(always)]
    pub fn run(&self, at: u32, to: Destination, route: u16, hop: impl FnOnce() -> u32) -> Outputs {
        if to.switch == at {
            return Outputs { first: to.output, count: 1, vcs: 1 };
        }
        match &self.network.geometry {
            Geometry::Grid(grid) if self.kind == RoutingKind::DimensionOrder => {
                grid::escape(grid, self.kind, &self.grid_vcs, at, to.switch, route)
            }
            Geometry::Grid(_) => Outputs::NONE,
            Geometry::Levels(tree) => levels::permitted(tree, self.kind, self.all_vcs, at, to, route),
            _ => self.run_elsewhere(at, to, route, hop).unwrap_or(Outputs::NONE),
        }
    }

    /// Does the same on networks that are neither grids nor trees.
    fn run_elsewhere(&self, at: u32, to: Destination, route: u16, hop: impl FnOnce() -> u32) -> Option<Outputs> {
        match &self.network.geometry {
            Geometry::HyperX(lattice) if self.kind == RoutingKind::DimensionOrder => {
                let (first, count) = lattice.towards(at, to.switch, 0);
                Some(Outputs { first: first as u16, count: count as u16, vcs: self.all_vcs })
            }
            Geometry::Graph(tables) if self.kind == RoutingKind::UpDown => {
                graph::only(tables, at, to.switch, self.all_vcs)
            }
            Geometry::Graph(tables) if self.kind == RoutingKind::KShortest => {
                let hop = hop();
                graph::on_path(tables, at, to.switch, route, hop, self.hop_vcs.mask(hop))
            }
            Geometry::Groups(_) | Geometry::HyperX(_) | Geometry::Graph(_) => {
                let goal = direct::goal(self.network, at, to.switch, route);
                direct::only(self.network, at, goal, route, self.hop_vcs.mask(hop()))
            }
            Geometry::Grid(_) | Geometry::Levels(_) | Geometry::Ideal(_) => None,
        }
    }

    /// Finds the permitted outputs of a packet at a switch.
    pub fn candidates(&self, at: u32, to: Destination, route: u16, hop: impl Fn() -> u32, found: &mut Candidates) {
        if let Some(run) = self.only_run(at, to, route, &hop) {
            return found.set_only(run);
        }
        match &self.network.geometry {
            Geometry::Grid(grid) => {
                grid::candidates(grid, self.kind, &self.grid_vcs, at, to.switch, route, found);
            }
            Geometry::Graph(tables) if !self.counts_hops => {
                found.clear();
                graph::onward(tables, at, to.switch, self.all_vcs, found);
            }
            _ => {
                let goal = direct::goal(self.network, at, to.switch, route);
                direct::onward(self.network, at, goal, route, self.hop_vcs.mask(hop()), found);
            }
        }
    }
}
