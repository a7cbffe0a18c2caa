//! `watts.node`: what a node draws without its NIC.

use drowse_core::power::watts::NodeWatts;
use schemars::JsonSchema;
use serde::Deserialize;

use super::device::NODE;

/// What a node draws without its NIC, in watts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeKeys {
    /// While ranks compute on all of its cores.
    #[schemars(extend("default" = NODE), range(min = 0, max = 1_000_000))]
    busy: Option<f64>,
    /// While all of its ranks wait. Default: that of `busy`, because ranks poll while they wait.
    #[schemars(extend("examples" = [150.0]), range(min = 0, max = 1_000_000))]
    idle: Option<f64>,
    /// Under a scheduler, while it has no job. Default: that of `idle`.
    #[schemars(extend("examples" = [100.0]), range(min = 0, max = 1_000_000))]
    free: Option<f64>,
    /// While it is off, because it had no job for as long as `scheduler.suspend` says. Default: that of `free`.
    #[schemars(extend("examples" = [10.0]), range(min = 0, max = 1_000_000))]
    off: Option<f64>,
}

impl NodeKeys {
    /// Returns the numbers, with their keys below `power.watts`.
    pub fn amounts(&self) -> [(&'static str, Option<f64>); 4] {
        let NodeKeys { busy, idle, free, off } = *self;
        [("node.busy", busy), ("node.idle", idle), ("node.free", free), ("node.off", off)]
    }

    /// Returns what a node draws; what is left out is that of a published one.
    pub fn resolve(self) -> NodeWatts {
        let busy = self.busy.unwrap_or(NODE);
        NodeWatts { busy, idle: self.idle.unwrap_or(busy), free: self.free, off: self.off }
    }
}
