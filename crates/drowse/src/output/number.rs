//! Numbers for readers, in a unit that fits.

use drowse_tables::number::{grouped, significant};

/// How the values of a line are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A whole number with grouped thousands and its unit.
    Count(&'static str),
    /// A number with four significant digits and its unit.
    Plain(&'static str),
    /// A share as a percentage.
    Percent,
    /// Seconds, shown in the unit that fits.
    Seconds,
    /// Joules, shown in the unit that fits.
    Joules,
    /// Money, in millions where it is much and in millionths where it is next to nothing.
    Money,
    /// Watts, shown in the unit that fits.
    Watts,
    /// Watts per second, shown in the unit that fits.
    Ramp,
    /// Nanoseconds, shown in the unit that fits.
    Nanoseconds,
    /// Bytes, shown in the binary unit that fits.
    Bytes,
    /// Bytes per second, shown in the unit that fits.
    Rate,
}

/// Units of time in nanoseconds, largest first.
const TIMES: &[(f64, &str)] = &[(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")];
const ENERGIES: &[(f64, &str)] =
    &[(1e9, "GJ"), (1e6, "MJ"), (1e3, "kJ"), (1.0, "J"), (1e-3, "mJ"), (1e-6, "uJ"), (1e-9, "nJ")];
const POWERS: &[(f64, &str)] = &[(1e6, "MW"), (1e3, "kW"), (1.0, "W"), (1e-3, "mW")];
const RAMPS: &[(f64, &str)] =
    &[(1e12, "TW/s"), (1e9, "GW/s"), (1e6, "MW/s"), (1e3, "kW/s"), (1.0, "W/s"), (1e-3, "mW/s")];
const SIZES: &[(f64, &str)] =
    &[(1_099_511_627_776.0, "TiB"), (1_073_741_824.0, "GiB"), (1_048_576.0, "MiB"), (1024.0, "KiB"), (1.0, "B")];
const RATES: &[(f64, &str)] = &[(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1.0, "B/s")];

impl Style {
    /// Returns factor and unit for a line whose leading value is this; all values of a line have the same unit.
    pub fn unit(self, leading: f64) -> (f64, &'static str) {
        let fitting = |units: &[(f64, &'static str)], base: f64| {
            let value = leading.abs() * base;
            let found = units.iter().find(|(scale, _)| value >= *scale);
            let (scale, unit) = found.or(units.last()).copied().unwrap_or((1.0, ""));
            (base / scale, unit)
        };
        match self {
            Style::Count(unit) | Style::Plain(unit) => (1.0, unit),
            Style::Percent => (100.0, "%"),
            // Zero has no size of its own.
            Style::Seconds | Style::Nanoseconds if leading == 0.0 => (1.0, "s"),
            Style::Joules if leading == 0.0 => (1.0, "J"),
            Style::Watts if leading == 0.0 => (1.0, "W"),
            Style::Ramp if leading == 0.0 => (1.0, "W/s"),
            Style::Money => money(leading.abs()),
            Style::Seconds => fitting(TIMES, 1e9),
            Style::Joules => fitting(ENERGIES, 1.0),
            Style::Watts => fitting(POWERS, 1.0),
            Style::Ramp => fitting(RAMPS, 1.0),
            Style::Nanoseconds => fitting(TIMES, 1.0),
            Style::Bytes => fitting(SIZES, 1.0),
            Style::Rate => fitting(RATES, 1.0),
        }
    }

    /// Shows a value that has been multiplied by the unit's factor.
    pub fn show(self, value: f64) -> String {
        match self {
            Style::Count(_) => grouped(&format!("{value:.0}")),
            Style::Percent => format!("{value:.2}"),
            Style::Bytes if value.fract() == 0.0 => grouped(&format!("{value:.0}")),
            _ => significant(value),
        }
    }
}

/// Returns the factor and the unit of amounts of money of which this is the largest: a hundredth is the least that
/// people count.
fn money(largest: f64) -> (f64, &'static str) {
    match largest {
        much if much >= 1e9 => (1e-9, "billion"),
        much if much >= 1e6 => (1e-6, "million"),
        little if little > 0.0 && little < 0.01 => (1e6, "millionths"),
        _ => (1.0, "money"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_fit_the_leading_value() {
        assert_eq!(Style::Seconds.unit(0.0123).1, "ms");
        assert_eq!(Style::Seconds.unit(5e-10), (1e9, "ns"));
        assert_eq!(Style::Nanoseconds.unit(51.2).1, "ns");
        assert_eq!(Style::Bytes.unit(2048.0).1, "KiB");
        assert_eq!([Style::Bytes, Style::Rate, Style::Seconds].map(|style| style.unit(0.0).1), ["B", "B/s", "s"]);
        assert_eq!(Style::Rate.unit(8e10).1, "GB/s");
        let money = [0.0, 1.7e-5, 0.5, 42_697.0, 2.5e6, -3e9].map(|most| Style::Money.unit(most).1);
        assert_eq!(money, ["money", "millionths", "money", "money", "million", "billion"]);
        assert_eq!(
            [0.0, 2e-7, 0.5, 3.0, 4e4, 5e7].map(|j| Style::Joules.unit(j).1),
            ["J", "nJ", "mJ", "J", "kJ", "MJ"]
        );
        assert_eq!([0.0, 0.02, 12.0, 3e4].map(|w| Style::Watts.unit(w).1), ["W", "mW", "W", "kW"]);
        assert_eq!([0.0, 2.0, 497_892_922.0].map(|ramp| Style::Ramp.unit(ramp).1), ["W/s", "W/s", "MW/s"]);
        let (factor, unit) = Style::Seconds.unit(0.0123);
        assert_eq!(format!("{} {unit}", Style::Seconds.show(0.0123 * factor)), "12.30 ms");
    }
}
