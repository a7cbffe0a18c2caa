//! Units by size: the one in which the largest value of a chart or column has one to three digits before the point.

/// A unit of time, power or energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// As it is written.
    pub name: &'static str,
    /// As a part of the name of a field.
    pub field: &'static str,
    /// Its size in picoseconds, watts or joules.
    pub size: f64,
}

const fn unit(name: &'static str, field: &'static str, size: f64) -> Unit {
    Unit { name, field, size }
}

const TIMES: [Unit; 5] =
    [unit("s", "s", 1e12), unit("ms", "ms", 1e9), unit("us", "us", 1e6), unit("ns", "ns", 1e3), unit("ps", "ps", 1.0)];
const POWERS: [Unit; 4] =
    [unit("MW", "mega_w", 1e6), unit("kW", "kw", 1e3), unit("W", "w", 1.0), unit("mW", "mw", 1e-3)];
const ENERGIES: [Unit; 5] = [
    unit("MJ", "mega_j", 1e6),
    unit("kJ", "kj", 1e3),
    unit("J", "j", 1.0),
    unit("mJ", "mj", 1e-3),
    unit("uJ", "uj", 1e-6),
];

/// Returns the unit of times of which this is the largest, in picoseconds.
pub fn time(largest: f64) -> Unit {
    fitting(&TIMES, largest)
}

/// Returns the unit of powers of which this is the largest, in watts.
pub fn power(largest: f64) -> Unit {
    fitting(&POWERS, largest)
}

/// Returns the unit of energies of which this is the largest, in joules.
pub fn energy(largest: f64) -> Unit {
    fitting(&ENERGIES, largest)
}

/// Returns the largest unit that the value is one of at least; the smallest where there is none.
fn fitting(units: &[Unit], largest: f64) -> Unit {
    let fits = |unit: &&Unit| largest.abs() >= unit.size;
    *units.iter().find(fits).unwrap_or(&units[units.len() - 1])
}

impl Unit {
    /// Returns a value in this unit, rounded to a millionth: charts show no more, and pages stay small.
    pub fn of(self, value: f64) -> f64 {
        (value / self.size * 1e6).round() / 1e6
    }
}

/// Writes a value with the unit that fits it, with four digits.
pub fn shown(value: f64, unit: Unit) -> String {
    format!("{} {}", drowse_tables::number::significant(value / unit.size), unit.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_fit_the_largest_value() {
        let times = [0.0, 999.0, 1e3, 9e8, 9e11, 4e16].map(|largest| time(largest).name);
        assert_eq!(times, ["ps", "ps", "ns", "us", "ms", "s"]);
        assert_eq!([0.5, 26_000.0].map(|watts| shown(watts, power(watts))), ["500.0 mW", "26.00 kW"]);
        assert_eq!([12.7, 2e6].map(|joules| shown(joules, energy(joules))), ["12.70 J", "2.000 MJ"]);
        assert!((time(32_442_909_400.0).of(32_442_909_400.0) - 32.442_909).abs() < 1e-12);
    }
}
