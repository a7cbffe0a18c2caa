//! `watts.node`: what a node draws without its NIC.

use drowse_core::power::watts::{AcceleratorWatts, NodeWatts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::band::{Amount, End};
use super::node_catalogue::{NODES, NamedNode};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::wording;

/// What a node draws without its NIC, in watts. Each may be a band, such as `{ low = 900, high = 1000 }`, where only its
/// limits are known: results then have bands, too.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeKeys {
    /// A published node from which the other keys differ. `archer2` has two processors; of `hgx-h100-8` (eight
    /// accelerators) and `gb200-tray` (four) only limits are known.
    #[schemars(extend("default" = NODES[0].name), extend("enum" = NODES.map(|node| node.name)))]
    preset: Option<String>,
    /// While ranks compute on all of its cores. Default: that of the preset; `archer2` has 410.
    #[schemars(extend("examples" = [410.0]), range(min = 0, max = 1_000_000))]
    busy: Option<Amount>,
    /// While all of its ranks wait for messages. Default: that of `busy`, because most MPI libraries poll while they
    /// wait.
    #[schemars(extend("examples" = [350.0]), range(min = 0, max = 1_000_000))]
    wait: Option<Amount>,
    /// While nothing runs on it: cores without a rank, and ranks that have ended. Default: that of the preset, or that
    /// of `busy`.
    #[schemars(extend("examples" = [150.0]), range(min = 0, max = 1_000_000))]
    idle: Option<Amount>,
    /// Under a scheduler, while it has no job. Default: that of `idle`.
    #[schemars(extend("examples" = [100.0]), range(min = 0, max = 1_000_000))]
    free: Option<Amount>,
    /// While it is off, because it had no job for as long as `scheduler.suspend` says. Default: that of `free`.
    #[schemars(extend("examples" = [10.0]), range(min = 0, max = 1_000_000))]
    off: Option<Amount>,
    /// What its accelerators draw beside all that. Default: nothing, so that it is part of the other keys.
    accelerator: Option<AcceleratorKeys>,
}

/// What each accelerator of a node draws, in watts. It computes and communicates as the ranks of its node do.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AcceleratorKeys {
    /// Accelerators of a node. Default: one for each core, since a rank of training is an accelerator.
    #[schemars(extend("examples" = [8]), range(min = 1, max = 65_536))]
    per_node: Option<u32>,
    /// While nothing runs on it.
    #[schemars(extend("examples" = [75.0]), extend("x-hint" = "watts without work"), range(min = 0, max = 100_000))]
    idle: Amount,
    /// While its rank computes.
    #[schemars(extend("examples" = [700.0]), extend("x-hint" = "watts of computing"), range(min = 0, max = 100_000))]
    compute: Amount,
    /// While its rank waits for messages, as in collectives. Default: that of `compute`.
    #[schemars(extend("examples" = [300.0]), range(min = 0, max = 100_000))]
    communicate: Option<Amount>,
}

impl NodeKeys {
    /// Returns the numbers that were written, with their keys below `power.watts`.
    pub fn amounts(&self) -> Vec<(&'static str, Amount)> {
        let NodeKeys { preset: _, busy, wait, idle, free, off, accelerator } = self;
        let of_accelerator = accelerator.map_or([None; 3], |accelerator| {
            let AcceleratorKeys { per_node: _, idle, compute, communicate } = accelerator;
            [Some(idle), Some(compute), communicate]
        });
        let [of_idle, of_compute, of_communicate] = of_accelerator;
        let all = [
            ("node.busy", *busy),
            ("node.wait", *wait),
            ("node.idle", *idle),
            ("node.free", *free),
            ("node.off", *off),
            ("node.accelerator.idle", of_idle),
            ("node.accelerator.compute", of_compute),
            ("node.accelerator.communicate", of_communicate),
        ];
        all.into_iter().filter_map(|(key, amount)| Some((key, amount?))).collect()
    }

    /// Returns the preset, where another than the default is named.
    pub fn preset(&self) -> Option<&'static NamedNode> {
        self.preset.as_deref().and_then(NamedNode::named).filter(|node| *node != &NODES[0])
    }

    /// Refuses a preset or a number of accelerators that there is not; `path` is that of `power.watts`.
    pub fn check(&self, keys: &Keys, path: &str) -> Result<(), Diagnostic> {
        if let Some(name) = self.preset.as_deref().filter(|name| NamedNode::named(name).is_none()) {
            return Err(wording::unknown_word(keys, &join(path, "node.preset"), name, &NODES.map(|node| node.name)));
        }
        let per_node = self.accelerator.and_then(|accelerator| accelerator.per_node);
        super::in_range(per_node, 65_536, keys, &join(path, "node.accelerator.per_node")).map(|_| ())
    }

    /// Returns whether some number is a band.
    pub fn has_band(&self) -> bool {
        let named = self.named();
        let written = self.amounts().iter().any(|(_, amount)| amount.is_band());
        written || self.busy.unwrap_or(named.busy).is_band() || self.idle.or(named.idle).is_some_and(Amount::is_band)
    }

    /// Says what is odd of the numbers that were written.
    pub fn notes(&self) -> Vec<String> {
        let (named, watts) = (self.named(), self.resolve(End::Middle));
        let mut notes = Vec::new();
        let wait = watts.wait.unwrap_or(watts.idle);
        let above =
            [("wait for messages", wait, self.wait.is_some()), ("have nothing to do", watts.idle, self.idle.is_some())];
        for (what, power, _) in above.into_iter().filter(|&(_, power, written)| written && power > watts.busy) {
            notes.push(format!(
                "nodes that {what} draw {power} W, more than the {} W of those that compute",
                watts.busy
            ));
        }
        let limit = named.busy.limits().high;
        let written = [("busy", self.busy), ("wait", self.wait), ("idle", self.idle), ("free", self.free)];
        for (key, amount) in written.into_iter().filter(|_| named.busy.is_band()) {
            let Some(power) = amount.map(|amount| amount.limits().high).filter(|&power| power > limit) else {
                continue;
            };
            notes.push(format!(
                "power.watts.node.{key} = {power} W is above the limit of {}, {limit} W: {}",
                named.name, named.source
            ));
        }
        notes
    }

    fn named(&self) -> &'static NamedNode {
        self.preset().unwrap_or(&NODES[0])
    }

    /// Returns what a node draws at a place of all bands; what is left out is that of a published one.
    pub fn resolve(&self, end: End) -> NodeWatts {
        let named = self.named();
        let at = |amount: Option<Amount>| amount.map(|amount| amount.at(end));
        let busy = self.busy.unwrap_or(named.busy).at(end);
        let idle = at(self.idle).or(at(named.idle)).unwrap_or(busy);
        // What a node draws without work does not say what it draws while ranks poll.
        let wait = at(self.wait).unwrap_or(busy);
        NodeWatts {
            busy,
            idle,
            wait: Some(wait).filter(|wait| (wait - idle).abs() > 0.0),
            free: at(self.free),
            off: at(self.off),
            accelerator: self.accelerator.map(|accelerator| {
                let compute = accelerator.compute.at(end);
                AcceleratorWatts {
                    per_node: accelerator.per_node,
                    idle: accelerator.idle.at(end),
                    compute,
                    communicate: at(accelerator.communicate).unwrap_or(compute),
                }
            }),
        }
    }
}
