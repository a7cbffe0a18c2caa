//! `states`: what sleep states draw, and what it takes to enter and leave them.

use drowse_core::model::sleep_state::{Deepen, SleepState, SleepStates};
use drowse_core::model::units::Time;
use schemars::JsonSchema;
use serde::Deserialize;

use super::catalogue::{CATALOGUE, NamedStates, Published};
use super::state_list::{self, Around, Listed, ListedState, PartWattsKeys};
use super::{repeated, share};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::wording;

/// Sleep states: their name, or a table.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used: whether it is a table is known before it is read")]
pub enum StatesKeys {
    /// The name of sleep states.
    Name(String),
    /// A table of what differs from named states.
    Table(Box<States>),
}

/// What sleep states draw, and what it takes to enter and leave them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct States {
    /// Name of the sleep states from which the other keys differ.
    #[schemars(extend("default" = "saravanan-2018"), extend("enum" = CATALOGUE.map(|named| named.name)))]
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
    /// All sleep states, one to six, in the order of their times to wake, in place of `shallow` and `deep`, which are the
    /// first two. Default: none.
    list: Option<Vec<ListedState>>,
    /// What the parts of one end of a link draw that is on, in watts, for states that are told by parts. Default: not
    /// known.
    part_watts: Option<PartWattsKeys>,
}

/// One sleep state. What is left out is that of the preset.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct State {
    /// Power as a share of the power when on. Default: that of the preset; `saravanan-2018` has 0.6 in shallow and 0.1
    /// in deep sleep.
    #[schemars(extend("examples" = [0.1]), range(min = 0, max = 1))]
    power: Option<f64>,
    /// Time to enter the state; at most 1 s, which only states of a `list` may exceed. Default: that of the preset;
    /// `saravanan-2018` has 0 ns for shallow and 2.88 us for deep sleep.
    #[schemars(extend("examples" = ["2.88 us"]))]
    enter: Option<Time>,
    /// Time to wake; at most 1 s. Default: that of the preset; `saravanan-2018` has 250 ns for shallow and 4.48 us for
    /// deep sleep.
    #[schemars(extend("examples" = ["4.48 us"]))]
    wake: Option<Time>,
}

/// The transition from shallow to deep sleep.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShallowToDeep {
    /// Time that the transition takes; at most 1 s. Default: the time to enter deep sleep.
    #[schemars(extend("examples" = ["2.88 us"]))]
    enter: Option<Time>,
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

/// Reads states: the name of some, or a table of what differs from a preset's or from `default`, or of a list.
pub fn read(
    node: Node<'_>,
    keys: &Keys,
    default: (SleepStates, Listed),
    medium: Option<&str>,
) -> Result<(SleepStates, Listed), Diagnostic> {
    let path = node.path.clone();
    if !node.is_table() {
        let name: String = node.read(keys)?;
        let named = preset(&name, &path, keys)?;
        let known = named.known().ok_or_else(|| unknown(named, &path, keys))?;
        return Ok((known, Listed { chosen: true, ..Listed::default() }));
    }
    let mut raw: States = node.read(keys)?;
    let checked = |watts: PartWattsKeys| -> Result<_, Diagnostic> {
        Ok((watts.checked(keys, &join(&path, "part_watts"))?, watts))
    };
    let watts = raw.part_watts.take().map(checked).transpose()?;
    let Some(list) = raw.list.take() else {
        let chosen = raw.preset.is_some() || raw.shallow.is_some() || raw.deep.is_some() || default.1.chosen;
        let listed = if raw.preset.is_some() { Listed::default() } else { default.1 };
        let listed = Listed { chosen, ..listed };
        return Ok((two(raw, keys, &path, default.0)?, listed));
    };
    let others = [("preset", raw.preset.is_some()), ("shallow", raw.shallow.is_some()), ("deep", raw.deep.is_some())];
    if let Some((key, _)) = others.into_iter().find(|&(_, written)| written) {
        let message = format!("a list of sleep states has no `{key}` beside it");
        return Err(keys.error(&join(&path, key), message, "write all states in the list, fastest first"));
    }
    let (mut states, listed) = state_list::read(list, &Around { path: &path, keys, watts, medium })?;
    states.transition = share(keys, &join(&path, "transition"), raw.transition.unwrap_or(states.transition))?;
    deepen(&mut states, raw.shallow_to_deep.as_ref(), keys, &path)?;
    Ok((states, listed))
}

/// Reads shallow and deep sleep. What is beyond them stays, unless there is a preset.
fn two(raw: States, keys: &Keys, path: &str, default: SleepStates) -> Result<SleepStates, Diagnostic> {
    let at = join(path, "preset");
    let named = raw.preset.as_ref().map(|name| preset(name, &at, keys)).transpose()?;
    let base = |published: fn(&NamedStates) -> Published, own: SleepState| named.map_or(own.into(), published);
    let shallow = sleep_state(raw.shallow, keys, &join(path, "shallow"), base(|named| named.shallow, default.shallow))?;
    let deep = sleep_state(raw.deep, keys, &join(path, "deep"), base(|named| named.deep, default.deep))?;
    let (Some(shallow), Some(deep)) = (shallow.known(), deep.known()) else {
        return Err(unknown(named.unwrap_or(&CATALOGUE[0]), &at, keys));
    };
    let default = named.map_or(default, |_| SleepStates::new(shallow, deep));
    let mut states = SleepStates { further: default.further, ..SleepStates::new(shallow, deep) };
    states.transition = share(keys, &join(path, "transition"), raw.transition.unwrap_or(default.transition))?;
    if default.deepen != SleepStates::new(default.shallow, default.deep).deepen {
        states.deepen = default.deepen;
    }
    deepen(&mut states, raw.shallow_to_deep.as_ref(), keys, path)?;
    Ok(states)
}

/// Sets the transition from shallow to deep sleep, where something is written of it.
fn deepen(states: &mut SleepStates, raw: Option<&ShallowToDeep>, keys: &Keys, path: &str) -> Result<(), Diagnostic> {
    let Some(&ShallowToDeep { enter, power }) = raw else { return Ok(()) };
    let as_shallow = power.map_or(states.deepen.as_shallow, |power| power == DeepenPower::Shallow);
    let takes = match enter {
        Some(enter) => repeated(keys, &join(path, "shallow_to_deep.enter"), enter)?,
        None => states.deepen.takes,
    };
    states.deepen = Deepen { takes, as_shallow };
    Ok(())
}

/// Finds states of the catalogue.
fn preset(name: &str, path: &str, keys: &Keys) -> Result<&'static NamedStates, Diagnostic> {
    let found = CATALOGUE.iter().find(|named| named.name == name);
    found.ok_or_else(|| wording::unknown_word(keys, path, name, &CATALOGUE.map(|named| named.name)))
}

/// Makes the error that not all of some states is published, and that the experiment does not say the rest.
fn unknown(named: &NamedStates, path: &str, keys: &Keys) -> Diagnostic {
    let name = named.name;
    let message = format!("not all powers and times of the states \"{name}\" are published");
    let help = format!(
        "write what you know: states = {{ preset = \"{name}\", shallow = {{ power = ..., enter = ..., wake = ... }}, \
         deep = {{ ... }} }}; `drowse states` lists what is published"
    );
    keys.error(path, message, help)
}

fn sleep_state(raw: Option<State>, keys: &Keys, path: &str, base: Published) -> Result<Published, Diagnostic> {
    let Some(raw) = raw else { return Ok(base) };
    let time = |key: &str, written: Option<Time>, base: Option<Time>| {
        let time = written.or(base);
        time.map(|time| repeated(keys, &join(path, key), time)).transpose()
    };
    let power = raw.power.or(base.power).map(|power| share(keys, &join(path, "power"), power)).transpose()?;
    Ok(Published { power, enter: time("enter", raw.enter, base.enter)?, wake: time("wake", raw.wake, base.wake)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_first_of_the_catalogue() {
        assert_eq!(CATALOGUE[0].known(), Some(SleepStates::default()));
    }
}
