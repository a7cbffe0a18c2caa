//! `[node]`: cores, memory and NIC of a compute node.

use drowse_core::model::config::NodeModel;
use drowse_core::model::units::{BitRate, Bytes, Time};
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::quantity::Quantity;

/// The largest number of cores of a node.
const MOST_CORES: u32 = 65_536;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct ComputeNode {
    cores: Option<u32>,
    memory: Option<Memory>,
    eager_limit: Option<Quantity<Bytes>>,
    nic_latency: Option<Quantity<Time>>,
    receive_overhead: Option<Quantity<Time>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Memory {
    latency: Option<Quantity<Time>>,
    bandwidth: Option<Quantity<BitRate>>,
}

/// Reads the section; gives the node and its number of cores.
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
