//! `[transport]`: nodes answer each other's packets. `control` has a file for each kind.

mod becn;
mod control;
mod credit;
mod dcqcn;
mod none;
mod nscc;
mod window;

use drowse_core::model::transport::Transport;
use drowse_core::model::units::{BitRate, Bytes};
use schemars::JsonSchema;
use serde::Deserialize;

use self::control::{ControlSpec, Place};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

/// The bytes for which one acknowledgement comes, where nothing is written: those of the public packet simulator of Ultra
/// Ethernet.
const ACK_EVERY: Bytes = Bytes(16_384);
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
}

/// Reads the section; nodes' links have this bandwidth.
pub fn resolve(node: Option<Node<'_>>, keys: &Keys, rate: BitRate) -> Result<Option<Transport>, Diagnostic> {
    let Some(mut node) = node else { return Ok(None) };
    let control = node.take("control");
    let raw: Plain = node.read(keys)?;
    let control = match control {
        Some(node) => control::read(node, &Place { path: "transport.control", keys, rate })?,
        None => drowse_core::model::transport::Control::None,
    };
    let ack = raw.ack.unwrap_or(ACK);
    if ack.0 == 0 {
        let message = "an acknowledgement has no bytes";
        return Err(keys.error("transport.ack", message, "write its size, such as \"64 B\""));
    }
    let ack_every = raw.ack_every.unwrap_or(ACK_EVERY);
    Ok(Some(Transport { control, ack, ack_every, grace: raw.grace.unwrap_or(false) }))
}
