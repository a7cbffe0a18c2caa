//! `[simulation]`: what moves through the network.

use drowse_core::model::config::{Queues, SwitchModel};
use drowse_core::model::unit::{Blocking, Fairness, FlowModel, Unit};
use schemars::JsonSchema;
use serde::Deserialize;

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
}

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
    FlowModel { fairness: Fairness::default(), blocking }
}

/// Reads the section for these switches.
pub fn resolve(node: Option<Node<'_>>, keys: &Keys, switch: &SwitchModel) -> Result<Unit, Diagnostic> {
    let raw: SimulationKeys = node.map(|node| node.read(keys)).transpose()?.unwrap_or_default();
    if raw.unit == RawUnit::Flow {
        let usual = usual_flows(switch);
        let (fairness, blocking) = (raw.fairness.unwrap_or(usual.fairness), raw.blocking.unwrap_or(usual.blocking));
        return Ok(Unit::Flow(FlowModel { fairness, blocking }));
    }
    for (key, written) in [("fairness", raw.fairness.is_some()), ("blocking", raw.blocking.is_some())] {
        if written {
            let message = format!("`simulation.{key}` says how flows share links, but packets move");
            let help = "write unit = \"flow\", or leave it out: packets share links as the switches do";
            return Err(keys.error(&format!("simulation.{key}"), message, help));
        }
    }
    Ok(Unit::Packet)
}
