//! Which switches are of which model.

use std::collections::BTreeMap;

use drowse_core::power::watts::Models;
use drowse_core::topology::{Geometry, Network};

use super::keys::{ChassisRule, SwitchKeys, SwitchName};
use super::wanted::{DEFAULT, Hardware};
use crate::devices::Device;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::wording;

/// A model with what was written of the switches that are of it.
#[derive(Clone, Debug)]
pub struct Model<'a> {
    /// The model.
    pub device: &'a Device,
    /// How much of a chassis a switch draws.
    pub rule: ChassisRule,
    /// Modules that are plugged in each chassis, where that was written.
    pub plugged: Option<u32>,
    /// Ports that are enabled in each chassis, where that was written.
    pub enabled: Option<u32>,
    /// The table that says so, for errors.
    pub path: String,
}

/// All models, and the switches of each.
pub struct OfSwitches<'a> {
    pub models: Vec<Model<'a>>,
    /// The model of each switch.
    pub of_switch: Vec<u8>,
}

impl OfSwitches<'_> {
    /// Returns the models as the core has them; `None` where there is one only.
    pub fn table(&self) -> Option<Models> {
        let count = u8::try_from(self.models.len()).unwrap_or(u8::MAX);
        (count > 1).then(|| Models { count, of_switch: self.of_switch.clone() })
    }
}

/// Reads the general model, and the tables of switches that differ.
pub fn read<'a>(
    written: &'a Hardware,
    (path, keys): (&str, &Keys),
    network: &Network,
) -> Result<OfSwitches<'a>, Diagnostic> {
    const MOST: usize = 16;
    let general = SwitchKeys {
        device: written.device.clone(),
        chassis: written.chassis,
        plugged: written.plugged,
        enabled: written.enabled,
        ..SwitchKeys::default()
    };
    let mut all = OfSwitches {
        models: vec![model(written, &general, (path, keys))?],
        of_switch: vec![0; network.switches() as usize],
    };
    let tables = join(path, "switches");
    if written.switches.len() >= MOST {
        let message = format!("{} tables of switches are too many", written.switches.len());
        return Err(keys.error(&tables, message, format!("write at most {} of them", MOST - 1)));
    }
    for (index, own) in written.switches.iter().enumerate() {
        let path = join(&tables, &index.to_string());
        // What was written of a chassis is of the general model.
        let same = own.device.is_none().then_some(&general);
        let merged = SwitchKeys {
            device: own.device.clone().or_else(|| general.device.clone()),
            chassis: own.chassis.or(same.and_then(|general| general.chassis)),
            plugged: own.plugged.or(same.and_then(|general| general.plugged)),
            enabled: own.enabled.or(same.and_then(|general| general.enabled)),
            ..SwitchKeys::default()
        };
        all.models.push(model(written, &merged, (&path, keys))?);
        for switch in chosen(own, (&path, keys), network)? {
            let of_switch = &mut all.of_switch[switch as usize];
            if *of_switch != 0 {
                let message = format!("switch {switch} is in two of these tables");
                return Err(keys.error(&path, message, "name each switch once"));
            }
            *of_switch = (index + 1) as u8;
        }
    }
    Ok(all)
}

/// Finds a device, and how much of a chassis its switches draw.
fn model<'a>(written: &'a Hardware, own: &SwitchKeys, (path, keys): (&str, &Keys)) -> Result<Model<'a>, Diagnostic> {
    let catalogue = written.catalogue();
    let device = match &own.device {
        None => catalogue.device.iter().find(|device| device.name == DEFAULT),
        Some(name) => catalogue.device.iter().find(|device| device.name == *name),
    };
    let Some(device) = device else {
        let known: Vec<&str> = catalogue.device.iter().map(|device| device.name.as_str()).collect();
        let name = own.device.as_deref().unwrap_or_default();
        return Err(wording::unknown_word(keys, &join(path, "device"), name, &known));
    };
    let rule = match own.chassis {
        Some(ChassisRule::Whole | ChassisRule::One) if !device.has_parts() => {
            let message = format!("the parts of {} are not known, so nobody knows what its chassis draws", device.name);
            let help = "leave `chassis` out: its ports then share what was measured of the whole; or name a device \
                        with parts (`drowse devices` lists them)";
            return Err(keys.error(&join(path, "chassis"), message, help));
        }
        Some(rule) => rule,
        None if device.has_parts() => ChassisRule::Whole,
        None => ChassisRule::Share,
    };
    for (key, value) in [("plugged", own.plugged), ("enabled", own.enabled)] {
        if rule == ChassisRule::Share && value.is_some() {
            let message = format!("`{key}` counts the ports of a chassis, and these switches draw a share of one");
            return Err(keys.error(&join(path, key), message, "leave it out, or name a device whose parts are known"));
        }
    }
    Ok(Model { device, rule, plugged: own.plugged, enabled: own.enabled, path: path.to_owned() })
}

/// Returns the switches that a table is for.
fn chosen(own: &SwitchKeys, (path, keys): (&str, &Keys), network: &Network) -> Result<Vec<u32>, Diagnostic> {
    let help = "write of = [0, 1] or level = 1";
    match (&own.of, own.level) {
        (Some(_), Some(_)) => Err(keys.error(path, "`of` and `level` both say which switches these are", help)),
        (None, None) => Err(keys.error(path, "this table does not say which switches it is for", help)),
        (Some(names), None) => {
            let all = switch_names(names, network);
            let number = |(index, name)| numbered(name, &all, (&join(path, &format!("of.{index}")), keys), network);
            names.iter().enumerate().map(number).collect()
        }
        (None, Some(level)) => {
            let Geometry::Levels(levels) = &network.geometry else {
                let message = "this network has no levels of switches";
                return Err(keys.error(&join(path, "level"), message, "write the switches: of = [0, 1]"));
            };
            let found: Vec<u32> = (0..).zip(&levels.level).filter(|(_, of)| **of == level).map(|(id, _)| id).collect();
            if found.is_empty() {
                let message = format!("this network has no level {level}");
                let help = format!("write a level from 0 to {}", levels.shape.levels() - 1);
                return Err(keys.error(&join(path, "level"), message, help));
            }
            Ok(found)
        }
    }
}

/// Returns the numbers of all switches by their names, where a switch is named.
fn switch_names(names: &[SwitchName], network: &Network) -> BTreeMap<String, u32> {
    if names.iter().all(|name| matches!(name, SwitchName::Number(_))) {
        return BTreeMap::new();
    }
    (0..network.switches()).map(|switch| (network.detail(switch), switch)).collect()
}

/// Returns the number of a switch.
fn numbered(
    name: &SwitchName,
    all: &BTreeMap<String, u32>,
    (path, keys): (&str, &Keys),
    network: &Network,
) -> Result<u32, Diagnostic> {
    let (found, said) = match name {
        SwitchName::Number(number) => (Some(*number).filter(|&number| number < network.switches()), number.to_string()),
        SwitchName::Name(name) => (all.get(name).copied(), format!("\"{name}\"")),
    };
    found.ok_or_else(|| {
        let help = format!("its switches have the numbers 0 to {}", network.switches().saturating_sub(1));
        keys.error(path, format!("this network has no switch {said}"), help)
    })
}
