//! `states.list`: sleep states in the order of their times to wake, one to six.

use drowse_core::model::link_state::LinkState;
use drowse_core::model::sleep_state::{FurtherStates, SleepState, SleepStates};
use drowse_core::model::units::Time;
use drowse_core::power::parts::{ModulePower, NoShare, PartShares, PartWatts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::catalogue::Published;
use super::cmis::Cmis;
use super::single_states::{SINGLE_STATES, SingleState, exit_time};
use super::{amount, share};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::wording;

/// The longest time to enter or leave a state: a module may take 100 minutes.
const LONGEST: Time = Time(7_200_000_000_000_000);
/// The most states of a list.
const MOST: usize = LinkState::SLEEPS.len();

/// A sleep state of a list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListedState {
    /// Name of a published state, of which the other keys say what is not published; `drowse states` lists them.
    /// Default: none.
    #[schemars(extend("enum" = SINGLE_STATES.map(|state| state.name)))]
    preset: Option<String>,
    /// Name of the state. Default: that of the preset.
    #[schemars(extend("examples" = ["module-low"]))]
    name: Option<String>,
    /// Power as a share of the power when on. Default: that of the preset, or of `parts`.
    #[schemars(extend("examples" = [0.1]), range(min = 0, max = 1))]
    power: Option<f64>,
    /// What each part of the link draws, in place of `power`; needs `part_watts`. Default: none.
    parts: Option<Parts>,
    /// Time to enter the state; at most 7200 s. Default: that of the preset, or of `cmis`.
    #[schemars(extend("examples" = ["100 ms"]))]
    enter: Option<Time>,
    /// Time to wake; at most 7200 s. Default: that of the preset, of `cmis` or of `exit_code`.
    #[schemars(extend("examples" = ["5 s"]))]
    wake: Option<Time>,
    /// The times that an optical module tells, in place of `enter` and `wake`. Default: none.
    cmis: Option<Cmis>,
    /// Exit code that a device of PCI Express tells, in place of `wake`. Default: none.
    #[schemars(extend("examples" = [3]), range(min = 0, max = 6))]
    exit_code: Option<u8>,
    /// Whether the link is kept. One that is not goes down at both ends, so that its two directions sleep together.
    /// Default: that of the preset, else true.
    #[schemars(extend("examples" = [false]))]
    keeps_link: Option<bool>,
}

/// What each part of a link draws in a sleep state, as a share of what it draws when on.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parts {
    /// The `SerDes`.
    #[schemars(extend("default" = 1.0), range(min = 0, max = 1))]
    serdes: Option<f64>,
    /// The module or cable: a share, or `"low-power"` for its low-power mode.
    #[schemars(extend("default" = 1.0))]
    module: Option<Module>,
    /// The rest of the port.
    #[schemars(extend("default" = 1.0), range(min = 0, max = 1))]
    port: Option<f64>,
}

impl Parts {
    /// Returns a part that is named here and whose watts are not written.
    fn unknown(&self, watts: &PartWattsKeys) -> Option<&'static str> {
        let parts = [
            ("serdes", self.serdes.is_some() && watts.serdes.is_none()),
            ("module", self.module.is_some() && watts.module.is_none()),
            ("port", self.port.is_some() && watts.port.is_none()),
        ];
        parts.into_iter().find(|&(_, unknown)| unknown).map(|(part, _)| part)
    }
}

/// What a module draws.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Module {
    /// A share of its power when on.
    Share(f64),
    /// A mode.
    Mode(ModuleMode),
}

/// A mode of modules.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum ModuleMode {
    /// The low-power mode.
    LowPower,
}

/// What the parts of one end of a link draw that is on, in watts.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartWattsKeys {
    /// The `SerDes` of the switch's chip.
    #[schemars(extend("default" = 0.0), range(min = 0))]
    serdes: Option<f64>,
    /// The module or cable.
    #[schemars(extend("default" = 0.0), range(min = 0))]
    module: Option<f64>,
    /// The module in its low-power mode. Default: not known.
    #[schemars(extend("examples" = [1.5]), range(min = 0))]
    module_low: Option<f64>,
    /// The rest of the port.
    #[schemars(extend("default" = 0.0), range(min = 0))]
    port: Option<f64>,
}

/// What sleep states are called, and whether links are kept in them, lightest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Their names.
    pub names: Vec<String>,
    /// Whether the link is kept.
    pub keeps_link: Vec<bool>,
    /// Whether the experiment says which states these are; else they are the default ones, of Ethernet.
    pub chosen: bool,
}

impl Default for Listed {
    /// Shallow and deep sleep, which keep the link.
    fn default() -> Self {
        Listed { names: vec!["shallow".into(), "deep".into()], keeps_link: vec![true; 2], chosen: false }
    }
}

impl Listed {
    /// Returns the name of a state in which links are not kept, if there is one.
    pub fn first_down(&self) -> Option<&str> {
        let mut down = self.names.iter().zip(&self.keeps_link).filter(|&(_, &keeps)| !keeps);
        down.next().map(|(name, _)| name.as_str())
    }
}

/// The surroundings of a list.
pub struct Around<'a> {
    /// The path of the table with the list.
    pub path: &'a str,
    pub keys: &'a Keys,
    /// What the parts of links draw, where that is written: checked, and as it is written.
    pub watts: Option<(PartWatts, PartWattsKeys)>,
    /// The medium of the links, where that is known.
    pub medium: Option<&'a str>,
}

impl PartWattsKeys {
    /// Checks the watts.
    pub fn checked(self, keys: &Keys, path: &str) -> Result<PartWatts, Diagnostic> {
        let watts = |key: &str, watts: Option<f64>| amount(keys, &join(path, key), watts.unwrap_or(0.0));
        Ok(PartWatts {
            serdes: watts("serdes", self.serdes)?,
            module: watts("module", self.module)?,
            module_low: self.module_low.map(|low| amount(keys, &join(path, "module_low"), low)).transpose()?,
            port: watts("port", self.port)?,
        })
    }
}

/// Reads a list of states.
pub fn read(list: Vec<ListedState>, around: &Around<'_>) -> Result<(SleepStates, Listed), Diagnostic> {
    let at = join(around.path, "list");
    if list.is_empty() || list.len() > MOST {
        let message = format!("a list of {} sleep states: it has from 1 to {MOST}", list.len());
        return Err(around.keys.error(&at, message, "write states in the order of their times to wake"));
    }
    let mut listed = Listed { names: Vec::new(), keeps_link: Vec::new(), chosen: true };
    let mut states: Vec<SleepState> = Vec::new();
    for (index, raw) in list.into_iter().enumerate() {
        let path = join(&at, &index.to_string());
        let (name, keeps_link, state) = raw.read(around, &path)?;
        if let Some(last) = states.last().filter(|last| last.wake > state.wake) {
            let message = format!("\"{name}\" wakes in {}, and the state before it in {}", state.wake, last.wake);
            return Err(around.keys.error(&path, message, "order the states by their times to wake, fastest first"));
        }
        if listed.names.contains(&name) {
            let message = format!("the state \"{name}\" is there twice");
            return Err(around.keys.error(&path, message, "give each state a name of its own"));
        }
        listed.names.push(name);
        listed.keeps_link.push(keeps_link);
        states.push(state);
    }
    // A single state is the first and the second.
    let deep = states.get(1).copied().unwrap_or(states[0]);
    let further = FurtherStates::new(states.get(2..).unwrap_or_default()).unwrap_or(FurtherStates::NONE);
    Ok((SleepStates { further, ..SleepStates::new(states[0], deep) }, listed))
}

impl ListedState {
    /// Returns the name, whether the link is kept, and the state.
    fn read(self, around: &Around<'_>, path: &str) -> Result<(String, bool, SleepState), Diagnostic> {
        let keys = around.keys;
        let preset = self.preset.as_ref().map(|name| single(name, &join(path, "preset"), keys)).transpose()?;
        let Some(name) = self.name.clone().or_else(|| preset.map(|preset| preset.name.to_owned())) else {
            let help = "write a name, such as name = \"module-low\", or a preset of `drowse states`";
            return Err(keys.error(path, "this sleep state has no name", help));
        };
        if let Some(reason) = preset.and_then(|preset| preset.needs.refusal(around.medium)) {
            return Err(keys.error(path, reason, "leave the state out for these links, or change their medium"));
        }
        let base = preset.map_or(Published { power: None, enter: None, wake: None }, |preset| preset.published);
        let power = self.power(around, path)?.or(base.power);
        let (enter, wake) = self.times(keys, path, preset)?;
        let published = Published { power, enter: enter.or(base.enter), wake: wake.or(base.wake) };
        let state = published.known().ok_or_else(|| unknown(&name, published, path, keys))?;
        for (key, time) in [("enter", state.enter), ("wake", state.wake)] {
            if time > LONGEST {
                let message = format!("`{}` = {time} is too long", join(path, key));
                return Err(keys.error(&join(path, key), message, "write a time of at most \"7200 s\""));
            }
        }
        let keeps_link = self.keeps_link.unwrap_or_else(|| preset.is_none_or(|preset| preset.keeps_link));
        Ok((name, keeps_link, state))
    }

    /// Returns the power that is written, as a share or by parts.
    fn power(&self, around: &Around<'_>, path: &str) -> Result<Option<f64>, Diagnostic> {
        let keys = around.keys;
        let Some(parts) = self.parts else {
            return self.power.map(|power| share(keys, &join(path, "power"), power)).transpose();
        };
        let at = join(path, "parts");
        if self.power.is_some() {
            return Err(keys.error(&at, "this state has both a `power` and `parts`", "write one of them"));
        }
        let Some((watts, written)) = around.watts else {
            let help = "write part_watts = { serdes = ..., module = ..., port = ... } beside the list, or a power";
            return Err(keys.error(&at, "the watts of the link's parts are not known", help));
        };
        if let Some(part) = parts.unknown(&written) {
            let message =
                format!("a state says what `{part}` draws asleep, and `part_watts` not what it draws when on");
            let help = format!("write part_watts.{part} = ..., 0 where it draws nothing, or leave it out here");
            return Err(keys.error(&join(&at, part), message, help));
        }
        let part = |key: &str, value: Option<f64>| share(keys, &join(&at, key), value.unwrap_or(1.0));
        let module = match parts.module {
            Some(Module::Mode(ModuleMode::LowPower)) => ModulePower::Low,
            Some(Module::Share(value)) => ModulePower::Share(part("module", Some(value))?),
            None => ModulePower::Share(1.0),
        };
        let shares = PartShares { serdes: part("serdes", parts.serdes)?, module, port: part("port", parts.port)? };
        let refused = |why| {
            let (message, help) = match why {
                NoShare::NoPower => ("the parts draw nothing when on", "write part_watts above 0"),
                NoShare::UnknownLowPower => {
                    ("the power of the module's low-power mode is not known", "write part_watts.module_low")
                }
                NoShare::MoreThanOn => {
                    ("the link would draw more than when on", "write a smaller part_watts.module_low")
                }
            };
            keys.error(&at, message, help)
        };
        shares.of(&watts).map(Some).map_err(refused)
    }

    /// Returns the times that are written, as such or by codes.
    fn times(
        &self,
        keys: &Keys,
        path: &str,
        preset: Option<&SingleState>,
    ) -> Result<(Option<Time>, Option<Time>), Diagnostic> {
        let mut times = (self.enter, self.wake);
        if let Some(cmis) = self.cmis {
            let at = join(path, "cmis");
            if self.wake.is_some() {
                return Err(keys.error(&at, "this state has both a `wake` and the codes of a module", "write one"));
            }
            let (enter, wake) = cmis.times(keys, &at)?;
            times = (times.0.or(Some(enter)), Some(wake));
        }
        if let Some(code) = self.exit_code {
            let at = join(path, "exit_code");
            if times.1.is_some() {
                return Err(keys.error(&at, "this state has an exit code and another time to wake", "write one"));
            }
            let wake = preset.and_then(|preset| exit_time(preset.name, code));
            times.1 = Some(wake.ok_or_else(|| {
                let help = "write 0 to 6 for the presets \"pcie-l0s\" and \"pcie-l1\", or the time itself: wake";
                keys.error(&at, format!("exit code {code} says no time here"), help)
            })?);
        }
        Ok(times)
    }
}

/// Finds a state of the catalogue.
fn single(name: &str, path: &str, keys: &Keys) -> Result<&'static SingleState, Diagnostic> {
    let found = SINGLE_STATES.iter().find(|state| state.name == name);
    found.ok_or_else(|| wording::unknown_word(keys, path, name, &SINGLE_STATES.map(|state| state.name)))
}

/// Makes the error that not all of a state is known.
fn unknown(name: &str, published: Published, path: &str, keys: &Keys) -> Diagnostic {
    let lacks = [("power", published.power.is_none()), ("enter", published.enter.is_none())];
    let lacks = lacks.into_iter().chain([("wake", published.wake.is_none())]);
    let lacks: Vec<&str> = lacks.filter(|&(_, lacks)| lacks).map(|(key, _)| key).collect();
    let message = format!("the sleep state \"{name}\" lacks what is not published: {}", lacks.join(", "));
    let written = lacks.iter().map(|key| format!("{key} = ...")).collect::<Vec<_>>().join(", ");
    keys.error(path, message, format!("write {written}; `drowse states` lists what is published"))
}
