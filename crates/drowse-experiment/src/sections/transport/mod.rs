//! `[transport]`: nodes answer each other's packets. `control` has a file for each kind.

mod becn;
mod control;
mod credit;
mod dcqcn;
mod kind;
mod none;
mod nscc;
mod window;

use drowse_core::model::config::Config;
use drowse_core::model::transport::{Control, Recovery, Retransmit, Transport};
use drowse_core::model::units::{BitRate, Bytes, Time};
use schemars::JsonSchema;
use serde::Deserialize;

use self::control::ControlSpec;
use self::kind::Place;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

/// The bytes for which one acknowledgement comes, where nothing is written: those of the public packet simulator of Ultra
/// Ethernet.
const ACK_EVERY: Bytes = Bytes(16_384);
/// After which time a packet is sent again.
const TIMEOUT: Time = Time::from_us(100);
/// Size of an acknowledgement.
const ACK: Bytes = Bytes(64);

/// Nodes answer each other: receivers acknowledge packets, and senders keep to what these say. Without this table, messages
/// leave as fast as links let them.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used: `control` is read before the others")]
pub struct TransportKeys {
    /// How a sender decides how much it may send. Default: as much as it has.
    control: Option<ControlSpec>,
    #[serde(flatten)]
    plain: Plain,
}

/// The keys beside `control`.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
struct Plain {
    /// Size of an acknowledgement, and of each other packet without data. They wake links, too.
    #[schemars(extend("default" = "64 B"))]
    ack: Option<Bytes>,
    /// The bytes for which one acknowledgement comes. One comes at once where a packet is marked and `control` reacts to
    /// acknowledgements, or where its sender may send no more.
    #[schemars(extend("default" = "16 KiB"))]
    ack_every: Option<Bytes>,
    /// Whether round trips count without the time in which links woke: switches stamp it into packets.
    #[schemars(extend("default" = false))]
    grace: Option<bool>,
    /// What is sent again of what switches have dropped, with `switch.flow_control = "drop"` or `"trim"`.
    #[schemars(extend("default" = "selective"))]
    retransmit: Option<Retransmit>,
    /// A packet is sent again for which nothing has come for so long, where switches drop some.
    #[schemars(extend("default" = "100 us"))]
    timeout: Option<Time>,
}

/// Reads the section; nodes' links have this bandwidth, and switches drop packets or not.
pub fn resolve(
    node: Option<Node<'_>>,
    keys: &Keys,
    rate: BitRate,
    lossy: bool,
) -> Result<Option<Transport>, Diagnostic> {
    let Some(mut node) = node else { return Ok(None) };
    let control = node.take("control");
    let raw: Plain = node.read(keys)?;
    let control = match control {
        Some(node) => control::read(node, &Place { path: "transport.control", keys, rate })?,
        None => Control::None,
    };
    let ack = raw.ack.unwrap_or(ACK);
    if ack.0 == 0 {
        let message = "an acknowledgement has no bytes";
        return Err(keys.error("transport.ack", message, "write its size, such as \"64 B\""));
    }
    let recovery = recovery(&raw, keys, lossy)?;
    let ack_every = raw.ack_every.unwrap_or(ACK_EVERY);
    Ok(Some(Transport { control, ack, ack_every, grace: raw.grace.unwrap_or(false), recovery }))
}

/// Warns of a timeout that passes while a link wakes: what is on its way is sent again then.
pub fn early(config: &Config) -> Option<String> {
    let timeout = config.transport?.recovery?.timeout;
    let wakes = config.classes.iter().filter_map(|class| class.states.map(|states| states.longest_wake()));
    let wake = wakes.max().filter(|&wake| wake >= timeout)?;
    Some(format!(
        "transport.timeout is {timeout}, and a link may take {wake} to wake: packets that wait for that are sent again"
    ))
}

/// Returns how what is lost is sent again, where switches drop packets.
fn recovery(raw: &Plain, keys: &Keys, lossy: bool) -> Result<Option<Recovery>, Diagnostic> {
    let written = [("retransmit", raw.retransmit.is_some()), ("timeout", raw.timeout.is_some())];
    if let Some((key, _)) = written.into_iter().find(|(_, written)| *written && !lossy) {
        let message = format!("`transport.{key}` is for packets that are lost, and none is");
        let help = "write switch.flow_control = \"drop\" or \"trim\", or leave it out";
        return Err(keys.error(&format!("transport.{key}"), message, help));
    }
    let timeout = super::repeated(keys, "transport.timeout", raw.timeout.unwrap_or(TIMEOUT))?;
    if timeout == Time::ZERO {
        let message = "`transport.timeout` is zero: all would be sent again at once";
        return Err(keys.error("transport.timeout", message, "write a time above a round trip, such as \"100 us\""));
    }
    let retransmit = raw.retransmit.unwrap_or_default();
    Ok(lossy.then_some(Recovery { retransmit, timeout }))
}
