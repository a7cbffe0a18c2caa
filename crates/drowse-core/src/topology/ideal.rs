//! The nodes of an ideal network: there is nothing else to build.

use super::builder::NetworkBuilder;
use super::error::{NetworkError, check_range};
use super::geometry::Geometry;
use super::geometry::ideal::Ideal;
use super::member::Topology;
use super::network::Network;

impl Topology for Ideal {
    fn kind(&self) -> &'static str {
        "ideal"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        Ok(0)
    }

    fn build(&self) -> Result<Network, NetworkError> {
        check_range("network.nodes", self.nodes, 1..=u32::MAX / 4, "a network has at least 1 node")?;
        let mut network = NetworkBuilder::new().build(vec!["node".into()], Geometry::Ideal(*self));
        network.nodes = self.nodes;
        Ok(network)
    }
}
