//! `traffic.pattern = "opposite"`: every node sends to the one that is half of the machine away.

use std::sync::Arc;

use drowse_core::topology::Network;
use drowse_core::workload::traffic::{PatternError, Receivers, TrafficPattern};
use drowse_experiment::PatternKeys;
use schemars::JsonSchema;
use serde::Deserialize;

/// Nodes that send to the opposite half.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opposite {}

impl PatternKeys for Opposite {
    const KIND: &'static str = "opposite";
    const ABOUT: &'static str = "Node s of N sends to node s + N/2, around the end; N is even.";

    fn pattern(self) -> Arc<dyn TrafficPattern> {
        Arc::new(self)
    }
}

impl TrafficPattern for Opposite {
    fn receivers(&self, network: &Network, _seed: u64) -> Result<Receivers, PatternError> {
        let nodes = network.nodes;
        if !nodes.is_multiple_of(2) {
            let what = format!("{nodes} nodes have no halves");
            return Err(PatternError::Refused { what, cure: "take a network with an even number of nodes".into() });
        }
        Ok(Receivers::One((0..nodes).map(|node| Some((node + nodes / 2) % nodes)).collect()))
    }
}
