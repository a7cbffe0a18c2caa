//! The thresholds of trunks and lanes: defaults and checks.

use drowse_core::model::sleep_state::SleepStates;
use drowse_core::model::units::Time;
use drowse_core::power::Trunk;
use drowse_core::power::trunk::Off;

use super::kind::Place;
use crate::diagnostic::Diagnostic;
use crate::sections::{billionths, repeated, share};

/// The thresholds as they are written.
#[derive(Clone, Copy)]
pub struct Thresholds {
    pub window: Option<Time>,
    pub on: Option<f64>,
    pub off: Option<f64>,
    pub alpha: Option<f64>,
    pub backlog: Option<Time>,
    pub steps: Option<u8>,
}

/// Thresholds in range.
#[derive(Clone, Copy)]
pub struct Checked {
    window: Time,
    on: u32,
    off: Off,
    backlog: Option<Time>,
    steps: u8,
}

/// Longer than a port takes to go off and on, by the times of the papers.
const WINDOW: Time = Time::from_ns(10_000);
/// Some packets; shorter windows only take long to simulate.
const SHORTEST_WINDOW: Time = Time::from_ns(100);
/// Utilisation above which one more port goes on.
const ON: f64 = 0.65;
/// Utilisation below which one port goes off.
const OFF: f64 = 0.25;

impl Thresholds {
    /// Checks the thresholds.
    pub fn checked(&self, place: &Place<'_>) -> Result<Checked, Diagnostic> {
        let part = |key: &str, value: f64| share(place.keys, &place.at(key), value).map(billionths);
        let time = |key: &str, time: Time| repeated(place.keys, &place.at(key), time);
        let window = time("window", self.window.unwrap_or(WINDOW))?;
        if window < SHORTEST_WINDOW {
            let message = format!("a window of {window} is too short to tell a load");
            return Err(place.error("window", message, "write at least \"100 ns\"; usual is \"10 us\""));
        }
        let on = part("on", self.on.unwrap_or(ON))?;
        let off = match (self.off, self.alpha) {
            (Some(_), Some(_)) => {
                let message = format!("`{}` has both an `off` and an `alpha`", place.path);
                let help = "write off for one threshold, or alpha for thresholds that depend on the number of ports on";
                return Err(place.error("alpha", message, help));
            }
            (off, None) => Off::Static(part("off", off.unwrap_or(OFF))?),
            (None, Some(alpha)) => Off::ByPorts(part("alpha", alpha)?),
        };
        let backlog = self.backlog.map(|backlog| time("backlog", backlog)).transpose()?;
        let steps = self.steps.unwrap_or(1);
        if steps == 0 {
            return Err(place.error("steps", "with no steps, no port would go on or off", "write 1 to 255"));
        }
        self.check_stable(place, Trunk { window, on, off, backlog: Time::ZERO, steps })?;
        Ok(Checked { window, on, off, backlog, steps })
    }

    fn check_stable(&self, place: &Place<'_>, trunk: Trunk) -> Result<(), Diagnostic> {
        if trunk.is_stable() {
            return Ok(());
        }
        let (key, rule) = match trunk.off {
            Off::Static(_) => {
                ("off", "below half of `on`: with one port of two off, the other has twice as much to do")
            }
            Off::ByPorts(_) => ("alpha", "below 1.0"),
        };
        let message = format!("with this `{key}` ports would go on and off in turn at a constant load");
        let shown = if self.off.is_none() && self.alpha.is_none() { "on" } else { key };
        Err(place.error(shown, message, format!("write `{key}` {rule}")))
    }
}

impl Checked {
    /// Returns the policy for channels with these states. Where no backlog is written, it is the time to wake.
    pub fn policy(&self, states: &SleepStates) -> Trunk {
        let Checked { window, on, off, backlog, steps } = *self;
        Trunk { window, on, off, backlog: backlog.unwrap_or(states.deep.wake), steps }
    }
}
