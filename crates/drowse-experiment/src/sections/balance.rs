//! `switch.balance`: how packets choose among the outputs that routing permits.

use drowse_core::model::balance::{Balance, FlowOf, Hash, HashSeeds};
use drowse_core::model::units::Time;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// The gap after which a flow has a new flowlet where nothing is written: that of the packet simulator of Ultra Ethernet.
const GAP: Time = Time::from_us(10);

/// How a packet chooses among the outputs that routing permits.
#[derive(Clone, Copy, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
pub(super) enum BalanceRule {
    /// It takes an output that is free, and looks at all again at each clock edge; on trees with adaptive routing the one
    /// with the most credits.
    #[default]
    Adaptive,
    /// The hash of its flow names the output (equal-cost multipath, ECMP): a flow takes one path, and wakes it.
    FlowHash,
    /// As `flow-hash`, but after a gap in a flow the next packet draws an output for those that follow it (LetFlow).
    Flowlet,
    /// Each packet draws its output.
    SprayRandom,
    /// Packets take the outputs of a port group in turn; where a round begins is drawn.
    SprayRoundRobin,
    /// It takes the output with the shortest queue when it heads its own, and keeps to it.
    SprayQueue,
}

/// What a file says of it.
pub(super) struct Written {
    pub(super) rule: Option<BalanceRule>,
    pub(super) gap: Option<Time>,
    pub(super) flow: Option<FlowOf>,
    pub(super) seeds: Option<HashSeeds>,
}

impl Written {
    /// Returns how packets choose, once each key belongs to the rule.
    pub(super) fn balance(self, keys: &Keys) -> Result<Balance, Diagnostic> {
        let Written { rule, gap, flow, seeds } = self;
        let rule = rule.unwrap_or_default();
        let (hashes, gaps) = match rule {
            BalanceRule::Flowlet => (true, true),
            BalanceRule::FlowHash => (true, false),
            _ => (false, false),
        };
        if gap.is_some() && !gaps {
            let message = "`switch.flowlet_gap` ends flowlets, and these switches know none";
            return Err(keys.error("switch.flowlet_gap", message, "write balance = \"flowlet\", or leave it out"));
        }
        let of_hashes = [("switch.flow", flow.is_some()), ("switch.hash_seeds", seeds.is_some())];
        if let Some((key, _)) = of_hashes.into_iter().find(|(_, written)| *written && !hashes) {
            let message = format!("`{key}` says how flows are hashed, and these switches do not hash flows");
            return Err(keys.error(key, message, "write balance = \"flow-hash\" or \"flowlet\", or leave it out"));
        }
        let hash = Hash { flow: flow.unwrap_or_default(), seeds: seeds.unwrap_or_default() };
        Ok(match rule {
            BalanceRule::Adaptive => Balance::Adaptive,
            BalanceRule::FlowHash => Balance::FlowHash(hash),
            BalanceRule::Flowlet => Balance::Flowlet(hash, gap.unwrap_or(GAP)),
            BalanceRule::SprayRandom => Balance::SprayRandom,
            BalanceRule::SprayRoundRobin => Balance::SprayRoundRobin,
            BalanceRule::SprayQueue => Balance::SprayQueue,
        })
    }
}
