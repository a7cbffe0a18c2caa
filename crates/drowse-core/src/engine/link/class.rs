//! Link classes, ready for the hot path: latencies, and the times of packets to the picosecond.

use crate::model::config::ClassModel;
use crate::model::units::Time;
use crate::power::SleepStates;

/// What all channels of a class share, ready for the hot path.
#[derive(Clone, Debug)]
pub struct Class {
    /// Latency of the wire.
    pub latency: u64,
    /// Time from a grant until the head is at the other end.
    pub hop: u64,
    /// Clock periods of a hop if it takes a whole number of them, else 0.
    pub hop_edges: u64,
    /// Time of one flit in picoseconds: numerator and denominator, without common divisors.
    flit_time: (u64, u64),
    /// How long a packet waits before it requests one more sleeping output.
    pub wake_after: u64,
    pub states: Option<SleepStates>,
}

impl Class {
    /// Prepares a class; `None` if a flit's time has no exact form in 64 bits.
    pub fn new(model: &ClassModel, flit_bytes: u64, wake_after: Option<Time>, clock: Time) -> Option<Self> {
        let numerator = u128::from(flit_bytes) * 8 * 1_000_000_000_000;
        let rate = u128::from(model.bandwidth.0);
        let divisor = gcd(numerator, rate);
        // A packet's 65535 flits and the remainder must fit as well.
        let numerator = u64::try_from(numerator / divisor).ok().filter(|n| *n < u64::MAX >> 17)?;
        let deepest = model.states.map_or(Time::ZERO, |states| states.longest_wake());
        Some(Class {
            latency: model.latency.0,
            hop: model.hop.0,
            hop_edges: if model.hop.0.is_multiple_of(clock.0) { model.hop.0 / clock.0 } else { 0 },
            flit_time: (numerator, u64::try_from(rate / divisor).ok()?),
            wake_after: wake_after.unwrap_or(deepest).0.max(1),
            states: model.states,
        })
    }

    /// Returns the way through a crossbar to a channel of this class: so many times as fast, and so many periods of the
    /// clock long. `None` where a flit would take less than a picosecond.
    pub fn crossbar(&self, speedup: u16, hop_edges: u64, clock: u64) -> Option<Class> {
        let (numerator, denominator) = self.flit_time;
        let denominator = denominator.checked_mul(u64::from(speedup)).filter(|&least| least <= numerator)?;
        let divisor = gcd(u128::from(numerator), u128::from(denominator)) as u64;
        let flit_time = (numerator / divisor, denominator / divisor);
        Some(Class { latency: 0, hop: hop_edges * clock, hop_edges, flit_time, states: None, ..self.clone() })
    }

    /// Returns whether all packets take whole picoseconds.
    pub fn is_exact(&self) -> bool {
        self.flit_time.1 == 1
    }

    /// Returns whether the time of a packet over one lane of 16 has an exact form in 64 bits, too.
    pub fn may_narrow(&self) -> bool {
        self.flit_time.0 < u64::MAX >> 21
    }

    /// Returns the time that a packet takes, rounded up.
    #[inline]
    pub fn duration_ceil(&self, flits: u16) -> u64 {
        self.narrow_duration(flits, 0)
    }

    /// Returns the time that a packet takes where lanes have been halved so often, rounded up.
    #[inline]
    pub fn narrow_duration(&self, flits: u16, narrow: u8) -> u64 {
        let (numerator, denominator) = self.flit_time;
        let total = (u64::from(flits) << narrow) * numerator;
        if denominator == 1 { total } else { total.div_ceil(denominator) }
    }

    /// Returns the time that `flits` take, rounded down.
    pub fn time_of(&self, flits: u64) -> u64 {
        let (numerator, denominator) = self.flit_time;
        (u128::from(flits) * u128::from(numerator) / u128::from(denominator)) as u64
    }

    /// Returns the time that a packet takes, carrying fractions of a picosecond from one packet of a channel to the
    /// next.
    #[inline]
    pub fn duration(&self, flits: u16, narrow: u8, remainders: &mut [u64], channel: usize) -> u64 {
        let (numerator, denominator) = self.flit_time;
        let total = (u64::from(flits) << narrow) * numerator;
        if denominator == 1 { total } else { carry(total, denominator, &mut remainders[channel]) }
    }
}

/// Divides, and carries what is left over from one division to the next.
#[inline(never)]
fn carry(total: u64, denominator: u64, remainder: &mut u64) -> u64 {
    let total = total + *remainder;
    *remainder = total % denominator;
    total / denominator
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::units::BitRate;
    use crate::power::SleepState;

    fn class(rate: u64, hop: u64, wake_after: Option<Time>, states: Option<SleepStates>) -> Class {
        let model = ClassModel { bandwidth: BitRate(rate), lanes: 1, latency: Time(7), hop: Time(hop), states };
        Class::new(&model, 16, wake_after, Time(1_600)).unwrap()
    }

    /// At 24 Gb/s, 128 bits take 5,333 1/3 ps: rounded as each asks, and never lost over several packets.
    #[test]
    fn thirds_of_picoseconds() {
        let class = class(24_000_000_000, 3_200, None, None);
        assert!(!class.is_exact());
        assert_eq!([1, 2, 3].map(|flits| class.duration_ceil(flits)), [5_334, 10_667, 16_000]);
        assert_eq!([1, 2, 3].map(|narrow| class.narrow_duration(1, narrow)), [10_667, 21_334, 42_667]);
        assert_eq!([0, 1, 2, 3].map(|flits| class.time_of(flits)), [0, 5_333, 10_666, 16_000]);
        let mut remainders = [0; 2];
        let durations = [0; 6].map(|_| class.duration(1, 0, &mut remainders, 1));
        assert_eq!(durations, [5_333, 5_333, 5_334, 5_333, 5_333, 5_334]);
        assert_eq!(class.duration(1, 2, &mut remainders, 0), 21_333);
        assert_eq!(remainders, [1, 0], "each channel has its own");
    }

    #[test]
    fn whole_picoseconds() {
        let class = class(80_000_000_000, 3_300, None, None);
        assert!(class.is_exact());
        assert_eq!([class.duration_ceil(8), class.time_of(8), class.narrow_duration(8, 3)], [12_800, 12_800, 102_400]);
        assert_eq!(class.duration(8, 3, &mut [], 0), 102_400);
    }

    /// Hops in whole cycles are told apart; the wait before one more output is woken is that of the slowest wake.
    #[test]
    fn cycles_and_waits() {
        let edges = |hop| class(80_000_000_000, hop, None, None).hop_edges;
        assert_eq!([1_600, 3_200, 3_201, 4_800].map(edges), [1, 2, 0, 3]);
        let state = |wake| SleepState { power: 0.5, enter: Time(900), wake: Time(wake) };
        let wait = |after: Option<u64>, states| class(80_000_000_000, 1_600, after.map(Time), states).wake_after;
        let [either, other] =
            [[30, 50], [50, 30]].map(|wakes| Some(SleepStates::new(state(wakes[0]), state(wakes[1]))));
        assert_eq!([wait(None, either), wait(None, other), wait(Some(7), either), wait(Some(0), None)], [50, 50, 7, 1]);
        assert_eq!(wait(None, None), 1);
    }

    /// At 8e12 bit/s a flit takes as many picoseconds as it has bytes. Below 2^47 - 1 a packet's time fits in 64 bits, and
    /// below 2^43 - 1 that over one of 16 lanes.
    #[test]
    fn the_longest_flits() {
        let of = |bytes: u64| {
            let model = ClassModel {
                bandwidth: BitRate(8_000_000_000_000),
                lanes: 1,
                latency: Time(7),
                hop: Time(1_600),
                states: None,
            };
            Class::new(&model, bytes, None, Time(1_600))
        };
        assert_eq!([(1 << 47) - 2, (1 << 47) - 1].map(|bytes| of(bytes).is_some()), [true, false]);
        assert_eq!([(1 << 43) - 2, (1 << 43) - 1].map(|bytes| of(bytes).unwrap().may_narrow()), [true, false]);
        let longest = of((1 << 43) - 2).unwrap();
        let time = ((1u128 << 43) - 2) * 65_535 * 16;
        assert_eq!(u128::from(longest.narrow_duration(u16::MAX, 4)), time);
    }

    /// The largest common divisor, by trying all.
    #[test]
    fn common_divisors() {
        for a in 0..40u128 {
            for b in 0..40u128 {
                let largest = (1..=40).rev().find(|d| a % d == 0 && b % d == 0).unwrap();
                assert_eq!(gcd(a, b), if a == 0 && b == 0 { 1 } else { largest }, "{a} and {b}");
            }
        }
    }
}
