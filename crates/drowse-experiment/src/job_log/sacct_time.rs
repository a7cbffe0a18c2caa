//! Times and durations as Slurm writes them.

use super::job::MILLION;

/// Returns the seconds of a moment, `2026-01-02T03:04:05` of a clock without zones, or `1767323045`, since 1970; `None`
/// of what is neither.
pub fn moment(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().filter(|&seconds| seconds > 0 && seconds < 1 << 40);
    }
    let (date, time) = text.split_once('T')?;
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let lengths = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let of_month = |month: u64| lengths.get(usize::try_from(month).ok()?.checked_sub(1)?).copied();
    // A leap second is the sixtieth.
    let is_time = hour < 24 && minute < 60 && second <= 60;
    if !(1970..10_000).contains(&year) || !(1..=of_month(month)?).contains(&day) || !is_time {
        return None;
    }
    let before: u64 = (1..month).filter_map(of_month).sum();
    let leap_days = |year: u64| (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let days = (year - 1970) * 365 + leap_days(year) - leap_days(1970) + before + day - 1;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Returns three whole numbers between separators.
fn numbers(text: &str, separator: char) -> Option<[u64; 3]> {
    let mut words = text.split(separator).map(digits);
    let three = [words.next()??, words.next()??, words.next()??];
    words.next().is_none().then_some(three)
}

/// Returns a number of a few digits and nothing else.
fn digits(text: &str) -> Option<u64> {
    let is_number = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// Returns the microseconds of a duration, `[DD-[HH:]]MM:SS` with a fraction of a second or without; `None` of what is
/// none.
pub fn duration(text: &str) -> Option<u64> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (digits(days)?, rest),
        None => (0, text),
    };
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
    let mut words = whole.rsplit(':').map(digits);
    let (second, minute) = (words.next()??, words.next()??);
    let hour = words.next().unwrap_or(Some(0))?;
    if words.next().is_some() || second >= 60 || minute >= 60 || fraction.len() > 6 {
        return None;
    }
    let millionths = digits(fraction)? * 10_u64.pow(6 - fraction.len() as u32);
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * MILLION + millionths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By `date -u -d ... +%s`.
    #[test]
    fn moments() {
        for (text, seconds) in [
            ("1970-01-01T00:00:01", Some(1)),
            ("2000-02-29T12:00:00", Some(951_825_600)),
            ("2026-01-02T03:04:05", Some(1_767_323_045)),
            ("2100-03-01T00:00:00", Some(4_107_542_400)),
            ("1767323045", Some(1_767_323_045)),
            ("2100-02-29T00:00:00", None),
            ("2026-13-01T00:00:00", None),
            ("2026-00-01T00:00:00", None),
            ("2026-01-02 03:04:05", None),
            ("2026-01-02T24:00:00", None),
            ("0", None),
            ("", None),
        ] {
            assert_eq!(moment(text), seconds, "{text}");
        }
    }

    #[test]
    fn durations() {
        for (text, microseconds) in [
            ("00:05", Some(5 * MILLION)),
            ("01:02:03", Some(3_723 * MILLION)),
            ("2-00:00:01", Some(172_801 * MILLION)),
            ("03:01.250", Some(181_250_000)),
            ("100:00:00", Some(360_000 * MILLION)),
            ("5", None),
            ("1:99", None),
            ("1:2:3:4", None),
            ("a:00", None),
        ] {
            assert_eq!(duration(text), microseconds, "{text}");
        }
    }
}
