//! Widths and speeds of InfiniBand links, and the rates that follow.
//!
//! A link has 1, 2, 4, 8 or 12 lanes of one speed. Its coding takes 2 of 10 bits (SDR to QDR), 2 of 66 (FDR10 to EDR)
//! or 4 of 68 and more (from HDR on), so the data rate lies below the rate of signalling. Rates of data: IBTA, vol. 2;
//! rates of signalling up to HDR as `iblinkinfo` prints them.

use std::fmt;

use drowse_core::model::units::BitRate;

/// The speed of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    /// 2 Gb/s of data.
    Sdr,
    /// 4 Gb/s of data.
    Ddr,
    /// 8 Gb/s of data.
    Qdr,
    /// 10 Gb/s of data.
    Fdr10,
    /// 13.636 Gb/s of data.
    Fdr,
    /// 25 Gb/s of data.
    Edr,
    /// 50 Gb/s of data.
    Hdr,
    /// 100 Gb/s of data.
    Ndr,
    /// 200 Gb/s of data.
    Xdr,
}

/// All speeds: as tools write them, data and signalling of a lane in Mb/s (signalling in kb/s).
const SPEEDS: [(Speed, &str, u64, u64); 9] = [
    (Speed::Sdr, "SDR", 2_000, 2_500_000),
    (Speed::Ddr, "DDR", 4_000, 5_000_000),
    (Speed::Qdr, "QDR", 8_000, 10_000_000),
    (Speed::Fdr10, "FDR10", 10_000, 10_312_500),
    (Speed::Fdr, "FDR", 13_636, 14_062_500),
    (Speed::Edr, "EDR", 25_000, 25_781_250),
    (Speed::Hdr, "HDR", 50_000, 53_125_000),
    (Speed::Ndr, "NDR", 100_000, 106_250_000),
    (Speed::Xdr, "XDR", 200_000, 212_500_000),
];

impl Speed {
    /// Returns the speed of a word such as `HDR`.
    pub fn of(word: &str) -> Option<Self> {
        SPEEDS.iter().find(|(_, name, ..)| name.eq_ignore_ascii_case(word)).map(|(speed, ..)| *speed)
    }

    /// Returns the speed whose lanes OpenSM's list of links gives as so many Gb/s.
    pub(super) fn of_opensm(word: &str) -> Option<Self> {
        const WORDS: [(&str, Speed); 8] = [
            ("2.5", Speed::Sdr),
            ("5", Speed::Ddr),
            ("10", Speed::Qdr),
            ("14", Speed::Fdr),
            ("25", Speed::Edr),
            ("50", Speed::Hdr),
            ("100", Speed::Ndr),
            ("200", Speed::Xdr),
        ];
        WORDS.iter().find(|(gbits, _)| *gbits == word).map(|(_, speed)| *speed).or_else(|| Speed::of(word))
    }

    fn row(self) -> &'static (Speed, &'static str, u64, u64) {
        &SPEEDS[self as usize]
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.row().1)
    }
}

/// The lanes of a link and their speed, such as 4xHDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate {
    /// Lanes side by side: 1, 2, 4, 8 or 12.
    pub lanes: u8,
    /// The speed of each.
    pub speed: Speed,
}

impl Rate {
    /// Returns the rate of data of one direction.
    pub fn data(self) -> BitRate {
        BitRate(u64::from(self.lanes) * self.speed.row().2 * 1_000_000)
    }

    /// Returns the rate of signalling of one direction, with what coding takes.
    pub fn signalling(self) -> BitRate {
        BitRate(u64::from(self.lanes) * self.speed.row().3 * 1_000)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}", self.lanes, self.speed)
    }
}

/// Returns the lanes of a word such as `4x`.
pub fn lanes(word: &str) -> Option<u8> {
    let number = word.strip_suffix(['x', 'X'])?;
    number.parse().ok().filter(|lanes| [1, 2, 4, 8, 12].contains(lanes))
}

/// A part of a rate as a file has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part<T> {
    /// The file says nothing of it.
    #[default]
    Nothing,
    /// The tool that wrote the file did not know it.
    Unknown,
    Known(T),
}

impl<T: Copy + Ord> Part<T> {
    /// Joins what both ends of a cable say. Returns it, and whether the ends agree: of two values the lower one holds.
    pub fn join(self, other: Self) -> (Self, bool) {
        match (self, other) {
            (Part::Known(a), Part::Known(b)) => (Part::Known(a.min(b)), a == b),
            (Part::Known(a), _) | (_, Part::Known(a)) => (Part::Known(a), true),
            (Part::Unknown, _) | (_, Part::Unknown) => (Part::Unknown, true),
            (Part::Nothing, Part::Nothing) => (Part::Nothing, true),
        }
    }
}

/// Width and speed as a file has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub lanes: Part<u8>,
    pub speed: Part<Speed>,
}

impl Written {
    /// Reads `4x` or `??`, and `HDR` or `???`.
    pub fn of(width: &str, speed: &str) -> Option<Self> {
        Some(Written { lanes: part(width, lanes)?, speed: part(speed, Speed::of)? })
    }

    /// Reads a word such as `4xHDR`, `4x???` or `?????`.
    pub fn joined(word: &str) -> Option<Self> {
        let unknown = word.starts_with("??").then_some(2);
        let end = unknown.or_else(|| word.find('x').map(|at| at + 1))?;
        Written::of(word.get(..end)?, word.get(end..)?)
    }
}

/// Reads a part of a rate, which is unknown where it is made of question marks.
pub(super) fn part<T>(word: &str, read: impl Fn(&str) -> Option<T>) -> Option<Part<T>> {
    let is_unknown = word.len() >= 2 && word.bytes().all(|byte| byte == b'?');
    if is_unknown { Some(Part::Unknown) } else { read(word).map(Part::Known) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_the_field() {
        // Products that are sold by these rates: HDR100 on split ports, NDR200, XDR.
        for (text, gbits) in [
            ("4xSDR", 8),
            ("12xSDR", 24),
            ("4xDDR", 16),
            ("4xQDR", 32),
            ("8xQDR", 64),
            ("4xFDR10", 40),
            ("1xEDR", 25),
            ("4xEDR", 100),
            ("2xHDR", 100),
            ("4xHDR", 200),
            ("2xNDR", 200),
            ("4xNDR", 400),
            ("4xXDR", 800),
        ] {
            let Some(Written { lanes: Part::Known(lanes), speed: Part::Known(speed) }) = Written::joined(text) else {
                panic!("{text}")
            };
            let rate = Rate { lanes, speed };
            assert_eq!((rate.data().0, rate.to_string()), (gbits * 1_000_000_000, text.to_owned()));
            assert!(rate.signalling() > rate.data());
        }
        // 64 of 66 bits are data: 4 x 14.0625 Gb/s are 54.545 Gb/s, by three digits after the point of a lane 54.544.
        let fdr = Rate { lanes: 4, speed: Speed::Fdr };
        assert_eq!((fdr.data().0, fdr.signalling().0), (54_544_000_000, 56_250_000_000));
        assert!(fdr.data().0.abs_diff(fdr.signalling().0 * 64 / 66) < 2_000_000);
    }

    #[test]
    fn each_speed_is_in_its_row() {
        for (at, (speed, name, ..)) in SPEEDS.iter().enumerate() {
            assert_eq!((*speed as usize, Speed::of(name)), (at, Some(*speed)));
        }
    }

    #[test]
    fn what_is_no_rate() {
        assert_eq!(Written::joined("4x???").map(|written| written.speed), Some(Part::Unknown));
        assert_eq!(Written::joined("??EDR").map(|written| written.lanes), Some(Part::Unknown));
        assert_eq!(Written::joined("?????").map(|written| written.lanes), Some(Part::Unknown));
        for word in ["3xHDR", "4x", "xHDR", "4HDR", "", "4xFOO", "?", "lid"] {
            assert_eq!(Written::joined(word), None, "{word}");
        }
    }
}
