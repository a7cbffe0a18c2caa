//! `policy = { kind = "trunk", ... }` and `{ kind = "width", ... }`: when trunks shed ports, and links lanes.

use drowse_core::model::units::Time;
use drowse_core::power::trunk::Off;
use drowse_core::power::{SleepStates, Trunk, Width};
use serde::Deserialize;

use super::{billionths, repeated, share};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::Quantity;

/// The thresholds as they are written.
#[derive(Clone, Copy, Debug)]
pub struct Trunks {
    window: Time,
    on: u32,
    off: Off,
    backlog: Option<Time>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    window: Option<Quantity<Time>>,
    on: Option<f64>,
    off: Option<f64>,
    alpha: Option<f64>,
    backlog: Option<Quantity<Time>>,
    lanes: Option<u8>,
}

/// Longer than a port takes to go off and on, by the times of the papers.
const WINDOW: Time = Time::from_ns(10_000);
/// Some packets; shorter windows only take long to simulate.
const SHORTEST_WINDOW: Time = Time::from_ns(100);
/// More than this, and a port goes on; less than the other, and one goes off.
const ON: f64 = 0.65;
const OFF: f64 = 0.25;

/// The lanes of a link where nothing is written: those of the 4X links of Andújar et al. 2019, section 1.
const LANES: u8 = 4;

/// Reads the thresholds of trunks.
pub fn read(node: Node<'_>, path: &str, keys: &Keys) -> Result<Trunks, Diagnostic> {
    let raw: Raw = node.read(keys)?;
    if raw.lanes.is_some() {
        let message = "a trunk has ports, and no lanes";
        return Err(keys.error(&join(path, "lanes"), message, "remove it, or write kind = \"width\""));
    }
    thresholds(&raw, path, keys)
}

/// Reads the lanes of links and their thresholds.
pub fn read_width(node: Node<'_>, path: &str, keys: &Keys) -> Result<(u8, Trunks), Diagnostic> {
    let raw: Raw = node.read(keys)?;
    if raw.alpha.is_some() {
        let message = "lanes are halved, whatever their number";
        return Err(keys.error(&join(path, "alpha"), message, "write off = 0.25, below half of `on`"));
    }
    let lanes = raw.lanes.unwrap_or(LANES);
    if !(lanes.is_power_of_two() && (2..=16).contains(&lanes)) {
        let path = join(path, "lanes");
        return Err(keys.error(&path, format!("`{path}` = {lanes} is out of range"), "write 2, 4, 8 or 16"));
    }
    Ok((lanes, thresholds(&raw, path, keys)?))
}

fn thresholds(raw: &Raw, path: &str, keys: &Keys) -> Result<Trunks, Diagnostic> {
    let at = |key: &str| join(path, key);
    let part = |key: &str, value: f64| share(keys, &at(key), value).map(billionths);
    let window = repeated(keys, &at("window"), raw.window.as_ref().map_or(WINDOW, |window| window.0))?;
    if window < SHORTEST_WINDOW {
        let message = format!("a window of {window} is too short to tell a load");
        return Err(keys.error(&at("window"), message, "write at least \"100 ns\"; usual is \"10 us\""));
    }
    let on = part("on", raw.on.unwrap_or(ON))?;
    let off = match (raw.off, raw.alpha) {
        (Some(_), Some(_)) => {
            let message = format!("`{path}` has both an `off` and an `alpha`");
            let help = "write off for one threshold, or alpha for thresholds that depend on the number of ports on";
            return Err(keys.error(&at("alpha"), message, help));
        }
        (off, None) => Off::Static(part("off", off.unwrap_or(OFF))?),
        (None, Some(alpha)) => Off::ByPorts(part("alpha", alpha)?),
    };
    let backlog = raw.backlog.as_ref().map(|backlog| repeated(keys, &at("backlog"), backlog.0)).transpose()?;
    let trunk = Trunk { window, on, off, backlog: Time::ZERO };
    if !trunk.is_stable() {
        let (key, rule) = match off {
            Off::Static(_) => {
                ("off", "below half of `on`: with one port of two off, the other has twice as much to do")
            }
            Off::ByPorts(_) => ("alpha", "below 1.0"),
        };
        let message = format!("with this `{key}` ports would go on and off in turn at a constant load");
        let shown = if raw.off.is_none() && raw.alpha.is_none() { "on" } else { key };
        return Err(keys.error(&at(shown), message, format!("write `{key}` {rule}")));
    }
    Ok(Trunks { window, on, off, backlog })
}

impl Trunks {
    /// Makes the policy for channels with these states: where nothing is written, what waits may take as long as a port takes to
    /// wake.
    pub fn policy(&self, states: &SleepStates) -> Trunk {
        let Trunks { window, on, off, backlog } = *self;
        Trunk { window, on, off, backlog: backlog.unwrap_or(states.deep.wake) }
    }

    /// Makes the policy for links of so many lanes.
    pub fn width(&self, lanes: u8, states: &SleepStates) -> Width {
        Width { lanes, thresholds: self.policy(states) }
    }
}
