//! `[traffic]`: open-loop synthetic messages.

use drowse_core::model::units::Time;
use drowse_core::workload::Traffic;
use drowse_core::workload::traffic::{Count, Lengths};
use serde::Deserialize;

use super::{lengths, pattern};
use crate::case::System;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::{Duration, Quantity};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTraffic {
    load: f64,
    #[serde(default)]
    include_self: bool,
    #[serde(default)]
    count: RawCount,
    warmup: Quantity<Duration>,
    measure: Quantity<Duration>,
    drain: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawCount {
    #[default]
    Generated,
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
