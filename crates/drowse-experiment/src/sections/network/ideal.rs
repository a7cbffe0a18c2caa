//! `kind = "ideal"`.

use drowse_core::model::units::{BitRate, Time};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Ideal, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::quantity::Quantity;
use crate::sections;

/// An ideal network: messages take a fixed latency and never wait for each other.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdealKeys {
    /// Number of compute nodes.
    #[schemars(extend("examples" = [64]), extend("x-hint" = "as many as the ranks need"), range(min = 1))]
    nodes: u32,
    /// Time that a message of no bytes takes; at most 1 s.
    #[schemars(extend("examples" = ["1 us"]))]
    latency: Quantity<Time>,
    /// Bandwidth that each message has for itself; at least 1 Mb/s. `node.overheads.gap_per_byte` may tell the time of
    /// bytes instead. Default: unlimited.
    #[schemars(extend("examples" = ["10 GB/s"]))]
    bandwidth: Option<Quantity<BitRate>>,
}

impl KindKeys for IdealKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let latency = sections::repeated(keys, "network.latency", self.latency.0)?;
        let bandwidth = self
            .bandwidth
            .map_or(Ok(BitRate::UNLIMITED), |bandwidth| sections::bandwidth(keys, "network.bandwidth", bandwidth.0))?;
        // Nothing is routed.
        Ok((TopologySpec::Ideal(Ideal { nodes: self.nodes, latency, bandwidth }), RoutingKind::Adaptive))
    }
}
