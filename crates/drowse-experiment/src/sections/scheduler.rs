//! `[scheduler]`: which job starts when, and on which nodes.

use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_core::workload::scheduler::{Allocation, Kind, Rules};
use schemars::JsonSchema;
use serde::Deserialize;

use super::swf::{Log, SwfKeys};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

/// The time from the end of a job until its nodes are free, unless it is written.
const DELAY: Time = Time::from_us(1);

/// Starts jobs when their nodes are free. Each `[[job]]` then says when it arrives, not where its ranks run.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchedulerKeys {
    /// How the next job is selected.
    #[schemars(extend("examples" = ["easy-backfilling"]))]
    kind: Kind,
    /// Which free cores or nodes a job gets.
    #[serde(default)]
    #[schemars(extend("default" = "linear"))]
    allocation: RawAllocation,
    /// Whether jobs share the cores of a node.
    #[serde(default)]
    #[schemars(extend("default" = "shared"))]
    nodes: RawNodes,
    /// Time from the end of a job until its nodes are free, at least a clock cycle of the switches.
    #[schemars(extend("default" = "1 us"))]
    delay: Option<Time>,
    /// Seed of random selections and allocations. Default: that of the experiment.
    seed: Option<u64>,
    /// A log of jobs in the Standard Workload Format. Its jobs run the programs of the `[[job]]` tables, each the
    /// smallest that has as many ranks as the job had processors, or more.
    swf: Option<SwfKeys>,
}

/// A scheduler, and the log of its jobs if there is one.
pub struct Scheduled {
    /// How it starts jobs.
    pub rules: Rules,
    /// Where jobs come from, if not from the experiment.
    pub log: Option<Log>,
}

/// Which free cores or nodes a job gets.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RawAllocation {
    /// The first free cores, node by node.
    #[default]
    Linear,
    /// A core of each node in turn, those with the most free cores first.
    RoundRobin,
    /// Free cores at random.
    Random,
    /// The free cores of nodes in random order.
    RandomNodes,
    /// The first block of consecutive nodes that are free.
    Contiguous,
    /// Nodes of as few switches as possible: by rack, where a rack has one.
    Switch,
    /// Nodes of as few groups as possible, on networks of groups.
    Group,
}

/// Whether jobs share the cores of a node.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RawNodes {
    /// A job takes as many cores as it has ranks.
    #[default]
    Shared,
    /// A job takes whole nodes.
    Whole,
}

/// Reads the section; `seed` is the experiment's.
pub fn resolve(
    node: Node<'_>,
    keys: &Keys,
    network: &Network,
    clock: Time,
    seed: u64,
) -> Result<Scheduled, Diagnostic> {
    let raw: SchedulerKeys = node.read(keys)?;
    let delay = super::repeated(keys, "scheduler.delay", raw.delay.unwrap_or(DELAY))?;
    if delay < clock {
        let message = format!("`scheduler.delay` = {delay} is shorter than a clock cycle of {clock}");
        return Err(keys.error("scheduler.delay", message, format!("write \"{clock}\" or more")));
    }
    let rules = Rules {
        kind: raw.kind,
        allocation: allocation(raw.allocation, keys, network)?,
        whole_nodes: raw.nodes == RawNodes::Whole,
        delay,
        seed: raw.seed.unwrap_or(seed),
    };
    Ok(Scheduled { rules, log: raw.swf.map(|log| log.resolve(keys)).transpose()? })
}

fn allocation(raw: RawAllocation, keys: &Keys, network: &Network) -> Result<Allocation, Diagnostic> {
    Ok(match raw {
        RawAllocation::Linear => Allocation::Linear,
        RawAllocation::RoundRobin => Allocation::RoundRobin,
        RawAllocation::Random => Allocation::Random,
        RawAllocation::RandomNodes => Allocation::RandomNodes,
        RawAllocation::Contiguous => Allocation::Contiguous,
        RawAllocation::Switch => Allocation::by_switch(network),
        RawAllocation::Group => {
            return Allocation::by_group(network).ok_or_else(|| {
                let help = "write \"switch\", or a network of groups such as kind = \"dragonfly\"";
                keys.error("scheduler.allocation", "this network has no groups", help)
            });
        }
    })
}
