//! The account of what passes each channel.

use super::Traffic;
use crate::model::config::Config;
use crate::model::ids::{ChannelId, NodeId};
use crate::model::rng;
use crate::routing::{Router, walk};
use crate::topology::{Geometry, Network};

/// What has passed each channel of a network.
///
/// ```
/// use drowse_core::model::{config::Config, ids::{ChannelId, NodeId}};
/// use drowse_core::routing::RoutingKind;
/// use drowse_core::topology::{PerDimension, TopologySpec, Torus};
/// use drowse_core::usage::{Account, MOST_ROUTES, Traffic};
///
/// let network = TopologySpec::Torus(Torus::new(vec![5], PerDimension::All(1), 1)).build()?;
/// let config = Config { routing: RoutingKind::DimensionOrder, ..Config::new(&network) };
/// let mut account = Account::new(&network, &config);
/// // Ten messages of 1 KiB, each of 8 packets of 128 bytes, from one end of two links of the ring to the other.
/// account.send(NodeId(0), NodeId(2), Traffic::of(10, 1 << 10, &config.switch), MOST_ROUTES);
/// let packets: Vec<u64> = (0..network.channels()).map(|channel| account.of(ChannelId(channel)).packets).collect();
/// // They pass two channels between switches, and one from and to a node.
/// assert_eq!(packets.iter().filter(|&&packets| packets == 80).count(), 2 + 2);
/// assert_eq!(packets.iter().sum::<u64>(), 4 * 80);
/// # Ok::<(), drowse_core::topology::NetworkError>(())
/// ```
#[derive(Debug)]
pub struct Account<'a> {
    network: &'a Network,
    router: Router<'a>,
    /// All packets between two nodes take the same path.
    single: bool,
    /// By channel.
    channels: Vec<Traffic>,
    /// What has left a node.
    sent: Traffic,
    /// By level of a tree: the packets that have reached it.
    levels: Vec<u64>,
}

impl<'a> Account<'a> {
    /// Opens the account, with nothing in it.
    pub fn new(network: &'a Network, config: &Config) -> Self {
        let levels = match &network.geometry {
            Geometry::Levels(levels) => levels.shape.down.len(),
            _ => 0,
        };
        Account {
            network,
            router: Router::new(network, config),
            single: walk::is_single(network, config.routing),
            channels: vec![Traffic::default(); network.channels() as usize],
            sent: Traffic::default(),
            levels: vec![0; levels],
        }
    }

    /// Counts traffic between two nodes; within a node there is none. No more than so many routes are followed.
    pub fn send(&mut self, from: NodeId, to: NodeId, traffic: Traffic, most_routes: u64) {
        if from == to || traffic.messages == 0 {
            return;
        }
        self.sent += traffic;
        if self.single || most_routes == 1 || traffic.packets == 1 {
            return self.follow(from, to, 0, traffic);
        }
        let routes = traffic.packets.min(most_routes);
        for number in 0..routes {
            self.follow(from, to, number, traffic.share(number, routes));
        }
    }

    /// Counts what takes one route.
    fn follow(&mut self, from: NodeId, to: NodeId, route: u64, traffic: Traffic) {
        let number = rng::mix(u64::from(from.0) << 32 | u64::from(to.0)).wrapping_add(route);
        let Account { network, router, channels, levels, .. } = self;
        let mut highest = 0;
        walk::walk(network, router, from, to, rng::mix(number) as u16, |channel| {
            channels[channel.index()] += traffic;
            highest = highest.max(level(network, channel));
        });
        levels.iter_mut().take(highest + 1).for_each(|packets| *packets = packets.saturating_add(traffic.packets));
    }

    /// Returns what has passed a channel.
    pub fn of(&self, channel: ChannelId) -> Traffic {
        self.channels[channel.index()]
    }

    /// Returns what has left a node for another.
    pub fn sent(&self) -> Traffic {
        self.sent
    }

    /// Returns the packets that have reached each level of switches of a tree, the lowest first (Navaridas et al. 2010,
    /// Fig. 1); none for other networks.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }
}

/// Returns the level of the switch that a channel of a tree leads to; 0 elsewhere.
fn level(network: &Network, channel: ChannelId) -> usize {
    match (&network.geometry, network.peer.get(channel.index())) {
        (Geometry::Levels(tree), Some(&peer)) if peer < network.ports() => {
            usize::from(tree.level[network.port_switch(peer as usize) as usize])
        }
        _ => 0,
    }
}
