//! Numbers and what they say, for readers.

use drowse_tables::number::{exponent, grouped};

/// Shows a number with so many decimals and grouped thousands.
pub fn fixed(value: f64, decimals: usize) -> String {
    grouped(&format!("{value:.decimals$}"))
}

/// Returns the decimals with which the largest value of a column has four digits; none where all are whole.
pub fn decimals(values: &[Option<f64>]) -> usize {
    let largest = values.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    if largest == 0.0 || values.iter().flatten().all(|value| value.fract() == 0.0) {
        return 0;
    }
    usize::try_from(3 - exponent(largest, 4)).unwrap_or(0).min(9)
}

/// Says what is saved at a ratio: `saves 48.5 % of`, or `needs 3.4 % more of`.
pub fn saving(ratio: f64) -> String {
    if ratio <= 1.0 {
        format!("saves {} of", percent(1.0 - ratio))
    } else {
        format!("needs {} more of", percent(ratio - 1.0))
    }
}

/// Says how much longer a run takes at a ratio: `3.4 % longer`, `0.20 % shorter` or `as long`.
pub fn longer(ratio: f64) -> String {
    match ratio - 1.0 {
        more if more.abs() < 5e-5 => "as long".into(),
        more if more < 0.0 => format!("{} shorter", percent(-more)),
        more => format!("{} longer", percent(more)),
    }
}

/// Shows a share as a percentage: two decimals below 1 %, else one.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 1.0 { format!("{percent:.2} %") } else { format!("{percent:.1} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(fixed(1_234_567.8, 1), "1,234,567.8");
        assert_eq!(decimals(&[Some(12.5), None, Some(0.25)]), 2);
        assert_eq!(decimals(&[Some(12.0), Some(12_642.0)]), 0);
        assert_eq!([0.5148, 1.25].map(saving), ["saves 48.5 % of", "needs 25.0 % more of"]);
        assert_eq!([1.034, 0.998, 1.000_01].map(longer), ["3.4 % longer", "0.20 % shorter", "as long"]);
    }
}
