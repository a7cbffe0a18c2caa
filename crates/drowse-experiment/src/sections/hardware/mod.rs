//! Which hardware stands for the switches: models by switch, media by class of links, chassis.
//!
//! A link has a port at both ends. What of a port can sleep goes to the channels, the plugged module and the chassis to
//! the switches. What nobody sells together is refused, and what nobody has published is asked for.

mod chassis;
pub mod keys;
mod models;
mod optics;
mod port;
mod refuse;
mod unknown;
mod wanted;

use std::collections::BTreeSet;

use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::watts::{ClassWatts, Models};

use crate::devices::{Counting, Medium};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::wording;

use chassis::Chassis;
use keys::ChassisRule;
use models::OfSwitches;
use port::End;
use wanted::Wanted;

pub use optics::check as check_states;
pub use wanted::{DEFAULT, Hardware, LinkMedium, OwnNumbers, Site};

/// Whose figures stand for some of the switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Whose {
    /// The name of the device.
    pub name: String,
    /// What it is, for people.
    pub what: String,
    /// How its chassis, media and energies are counted; empty where ports share a chassis.
    pub how: String,
    /// Where ports share a chassis: their data rate; a faster link counts as several.
    pub rate: Option<BitRate>,
    /// Where ports share a chassis: latency of the longest cable that was measured, if that is known.
    pub reach: Option<Time>,
}

/// What the hardware draws.
pub struct Resolved {
    /// Channels, by link class and models of the switches at both ends.
    pub classes: Vec<ClassWatts>,
    /// Each switch beside its ports; empty where all draw `switch`.
    pub switches: Vec<f64>,
    /// Every switch.
    pub switch: f64,
    pub models: Option<Models>,
    pub whose: Vec<Whose>,
    /// What to know before using the watts.
    pub notes: Vec<String>,
    /// What the watts lack.
    pub left_out: LeftOut,
}

/// Parts of which something is left out of the watts, because nobody has published it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Links: their ports and modules.
    pub links: bool,
    /// Switches beside their ports.
    pub switches: bool,
}

/// Resolves the hardware; `own` says what was written for the channels of a class.
pub fn resolve(
    written: &Hardware,
    (path, site): (&str, &Site<'_>),
    own: impl Fn(usize) -> OwnNumbers,
) -> Result<Resolved, Diagnostic> {
    let all = models::read(written, (path, site.keys), site.network)?;
    let mut notes = Vec::new();
    let mut ends = Vec::new();
    let mut whose = Vec::new();
    for (index, model) in all.models.iter().enumerate() {
        let of_class = |class: usize, notes: &mut Vec<String>| {
            let wanted = wanted(written, site, class, own(class));
            // A port that no switch of the model has draws nothing.
            if all.models.len() > 1 && !chassis::has_class(&all, index, &wanted, site.network) {
                return Ok(End::default());
            }
            // Neither does an ideal network, whose links need no port.
            if model.rule != ChassisRule::Share && site.network.switches() == 0 {
                return Ok(End::default());
            }
            port::end(model, &wanted, notes)
        };
        let of_model: Vec<End> =
            (0..site.classes.len()).map(|class| of_class(class, &mut notes)).collect::<Result<_, Diagnostic>>()?;
        if all.models.len() == 1 || all.of_switch.contains(&(index as u8)) {
            whose.push(described(model, written, site));
        }
        ends.push(of_model);
    }
    let chassis = Chassis {
        keys: site.keys,
        network: site.network,
        lanes: site.classes.iter().map(|class| class.lanes).collect(),
        switch: site.switch,
        unknown: written.unknown,
    };
    let mut switches = chassis.watts(&all, &ends, &mut notes)?;
    let first = switches.first().copied().unwrap_or_default();
    let alike = switches.iter().all(|watts| watts.to_bits() == first.to_bits());
    if alike {
        switches.clear();
    }
    let mut said = BTreeSet::new();
    notes.retain(|note: &String| said.insert(note.clone()));
    let switch = if alike { first } else { 0.0 };
    let used = |index: usize| all.of_switch.contains(&(index as u8));
    let no_base = |(index, model): (usize, &models::Model<'_>)| {
        used(index) && model.rule != ChassisRule::Share && model.device.base.0.is_none() && site.switch.is_none()
    };
    let left_out = LeftOut {
        links: ends.iter().flatten().any(|end| end.left_out),
        switches: all.models.iter().enumerate().any(no_base),
    };
    Ok(Resolved { classes: joined(&all, &ends), switches, switch, models: all.table(), whose, notes, left_out })
}

/// Finds the modules that links name.
pub fn with_modules(written: &Hardware, media: &[LinkMedium], keys: &Keys) -> Result<Vec<LinkMedium>, Diagnostic> {
    let known = &written.catalogue().module;
    let with_module = |link: &LinkMedium| {
        let Some(name) = &link.module_name else { return Ok(link.clone()) };
        let Some(module) = known.iter().find(|module| module.name == *name) else {
            let names: Vec<&str> = known.iter().map(|module| module.name.as_str()).collect();
            return Err(wording::unknown_word(keys, &join(&link.path, "module"), name, &names));
        };
        if link.medium.is_some_and(|medium| medium != module.medium) {
            let message = format!("the module {name} is of medium \"{}\"", module.medium.word());
            return Err(keys.error(&join(&link.path, "medium"), message, "leave `medium` out"));
        }
        Ok(LinkMedium { medium: Some(module.medium), module: Some(module.clone()), ..link.clone() })
    };
    media.iter().map(with_module).collect()
}

/// Puts together what is wanted of the ports of a class.
fn wanted<'a>(written: &'a Hardware, site: &'a Site<'_>, index: usize, own: OwnNumbers) -> Wanted<'a> {
    Wanted {
        keys: site.keys,
        catalogue: written.catalogue(),
        name: &site.network.classes[index],
        index,
        class: &site.classes[index],
        medium: &site.media[index],
        counting: written.counting,
        unknown: written.unknown,
        own: OwnNumbers { switch: site.switch.is_some(), ..own },
        packet: site.packet,
        links: site.links,
    }
}

/// Joins the ends of channels: a link between switches has a port at both ends for its two channels, the link of a node
/// has one.
fn joined(all: &OfSwitches<'_>, ends: &[Vec<End>]) -> Vec<ClassWatts> {
    let models = all.models.len();
    let pairs = (0..models).flat_map(|from| (0..models).map(move |to| (from, to)));
    let pair = |(from, to): (usize, usize)| {
        let ends = ends[from].iter().zip(&ends[to]).enumerate();
        ends.map(|(class, (from, to))| {
            let other = if class == 0 { End::default() } else { *to };
            ClassWatts {
                on: f64::midpoint(from.on, other.on),
                per_bit: from.per_bit + other.per_bit,
                per_packet: from.per_packet + other.per_packet,
                port: from.always,
            }
        })
    };
    pairs.flat_map(pair).collect()
}

/// Says whose figures these are.
fn described(model: &models::Model<'_>, written: &Hardware, site: &Site<'_>) -> Whose {
    let device = model.device;
    let (name, what) = (device.name.clone(), device.what.clone());
    if model.rule == ChassisRule::Share {
        // Passive copper was measured, where anything was.
        let reach = (!device.port.is_empty()).then_some(port::COPPER);
        let rate = device.ports.first().and_then(|cages| cages.rates.first().copied());
        return Whose { name, what, how: String::new(), rate, reach };
    }
    let mut how = vec![match model.rule {
        ChassisRule::One => "all in one chassis".to_owned(),
        _ => "each switch a chassis".to_owned(),
    }];
    how.push(media(site));
    let counts = |written| written == Some(Counting::Published);
    let only_published =
        device.port.first().is_some_and(|port| port.energies(device.counting, Counting::Payload).is_none());
    if counts(written.counting) || (written.counting.is_none() && only_published) {
        how.push("energies as published".into());
    }
    Whose { name, what, how: how.join(", "), rate: None, reach: None }
}

/// Says the media of all links, and which of them are assumed.
fn media(site: &Site<'_>) -> String {
    let word = |link: &LinkMedium| match (&link.module_name, link.medium) {
        (Some(name), _) => name.clone(),
        (None, Some(medium)) => medium.word().to_owned(),
        (None, None) => format!("{} (assumed)", Medium::Dac.word()),
    };
    let words: Vec<String> = site.media.iter().map(word).collect();
    if words.iter().all(|word| *word == words[0]) {
        return words.first().cloned().unwrap_or_default();
    }
    let named = site.network.classes.iter().zip(&words).map(|(class, word)| format!("{class}: {word}"));
    named.collect::<Vec<String>>().join(", ")
}
