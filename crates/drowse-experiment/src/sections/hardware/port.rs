//! What a port of a model draws for a class of links: by rate, medium and module.

use drowse_core::model::units::{BitRate, Time};

use super::keys::{ChassisRule, UnknownRule};
use super::models::Model;
use super::refuse;
use super::unknown::{self, ENERGIES, PARTS, Port};
use super::wanted::{Wanted, rate, speed};
use crate::devices::{Amount, Cages, Counting, Device, Energies, Mark, Medium, Module, PortPower};
use crate::diagnostic::Diagnostic;

/// What a port draws for each lane of a link, and takes for what crosses it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct End {
    /// Watts while its link is on, which sleep with the link.
    pub on: f64,
    /// Watts that it always draws: its module, or its share of a chassis.
    pub always: f64,
    /// Joules of a bit.
    pub per_bit: f64,
    /// Joules of a packet.
    pub per_packet: f64,
    /// Which cages of the device it takes; none under `chassis = "share"`.
    pub cages: Option<usize>,
    /// Watts of a module that is plugged in a port without a link.
    pub plugged: f64,
    /// Watts of a port without a link that is enabled.
    pub enabled: f64,
    /// Whether something of it is left out, because nobody has published it.
    pub left_out: bool,
}

/// Passive copper of 100 Gb/s has 5 m at most (IEEE 802.3, 100GBASE-CR4), of 5 ns each.
pub const COPPER: Time = Time::from_ns(25);

/// Returns what a port draws for links of a class.
pub fn end(model: &Model<'_>, wanted: &Wanted<'_>, notes: &mut Vec<String>) -> Result<End, Diagnostic> {
    if model.rule == ChassisRule::Share {
        return shared(model, wanted);
    }
    let device = model.device;
    let rate = rate(wanted.class);
    let medium = wanted.medium.medium.unwrap_or(Medium::Dac);
    let (index, cages) = cages(model, wanted, rate, medium)?;
    let module = wanted.medium.module.as_ref();
    if let Some(module) = module {
        refuse::module(model, wanted, module, cages, rate)?;
        if module.mark == Mark::Claimed {
            notes.push(format!(
                "the power of {} is a claim, and nobody has measured it: {}",
                module.name, module.source
            ));
        }
    }
    let found = entry(device, cages, medium, rate);
    if let Some(port) = found.filter(|port| port.rate != rate) {
        notes.push(format!(
            "the watts are those of another rate: {} has no numbers for {} with {}, so ports draw as at {}",
            device.name,
            speed(rate),
            medium.word(),
            speed(port.rate)
        ));
    }
    let reach = medium == Medium::Dac && wanted.class.latency > COPPER;
    if reach {
        notes.push(format!(
            "the watts are those of another medium: passive copper has {COPPER} at most, and links of class \"{}\" \
             have {}; set link.medium",
            wanted.name, wanted.class.latency,
        ));
    }
    let mut lack = Vec::new();
    let powers = powers(model, found, module, (rate, medium), notes);
    // What is written for a channel that is on stands for the port and its link.
    let unknown = |(part, power): (usize, &Amount)| power.0.is_none() && (part == 1 || !wanted.own.on);
    lack.extend(powers.iter().enumerate().filter(|&found| unknown(found)).map(|(part, _)| PARTS[part]));
    // A module of its own leaves the port as it was measured with another.
    let measured = found.or_else(|| module.and_then(|_| donor(device, rate)));
    let energies = energies(model, measured, wanted, &mut lack);
    if !lack.is_empty() {
        missing(model, wanted, (rate, medium), &lack, notes)?;
    }
    let [on, plugged, up] = powers.map(|amount| amount.0.unwrap_or(0.0));
    let [per_bit, per_packet] = energies;
    refuse::negative_packets(model, wanted, (per_bit, per_packet), notes)?;
    // Within noise a link may draw less when it is up: then nothing of the port sleeps.
    let sleeps = on + up;
    let always = plugged + sleeps.min(0.0);
    let (on, enabled, left_out) = (sleeps.max(0.0), on.max(0.0), !lack.is_empty());
    Ok(End { on, always, per_bit, per_packet, cages: Some(index), plugged, enabled, left_out })
}

/// Returns the cages whose links have a rate and a medium.
fn cages<'d>(
    model: &Model<'d>,
    wanted: &Wanted<'_>,
    rate: BitRate,
    medium: Medium,
) -> Result<(usize, &'d Cages), Diagnostic> {
    let of_rate = || model.device.ports.iter().enumerate().filter(|(_, cages)| cages.rates.contains(&rate));
    if of_rate().next().is_none() {
        return Err(refuse::rate(model, wanted, rate));
    }
    let module = wanted.medium.module.as_ref();
    let goes = |cages: &Cages| medium.goes_into(cages.form) && module.is_none_or(|module| module.form.fits(cages.form));
    // Cages that were measured with this medium come first, then those that were named first.
    let measured = |cages: &Cages| {
        let of = |port: &PortPower| port.medium == medium && port.form.is_none_or(|form| form == cages.form);
        model.device.port.iter().any(of)
    };
    let fitting = || of_rate().filter(|(_, cages)| goes(cages));
    let found = fitting().find(|(_, cages)| measured(cages)).or_else(|| fitting().next());
    found.ok_or_else(|| refuse::form(model, wanted, medium))
}

/// Finds what was measured with a medium in such cages: at the rate, otherwise at the nearest.
fn entry<'d>(device: &'d Device, cages: &Cages, medium: Medium, rate: BitRate) -> Option<&'d PortPower> {
    let fits = |port: &&PortPower| port.medium == medium && port.form.is_none_or(|form| form == cages.form);
    device.port.iter().filter(fits).min_by_key(|port| port.rate.0.abs_diff(rate.0))
}

/// Finds what was measured with another medium, for a port whose module is known by itself.
fn donor(device: &Device, rate: BitRate) -> Option<&PortPower> {
    device.port.iter().min_by_key(|port| port.rate.0.abs_diff(rate.0))
}

/// Returns what port, module and link draw.
fn powers(
    model: &Model<'_>,
    found: Option<&PortPower>,
    module: Option<&Module>,
    (rate, medium): (BitRate, Medium),
    notes: &mut Vec<String>,
) -> [Amount; 3] {
    let device = model.device;
    let of_module = |module: &Module| Amount(module.power.usual().0.map(|watts| watts / f64::from(module.links)));
    match (found, module) {
        (Some(port), None) => [port.on, port.plugged, port.up],
        (Some(port), Some(module)) => {
            notes.push(format!("assumed: a port of {} draws as was measured, with {} in it", device.name, module.name));
            [port.on, of_module(module), port.up]
        }
        (None, Some(module)) => {
            let on = donor(device, rate).map_or(Amount(None), |port| port.on);
            if let Some(port) = donor(device, rate).filter(|port| port.on.0.is_some()) {
                notes.push(format!(
                    "assumed: a port of {} draws with {} what it draws with {} at {} beside the module, {}",
                    device.name,
                    medium.word(),
                    port.medium.word(),
                    speed(port.rate),
                    module.name
                ));
            }
            [on, of_module(module), Amount(Some(0.0))]
        }
        (None, None) => [Amount(None); 3],
    }
}

/// Returns the joules of a bit and of a packet; adds that they lack, unless the user has set them.
fn energies(
    model: &Model<'_>,
    port: Option<&PortPower>,
    wanted: &Wanted<'_>,
    lack: &mut Vec<&'static str>,
) -> [f64; 2] {
    let device = model.device;
    let countings: &[Counting] = match wanted.counting {
        Some(Counting::Payload) => &[Counting::Payload],
        Some(Counting::Published) => &[Counting::Published],
        None => &[Counting::Payload, Counting::Published],
    };
    let of = |&counting: &Counting| {
        let Energies { per_bit, per_packet } = port?.energies(device.counting, counting)?;
        let share = if counting == Counting::Published { payload_share(device, wanted.packet) } else { 1.0 };
        Some([per_bit.0? * share, per_packet.0? * share])
    };
    let found = countings.iter().find_map(of);
    if found.is_none() && !wanted.own.energies {
        lack.push(ENERGIES);
    }
    found.unwrap_or_default()
}

/// Returns the share of data in a full packet, where energies were published for data rates that count headers. It is
/// no less than that of the shortest packet that was measured.
fn payload_share(device: &Device, packet: u64) -> f64 {
    let share = |bytes: f64| if bytes > 0.0 { (bytes - f64::from(device.header)) / bytes } else { 0.0 };
    let least = if device.shortest > 0 { share(f64::from(device.shortest)) } else { 1.0 };
    share(packet as f64).max(least)
}

/// Refuses what is not published, or says that it is left out.
fn missing(
    model: &Model<'_>,
    wanted: &Wanted<'_>,
    (rate, medium): (BitRate, Medium),
    lack: &[&'static str],
    notes: &mut Vec<String>,
) -> Result<(), Diagnostic> {
    let (name, rate_words, word) = (&model.device.name, speed(rate), medium.word());
    let what = format!("what ports of {name} take at {rate_words} with {word}: {}", lack.join(", "));
    match wanted.unknown {
        UnknownRule::Refuse => {
            let measured = donor(model.device, rate);
            Err(unknown::refuse(&Port { model, wanted, rate, medium, measured, lack }))
        }
        UnknownRule::NoSaving => {
            notes.push(format!("not in the watts, since nobody has published it: {what}"));
            Ok(())
        }
    }
}

/// Returns what a port draws with its share of the chassis. A link that is faster than the ports takes several.
fn shared(model: &Model<'_>, wanted: &Wanted<'_>) -> Result<End, Diagnostic> {
    let device = model.device;
    let known = || {
        let count = f64::from(device.links()?);
        let port_rate = device.ports[0].rates.first()?;
        let first = device.port.first();
        let (link, rest) = match (device.whole.0, device.base.0) {
            (Some(whole), _) => (whole / count * wanted.links, whole / count * (1.0 - wanted.links)),
            (None, base) => {
                let parts = || first.map(|port| Some(port.on.0? + port.plugged.0? + port.up.0?));
                (device.share.map_or_else(|| parts().flatten(), |share| Some(share.link))?, base? / count)
            }
        };
        let energies = || first.and_then(|port| port.energies(device.counting, Counting::Published));
        let own = device.share.map(|share| [share.per_bit, share.per_packet]);
        let found = own.or_else(|| energies().and_then(|found| Some([found.per_bit.0?, found.per_packet.0?])));
        let [per_bit, per_packet] = found.unwrap_or_default();
        let ports = rate(wanted.class).0.div_ceil(port_rate.0).max(1) as f64;
        let always = if wanted.own.switch { 0.0 } else { rest * ports };
        Some(End { on: link * ports, always, per_bit, per_packet, ..End::default() })
    };
    known().ok_or_else(|| refuse::no_share(model, wanted))
}
