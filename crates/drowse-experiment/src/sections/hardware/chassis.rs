//! What chassis draw, and whether they have as many ports as their switches have links.

use std::ops::Range;

use drowse_core::topology::Network;

use super::keys::{ChassisRule, UnknownRule};
use super::models::{Model, OfSwitches};
use super::port::End;
use super::refuse;
use super::wanted::Wanted;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// What the chassis of a network are made of.
pub struct Chassis<'a> {
    pub keys: &'a Keys,
    pub network: &'a Network,
    /// Lanes of the links of each class; each takes a port.
    pub lanes: Vec<u32>,
    /// What was written for the power of a switch, in place of its base.
    pub switch: Option<f64>,
    pub unknown: UnknownRule,
}

/// Links of a chassis by its cages, and in all.
struct Used {
    by_cages: Vec<u32>,
    all: u32,
    /// The first class of links that it has.
    class: usize,
}

impl Chassis<'_> {
    /// Returns what each switch draws beside its ports; the switches of a chassis share what it draws equally.
    pub fn watts(
        &self,
        all: &OfSwitches<'_>,
        ends: &[Vec<End>],
        notes: &mut Vec<String>,
    ) -> Result<Vec<f64>, Diagnostic> {
        let mut watts = vec![0.0; all.of_switch.len()];
        for (index, model) in all.models.iter().enumerate() {
            let of_model = |switch: &u32| usize::from(all.of_switch[*switch as usize]) == index;
            let switches: Vec<u32> = (0..self.network.switches()).filter(of_model).collect();
            if switches.is_empty() {
                continue;
            }
            let base = self.base(model, notes)?;
            let size = if model.rule == ChassisRule::One { switches.len() } else { 1 };
            for of_chassis in switches.chunks(size) {
                let more =
                    if model.rule == ChassisRule::Share { 0.0 } else { self.spare(model, of_chassis, &ends[index])? };
                let each = (base + more) / of_chassis.len() as f64;
                of_chassis.iter().for_each(|&switch| watts[switch as usize] = each);
            }
        }
        Ok(watts)
    }

    /// Returns the power of a chassis with nothing plugged.
    fn base(&self, model: &Model<'_>, notes: &mut Vec<String>) -> Result<f64, Diagnostic> {
        match (self.switch, model.rule, model.device.base.0) {
            (Some(written), ..) => Ok(written),
            (None, ChassisRule::Share, _) => Ok(0.0),
            (None, _, Some(base)) => Ok(base),
            (None, _, None) if self.unknown == UnknownRule::NoSaving => {
                let name = &model.device.name;
                notes
                    .push(format!("not in the watts, since nobody has published it: what the chassis of {name} draws"));
                Ok(0.0)
            }
            (None, _, None) => Err(refuse::no_base(model, self.keys)),
        }
    }

    /// Returns what modules and enabled ports without a link draw in a chassis, and checks that it has the ports.
    fn spare(&self, model: &Model<'_>, switches: &[u32], ends: &[End]) -> Result<f64, Diagnostic> {
        let used = self.used(model, switches, ends);
        let who = || match switches {
            [switch] => format!("switch {switch} has"),
            several => format!("{} switches in one chassis have", several.len()),
        };
        for (cages, &used) in model.device.ports.iter().zip(&used.by_cages) {
            if let Some(capacity) = cages.capacity().filter(|&capacity| used > capacity) {
                let message = format!(
                    "{} {used} links in ports of form {}, and a chassis of {} has {capacity}",
                    who(),
                    cages.form.word(),
                    model.device.name
                );
                let help = "name a device with more ports, or set power.watts.chassis = \"share\", which counts none";
                return Err(self.keys.error(&join(&model.path, "device"), message, help));
            }
        }
        let end = &ends[used.class];
        let more = |key: &str, written: Option<u32>, watts: f64| {
            let Some(written) = written else { return Ok(0.0) };
            let most = model.device.links().unwrap_or(u32::MAX);
            if (used.all..=most).contains(&written) {
                return Ok(f64::from(written - used.all) * watts);
            }
            let message = format!("`{key}` = {written} ports of a chassis, where {} {} links", who(), used.all);
            let help = format!("write a number from {} to {most}: ports with a link count, too", used.all);
            Err(self.keys.error(&join(&model.path, key), message, help))
        };
        Ok(more("plugged", model.plugged, end.plugged)? + more("enabled", model.enabled, end.enabled)?)
    }

    /// Counts the ports that the links of some switches take.
    fn used(&self, model: &Model<'_>, switches: &[u32], ends: &[End]) -> Used {
        let mut used = Used { by_cages: vec![0; model.device.ports.len()], all: 0, class: usize::MAX };
        for &switch in switches {
            for &class in &self.network.port_class[ports(self.network, switch)] {
                let class = usize::from(class);
                if let Some(cages) = ends[class].cages {
                    used.by_cages[cages] += self.lanes[class];
                }
                used.all += self.lanes[class];
                used.class = used.class.min(class);
            }
        }
        used.class = used.class.min(ends.len() - 1);
        used
    }
}

/// Returns the ports of a switch.
pub fn ports(network: &Network, switch: u32) -> Range<usize> {
    network.first_port[switch as usize] as usize..network.first_port[switch as usize + 1] as usize
}

/// Returns whether some switch of a model has links of a class.
pub fn has_class(all: &OfSwitches<'_>, model: usize, wanted: &Wanted<'_>, network: &Network) -> bool {
    (0..network.switches())
        .filter(|&switch| usize::from(all.of_switch[switch as usize]) == model)
        .any(|switch| network.port_class[ports(network, switch)].contains(&(wanted.index as u8)))
}
