//! The nodes of an ideal network: there is nothing else to build.

use super::builder::NetworkBuilder;
use super::error::{NetworkError, check_range};
use super::geometry::Geometry;
use super::geometry::ideal::Ideal;
use super::member::Topology;
use super::network::Network;
use crate::model::units::{BitRate, Time};

/// The longest latency: many messages must fit the longest simulated time.
const LONGEST: Time = Time(1_000_000_000_000);
/// The lowest bandwidth, for the same reason.
const LOWEST: BitRate = BitRate(1_000_000);

impl Topology for Ideal {
    fn kind(&self) -> &'static str {
        "ideal"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        Ok(0)
    }

    fn build(&self) -> Result<Network, NetworkError> {
        check_range("network.nodes", self.nodes, 1..=u32::MAX / 4, "a network has at least 1 node")?;
        let wrong = |key, value: String, reason| Err(NetworkError::OutOfRange { key, value, reason });
        if self.latency > LONGEST {
            return wrong("network.latency", self.latency.to_string(), "write a time of at most \"1 s\"");
        }
        if self.bandwidth < LOWEST {
            let bits = format!("{} b/s", self.bandwidth.0);
            return wrong("network.bandwidth", bits, "write at least \"1 Mb/s\"");
        }
        let mut network = NetworkBuilder::new().build(vec!["node".into()], Geometry::Ideal(*self));
        network.nodes = self.nodes;
        Ok(network)
    }
}
