//! `[traffic]`: open-loop synthetic messages, alone or beside jobs.

use drowse_core::model::units::{BitRate, Duration, Time};
use drowse_core::topology::Geometry;
use drowse_core::workload::Traffic;
use drowse_core::workload::traffic::{Background, BackgroundNodes, Count, Lengths, Pattern, PatternError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{lengths, pattern};
use crate::case::System;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::wording;

/// Open-loop synthetic messages: each node sends at random times, whatever the network does with them. Beside `[[job]]`,
/// they are sent until the last job has ended, and what is measured is the time of the jobs.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "these keys are read one section after the other; only the schema has them together")]
pub struct TrafficKeys {
    /// Whom each node sends to: a word that `pattern.kind` knows, or a table.
    #[schemars(extend("default" = "uniform"))]
    pattern: Option<pattern::PatternSchema>,
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
    /// Offered load: share of a node's injection bandwidth, above 0. Beside jobs, 0 is no traffic.
    #[schemars(extend("examples" = [0.4]), range(min = 0, max = 1))]
    load: f64,
    /// Whether a node may send to itself, through its switch.
    #[serde(default)]
    include_self: bool,
    /// Beside jobs: which nodes send and are sent to.
    #[schemars(extend("default" = "all"))]
    nodes: Option<BackgroundNodes>,
    /// Which messages are measured; not beside jobs, as the next three.
    #[schemars(extend("default" = "generated"))]
    count: Option<Count>,
    /// Time before the measured window; whole clock cycles. Required without jobs.
    #[schemars(extend("examples" = ["2000 cycles"]))]
    warmup: Option<Duration>,
    /// Length of the measured window; whole clock cycles. Required without jobs.
    #[schemars(extend("examples" = ["20000 cycles"]))]
    measure: Option<Duration>,
    /// Whether the run goes on until all measured messages have arrived.
    #[schemars(extend("default" = true))]
    drain: Option<bool>,
}

/// What is the same alone and beside jobs.
struct Sent {
    pattern: Pattern,
    packets: Lengths,
    raw: RawTraffic,
}

/// Reads the section of traffic that is alone; durations must be whole cycles of the switch clock.
pub fn resolve(node: Node<'_>, added: &[pattern::Added], system: &System) -> Result<Traffic, Diagnostic> {
    let (keys, clock, path) = (&system.keys, system.config.switch.clock, node.path.clone());
    let Sent { pattern, packets, raw } = sent(node, added, system)?;
    check_load(&raw, &path, 0.0 < raw.load, "above 0.0, at most 1.0", system)?;
    if raw.nodes.is_some() {
        let message = "`traffic.nodes` is for traffic beside jobs";
        return Err(keys.error(&join(&path, "nodes"), message, "remove it, or add [[job]]"));
    }
    let table = path.clone();
    let time = |key: &str, duration: Option<Duration>| {
        let path = join(&table, key);
        let Some(duration) = duration else {
            return Err(wording::missing(keys, &table, key, &[]));
        };
        whole_cycles(duration, keys, &path, clock)
    };
    let (warmup, measure) = (time("warmup", raw.warmup)?, time("measure", raw.measure)?);
    if measure == Time::ZERO {
        return Err(keys.error("traffic.measure", "the measured window is empty", "write at least \"1 cycle\""));
    }
    Ok(Traffic {
        pattern,
        packets,
        load: raw.load,
        include_self: raw.include_self,
        count: raw.count.unwrap_or(Count::Generated),
        warmup,
        measure,
        drain: raw.drain.unwrap_or(true),
    })
}

/// Reads the section of traffic beside jobs; `None` for a load of 0. What only a measured window needs is refused.
pub fn resolve_beside(
    node: Node<'_>,
    added: &[pattern::Added],
    system: &System,
    scheduled: bool,
) -> Result<Option<Background>, Diagnostic> {
    let (keys, path) = (&system.keys, node.path.clone());
    let Sent { pattern, packets, raw } = sent(node, added, system)?;
    check_load(&raw, &path, true, "0.0 to 1.0", system)?;
    let of_window = [
        ("warmup", raw.warmup.is_some()),
        ("measure", raw.measure.is_some()),
        ("count", raw.count.is_some()),
        ("drain", raw.drain.is_some()),
    ];
    if let Some((key, _)) = of_window.iter().find(|(_, written)| *written) {
        let message = format!("`traffic.{key}` is for traffic without jobs: beside jobs, their run time is measured");
        return Err(keys.error(&join(&path, key), message, "remove it, or all [[job]]"));
    }
    let nodes = raw.nodes.unwrap_or(BackgroundNodes::All);
    if nodes == BackgroundNodes::Free && scheduled {
        let message = "under a scheduler, which nodes are free changes";
        return Err(keys.error(&join(&path, "nodes"), message, "write \"all\", or remove [scheduler]"));
    }
    if nodes == BackgroundNodes::Free && matches!(pattern, Pattern::HotSpot { .. }) {
        return Err(pattern::refuse(&PatternError::HotSpotAmong, keys, &path));
    }
    let background = Background { pattern, load: raw.load, packets, include_self: raw.include_self, nodes };
    Ok(Some(background).filter(|background| background.load > 0.0))
}

/// Reads all keys, and resolves those that mean the same alone and beside jobs.
fn sent(mut node: Node<'_>, added: &[pattern::Added], system: &System) -> Result<Sent, Diagnostic> {
    let (keys, switch) = (&system.keys, &system.config.switch);
    let (pattern, packets) = (node.take("pattern"), node.take("packets"));
    let raw: RawTraffic = node.read(keys)?;
    Ok(Sent {
        pattern: pattern::resolve(pattern, added, system, raw.include_self)?,
        packets: packets.map_or(Ok(Lengths::packets(1)), |packets| lengths::resolve(packets, keys, switch))?,
        raw,
    })
}

/// Checks that a load is in the range that help names, and that it is a share of something.
fn check_load(raw: &RawTraffic, path: &str, enough: bool, range: &str, system: &System) -> Result<(), Diagnostic> {
    let (keys, path) = (&system.keys, join(path, "load"));
    if !(enough && (0.0..=1.0).contains(&raw.load)) {
        let message = format!("`traffic.load` = {} is out of range", raw.load);
        return Err(keys.error(&path, message, format!("write a share of a node's injection bandwidth: {range}")));
    }
    if matches!(system.network.geometry, Geometry::Ideal(ideal) if ideal.bandwidth == BitRate::UNLIMITED) {
        let message = "loads are shares of a bandwidth, and `network.bandwidth` is missing";
        return Err(keys.error(&path, message, "write bandwidth = \"10 GB/s\" in [network]"));
    }
    Ok(())
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
