//! `[simulation]`: what moves through the network.

use drowse_core::model::config::{Queues, SwitchModel};
use drowse_core::model::extrapolate::Extrapolate;
use drowse_core::model::unit::{Blocking, Fairness, FlowModel, Unit};
use schemars::JsonSchema;
use serde::Deserialize;

use super::in_range;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

/// What moves through the network: packets, or flows, which are coarser and faster.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct SimulationKeys {
    /// What moves: each packet, or each message as a whole.
    #[serde(default)]
    #[schemars(extend("default" = "packet"))]
    unit: RawUnit,
    /// How the flows on a full link share it.
    #[schemars(extend("default" = "port"))]
    fairness: Option<Fairness>,
    /// Who waits behind a flow that waits for a link to wake. Default: `head` with `switch.queues = "input"`, else
    /// `none`.
    #[schemars(extend("examples" = ["none"]))]
    blocking: Option<Blocking>,
    /// Extrapolates long jobs by flows: iterations that are like those before are not simulated. Default: all are.
    #[schemars(extend("examples" = [{ "within": 0.01, "after": 2 }]))]
    extrapolate: Option<ExtrapolateKeys>,
}

/// When iterations of jobs are extrapolated.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtrapolateKeys {
    /// By how much two samples of iterations may differ that are taken to be alike: in the time of an iteration, and in
    /// the share of the time that links spend in other states.
    #[schemars(extend("default" = WITHIN), range(min = 0, max = 1))]
    within: Option<f64>,
    /// Iterations of each job that are simulated before the first sample, whenever other jobs begin or cease to share
    /// its links. Policies that learn need more of them.
    #[schemars(extend("default" = Extrapolate::AFTER), range(min = 1, max = 1_000_000))]
    after: Option<u32>,
}

/// By how much samples differ that are taken to be alike, unless it is written.
const WITHIN: f64 = 0.01;
/// The most iterations before the first sample.
const MOST_AFTER: u32 = 1_000_000;

/// The words for what moves.
pub const UNITS: [&str; 2] = ["packet", "flow"];

/// What moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawUnit {
    /// Packets, through the queues of switches.
    #[default]
    Packet,
    /// Messages as flows, which share links.
    Flow,
}

/// Returns how flows share links and wait where nothing is written.
pub fn usual_flows(switch: &SwitchModel) -> FlowModel {
    let blocking = if switch.queues == Queues::Input { Blocking::Head } else { Blocking::None };
    FlowModel { fairness: Fairness::default(), blocking, extrapolate: None }
}

/// Reads the section for these switches.
pub fn resolve(node: Option<Node<'_>>, keys: &Keys, switch: &SwitchModel) -> Result<Unit, Diagnostic> {
    let raw: SimulationKeys = node.map(|node| node.read(keys)).transpose()?.unwrap_or_default();
    if raw.unit == RawUnit::Flow {
        let usual = usual_flows(switch);
        let (fairness, blocking) = (raw.fairness.unwrap_or(usual.fairness), raw.blocking.unwrap_or(usual.blocking));
        let extrapolate = raw.extrapolate.map(|raw| raw.resolve(keys)).transpose()?;
        return Ok(Unit::Flow(FlowModel { fairness, blocking, extrapolate }));
    }
    for (key, written) in [("fairness", raw.fairness.is_some()), ("blocking", raw.blocking.is_some())] {
        if written {
            let message = format!("`simulation.{key}` says how flows share links, but packets move");
            let help = "write unit = \"flow\", or leave it out: packets share links as the switches do";
            return Err(keys.error(&format!("simulation.{key}"), message, help));
        }
    }
    if raw.extrapolate.is_some() {
        let message = "`simulation.extrapolate` is for flows, but packets move";
        let help = "write unit = \"flow\", or leave it out: all iterations are simulated then";
        return Err(keys.error("simulation.extrapolate", message, help));
    }
    Ok(Unit::Packet)
}

impl ExtrapolateKeys {
    fn resolve(self, keys: &Keys) -> Result<Extrapolate, Diagnostic> {
        let within = self.within.unwrap_or(WITHIN);
        if !(0.0..=1.0).contains(&within) {
            let message = format!("`simulation.extrapolate.within` = {within} is no share of a time");
            return Err(keys.error(
                "simulation.extrapolate.within",
                message,
                "write a number from 0 to 1, such as 0.01",
            ));
        }
        let after = in_range(self.after, MOST_AFTER, keys, "simulation.extrapolate.after")?;
        Ok(Extrapolate { within_billionths: billionths(within), after: after.unwrap_or(Extrapolate::AFTER) })
    }
}

#[expect(clippy::cast_sign_loss, reason = "a share is not negative")]
fn billionths(share: f64) -> u32 {
    (share * 1e9).round() as u32
}
