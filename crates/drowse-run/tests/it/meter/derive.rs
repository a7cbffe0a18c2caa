//! The terms of the catalogue, derived anew.

use drowse_experiment::devices::{Amount, Counting, Device, PortPower, catalogue};

use super::fit::{Terms, derive};
use super::readings::{ARISTA, ARISTA_FR, NEXUS, NEXUS_LR, Set, median, of, published};

fn device(name: &str) -> &'static Device {
    catalogue().device.iter().find(|device| device.name == name).unwrap()
}

fn port(device: &'static Device, medium: &str, gigabits: u64) -> Option<&'static PortPower> {
    device.port.iter().find(|port| port.medium.word() == medium && port.rate.0 == gigabits * 1_000_000_000)
}

fn near(found: Amount, expected: f64, what: &str) {
    let found = found.0.unwrap_or_else(|| panic!("{what} is unknown"));
    assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{what}: {found}, not {expected}");
}

/// All terms of both switches follow from the readings, to six digits: those that are published, and the energies for
/// packets of their real length.
#[test]
fn the_readings_give_the_terms_of_the_catalogue() {
    for (set, gigabits) in [(ARISTA, 100), (ARISTA_FR, 400), (NEXUS, 100), (NEXUS_LR, 100)] {
        let Terms { base, plugged, on, up, energies, .. } = derive(set);
        let device = device(set.device);
        let port = port(device, set.medium, gigabits).unwrap();
        near(device.base, base, "base");
        near(port.plugged, plugged, "plugged");
        near(port.on, on, "on");
        near(port.up, up, "up");
        let Some([as_published, payload]) = energies else {
            assert_eq!(port.energies(device.counting, Counting::Published), None, "{set:?}");
            continue;
        };
        for (counting, terms) in [(Counting::Published, as_published), (Counting::Payload, payload)] {
            let energies = port.energies(device.counting, counting).unwrap();
            near(energies.per_bit, terms.bit, "per_bit");
            near(energies.per_packet, terms.packet, "per_packet");
        }
    }
}

/// The published models are in the catalogue to the last digit. What they take from another medium (`default:`) or have
/// as NaN is unknown there.
#[test]
fn the_published_models_are_in_the_catalogue() {
    let media = [("PCC", "dac"), ("Passive DAC", "dac"), ("LR", "lr"), ("FR4", "fr"), ("T", "t")];
    let (mut known, mut stand_ins) = (0, 0);
    for (name, [form, medium, speed], terms) in published() {
        let gigabits: u64 = speed.trim_end_matches('G').parse().unwrap();
        let word = media.iter().find(|(own, _)| *own == medium).map(|(_, word)| *word);
        let found = word.and_then(|word| port(device(name), word, gigabits));
        let Some(port) = found.filter(|_| !terms.is_empty()) else {
            assert!(terms.is_empty() && found.is_none(), "{name} {form} {medium} {speed}");
            stand_ins += 1;
            continue;
        };
        let energies = port.energies(device(name).counting, Counting::Published).unwrap_or_default();
        for (term, value) in &terms {
            let own = match term.as_str() {
                "P_BASE" => device(name).base,
                "P_PORT" => port.on,
                "P_TRX_IN" => port.plugged,
                "P_TRX_UP" => port.up,
                "E_BIT" => energies.per_bit,
                "E_PKT" => energies.per_packet,
                // The sum of two terms, and drift between days.
                _ => continue,
            };
            let published = value.parse::<f64>().ok().filter(|value| value.is_finite());
            assert_eq!(own.0, published, "{term} of {name} {medium} {speed}");
        }
        known += 1;
    }
    // Six of the 8201 and ten of the NCS name another port.
    assert_eq!((known, stand_ins), (9, 16));
}

/// With all modules of the idle test plugged, the terms meet the medians of ports that are enabled, and of links that
/// are up, within 1 %; of the four ports of 400 Gb/s within 2 %. Counting only the modules of ports in use does not.
#[test]
fn ports_and_links_without_traffic() {
    let worst = |set: Set, test: &str, modules: Option<f64>| {
        let Terms { base, plugged, on, up, .. } = derive(set);
        let all = of(set, "idle")[0].ports;
        let error = |ports: f64, watts: f64| {
            let each = if test == "trx" { on + up } else { on };
            let predicted = base + plugged * modules.unwrap_or(all) + each * ports;
            (predicted / watts - 1.0).abs()
        };
        of(set, test).iter().map(|reading| error(reading.ports, median(&reading.watts))).fold(0.0, f64::max)
    };
    for set in [ARISTA, NEXUS, NEXUS_LR] {
        for test in ["switch", "trx"] {
            let worst = worst(set, test, None);
            assert!(worst < 0.01, "{set:?} {test}: {worst}");
        }
    }
    assert!(worst(ARISTA_FR, "switch", None) < 0.02 && worst(ARISTA_FR, "trx", None) < 0.02);
    assert!(worst(ARISTA, "trx", Some(2.0)) > 0.02);
}
