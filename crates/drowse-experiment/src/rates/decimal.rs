//! Numbers of a series, as whole numbers of parts.

use drowse_core::power::rate::PARTS;

use super::Wrong;
use super::table::Word;

/// Values are below this many units: far above any price or intensity of a kWh.
const MOST: i64 = 1_000_000;

/// Reads a number of so many units; decimals below a part are rounded. `None` where it is said that there is no value.
pub fn number((text, span): &Word<'_>, units: u32, commas: bool) -> Result<Option<i64>, Wrong> {
    if ["", "-", "n/a", "n/e", "nan", "null"].contains(&text.to_lowercase().as_str()) {
        return Ok(None);
    }
    if text.contains(',') {
        let help =
            if commas { "write a point before decimals, such as 85.23" } else { "write the number without commas" };
        return Err((span.clone(), format!("`{text}` has a comma"), help.into()));
    }
    let value = exact(text, units).or_else(|| {
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite())? / f64::from(units);
        let parts = (value * PARTS as f64).round();
        (parts.abs() < MOST as f64 * PARTS as f64).then_some(parts as i64)
    });
    match value {
        None => Err((
            span.clone(),
            format!("`{text}` is no number"),
            "write a number, or nothing where none is known".into(),
        )),
        Some(value) if value.abs() >= MOST.saturating_mul(PARTS) => {
            let message = format!("`{text}` is too large for the price or the emissions of a kWh");
            Err((
                span.clone(),
                message,
                "look at the unit: prices are in money for a kWh, or for a MWh by ENTSO-E".into(),
            ))
        }
        Some(value) => Ok(Some(value)),
    }
}

/// Reads a decimal number whose parts are whole.
fn exact(text: &str, units: u32) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let is_plain = |digits: &str| digits.len() <= 12 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain(whole) || !is_plain(decimals) || whole.len() + decimals.len() == 0 {
        return None;
    }
    let number = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<i128>().ok() };
    let scale = i128::from(PARTS);
    let below = number(decimals)? * scale / 10_i128.pow(decimals.len() as u32);
    let parts = (number(whole)? * scale + below) / i128::from(units);
    i64::try_from(sign * parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, units: u32) -> Result<Option<i64>, ()> {
        number(&(text, 0..text.len()), units, false).map_err(|_| ())
    }

    #[test]
    fn numbers_by_hand() {
        assert_eq!(read("0.2", 1), Ok(Some(200_000_000_000)));
        assert_eq!(read("85.23", 1_000), Ok(Some(85_230_000_000)));
        assert_eq!(read("-500", 1_000), Ok(Some(-500_000_000_000)));
        assert_eq!(read("1e-3", 1), Ok(Some(1_000_000_000)));
        assert_eq!(read(".5", 1), Ok(Some(500_000_000_000)));
        for nothing in ["", "-", "n/a", "N/A", "NaN"] {
            assert_eq!(read(nothing, 1), Ok(None), "{nothing}");
        }
        for wrong in ["1,5", "cheap", "inf", "1e12", "999999999999", "."] {
            assert_eq!(read(wrong, 1), Err(()), "{wrong}");
        }
    }
}
