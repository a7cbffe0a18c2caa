//! `states`: what sleep states draw, and what it takes to enter and leave them.

use drowse_core::model::sleep_state::{Deepen, SleepState, SleepStates};
use drowse_core::model::units::Time;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{repeated, share};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::Quantity;
use crate::wording;

/// The sleep states that have a name.
///
/// Times of `eee-*` are those of IEEE 802.3, clause 78 (Tables 78-2 and 78-4); of a range, the upper end. The standard
/// has no powers: these are from Saravanan and Carpenter 2018, section 3. The standard has fast wake only for 25 Gb/s
/// and more; slower links have the fast wake of Saravanan and Carpenter 2018.
const PRESETS: [(&str, SleepStates); 5] = [
    // 10GBASE-T: sleep 2.88 us, wake 4.48 us where asked for in low power (case 2).
    ("eee-10g", states(FAST_2012, deep(2_880, 4_480))),
    // 40GBASE-CR4 and -KR4 without forward error correction: sleep 1.1 us, wake 5.5 us; fast wake 0.34 us.
    ("eee-40g", states(FAST, deep(1_100, 5_500))),
    // 100GBASE-R: fast wake 0.34 us; deep sleep is that of 100GBASE-CR4, which optical links do not have.
    ("eee-100g-fast-wake", states(FAST, deep(1_100, 5_500))),
    // Andújar et al. 2019, section 4: turned off in 2.88 us, on in 4.16 us, 10 % when off. It has no shallow sleep.
    ("andujar-2019", states(FAST_2012, deep(2_880, 4_160))),
    // Saravanan and Carpenter 2018, section 3: 2.88 us, 4.48 us, 10 %; fast wake 250 ns, 60 %.
    ("saravanan-2018", states(FAST_2012, deep(2_880, 4_480))),
];

/// The former names of sleep states, and the present ones.
const RENAMED: [(&str, &str); 2] = [("paper-000", "andujar-2019"), ("paper-001", "saravanan-2018")];

/// Fast wake as in the standard.
const FAST: SleepState = SleepState { power: 0.6, enter: Time::ZERO, wake: Time::from_ns(340) };
/// Fast wake as proposed by the task force, in Saravanan and Carpenter 2018.
const FAST_2012: SleepState = SleepState { power: 0.6, enter: Time::ZERO, wake: Time::from_ns(250) };

const fn deep(enter_ns: u64, wake_ns: u64) -> SleepState {
    SleepState { power: 0.1, enter: Time::from_ns(enter_ns), wake: Time::from_ns(wake_ns) }
}

const fn states(shallow: SleepState, deep: SleepState) -> SleepStates {
    SleepStates::new(shallow, deep)
}

/// The default: the states of Saravanan and Carpenter 2018.
pub const DEFAULT: SleepStates = PRESETS[4].1;

/// Sleep states: their name, or a table.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used: whether it is a table is known before it is read")]
pub enum StatesKeys {
    /// The name of sleep states.
    Name(String),
    /// A table of what differs from named states.
    Table(States),
}

/// What sleep states draw, and what it takes to enter and leave them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct States {
    /// Name of the sleep states from which the other keys differ.
    #[schemars(extend("default" = "saravanan-2018"), extend("enum" = PRESETS.map(|(name, _)| name)))]
    preset: Option<String>,
    /// Shallow sleep (fast wake).
    shallow: Option<State>,
    /// Deep sleep (low-power idle).
    deep: Option<State>,
    /// Power while entering or waking, as a share of the power when on.
    #[schemars(extend("default" = 1.0), range(min = 0, max = 1))]
    transition: Option<f64>,
    /// The transition from shallow to deep sleep.
    shallow_to_deep: Option<ShallowToDeep>,
}

/// One sleep state. What is left out is that of the preset.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct State {
    /// Power as a share of the power when on. Default: that of the preset; `saravanan-2018` has 0.6 in shallow and 0.1
    /// in deep sleep.
    #[schemars(extend("examples" = [0.1]), range(min = 0, max = 1))]
    power: Option<f64>,
    /// Time to enter the state; at most 1 s. Default: that of the preset; `saravanan-2018` has 0 ns for shallow and
    /// 2.88 us for deep sleep.
    #[schemars(extend("examples" = ["2.88 us"]))]
    enter: Option<Quantity<Time>>,
    /// Time to wake; at most 1 s. Default: that of the preset; `saravanan-2018` has 250 ns for shallow and 4.48 us for
    /// deep sleep.
    #[schemars(extend("examples" = ["4.48 us"]))]
    wake: Option<Quantity<Time>>,
}

/// The transition from shallow to deep sleep.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShallowToDeep {
    /// Time that the transition takes; at most 1 s. Default: the time to enter deep sleep.
    #[schemars(extend("examples" = ["2.88 us"]))]
    enter: Option<Quantity<Time>>,
    /// Power during the transition.
    #[schemars(extend("default" = "transition"))]
    power: Option<DeepenPower>,
}

/// Power of a channel on its way from shallow to deep sleep.
#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum DeepenPower {
    /// That of other transitions; the time counts as entering.
    Transition,
    /// That of shallow sleep; the time counts as shallow sleep.
    Shallow,
}

/// Reads states: the name of some, or a table of what differs from a preset's or from `default`.
pub fn read(node: Node<'_>, keys: &Keys, default: SleepStates) -> Result<SleepStates, Diagnostic> {
    let path = node.path.clone();
    if !node.is_table() {
        let name: String = node.read(keys)?;
        return preset(&name, &path, keys);
    }
    let raw: States = node.read(keys)?;
    let base = raw.preset.map_or(Ok(default), |name| preset(&name, &join(&path, "preset"), keys))?;
    let shallow = sleep_state(raw.shallow, keys, &join(&path, "shallow"), base.shallow)?;
    let deep = sleep_state(raw.deep, keys, &join(&path, "deep"), base.deep)?;
    let mut states = SleepStates::new(shallow, deep);
    states.transition = share(keys, &join(&path, "transition"), raw.transition.unwrap_or(base.transition))?;
    if base.deepen != SleepStates::new(base.shallow, base.deep).deepen {
        states.deepen = base.deepen;
    }
    if let Some(ShallowToDeep { enter, power }) = raw.shallow_to_deep {
        let as_shallow = power.map_or(states.deepen.as_shallow, |power| power == DeepenPower::Shallow);
        let takes = enter.map_or(states.deepen.takes, |enter| enter.0);
        let takes = repeated(keys, &join(&path, "shallow_to_deep.enter"), takes)?;
        states.deepen = Deepen { takes, as_shallow };
    }
    Ok(states)
}

fn preset(name: &str, path: &str, keys: &Keys) -> Result<SleepStates, Diagnostic> {
    if let Some((_, new)) = RENAMED.iter().find(|(old, _)| *old == name) {
        let message = format!("the states \"{name}\" are now called \"{new}\"");
        return Err(keys.error(path, message, format!("write \"{new}\"")));
    }
    let found = PRESETS.iter().find(|(known, _)| *known == name).map(|(_, states)| *states);
    found.ok_or_else(|| wording::unknown_word(keys, path, name, &PRESETS.map(|(name, _)| name)))
}

fn sleep_state(raw: Option<State>, keys: &Keys, path: &str, default: SleepState) -> Result<SleepState, Diagnostic> {
    let Some(raw) = raw else { return Ok(default) };
    Ok(SleepState {
        power: share(keys, &join(path, "power"), raw.power.unwrap_or(default.power))?,
        enter: repeated(keys, &join(path, "enter"), raw.enter.map_or(default.enter, |enter| enter.0))?,
        wake: repeated(keys, &join(path, "wake"), raw.wake.map_or(default.wake, |wake| wake.0))?,
    })
}
