//! `[node]`: cores, memory and NIC of a compute node.

use drowse_core::model::config::NodeModel;
use drowse_core::model::units::{BitRate, Bytes, Time};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::quantity::Quantity;

/// The largest number of cores of a node.
const MOST_CORES: u32 = 65_536;

/// The compute nodes: their cores, memory and network interface (NIC).
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct ComputeNode {
    /// Cores of a node. Each runs one rank.
    #[schemars(extend("default" = 1), range(min = 1, max = 65_536))]
    cores: Option<u32>,
    /// How messages between ranks of one node travel.
    memory: Option<Memory>,
    /// Messages below this size are sent eagerly; others ask first (request to send, clear to send).
    #[schemars(extend("default" = "64 KiB"))]
    eager_limit: Option<Quantity<Bytes>>,
    /// Time that is added at injection and at ejection.
    #[schemars(extend("default" = "0 ns"))]
    nic_latency: Option<Quantity<Time>>,
    /// How long a rank is busy after a receive, before it computes or ends. A send that follows starts at once.
    #[schemars(extend("default" = "0 ns"))]
    receive_overhead: Option<Quantity<Time>>,
}

/// The memory of a node, through which its ranks send each other messages.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
struct Memory {
    /// Latency of messages between ranks of one node.
    #[schemars(extend("default" = "300 ns"))]
    latency: Option<Quantity<Time>>,
    /// Bandwidth of messages between ranks of one node.
    #[schemars(extend("default" = "10 GB/s"))]
    bandwidth: Option<Quantity<BitRate>>,
}

/// Reads the section; returns the node and its number of cores.
pub fn resolve(node: Option<Node<'_>>, keys: &Keys) -> Result<(NodeModel, u32), Diagnostic> {
    let raw: ComputeNode = node.map(|node| node.read(keys)).transpose()?.unwrap_or_default();
    let cores = raw.cores.unwrap_or(1);
    if !(1..=MOST_CORES).contains(&cores) {
        let help = format!("write a number from 1 to {MOST_CORES}");
        return Err(keys.error("node.cores", format!("`node.cores` = {cores} is out of range"), help));
    }
    let memory = raw.memory.unwrap_or_default();
    let default = NodeModel::default();
    let time = |key: &str, written: Option<Quantity<Time>>, default: Time| {
        super::repeated(keys, &format!("node.{key}"), written.map_or(default, |time| time.0))
    };
    let model = NodeModel {
        memory_latency: time("memory.latency", memory.latency, default.memory_latency)?,
        memory_bandwidth: memory
            .bandwidth
            .map_or(Ok(default.memory_bandwidth), |rate| super::bandwidth(keys, "node.memory.bandwidth", rate.0))?,
        eager_limit: raw.eager_limit.map_or(default.eager_limit, |limit| limit.0),
        nic_latency: time("nic_latency", raw.nic_latency, default.nic_latency)?,
        receive_overhead: time("receive_overhead", raw.receive_overhead, default.receive_overhead)?,
    };
    Ok((model, cores))
}
