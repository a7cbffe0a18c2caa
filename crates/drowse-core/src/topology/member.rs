//! What every topology answers about itself.

use std::fmt::Debug;

use super::error::NetworkError;
use super::metrics::Metrics;
use super::network::Network;
use crate::model::units::{BitRate, Time};

/// A topology with its parameters. One of another crate is a [`Graph`](super::Graph), or has the geometry of another:
///
/// ```
/// use std::sync::Arc;
///
/// use drowse_core::topology::{Graph, Network, NetworkError, Other, TableKind, Topology, TopologySpec, Trunk};
///
/// /// Switches with a node each, around one that has none.
/// #[derive(Debug)]
/// struct Star {
///     arms: u32,
/// }
///
/// impl Topology for Star {
///     fn kind(&self) -> &'static str {
///         "star"
///     }
///
///     fn ports(&self) -> Result<u64, NetworkError> {
///         Ok(3 * u64::from(self.arms))
///     }
///
///     fn build(&self) -> Result<Network, NetworkError> {
///         let trunks = (1..=self.arms).map(|arm| Trunk { ends: [0, arm], class: 0, links: 1 }).collect();
///         let nodes = (0..=self.arms).map(|switch| switch.min(1)).collect();
///         let (classes, names) = (vec!["arm".to_owned()], Vec::new());
///         Graph { classes, nodes, names, trunks, tables: TableKind::UpDown, ..Graph::default() }.build()
///     }
/// }
///
/// # fn main() -> Result<(), NetworkError> {
/// let star = TopologySpec::Other(Other(Arc::new(Star { arms: 4 })));
/// let network = star.build()?;
/// assert_eq!((network.switches(), network.nodes), (5, 4));
/// assert_eq!(u64::from(network.ports()), star.ports()?);
/// # Ok(())
/// # }
/// ```
pub trait Topology: Debug + Send + Sync {
    /// Returns the word that selects the topology in an experiment file (`network.kind`).
    fn kind(&self) -> &'static str;

    /// Returns the number of switch ports, those to nodes included, without building the network; a mesh may have a few
    /// less.
    fn ports(&self) -> Result<u64, NetworkError>;

    /// Compiles the topology to flat tables.
    fn build(&self) -> Result<Network, NetworkError>;

    /// Returns distances by arithmetic, without building the network; `None` where there are no channels, or no closed
    /// form.
    fn metrics(&self) -> Option<Metrics> {
        None
    }

    /// Returns the most bytes of the tables by which a network of so many ports is routed; 0 where arithmetic suffices.
    fn routing_bytes(&self, _ports: u64) -> u64 {
        0
    }

    /// Returns the bandwidth that the channels of a class have in the machine that the topology is of; `None` where it
    /// is of none.
    fn bandwidth(&self, _class: &str) -> Option<BitRate> {
        None
    }

    /// Returns what the description of the network says of the links of compute nodes.
    fn node_link(&self) -> NodeLink {
        NodeLink::default()
    }

    /// Returns the number of ports that each switch is built with where all are alike, plugged or not: what a switch
    /// costs (R of Navaridas et al. 2010).
    fn switch_ports(&self) -> Option<u32> {
        None
    }
}

/// What the description of a network says of the links of compute nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeLink {
    /// The bandwidth of one direction.
    pub bandwidth: Option<BitRate>,
    /// The latency of the wire.
    pub latency: Option<Time>,
}
