//! Numbers for readers: few digits, grouped.

/// Shows a number with four significant digits, large ones in full.
pub fn significant(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e12).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    // The whole part is always shown in full.
    let decimals = usize::try_from(3 - exponent(magnitude, 4)).unwrap_or(0);
    grouped(&format!("{value:.decimals$}"))
}

/// Returns the exponent of the first digit of a value that is rounded to so many digits.
pub fn exponent(value: f64, digits: i32) -> i32 {
    let decimals = usize::try_from(digits - 1).unwrap_or(0);
    format!("{value:.decimals$e}").rsplit_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// Groups the digits of the whole part by commas.
pub fn grouped(number: &str) -> String {
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
    fn four_significant_digits() {
        let shown = [0.0, 0.000_123_456, 0.714_285, 9.876_54, 12.345_67, 1_234.56, 1_234_567.8, 1e-7, 1e15];
        let expected = ["0", "0.0001235", "0.7143", "9.877", "12.35", "1,235", "1,234,568", "1.000e-7", "1.000e15"];
        assert_eq!(shown.map(significant), expected);
    }
}
