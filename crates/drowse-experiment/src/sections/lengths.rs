//! `traffic.packets`: how long messages are, one length or two.

use std::borrow::Cow;
use std::fmt;

use drowse_core::model::config::SwitchModel;
use drowse_core::model::units::Bytes;
use drowse_core::workload::traffic::{Length, Lengths};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// The longest message, in packets.
const MOST_PACKETS: u32 = 65_536;

/// A length as it is written: a number of packets, or a text with bytes.
pub struct Written(Length);

/// Lengths as they may be written.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub enum LengthKeys {
    /// One length: a number of packets, or a size.
    One(Written),
    /// Two lengths.
    Two(Two),
}

/// Messages of two lengths.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Two {
    /// Length of short messages: a number of packets, or a size.
    #[schemars(extend("examples" = ["16 B"]))]
    short: Written,
    /// Length of long messages: a number of packets, or a size.
    #[schemars(extend("examples" = [1]))]
    long: Written,
    /// Share of the messages that are long.
    #[schemars(extend("examples" = [0.1]), range(min = 0, max = 1))]
    share: f64,
}

/// Reads one length, or two and the share of messages that are long.
pub fn resolve(node: Node<'_>, keys: &Keys, switch: &SwitchModel) -> Result<Lengths, Diagnostic> {
    let path = node.path.clone();
    if !node.is_table() {
        let Written(length) = node.read(keys)?;
        return Ok(Lengths::One(checked(length, keys, &path, switch)?));
    }
    let Two { short, long, share } = node.read(keys)?;
    let short = checked(short.0, keys, &join(&path, "short"), switch)?;
    let long = checked(long.0, keys, &join(&path, "long"), switch)?;
    let share = super::share(keys, &join(&path, "share"), share)?;
    let (short_flits, long_flits) = (short.flits(switch), long.flits(switch));
    if short_flits >= long_flits {
        let message = format!("short messages have {short_flits} flits, long ones {long_flits}");
        return Err(keys.error(&join(&path, "long"), message, "make long longer than short, or give one length only"));
    }
    Ok(Lengths::Two { short, long, share })
}

fn checked(length: Length, keys: &Keys, path: &str, switch: &SwitchModel) -> Result<Length, Diagnostic> {
    let most = Length::Packets(MOST_PACKETS).bytes(switch);
    let (written, help) = match length {
        Length::Packets(1..=MOST_PACKETS) => return Ok(length),
        Length::Bytes(Bytes(bytes)) if (1..=most).contains(&bytes) => return Ok(length),
        Length::Packets(packets) => (packets.to_string(), format!("write 1 to {MOST_PACKETS} packets in a message")),
        Length::Bytes(Bytes(bytes)) => (format!("{bytes} B"), format!("write 1 B to {most} B, {MOST_PACKETS} packets")),
    };
    Err(keys.error(path, format!("`{path}` = {written} is out of range"), help))
}

impl JsonSchema for Written {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Length".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let size = generator.subschema_for::<Bytes>();
        json_schema!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": MOST_PACKETS }, size] })
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WrittenVisitor)
    }
}

struct WrittenVisitor;

impl Visitor<'_> for WrittenVisitor {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of packets such as 1, or a size in quotes such as \"16 B\"")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Written, E> {
        let wrong = |_| E::invalid_value(de::Unexpected::Signed(number), &self);
        u32::try_from(number).map(|packets| Written(Length::Packets(packets))).map_err(wrong)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Written, E> {
        text.parse().map(|bytes| Written(Length::Bytes(bytes))).map_err(E::custom)
    }
}
