//! `[traffic]`: open-loop synthetic messages.

use drowse_core::model::units::{BitRate, Time};
use drowse_core::topology::Geometry;
use drowse_core::workload::Traffic;
use drowse_core::workload::traffic::{Count, Lengths};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{lengths, pattern};
use crate::case::System;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::{Duration, Quantity};

/// Open-loop synthetic messages: each node sends at random times, whatever the network does with them.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "these keys are read one section after the other; only the schema has them together")]
pub struct TrafficKeys {
    /// Whom each node sends to: a word that `pattern.kind` knows, or a table.
    #[schemars(extend("default" = "uniform"))]
    pattern: Option<pattern::PatternKeys>,
    /// Length of messages: a number of packets or a size; or a table with two lengths.
    #[schemars(extend("default" = 1))]
    packets: Option<lengths::LengthKeys>,
    #[serde(flatten)]
    traffic: RawTraffic,
}

/// What is read of the section in one piece.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawTraffic {
    /// Offered load: share of a node's injection bandwidth, above 0.
    #[schemars(extend("examples" = [0.4]), range(min = 0, max = 1))]
    load: f64,
    /// Whether a node may send to itself, through its switch.
    #[serde(default)]
    include_self: bool,
    /// Which messages are measured.
    #[serde(default)]
    #[schemars(extend("default" = "generated"))]
    count: RawCount,
    /// Time before the measured window; whole clock cycles.
    #[schemars(extend("examples" = ["2000 cycles"]))]
    warmup: Quantity<Duration>,
    /// Length of the measured window; whole clock cycles.
    #[schemars(extend("examples" = ["20000 cycles"]))]
    measure: Quantity<Duration>,
    /// Whether the run goes on until all measured messages have arrived.
    #[schemars(extend("default" = true))]
    drain: Option<bool>,
}

/// Which messages are measured.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RawCount {
    /// Those generated in the window.
    #[default]
    Generated,
    /// Those delivered in the window.
    Delivered,
}

/// Reads the section; durations must be whole cycles of the switch clock.
pub fn resolve(mut node: Node<'_>, system: &System) -> Result<Traffic, Diagnostic> {
    let (keys, switch) = (&system.keys, &system.config.switch);
    let path = node.path.clone();
    let (pattern, packets) = (node.take("pattern"), node.take("packets"));
    let raw: RawTraffic = node.read(keys)?;
    if !(raw.load > 0.0 && raw.load <= 1.0) {
        let message = format!("`traffic.load` = {} is out of range", raw.load);
        let help = "write a share of a node's injection bandwidth: above 0.0, at most 1.0";
        return Err(keys.error(&join(&path, "load"), message, help));
    }
    if matches!(system.network.geometry, Geometry::Ideal(ideal) if ideal.bandwidth == BitRate::UNLIMITED) {
        let message = "loads are shares of a bandwidth, and `network.bandwidth` is missing";
        return Err(keys.error(&join(&path, "load"), message, "write bandwidth = \"10 GB/s\" in [network]"));
    }
    let measure = whole_cycles(raw.measure.0, keys, &join(&path, "measure"), switch.clock)?;
    if measure == Time::ZERO {
        return Err(keys.error("traffic.measure", "the measured window is empty", "write at least \"1 cycle\""));
    }
    Ok(Traffic {
        pattern: pattern::resolve(pattern, system, raw.include_self)?,
        packets: packets.map_or(Ok(Lengths::packets(1)), |packets| lengths::resolve(packets, keys, switch))?,
        load: raw.load,
        include_self: raw.include_self,
        count: match raw.count {
            RawCount::Generated => Count::Generated,
            RawCount::Delivered => Count::Delivered,
        },
        warmup: whole_cycles(raw.warmup.0, keys, &join(&path, "warmup"), switch.clock)?,
        measure,
        drain: raw.drain.unwrap_or(true),
    })
}

fn whole_cycles(duration: Duration, keys: &Keys, path: &str, clock: Time) -> Result<Time, Diagnostic> {
    let time = duration.time(clock);
    let time =
        time.ok_or_else(|| keys.error(path, format!("`{path}` is too long"), "write a smaller number of cycles"))?;
    if time.0 % clock.0 != 0 {
        let message = format!("`{path}` = {time} is no whole number of clock cycles of {clock}");
        let help = format!("write \"{} cycles\"", time.0 / clock.0 + 1);
        return Err(keys.error(path, message, help));
    }
    Ok(time)
}
