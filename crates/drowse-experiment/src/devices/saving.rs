//! What the ports of a switch can save when all their links sleep, by its parts.

use drowse_core::model::units::BitRate;

use super::form::Medium;
use super::model::{Device, PortPower};
use super::tables::catalogue;

/// A switch, all ports of one form with links of one rate and medium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saving<'a> {
    /// The switch.
    pub device: &'a Device,
    /// Data rate of its links.
    pub rate: BitRate,
    /// Their medium.
    pub medium: Medium,
    /// How many ports.
    pub ports: u32,
    /// Power of the chassis, in watts.
    pub base: f64,
    /// Power of a port whose link is up, with its module, in watts.
    pub on: f64,
    /// What stays of it when the port is off: the module, in watts.
    pub stays: f64,
}

impl Saving<'_> {
    /// Returns the power of the whole switch with all links on, in watts.
    pub fn whole(&self) -> f64 {
        self.base + f64::from(self.ports) * self.on
    }

    /// Returns the ports' share of that.
    pub fn ports_share(&self) -> f64 {
        f64::from(self.ports) * self.on / self.whole()
    }

    /// Returns the share of the whole switch that sleeps with all links; nothing where links draw less when up.
    pub fn sleepable(&self) -> f64 {
        (f64::from(self.ports) * (self.on - self.stays) / self.whole()).max(0.0)
    }
}

/// Returns the savings of all switches whose parts are known.
pub fn savings() -> Vec<Saving<'static>> {
    catalogue().device.iter().flat_map(|device| device.port.iter().filter_map(|port| of(device, port))).collect()
}

fn of<'a>(device: &'a Device, port: &PortPower) -> Option<Saving<'a>> {
    let fits = |form| port.form.is_none_or(|own| own == form);
    let cages = device.ports.iter().find(|cages| fits(cages.form) && cages.rates.contains(&port.rate))?;
    let (on, plugged, up) = (port.on.0?, port.plugged.0?, port.up.0?);
    Some(Saving {
        device,
        rate: port.rate,
        medium: port.medium,
        ports: cages.capacity()?,
        base: device.base.0?,
        on: on + plugged + up,
        stays: plugged,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand from the published terms: power of a port, what stays of it, the ports' share of a full switch, and what
    /// of it can sleep, each rounded.
    #[test]
    fn shares_by_hand() {
        let expected = [
            ("arista-7280cr3k-32d4", "dac", 32, [1.24, 0.22, 13.0, 10.6]),
            ("arista-7280cr3k-32d4", "fr", 4, [7.17, 5.43, 9.7, 2.4]),
            ("nexus-9336c-fx2", "dac", 36, [1.20, 0.09, 13.1, 12.2]),
            ("nexus-9336c-fx2", "lr", 36, [4.63, 2.79, 36.9, 14.7]),
            ("cisco-8201-32fh", "dac", 32, [1.49, 0.35, 15.8, 12.1]),
            ("ncs-55a1-24h", "dac", 24, [0.53, 0.02, 3.8, 3.7]),
            ("n540x-8z16g-sys-a", "t", 20, [3.41, 3.41, 67.3, 0.0]),
        ];
        let all = savings();
        for (name, medium, ports, [on, stays, share, sleeps]) in expected {
            let found = all.iter().find(|saving| saving.device.name == name && saving.medium.word() == medium);
            let found = found.unwrap_or_else(|| panic!("{name}"));
            let near = |own: f64, expected: f64, step: f64| (own - expected).abs() <= step / 2.0 + 1e-9;
            assert_eq!(found.ports, ports);
            assert!(near(found.on, on, 0.01) && near(found.stays, stays, 0.01), "{found:?}");
            assert!(near(100.0 * found.ports_share(), share, 0.1), "{name}: {}", found.ports_share());
            assert!(near(100.0 * found.sleepable(), sleeps, 0.1), "{name}: {}", found.sleepable());
        }
    }
}
