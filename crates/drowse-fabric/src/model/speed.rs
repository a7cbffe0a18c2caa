//! Speeds within free text, as maps of networks write them: `10 Gbps`, `2.5G`, `OC-192`, `155 Mbit/s leased`.
//!
//! A text tells a speed if it names one, or the same one in several ways. Ranges, bounds (`< 2 Gbps`), multiples
//! (`2 x 10 Gb/s`) and texts with other numbers are not clear.

use drowse_core::model::units::BitRate;

/// What a text says of a speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speed {
    /// Nothing.
    None,
    One(BitRate),
    /// There is a speed in it, but it is not clear which.
    Unclear,
}

/// Words that make a speed a bound.
const BOUNDS: [&str; 12] =
    ["below", "above", "under", "over", "than", "least", "most", "upto", "up", "max", "min", "between"];

/// Reads the speed in a text.
pub(crate) fn in_text(text: &str) -> Speed {
    if let Some(rate) = with_letter(text.trim()) {
        return Speed::One(rate);
    }
    let mut rates = Vec::new();
    let mut unclear = text.contains(['<', '>', '~', '≤', '≥']) || text.trim_end().ends_with('+');
    let mut named = false;
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        rest = &rest[at..];
        let (rate, length) = token(rest);
        let word = &rest[..length];
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        named |= has_digit && is_optical(word);
        unclear |= rate.is_none() && (has_digit || is_bound(word));
        rates.extend(rate);
        rest = &rest[length..];
    }
    let same = |rate: &BitRate, first: BitRate| rate.0.abs_diff(first.0) <= first.0 / 20;
    match rates[..] {
        [] if !named => Speed::None,
        [first, ..] if !unclear && rates.iter().all(|rate| same(rate, first)) => Speed::One(first),
        _ => Speed::Unclear,
    }
}

fn is_bound(word: &str) -> bool {
    BOUNDS.contains(&word.to_ascii_lowercase().as_str())
}

/// Reads what a text begins with: a number with a unit, a carrier, or a word. Returns the rate, if it is one, and how
/// many bytes it takes.
fn token(text: &str) -> (Option<BitRate>, usize) {
    let number = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    if number > 0 {
        let blanks = text[number..].len() - text[number..].trim_start_matches(' ').len();
        let unit = &text[number + blanks..];
        let length = unit.find(|c: char| !(c.is_ascii_alphabetic() || c == '/')).unwrap_or(unit.len());
        return match scaled(&text[..number], &unit[..length]) {
            Some(rate) => (Some(rate), number + blanks + length),
            None => (None, number),
        };
    }
    // `x10` of `2x10 Gb/s`.
    if text.starts_with(['x', 'X']) && text[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return (None, 1);
    }
    // A carrier's number may stand behind a hyphen.
    let letters = length_of_word(text);
    let hyphen = text[letters..].strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let length = hyphen.map_or(letters, |rest| letters + 1 + length_of_word(rest));
    match carrier(&text[..length]) {
        None if !is_optical(text) => (carrier(&text[..letters]), letters),
        rate => (rate, length),
    }
}

fn length_of_word(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len())
}

/// Returns whether a word begins as the names of optical carriers do.
fn is_optical(word: &str) -> bool {
    ["oc", "stm"].iter().any(|name| word.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
}

/// Returns a rate of bits a second from a number and its unit; bytes are not meant on links.
fn scaled(number: &str, unit: &str) -> Option<BitRate> {
    const SUFFIXES: [&str; 9] = ["b/s", "bps", "bit/s", "bits/s", "bit", "bits", "bE", "igE", "E"];
    let mut characters = unit.trim_end_matches('/').chars();
    let scale = match characters.next()? {
        'K' => 'k',
        scale @ ('k' | 'M' | 'G' | 'T') => scale,
        _ => return None,
    };
    if !SUFFIXES.contains(&characters.as_str()) {
        return None;
    }
    format!("{number} {scale}b/s").parse().ok().filter(|rate: &BitRate| rate.0 > 0)
}

/// Returns the rate of a text that is a number and a letter, such as `2.5G`.
fn with_letter(text: &str) -> Option<BitRate> {
    let number = text.strip_suffix(['k', 'K', 'M', 'G', 'T'])?.trim_end();
    let scale = text[text.len() - 1..].replace('K', "k");
    format!("{number} {scale}b/s").parse().ok().filter(|rate: &BitRate| rate.0 > 0)
}

/// Returns the rate of a carrier by its name: OC-192, STM-64, DS-3, T1, E3, GigE.
pub(crate) fn carrier(name: &str) -> Option<BitRate> {
    const FIXED: [(&str, u64); 12] = [
        ("DS0", 64_000),
        ("DS1", 1_544_000),
        ("T1", 1_544_000),
        ("E1", 2_048_000),
        ("E2", 8_448_000),
        ("E3", 34_368_000),
        ("DS3", 44_736_000),
        ("T3", 44_736_000),
        ("E4", 139_264_000),
        ("GbE", 1_000_000_000),
        ("GigE", 1_000_000_000),
        ("GIGE", 1_000_000_000),
    ];
    const MOST: u64 = 3072;
    let plain = name.replacen('-', "", 1);
    if let Some((_, rate)) = FIXED.iter().find(|(fixed, _)| *fixed == plain) {
        return Some(BitRate(*rate));
    }
    let upper = plain.to_ascii_uppercase();
    let (number, unit) = match (upper.strip_prefix("OC"), upper.strip_prefix("STM")) {
        (Some(number), _) => (number.strip_suffix('C').unwrap_or(number), 51_840_000),
        (_, Some(number)) => (number.strip_suffix('C').unwrap_or(number), 155_520_000),
        _ => return None,
    };
    let number = number.parse::<u64>().ok().filter(|number| (1..=MOST).contains(number))?;
    Some(BitRate(number * unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_of_texts() {
        for (text, bits) in [
            ("10 Gbps", 10_000_000_000),
            ("2.5G", 2_500_000_000),
            ("2.5 Gbit/s", 2_500_000_000),
            ("128 kb/s", 128_000),
            ("128 Kbps", 128_000),
            ("Conexion G-REUNA 1 Gbps", 1_000_000_000),
            ("DTP-Ring 2.5 Gbit/s", 2_500_000_000),
            ("OC-192", 9_953_280_000),
            ("OC192/STM64", 9_953_280_000),
            ("OC-192c", 9_953_280_000),
            ("STM-16", 2_488_320_000),
            ("POS OC-48", 2_488_320_000),
            ("internetMCI T3", 44_736_000),
            ("ANS CO+RE T1", 1_544_000),
            ("45 Mbps DS-3", 45_000_000),
            ("10GbE", 10_000_000_000),
            ("10 GE ring", 10_000_000_000),
            ("GigE", 1_000_000_000),
        ] {
            assert_eq!(in_text(text), Speed::One(BitRate(bits)), "{text}");
        }
    }

    #[test]
    fn what_is_not_clear_is_not_guessed() {
        for text in [
            "1-20Gbps",
            "300M-1Gb/s",
            "2x10Gb/s",
            "STM-64x2 and STM-64",
            "<= 10 Mbps",
            "OC3 and below/STM1",
            "Managed Fiber (10Gbps, 100Mbps)",
            "up to 10 Gbps",
            "10 Gbps in 2004",
            "STM-64x2",
            "OC-0",
            "10 Gbps+",
        ] {
            assert_eq!(in_text(text), Speed::Unclear, "{text}");
        }
        for text in ["", "Green Link", "TAT-14", "3G network", "10 GB/s", "SeaMeWe-3", "2007-2008", "é", "OC-"] {
            assert_eq!(in_text(text), Speed::None, "{text}");
        }
    }
}
