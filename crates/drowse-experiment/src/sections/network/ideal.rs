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

/// An ideal network: every message has a latency and a bandwidth for itself.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdealKeys {
    /// Compute nodes.
    nodes: u32,
    /// Time of a message of no bytes, with its unit, such as "1 us".
    #[schemars(with = "String")]
    latency: Quantity<Time>,
    /// What each message has for itself, with its unit, such as "10 GB/s".
    #[schemars(with = "String")]
    bandwidth: Quantity<BitRate>,
}

impl KindKeys for IdealKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let latency = sections::repeated(keys, "network.latency", self.latency.0)?;
        let bandwidth = sections::bandwidth(keys, "network.bandwidth", self.bandwidth.0)?;
        // Nothing is routed.
        Ok((TopologySpec::Ideal(Ideal { nodes: self.nodes, latency, bandwidth }), RoutingKind::Adaptive))
    }
}
