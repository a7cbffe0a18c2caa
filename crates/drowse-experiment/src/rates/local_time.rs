//! Local times of the European Union, whose clocks go forward on the last Sunday of March and back on that of October,
//! both at 01:00 UTC.

use super::clock::{DAY, Date, HOUR};

/// A zone of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// How much later its clocks are than UTC in winter.
    pub ahead: i64,
    /// They go forward by an hour in summer.
    pub summer: bool,
}

/// What a local time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    /// A moment of UTC.
    Once(i64),
    /// The two moments of an hour that comes twice, in October.
    Twice(i64, i64),
    /// None: an hour that is left out, in March.
    Never,
}

impl Zone {
    /// UTC itself.
    pub const UTC: Zone = Zone { ahead: 0, summer: false };
    /// Central European time, with summer time.
    pub const CENTRAL: Zone = Zone { ahead: HOUR, summer: true };

    /// Finds a zone by its name.
    pub fn named(name: &str) -> Option<Zone> {
        let summer = |hours: i64| Zone { ahead: hours * HOUR, summer: true };
        match name {
            "utc" | "gmt" => Some(Zone::UTC),
            "wet" | "west" | "wet/west" => Some(summer(0)),
            "cet" | "cet/cest" | "cest" => Some(summer(1)),
            "eet" | "eest" | "eet/eest" => Some(summer(2)),
            _ => None,
        }
    }

    /// Returns the moments at which local clocks show a time of a day.
    pub fn moments(self, date: Date, time: i64) -> Local {
        let winter = date.days() * DAY + time - self.ahead;
        if !self.summer {
            return Local::Once(winter);
        }
        let change = |month: i64| Date::last_sunday(date.year, month).days() * DAY + HOUR;
        let is_summer = |moment: i64| (change(3)..change(10)).contains(&moment);
        let summer = winter - HOUR;
        match (is_summer(summer), is_summer(winter)) {
            (true, true) => Local::Once(summer),
            (false, false) => Local::Once(winter),
            (true, false) => Local::Twice(summer, winter),
            (false, true) => Local::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::{MINUTE, moment};
    use super::*;

    /// By the directive 2000/84/EC: 2024 on 31 March and 27 October.
    #[test]
    fn clocks_change() {
        let at = |text: &str| moment(text).expect("a moment");
        let local = |month, day, hour, minute| {
            let date = Date::new(2024, month, day).expect("a day");
            Zone::CENTRAL.moments(date, hour * HOUR + minute * MINUTE)
        };
        assert_eq!(local(1, 1, 0, 0), Local::Once(at("2023-12-31T23:00Z")));
        assert_eq!(local(7, 1, 0, 0), Local::Once(at("2024-06-30T22:00Z")));
        assert_eq!(local(3, 31, 1, 45), Local::Once(at("2024-03-31T00:45Z")));
        assert_eq!(local(3, 31, 2, 0), Local::Never);
        assert_eq!(local(3, 31, 2, 45), Local::Never);
        assert_eq!(local(3, 31, 3, 0), Local::Once(at("2024-03-31T01:00Z")));
        assert_eq!(local(10, 27, 1, 45), Local::Once(at("2024-10-26T23:45Z")));
        assert_eq!(local(10, 27, 2, 15), Local::Twice(at("2024-10-27T00:15Z"), at("2024-10-27T01:15Z")));
        assert_eq!(local(10, 27, 3, 0), Local::Once(at("2024-10-27T02:00Z")));
    }
}
