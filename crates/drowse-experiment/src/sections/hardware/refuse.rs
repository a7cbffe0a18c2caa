//! Combinations of devices, links and modules that do not exist, and what to do about each.

use drowse_core::model::units::BitRate;

use super::models::Model;
use super::wanted::{Wanted, speed};
use crate::devices::{Cages, Device, Medium, Module};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// The data rate of a class is none of the device's.
pub fn rate(model: &Model<'_>, wanted: &Wanted<'_>, rate: BitRate) -> Diagnostic {
    let device = model.device;
    let message = format!(
        "links of class \"{}\" have {}, and ports of {} have {}",
        wanted.name,
        speed(rate),
        device.name,
        rates(device)
    );
    let help = "write link.bandwidth as one of these (a link of several lanes takes a port for each), name another \
                device, or set power.watts.chassis = \"share\", under which links draw as the next faster port";
    wanted.keys.error(&wanted.medium.rate_path, message, help)
}

/// The medium does not go into the device's cages.
pub fn form(model: &Model<'_>, wanted: &Wanted<'_>, medium: Medium) -> Diagnostic {
    let forms: Vec<&str> = model.device.ports.iter().map(|cages| cages.form.word()).collect();
    let what = match &wanted.medium.module {
        Some(module) => format!("the module {} ({})", module.name, module.form.word()),
        None => format!("medium \"{}\"", medium.word()),
    };
    let message = format!("{what} does not go into the ports of {}, which are {}", model.device.name, forms.join(", "));
    let key = if wanted.medium.module.is_some() { "module" } else { "medium" };
    wanted.keys.error(&wanted.path(key), message, "name another medium, module or device; `drowse devices` lists them")
}

/// Checks a module against its cage and the rate of its link.
pub fn module(
    model: &Model<'_>,
    wanted: &Wanted<'_>,
    module: &Module,
    cages: &Cages,
    rate: BitRate,
) -> Result<(), Diagnostic> {
    let path = wanted.path("module");
    if module.rate != rate {
        let message = format!(
            "{} has {}, and links of class \"{}\" have {}",
            module.name,
            speed(module.rate),
            wanted.name,
            speed(rate)
        );
        return Err(wanted.keys.error(&path, message, "name a module of that rate, or leave `module` out"));
    }
    let most = module.power.most();
    let limit = cages.module_limit;
    match most.0.zip(limit.0) {
        Some((most, limit)) if most > limit => {
            let message =
                format!("{} draws up to {most} W, and a cage of {} has {limit} W", module.name, model.device.name);
            Err(wanted.keys.error(&path, message, "name a module that draws less"))
        }
        _ => Ok(()),
    }
}

/// The base power of a chassis is not published.
pub fn no_base(model: &Model<'_>, keys: &Keys) -> Diagnostic {
    let message = format!("nobody has published what the chassis of {} draws", model.device.name);
    let help = "set power.watts.switch, or power.watts.unknown = \"no-saving\" to leave it out";
    keys.error(&join(&model.path, "device"), message, help)
}

/// The power of a whole switch, or its number of ports, is not published.
pub fn no_share(model: &Model<'_>, wanted: &Wanted<'_>) -> Diagnostic {
    let message = format!("nobody has published what {} draws, or with how many ports", model.device.name);
    wanted.keys.error(&join(&model.path, "device"), message, "name another device; `drowse devices` lists them")
}

/// Refuses full packets whose energy would be negative, and says for which shorter ones it is.
pub fn negative_packets(
    model: &Model<'_>,
    wanted: &Wanted<'_>,
    (per_bit, per_packet): (f64, f64),
    notes: &mut Vec<String>,
) -> Result<(), Diagnostic> {
    if per_packet >= 0.0 || wanted.own.energies {
        return Ok(());
    }
    let least = -per_packet / (8.0 * per_bit);
    let what = format!("packets below {least:.0} B would take less than no energy at {}", model.device.name);
    if (wanted.packet as f64) < least {
        let message = format!("{what}, and full packets have {} B", wanted.packet);
        let help = "make switch.packet longer, or set power.watts.per_bit and per_packet";
        let device = join(&model.path, "device");
        let path = if wanted.keys.contains("switch.packet") { "switch.packet" } else { &device };
        return Err(wanted.keys.error(path, message, help));
    }
    notes.push(format!("{what}: its energy of a packet was fitted below 0"));
    Ok(())
}

fn rates(device: &Device) -> String {
    let mut rates: Vec<BitRate> = device.ports.iter().flat_map(|cages| cages.rates.iter().copied()).collect();
    rates.sort_unstable();
    rates.dedup();
    let words: Vec<String> = rates.into_iter().map(speed).collect();
    if words.is_empty() { "no rate that is known".into() } else { words.join(", ") }
}
