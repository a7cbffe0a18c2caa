//! Which channels packets between two nodes may take: all that some permitted route crosses (Totoni et al. 2014,
//! section 4.1, steps 2 to 4).
//!
//! Where routing has a choice, every choice counts, whatever the random draws and the queues. So packets of a known
//! pair never need a channel that is not marked.

use crate::model::config::Config;
use crate::model::ids::{ChannelId, NodeId};
use crate::routing::low_diameter::{self, Goal};
use crate::routing::{Candidates, Destination, PortGroup, Router, RoutingKind};
use crate::topology::{self, Geometry, Network};

/// The routing of a simulation, as the runtime system follows it.
#[derive(Debug)]
pub struct Routes<'a> {
    network: &'a Network,
    router: Router<'a>,
    /// By switch: the last search that has reached it.
    reached: Vec<u32>,
    /// Counts searches.
    search: u32,
}

impl<'a> Routes<'a> {
    /// Takes the routing of a simulation.
    pub fn new(network: &'a Network, config: &Config) -> Self {
        let mut router = Router::new(network, config);
        // Random routing draws any of the outputs among which adaptive routing chooses.
        if router.kind == RoutingKind::Random {
            router.kind = RoutingKind::Adaptive;
        }
        Routes { network, router, reached: vec![0; network.switches() as usize], search: 0 }
    }

    /// Calls `visit` with all channels that packets from one node to another may take, those of the nodes included,
    /// some more than once. From a node to itself there are none.
    pub fn between(&mut self, from: NodeId, to: NodeId, mut visit: impl FnMut(ChannelId)) {
        let network = self.network;
        if from == to || network.channels() == 0 {
            return;
        }
        let port = network.node_port[to.index()];
        visit(ChannelId(network.ports() + from.0));
        visit(ChannelId(port));
        let (at, switch) = (network.node_switch(from).0, network.port_switch(port as usize));
        if at == switch {
            return;
        }
        let to = Destination { switch, output: (port - network.first_port[switch as usize]) as u16 };
        if self.router.kind == RoutingKind::KShortest {
            self.by_paths(at, to, &mut visit);
        } else if self.router.counts_hops {
            self.by_non_minimal_routes(at, switch, &mut visit);
        } else {
            let router = self.router.clone();
            let mut found = Candidates::new();
            self.follow(
                &[at],
                |at| at == switch,
                &mut visit,
                |at, offer| {
                    router.candidates(at, to, 0, || 0, &mut found);
                    found.adaptive().iter().chain([&found.escape]).for_each(|&run| offer(run));
                },
            );
        }
    }

    /// Follows every path that may be drawn.
    fn by_paths(&mut self, from: u32, to: Destination, visit: &mut impl FnMut(ChannelId)) {
        let each = topology::graph::paths(self.network).map_or(0, |paths| paths.each);
        for path in 0..each {
            // The least of the random numbers that draw it.
            let route = self.router.begin(from, 0, (path << 16).div_ceil(each) as u16);
            let (mut at, mut hop) = (from, 0);
            while at != to.switch {
                let Some(run) = self.router.only_group(at, to, route, || hop) else { break };
                at = self.leave(at, run, visit).last().unwrap_or(to.switch);
                hop += 1;
            }
        }
    }

    /// Follows packets of a low-diameter network: on minimal routes, and on every non-minimal route that they may
    /// choose.
    fn by_non_minimal_routes(&mut self, from: u32, to: u32, visit: &mut impl FnMut(ChannelId)) {
        let (kind, network) = (self.router.kind, self.network);
        let place = |switch: u32| match &network.geometry {
            Geometry::Groups(groups) => groups.group(switch),
            _ => switch,
        };
        let (places, goal): (u32, fn(u32) -> Goal) = match &network.geometry {
            Geometry::Groups(groups) => (groups.count, Goal::Group),
            _ => (network.switches(), Goal::Switch),
        };
        let non_minimal = kind.decides() && place(from) != place(to) && places > 2;
        let mut turns = vec![from];
        if !(non_minimal && kind == RoutingKind::Valiant) {
            self.towards(&[from], Goal::Switch(to), to, visit);
        }
        if non_minimal && kind == RoutingKind::Progressive {
            let first_hop = |run| turns.extend(self.leave(from, run, &mut |_| ()));
            low_diameter::all_next_hops(network, from, Goal::Switch(to), first_hop);
            turns.sort_unstable();
            turns.dedup();
            turns.retain(|&at| place(at) != place(to));
        }
        for at in turns.into_iter().filter(|_| non_minimal) {
            for by in (0..places).filter(|&by| by != place(at) && by != place(to)) {
                let arrived = self.towards(&[at], goal(by), to, visit);
                self.towards(&arrived, Goal::Switch(to), to, visit);
            }
        }
    }

    /// Follows minimal routes from some switches to a goal; returns the switches where they arrive. Packets that pass
    /// their destination end there.
    fn towards(&mut self, from: &[u32], goal: Goal, to: u32, visit: &mut impl FnMut(ChannelId)) -> Vec<u32> {
        let network = self.network;
        let there = |at: u32| match (&network.geometry, goal) {
            (Geometry::Groups(groups), Goal::Group(group)) => at == to || groups.group(at) == group,
            (_, goal) => at == to || goal == Goal::Switch(at),
        };
        self.follow(from, there, visit, |at, offer| low_diameter::all_next_hops(network, at, goal, offer))
    }

    /// Follows packets from some switches until `there` holds; returns the switches where it does. `outputs` offers the
    /// outputs of a switch.
    fn follow<V: FnMut(ChannelId)>(
        &mut self,
        from: &[u32],
        there: impl Fn(u32) -> bool,
        visit: &mut V,
        mut outputs: impl FnMut(u32, &mut dyn FnMut(PortGroup)),
    ) -> Vec<u32> {
        self.search += 1;
        let (mut open, mut arrived) = (from.to_vec(), Vec::new());
        from.iter().for_each(|&at| self.reached[at as usize] = self.search);
        while let Some(at) = open.pop() {
            if there(at) {
                arrived.push(at);
                continue;
            }
            outputs(at, &mut |run| {
                for next in self.leave(at, run, visit) {
                    if std::mem::replace(&mut self.reached[next as usize], self.search) != self.search {
                        open.push(next);
                    }
                }
            });
        }
        arrived
    }

    /// Leaves a switch by some outputs; returns the switches at their other ends.
    fn leave<'v, V: FnMut(ChannelId)>(
        &self,
        at: u32,
        run: PortGroup,
        visit: &'v mut V,
    ) -> impl Iterator<Item = u32> + use<'a, 'v, V> {
        let network = self.network;
        let first = network.first_port[at as usize] + u32::from(run.first);
        (first..first + u32::from(run.count)).map(move |port| {
            visit(ChannelId(port));
            network.port_switch(network.peer[port as usize] as usize)
        })
    }
}
