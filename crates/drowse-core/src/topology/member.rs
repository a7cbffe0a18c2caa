//! What every topology answers about itself.

use super::error::NetworkError;
use super::metrics::Metrics;
use super::network::Network;
use crate::model::units::BitRate;

/// A topology with its parameters.
pub trait Topology {
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

    /// Returns the number of ports that each switch is built with where all are alike, plugged or not: what a switch
    /// costs (R of Navaridas et al. 2010).
    fn switch_ports(&self) -> Option<u32> {
        None
    }
}
