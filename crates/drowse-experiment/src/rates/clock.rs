//! Moments of the calendar, as microseconds since 1970 in UTC.

/// Microseconds of a second, a minute, an hour and a day.
pub const SECOND: i64 = 1_000_000;
/// Of a minute.
pub const MINUTE: i64 = 60 * SECOND;
/// Of an hour.
pub const HOUR: i64 = 60 * MINUTE;
/// Of a day.
pub const DAY: i64 = 24 * HOUR;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// The year.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
}

impl Date {
    /// Makes a date, if there is such a day.
    pub fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        let is_day = (1..=12).contains(&month) && (1..=length_of(year, month)).contains(&day);
        ((1970..10_000).contains(&year) && is_day).then_some(Date { year, month, day })
    }

    /// Returns the number of days since 1970.
    pub fn days(self) -> i64 {
        let before: i64 = (1..self.month).map(|month| length_of(self.year, month)).sum();
        let leap_days = |year: i64| (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
        (self.year - 1970) * 365 + leap_days(self.year) - leap_days(1970) + before + self.day - 1
    }

    /// Returns the last Sunday of a month.
    pub fn last_sunday(year: i64, month: i64) -> Self {
        let last = Date { year, month, day: length_of(year, month) };
        // The first day of 1970 was a Thursday.
        Date { day: last.day - (last.days() + 4) % 7, ..last }
    }
}

fn length_of(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Reads a moment of UTC such as `2024-03-31T00:30:00Z` or `2024-03-31 00:30`; the `Z` may be left out.
pub fn moment(text: &str) -> Option<i64> {
    let text = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00")).unwrap_or(text);
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let mut numbers = date.split('-').map(digits);
    let date = Date::new(numbers.next()??, numbers.next()??, numbers.next()??)?;
    if numbers.next().is_some() {
        return None;
    }
    Some(date.days() * DAY + time_of_day(time)?)
}

/// Reads a time of day, `hh:mm` or `hh:mm:ss` with a fraction or without, in microseconds.
pub fn time_of_day(text: &str) -> Option<i64> {
    let mut words = text.split(':');
    let (hour, minute, second) = (digits(words.next()?)?, digits(words.next()?)?, words.next().unwrap_or("0"));
    let (second, fraction) = second.split_once('.').unwrap_or((second, ""));
    let second = digits(second)?;
    if words.next().is_some() || hour > 23 || minute > 59 || second > 59 || fraction.len() > 6 {
        return None;
    }
    let fraction = if fraction.is_empty() { 0 } else { digits(&format!("{fraction:0<6}"))? };
    Some(hour * HOUR + minute * MINUTE + second * SECOND + fraction)
}

/// Reads a number of a few digits and nothing else.
pub fn digits(text: &str) -> Option<i64> {
    let is_number = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// Returns a moment as it is written.
pub fn written(moment: i64) -> String {
    let (mut days, time) = (moment.div_euclid(DAY), moment.rem_euclid(DAY));
    let (mut year, mut month) = (1970, 1);
    while days >= 365 + i64::from(length_of(year, 2) == 29) {
        days -= 365 + i64::from(length_of(year, 2) == 29);
        year += 1;
    }
    while days >= length_of(year, month) {
        days -= length_of(year, month);
        month += 1;
    }
    let (hour, minute, second) = (time / HOUR, time / MINUTE % 60, time / SECOND % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By `date -u -d ... +%s`.
    #[test]
    fn moments() {
        for (text, seconds) in [
            ("1970-01-01T00:00:01Z", Some(1)),
            ("2000-02-29T12:00:00", Some(951_825_600)),
            ("2024-03-31 00:30", Some(1_711_845_000)),
            ("2026-01-02T03:04:05Z", Some(1_767_323_045)),
            ("2100-03-01", Some(4_107_542_400)),
            ("2100-02-29", None),
            ("2026-13-01", None),
            ("2026-01-02T24:00", None),
            ("31.03.2024", None),
        ] {
            assert_eq!(moment(text), seconds.map(|seconds: i64| seconds * SECOND), "{text}");
        }
        assert_eq!(moment("1970-01-01T00:00:00.25Z"), Some(250_000));
        for text in ["1970-01-01T00:00:01Z", "2000-02-29T12:00:00Z", "2024-12-31T23:59:59Z"] {
            assert_eq!(moment(text).map(written).as_deref(), Some(text));
        }
    }

    /// By a calendar.
    #[test]
    fn last_sundays() {
        for (year, month, day) in [(2023, 3, 26), (2023, 10, 29), (2024, 3, 31), (2024, 10, 27), (2026, 3, 29)] {
            assert_eq!(Date::last_sunday(year, month).day, day, "{year}");
        }
    }
}
