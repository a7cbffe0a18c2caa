//! The numbers of a column, in one unit and with as many decimals, so that they can be compared at a glance.

use drowse_tables::number::{exponent, grouped};

use super::number::Style;

/// How all values of a column are shown: in one unit, with as many decimals.
pub struct Scale {
    style: Style,
    factor: f64,
    unit: &'static str,
    decimals: usize,
}

/// The most decimals of a value.
const MOST_DECIMALS: usize = 6;

impl Scale {
    /// Returns the scale of a column: the largest value has four significant digits and the smallest three, where these
    /// are not too many decimals.
    pub fn of(numbers: impl Iterator<Item = f64>, style: Style) -> Self {
        let values: Vec<f64> = numbers.map(f64::abs).filter(|&value| value > 0.0).collect();
        let values = || values.iter().copied();
        let (factor, unit) = style.unit(values().fold(0.0, f64::max));
        let scaled = |value: f64, digits: i32| digits - 1 - exponent(value * factor, digits);
        let most = values().map(|value| scaled(value, 3)).max().unwrap_or(0);
        let least = values().map(|value| scaled(value, 4)).min().unwrap_or(0);
        let decimals = usize::try_from(most.max(least)).unwrap_or(0).min(MOST_DECIMALS);
        Scale { style, factor, unit, decimals }
    }

    /// Shows a value, and half the width of its interval behind it.
    pub fn cell(&self, (value, half_width): (Option<f64>, Option<f64>)) -> String {
        let Some(value) = value else { return "-".into() };
        let number = |value: f64| match self.style {
            Style::Percent => self.style.show(value * self.factor),
            _ => grouped(&format!("{:.*}", self.decimals, value * self.factor)),
        };
        let spread = half_width.map(|half_width| format!(" ± {}", number(half_width))).unwrap_or_default();
        format!("{}{spread} {}", number(value), self.unit).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(values: &[f64], style: Style) -> Vec<String> {
        let scale = Scale::of(values.iter().copied(), style);
        values.iter().map(|&value| scale.cell((Some(value), None))).collect()
    }

    #[test]
    fn a_column_has_one_unit_and_as_many_decimals() {
        assert_eq!(cells(&[843.6, 1_008.0, 6_637.0], Style::Nanoseconds), ["0.844 us", "1.008 us", "6.637 us"]);
        assert_eq!(cells(&[217.8, 1_211.04], Style::Watts), ["0.218 kW", "1.211 kW"]);
        assert_eq!(cells(&[0.5, 0.012_345], Style::Percent), ["50.00 %", "1.23 %"]);
        assert_eq!(cells(&[1.717e-5, 1.785e-5], Style::Money), ["17.17 millionths", "17.85 millionths"]);
        assert_eq!(cells(&[0.0, 3.0], Style::Joules), ["0.000 J", "3.000 J"]);
    }

    #[test]
    fn half_an_interval_is_shown_like_its_mean() {
        let scale = Scale::of([12.5, 13.0].into_iter(), Style::Joules);
        assert_eq!(scale.cell((Some(12.5), Some(0.25))), "12.50 ± 0.25 J");
        assert_eq!(scale.cell((None, None)), "-");
    }
}
