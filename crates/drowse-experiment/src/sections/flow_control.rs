//! `switch.flow_control`: how the sender of a link knows that the next input port has room.

use drowse_core::limits;
use drowse_core::model::config::{Config, Escape, FlowControl, PauseLevels};
use drowse_core::model::units::Bytes;
use drowse_core::topology::{Geometry, Network};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// How the sender of a link knows that the next input port has room.
#[derive(Clone, Copy, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FlowRule {
    /// It holds a credit for each flit of room.
    #[default]
    Credits,
    /// It sends until the port tells it to pause, for each VC by itself: priority flow control of IEEE 802.1Qbb, with a
    /// VC for each priority.
    Pause,
    /// It sends whatever it has, and an input port that has no room for a packet drops it. Needs `[transport]`, which sends
    /// it again.
    Drop,
    /// As `drop`, but of a packet of data what is left without its data goes on, ahead of others, and tells the receiver
    /// what is missing.
    Trim,
}

/// What a file says of it; sizes are those of a virtual channel.
#[derive(Clone, Copy)]
pub struct Written {
    rule: FlowRule,
    xoff: Option<Bytes>,
    xon: Option<Bytes>,
}

impl Written {
    /// Takes the three keys.
    pub(super) fn new(
        rule: Option<FlowRule>,
        xoff: Option<Bytes>,
        xon: Option<Bytes>,
        keys: &Keys,
    ) -> Result<Self, Diagnostic> {
        let rule = rule.unwrap_or_default();
        let has = [("switch.xoff", xoff.is_some()), ("switch.xon", xon.is_some())];
        let pauses = matches!(rule, FlowRule::Pause);
        if let Some((key, _)) = has.into_iter().find(|(_, has)| *has && !pauses) {
            let message = format!("`{key}` says when senders pause, and these never do");
            return Err(keys.error(key, message, "write flow_control = \"pause\", or leave it out"));
        }
        Ok(Written { rule, xoff, xon })
    }

    /// Returns whether packets may be lost.
    pub fn is_lossy(&self) -> bool {
        matches!(self.rule, FlowRule::Drop | FlowRule::Trim)
    }

    /// Sets it in a configuration that has all else. Senders pause as late as possible and go on a packet below that,
    /// where nothing else is written.
    pub fn set(self, config: &mut Config, network: &Network, keys: &Keys) -> Result<(), Diagnostic> {
        let ideal = matches!(network.geometry, Geometry::Ideal(_));
        if ideal || matches!(self.rule, FlowRule::Credits) {
            return Ok(());
        }
        if self.is_lossy() {
            let trims = matches!(self.rule, FlowRule::Trim);
            config.switch.flow_control = if trims { FlowControl::Trim } else { FlowControl::Drop };
            return refuse_bubble(config, keys);
        }
        let (headroom, switch) = (limits::pause_headroom(config), &config.switch);
        let (buffer, flit) = (switch.buffer_flits, switch.flit.0);
        let most = u64::from(buffer).saturating_sub(headroom);
        let xoff = self.xoff.map_or(most, |size| size.0 / flit);
        let in_all = |flits: u64| u128::from(flits) * u128::from(flit) * u128::from(switch.vcs.total());
        if most == 0 {
            let message = format!(
                "a VC of {} B has no room for what comes until its sender pauses: {} B",
                u64::from(buffer) * flit,
                headroom.saturating_mul(flit)
            );
            let help =
                format!("write switch.buffer = \"{} B\" or more, or flow_control = \"credits\"", in_all(headroom + 1));
            return Err(keys.error("switch.buffer", message, help));
        }
        if !(1..=most).contains(&xoff) {
            let message = format!("with {} B a VC cannot let its sender pause", xoff.saturating_mul(flit));
            let help = format!(
                "write {flit} to {} B: {} B of the VC are for what comes until the sender pauses",
                most * flit,
                headroom * flit
            );
            return Err(keys.error("switch.xoff", message, help));
        }
        let xon = self.xon.map_or(xoff.saturating_sub(switch.packet_flits.into()), |size| size.0 / flit);
        if xon >= xoff {
            let message =
                format!("a sender that must pause at {} B cannot go on at {} B", xoff * flit, xon.saturating_mul(flit));
            return Err(keys.error("switch.xon", message, "write a size below switch.xoff"));
        }
        refuse_bubble(config, keys)?;
        // Both are below the flits of a buffer, which are 16 bits.
        let [xoff_flits, xon_flits] = [xoff, xon].map(|flits| u16::try_from(flits).unwrap_or(buffer));
        config.switch.flow_control = FlowControl::Pause(PauseLevels { xoff_flits, xon_flits });
        Ok(())
    }
}

/// Refuses bubbles where senders do not count credits.
fn refuse_bubble(config: &Config, keys: &Keys) -> Result<(), Diagnostic> {
    if config.switch.escape != Escape::Bubble {
        return Ok(());
    }
    let message = "a bubble counts the room of the next input port, of which these senders know nothing";
    let help = "write escape = \"dateline\", or flow_control = \"credits\"";
    Err(keys.error("switch.escape", message, help))
}
