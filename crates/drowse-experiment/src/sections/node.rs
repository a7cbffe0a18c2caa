//! `[node]`: cores, memory and NIC of a compute node.

use drowse_core::model::balance::Order;
use drowse_core::model::config::{Injection, NodeModel, Overheads};
use drowse_core::model::units::{BitRate, Bytes, Time};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

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
    /// Messages below this size are sent eagerly; others ask first (request to send, clear to send). It is S of the
    /// LogGOPS model.
    #[schemars(extend("default" = "64 KiB"))]
    eager_limit: Option<Bytes>,
    /// Time that is added at injection and at ejection.
    #[schemars(extend("default" = "0 ns"))]
    nic_latency: Option<Time>,
    /// Which of the VCs with room for a packet the NIC takes.
    #[schemars(extend("default" = "round-robin"))]
    injection: Option<Injection>,
    /// How long a rank is busy after a receive, before it computes or ends. A send that follows starts at once.
    #[schemars(extend("default" = "0 ns"))]
    receive_overhead: Option<Time>,
    /// What messages cost the processors of ranks and the NIC: o, O, g and G of the LogGOPS model.
    overheads: Option<Costs>,
    /// In which order the node takes the packets of another.
    #[schemars(extend("default" = "any"))]
    order: Option<Order>,
}

/// What messages cost the processors of ranks and the NIC (Hoefler, Schneider and Lumsdaine 2010). All but G belong to
/// every network; the bandwidth of a network's links is its G already, so that a second one is for the ideal network.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
struct Costs {
    /// How long a message keeps its sender's processor busy, and its receiver's (o).
    #[schemars(extend("default" = "0 ns"))]
    message: Option<Time>,
    /// How long each byte but the first keeps the sender's processor busy, and the receiver's (O).
    #[schemars(extend("default" = "0 ns"))]
    byte: Option<Time>,
    /// The least time between the beginnings of two messages that a NIC sends, and of two that it receives (g).
    #[schemars(extend("default" = "0 ns"))]
    gap: Option<Time>,
    /// How much longer that is for each byte but the first (G). The receiver's processor is busy for as long.
    #[schemars(extend("default" = "0 ns"))]
    gap_per_byte: Option<Time>,
}

/// The memory of a node, through which its ranks send each other messages.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
struct Memory {
    /// Latency of messages between ranks of one node.
    #[schemars(extend("default" = "300 ns"))]
    latency: Option<Time>,
    /// Bandwidth of messages between ranks of one node.
    #[schemars(extend("default" = "10 GB/s"))]
    bandwidth: Option<BitRate>,
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
    let time = |key: &str, written: Option<Time>, default: Time| {
        super::repeated(keys, &format!("node.{key}"), written.unwrap_or(default))
    };
    let costs = raw.overheads.unwrap_or_default();
    let cost = |key: &str, written| time(&format!("overheads.{key}"), written, Time::ZERO);
    let overheads = Overheads {
        message: cost("message", costs.message)?,
        byte: cost("byte", costs.byte)?,
        gap: cost("gap", costs.gap)?,
        gap_per_byte: cost("gap_per_byte", costs.gap_per_byte)?,
    };
    let model = NodeModel {
        memory_latency: time("memory.latency", memory.latency, default.memory_latency)?,
        memory_bandwidth: memory
            .bandwidth
            .map_or(Ok(default.memory_bandwidth), |rate| super::bandwidth(keys, "node.memory.bandwidth", rate))?,
        eager_limit: raw.eager_limit.unwrap_or(default.eager_limit),
        nic_latency: time("nic_latency", raw.nic_latency, default.nic_latency)?,
        injection: raw.injection.unwrap_or_default(),
        receive_overhead: time("receive_overhead", raw.receive_overhead, default.receive_overhead)?,
        overheads,
        order: raw.order.unwrap_or_default(),
    };
    Ok((model, cores))
}
