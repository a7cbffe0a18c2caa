//! `policy` and `states`: when a channel sleeps, and what its sleep states draw and take.

use drowse_core::power::{SleepState, SleepStates, Timers};
use drowse_core::units::Time;
use serde::Deserialize;

use super::share;
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::keys::{Keys, join};
use crate::experiment::node::Node;
use crate::experiment::quantity::Quantity;

/// How the channels of one class sleep.
#[derive(Clone, Copy)]
pub struct Sleep {
    pub timers: Timers,
    pub states: SleepStates,
}

impl Default for Sleep {
    /// Never sleeps; the states are those of 10GBASE-T (IEEE 802.3az) deep and of fast wake shallow.
    fn default() -> Self {
        let deep = SleepState { power: 0.1, enter: Time(2_880_000), wake: Time(4_480_000) };
        let shallow = SleepState { power: 0.6, enter: Time::ZERO, wake: Time::from_ns(250) };
        Sleep { timers: Timers::NEVER, states: SleepStates { shallow, deep } }
    }
}

impl Sleep {
    /// Replaces what the keys `policy` and `states` of a table give.
    pub fn overridden(mut self, table: &mut Node<'_>, keys: &Keys) -> Result<Self, Diagnostic> {
        if let Some(policy) = table.take("policy") {
            self.timers = read_policy(policy, keys)?;
        }
        if let Some(states) = table.take("states") {
            self.states = read_states(states, keys, self.states)?;
        }
        Ok(self)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PolicyKind {
    AlwaysOn,
    StallTimer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AlwaysOn {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StallTimer {
    shallow: Option<Quantity<Time>>,
    deep: Option<Quantity<Time>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct States {
    shallow: Option<State>,
    deep: Option<State>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    power: Option<f64>,
    enter: Option<Quantity<Time>>,
    wake: Option<Quantity<Time>>,
}

fn read_policy(mut node: Node<'_>, keys: &Keys) -> Result<Timers, Diagnostic> {
    let path = node.path.clone();
    match node.require("kind", keys)?.read(keys)? {
        PolicyKind::AlwaysOn => node.read(keys).map(|AlwaysOn {}| Timers::NEVER),
        PolicyKind::StallTimer => {
            let raw: StallTimer = node.read(keys)?;
            let time = |timer: Option<Quantity<Time>>| timer.map_or(Time::NEVER, |timer| timer.0);
            let timers = Timers { shallow: time(raw.shallow), deep: time(raw.deep) };
            check_timers(timers, &path, keys)
        }
    }
}

/// Refuses timers that do nothing.
fn check_timers(timers: Timers, path: &str, keys: &Keys) -> Result<Timers, Diagnostic> {
    if timers == Timers::NEVER {
        let help =
            "write deep = \"50 us\", shallow = \"1 us\", or both; a policy that never sleeps is kind = \"always-on\"";
        return Err(keys.error(path, "a stall timer needs a time after which links sleep", help));
    }
    if timers.shallow != Time::NEVER && timers.shallow >= timers.deep {
        let message =
            format!("shallow sleep after {} is never reached: deep sleep comes after {}", timers.shallow, timers.deep);
        return Err(keys.error(
            &join(path, "shallow"),
            message,
            "both run from the start of the idle period: make shallow shorter",
        ));
    }
    Ok(timers)
}

fn read_states(node: Node<'_>, keys: &Keys, default: SleepStates) -> Result<SleepStates, Diagnostic> {
    let path = node.path.clone();
    let raw: States = node.read(keys)?;
    Ok(SleepStates {
        shallow: sleep_state(raw.shallow, keys, &join(&path, "shallow"), default.shallow)?,
        deep: sleep_state(raw.deep, keys, &join(&path, "deep"), default.deep)?,
    })
}

fn sleep_state(raw: Option<State>, keys: &Keys, path: &str, default: SleepState) -> Result<SleepState, Diagnostic> {
    let Some(raw) = raw else { return Ok(default) };
    Ok(SleepState {
        power: share(keys, &join(path, "power"), raw.power.unwrap_or(default.power))?,
        enter: raw.enter.map_or(default.enter, |enter| enter.0),
        wake: raw.wake.map_or(default.wake, |wake| wake.0),
    })
}
