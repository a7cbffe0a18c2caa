//! `[scheduler]`: which job starts when, and on which nodes.

use drowse_core::model::units::Time;
use drowse_core::topology::Network;
use drowse_core::workload::scheduler::{Allocation, Kind, Rules, Suspend};
use schemars::JsonSchema;
use serde::Deserialize;

use super::log::{Log, LogKeys};
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
    /// Whether jobs share the cores of a node. Those of a log do not. Default: `shared`, and `whole` with a `log`.
    nodes: Option<RawNodes>,
    /// Time from the end of a job until its nodes are free, at least a clock cycle of the switches.
    #[schemars(extend("default" = "1 us"))]
    delay: Option<Time>,
    /// Turns nodes off that have no job. Default: they stay on.
    suspend: Option<SuspendKeys>,
    /// Seed of random selections and allocations. Default: that of the experiment.
    seed: Option<u64>,
    /// A log of jobs that a machine has run. Its jobs run the programs of the `[[job]]` tables, each the largest that fits
    /// its nodes, for as long as they ran; those without a program compute, and send nothing.
    log: Option<LogKeys>,
}

/// When nodes are turned off that have no job.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SuspendKeys {
    /// How long a node is without a job before it is turned off.
    #[schemars(extend("examples" = ["600 s"]))]
    after: Time,
    /// How long a node takes to be on again. A job that gets one that is off starts that much later; where jobs are
    /// replayed, nodes are turned on so much earlier.
    #[schemars(extend("examples" = ["120 s"]))]
    resume: Time,
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
#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RawNodes {
    /// A job takes as many cores as it has ranks.
    Shared,
    /// A job takes whole nodes.
    Whole,
}

/// Reads the section; `seed` is the experiment's.
pub fn resolve(
    node: Node<'_>,
    keys: &Keys,
    (network, names): (&Network, &[String]),
    (clock, cores): (Time, u32),
    seed: u64,
) -> Result<Scheduled, Diagnostic> {
    if node.has("swf") {
        let message = "`scheduler.swf` is `scheduler.log` now";
        let help = "write log = { file = \"log.swf\" }; the format is recognised, and jobs run as long as the log says";
        return Err(keys.error("scheduler.swf", message, help));
    }
    let raw: SchedulerKeys = node.read(keys)?;
    let delay = super::repeated(keys, "scheduler.delay", raw.delay.unwrap_or(DELAY))?;
    if delay < clock {
        let message = format!("`scheduler.delay` = {delay} is shorter than a clock cycle of {clock}");
        return Err(keys.error("scheduler.delay", message, format!("write \"{clock}\" or more")));
    }
    let rules = Rules {
        kind: raw.kind,
        allocation: allocation(raw.allocation, keys, network)?,
        whole_nodes: whole_nodes(&raw, keys)?,
        delay,
        suspend: raw.suspend.as_ref().map(|&SuspendKeys { after, resume }| Suspend { after, resume }),
        seed: raw.seed.unwrap_or(seed),
    };
    if rules.kind == Kind::Replay && raw.log.is_none() {
        let message = "`kind = \"replay\"` starts jobs as a log has them, and there is none";
        return Err(keys.error("scheduler.kind", message, "add log = { file = \"log.swf\" }, or write another kind"));
    }
    Ok(Scheduled { rules, log: raw.log.map(|log| log.resolve(keys, (network.nodes, names), cores)).transpose()? })
}

/// Returns whether jobs share no nodes; those of a log never do.
fn whole_nodes(raw: &SchedulerKeys, keys: &Keys) -> Result<bool, Diagnostic> {
    match (raw.nodes, &raw.log) {
        (Some(RawNodes::Shared), Some(_)) => {
            Err(keys.error("scheduler.nodes", "jobs of a log hold whole nodes", "write \"whole\", or leave it out"))
        }
        (Some(nodes), _) => Ok(nodes == RawNodes::Whole),
        (None, log) => Ok(log.is_some()),
    }
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
