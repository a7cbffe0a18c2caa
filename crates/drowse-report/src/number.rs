//! Numbers for readers.

/// Shows a number with four significant digits, large ones in full with grouped thousands.
pub fn plain(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e12).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let decimals = usize::try_from(3 - magnitude.log10().floor() as i32).unwrap_or(0);
    grouped(&format!("{value:.decimals$}"))
}

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
    usize::try_from(3 - largest.log10().floor() as i32).unwrap_or(0).min(9)
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
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 1.0 { format!("{percent:.2} %") } else { format!("{percent:.1} %") }
}

/// Groups the digits of the whole part by commas.
fn grouped(number: &str) -> String {
    let (whole, fraction) = number.find('.').map_or((number, ""), |point| number.split_at(point));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut text = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 12.345_67, 1_234_567.8, 1e-7].map(plain), ["0", "12.35", "1,234,568", "1.000e-7"]);
        assert_eq!(decimals(&[Some(12.5), None, Some(0.25)]), 2);
        assert_eq!(decimals(&[Some(12.0), Some(12_642.0)]), 0);
        assert_eq!([0.5148, 1.25].map(saving), ["saves 48.5 % of", "needs 25.0 % more of"]);
        assert_eq!([1.034, 0.998, 1.000_01].map(longer), ["3.4 % longer", "0.20 % shorter", "as long"]);
    }
}
