//! `states`: what sleep states draw, and what it takes to enter and leave them.

use drowse_core::model::units::Time;
use drowse_core::power::{Deepen, SleepState, SleepStates};
use serde::Deserialize;

use super::{repeated, share};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::Quantity;
use crate::wording;

/// The sleep states that have a name.
///
/// Times are those of IEEE 802.3, clause 78 (Tables 78-2 and 78-4), where a range is given its upper end; it gives no powers:
/// those are Saravanan and Carpenter 2018's, section 3. Fast wake is there only for 25 Gb/s and more; slower links that use it have the time that
/// Saravanan and Carpenter 2018 gives.
const PRESETS: [(&str, SleepStates); 5] = [
    // 10GBASE-T: sleep 2.88 us, wake 4.48 us where asked for in low power (case 2).
    ("eee-10g", states(FAST_2012, deep(2_880, 4_480))),
    // 40GBASE-CR4 and -KR4 without forward error correction: sleep 1.1 us, wake 5.5 us; fast wake 0.34 us.
    ("eee-40g", states(FAST, deep(1_100, 5_500))),
    // 100GBASE-R: fast wake 0.34 us; deep sleep is that of 100GBASE-CR4, and not there on optical links.
    ("eee-100g-fast-wake", states(FAST, deep(1_100, 5_500))),
    // Andújar et al. 2019, section 4: turned off in 2.88 us, on in 4.16 us, 10 % when off. It has no shallow sleep.
    ("paper-000", states(FAST_2012, deep(2_880, 4_160))),
    // Saravanan and Carpenter 2018, section 3: 2.88 us, 4.48 us, 10 %; fast wake 250 ns, 60 %.
    ("paper-001", states(FAST_2012, deep(2_880, 4_480))),
];

/// Fast wake as in the standard.
const FAST: SleepState = SleepState { power: 0.6, enter: Time::ZERO, wake: Time::from_ns(340) };
/// Fast wake as its task force proposed it, and Saravanan and Carpenter 2018 has it.
const FAST_2012: SleepState = SleepState { power: 0.6, enter: Time::ZERO, wake: Time::from_ns(250) };

const fn deep(enter_ns: u64, wake_ns: u64) -> SleepState {
    SleepState { power: 0.1, enter: Time::from_ns(enter_ns), wake: Time::from_ns(wake_ns) }
}

const fn states(shallow: SleepState, deep: SleepState) -> SleepStates {
    SleepStates::new(shallow, deep)
}

/// The states where nothing is written: those of Saravanan and Carpenter 2018.
pub const DEFAULT: SleepStates = PRESETS[4].1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct States {
    preset: Option<String>,
    shallow: Option<State>,
    deep: Option<State>,
    transition: Option<f64>,
    shallow_to_deep: Option<ShallowToDeep>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    power: Option<f64>,
    enter: Option<Quantity<Time>>,
    wake: Option<Quantity<Time>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShallowToDeep {
    enter: Option<Quantity<Time>>,
    power: Option<DeepenPower>,
}

/// What a channel draws on its way from shallow to deep sleep.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DeepenPower {
    Transition,
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
