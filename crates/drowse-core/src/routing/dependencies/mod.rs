//! Proves that routing cannot deadlock, or shows how it may.
//!
//! A packet that holds room at the end of a channel waits for room at the end of the next: the channels depend on each
//! other. If these dependencies form no cycle, some packet can always go on (Dally and Seitz 1987). Where packets
//! choose among adaptive and escape channels, it suffices that every packet always has an escape output and that the
//! escape channels' dependencies form no cycle, those included of a packet that has left an escape channel over
//! adaptive ones and asks for another (Duato's extended dependencies, 1993). Channels here are virtual channels of
//! trunks. Those of nodes are left out: nothing waits for an injection channel to end, and nodes take whatever is
//! ejected.
//!
//! Bubble flow control makes rings whose channels do depend on each other in a circle. A ring counts as one channel
//! then: a packet enters it only where there is room for one more, so that some virtual channel of it always has room
//! for a packet, and some packet in it can go on or leave. What is proven is that rings and other channels form no
//! cycle among each other, for packets that are all as long. Only direct dependencies count here: a packet that goes on
//! over adaptive channels leaves its buffer as a whole, as all do in virtual cut-through switches, and holds no more
//! room on the ring.
//!
//! On low-diameter networks, packets take another class of virtual channels with each hop: it is checked that there is
//! a class for every hop of every path, which suffices.
//!
//! On graphs, paths up and down need no classes: their channels are ordered. Every output that a packet is offered
//! there may be the one that it waits for.
//!
//! Forwarding tables that are given may be any: the packets of every pair of nodes are followed, and the channels of a
//! circle, if there is one, are shown.
//!
//! The check follows every packet that there can be, by the functions by which the simulator routes: for every
//! destination, from every source, with every choice.

mod direct;
mod forwarding;
mod graph;
mod hops;
mod order;
mod paths;
mod rules;
#[cfg(test)]
mod tests;
mod trunks;
mod verdict;

use crate::model::config::Config;
use crate::routing::deadlock_rule::DeadlockRule;
use crate::routing::dispatch;
use crate::routing::router::Router;
use crate::routing::vcs::NeededVcs;
use crate::topology::Network;

use graph::Followed;
use hops::{Hops, Stray};
use order::{Obstacle, Order};
use rules::{Rules, Simulated};
use trunks::Trunks;

pub use graph::{DependencyGraph, VirtualChannel};
pub use verdict::{Proof, Verdict, Waiting};

/// The network is too large to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the check follows packets to every destination through every switch, here {states} states of packets; it takes at most \
     {most}: check a smaller network of the same kind"
)]
pub struct TooLarge {
    /// Destinations times switches times sets of crossed datelines, or what the sets of channels take if that is more.
    pub states: u64,
    /// The most that are followed.
    pub most: u64,
}

/// The most states of packets that are followed.
const MOST_STATES: u64 = 1 << 29;

/// Checks the routing of a network.
///
/// ```
/// use drowse_core::model::config::Config;
/// use drowse_core::routing::dependencies::{Verdict, check};
/// use drowse_core::topology::{Graph, TableKind, TopologySpec, Trunk};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Four switches in a line.
/// let trunks = (0..3).map(|switch| Trunk { ends: [switch, switch + 1], class: 0, links: 1 }).collect();
/// let classes = vec!["line".to_owned()];
/// let line = Graph { classes, nodes: vec![1; 4], trunks, tables: TableKind::UpDown, ..Graph::default() };
/// let network = TopologySpec::Graph(line).build()?;
/// let Verdict::Proven(proof) = check(&network, &Config::new(&network))? else { panic!("lines are free of deadlock") };
/// // Three channels lead up the line and three down; packets wait from each of three for the next.
/// assert_eq!((proof.channels, proof.dependencies, proof.longest), (2 * 3, 2 * 2, 3));
/// # Ok(())
/// # }
/// ```
pub fn check(network: &Network, config: &Config) -> Result<Verdict, TooLarge> {
    Ok(follow(network, config, &Trunks::new(network))?.map_or_else(|verdict| verdict, |it| Verdict::Proven(it.proof)))
}

/// Returns the channel dependency graph of a routing; `None` where the network is too large, or where there is no
/// proof.
pub fn graph(network: &Network, config: &Config) -> Option<DependencyGraph> {
    let trunks = Trunks::new(network);
    let followed = follow(network, config, &trunks).ok()?.ok()?;
    let router = Router::new(network, config);
    let ordered = match dispatch::needed_vcs(network, config.routing) {
        NeededVcs::Grid { .. } => router.grid_vcs.escape(),
        NeededVcs::Hops(_) | NeededVcs::Lanes(_) | NeededVcs::Any | NeededVcs::None => router.all_vcs,
    };
    Some(DependencyGraph::new(trunks, u32::from(config.switch.vcs.total()), ordered, followed))
}

/// Follows all packets of a network; what stands in the way of a proof is its error.
fn follow(network: &Network, config: &Config, trunks: &Trunks) -> Result<Result<Followed, Verdict>, TooLarge> {
    let vcs = u32::from(config.switch.vcs.total());
    let router = || Router::new(network, config);
    let stray = |Stray(at, to)| Verdict::Stray { at, to };
    match dispatch::deadlock_rule(network, config.routing) {
        DeadlockRule::Forwarding => {
            let pairs = u64::from(network.nodes) * u64::from(network.nodes);
            at_most_states(pairs)?;
            Ok(forwarding::check(network, trunks, &router(), vcs))
        }
        DeadlockRule::Paths(paths) => Ok(paths::check(network, trunks, &router(), vcs, paths).map_err(stray)),
        DeadlockRule::Hops(longest) => {
            let switches = u64::from(network.switches());
            at_most_states(switches * switches * u64::from(longest + 1))?;
            Ok(Hops::new(network, trunks, &router(), vcs, longest).check().map_err(stray))
        }
        DeadlockRule::Order => in_order(network, trunks, &Simulated::new(network, config, None), vcs),
        DeadlockRule::UpDown(tables) => in_order(network, trunks, &Simulated::new(network, config, Some(tables)), vcs),
    }
}

/// Follows the packets of a routing whose channels have to have an order.
fn in_order(
    network: &Network,
    trunks: &Trunks,
    rules: &impl Rules,
    vcs: u32,
) -> Result<Result<Followed, Verdict>, TooLarge> {
    let memories = trunks.memories() as u64;
    let followed = (rules.destinations().len() as u64).saturating_mul(u64::from(network.switches()) * memories);
    let sets = u64::from(trunks.count() * vcs + network.switches()) * direct::words(trunks, vcs) as u64;
    // What packets to one destination ask for is held in sets, which count only where switches have very many ports.
    at_most_states(followed.max(sets))?;
    Ok(Order::new(network, trunks, rules, vcs).search().map_err(|obstacle| match obstacle {
        Obstacle::Stray(at, to) => Verdict::Stray { at, to },
        Obstacle::Circle(circle) => {
            let waiting = |&(channel, packets_to): &(u32, u32)| Waiting::new(network, trunks, vcs, channel, packets_to);
            Verdict::Circle(circle.iter().map(waiting).collect())
        }
    }))
}

fn at_most_states(states: u64) -> Result<(), TooLarge> {
    if states > MOST_STATES { Err(TooLarge { states, most: MOST_STATES }) } else { Ok(()) }
}

impl Waiting {
    fn new(network: &Network, trunks: &Trunks, vcs: u32, channel: u32, packets_to: u32) -> Self {
        let (trunk, vc) = ((channel / vcs) as usize, channel % vcs);
        let port = trunks.first_port[trunk];
        let switch = network.port_switch(port as usize);
        Waiting {
            switch,
            port: port - network.first_port[switch as usize],
            vc: vc as u8,
            leads_to: trunks.leads_to[trunk],
            packets_to,
        }
    }

    /// Says where the channel is, and who holds it and asks for the next.
    pub fn line(&self, network: &Network) -> String {
        let [from, to, goal] = [self.switch, self.leads_to, self.packets_to].map(|switch| place(network, switch));
        format!("{from} to {to}, port {}, virtual channel {}: held by packets to {goal}", self.port, self.vc)
    }
}

/// Names a switch by its number and its coordinates, its level or its name.
pub fn place(network: &Network, switch: u32) -> String {
    match network.detail(switch) {
        detail if detail.is_empty() => format!("switch {switch}"),
        detail => format!("switch {switch} ({detail})"),
    }
}
