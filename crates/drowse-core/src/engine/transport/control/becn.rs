//! `becn`: InfiniBand's congestion control. A notification raises an index, which falls by one every so often; it says
//! how long after a packet the next may leave (InfiniBand 1.3, annex A10).

use crate::model::transport::{Becn, Control};

use super::{Steer, Way};

/// The gap after packets to a node.
#[derive(Debug)]
pub struct Gaps {
    rules: Becn,
    /// The bytes of a full packet.
    packet: u64,
    index: u64,
    /// Since when the index counts down.
    since: u64,
    cuts: u64,
}

impl Gaps {
    /// Lets the index fall for the time that has passed.
    fn fall(&mut self, t: u64) {
        let every = self.rules.fall_every.0.max(1);
        let falls = (t - self.since) / every;
        self.index = self.index.saturating_sub(falls);
        self.since = if self.index == 0 { t } else { self.since + falls * every };
    }
}

impl Steer for Gaps {
    fn new(control: &Control, way: &Way) -> Option<Self> {
        let Control::Becn(rules) = *control else { return None };
        Some(Gaps { rules, packet: way.packet, index: 0, since: 0, cuts: 0 })
    }

    fn gap(&mut self, bytes: u64, t: u64) -> u64 {
        self.fall(t);
        let longest = u128::from(self.rules.longest_gap.0) * u128::from(self.index);
        let gap = longest * u128::from(bytes) / (u128::from(self.rules.limit.max(1)) * u128::from(self.packet));
        u64::try_from(gap).unwrap_or(u64::MAX)
    }

    fn notified(&mut self, t: u64) {
        self.fall(t);
        self.index = (self.index + u64::from(self.rules.increase)).min(self.rules.limit.into());
        self.cuts += 1;
    }

    fn cuts(&self) -> u64 {
        self.cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::units::{BitRate, Time};

    /// The index rises by five, falls by one each 10.24 us, and names a share of the longest gap.
    #[test]
    fn rises_and_falls() {
        let rules = Becn { increase: 5, limit: 127, fall_every: Time(10_240_000), longest_gap: Time::from_ns(8_300) };
        let way = Way { rate: BitRate(100_000_000_000), packet: 2_088, round_trip: 5_000_000 };
        let mut gaps = Gaps::new(&Control::Becn(rules), &way).unwrap();
        assert_eq!(gaps.gap(2_088, 0), 0);
        gaps.notified(1_000);
        gaps.notified(2_000);
        // Ten of 127 steps to 8.3 us; half of it for half a packet.
        assert_eq!(gaps.gap(2_088, 3_000), 8_300_000 * 10 / 127);
        assert_eq!(gaps.gap(1_044, 3_000), 8_300_000 * 10 / 254);
        // Time counts from when the index left 0.
        assert_eq!(gaps.gap(2_088, 1_000 + 3 * 10_240_000 - 1), 8_300_000 * 8 / 127);
        assert_eq!(gaps.gap(2_088, 1_000 + 3 * 10_240_000), 8_300_000 * 7 / 127);
        assert_eq!(gaps.gap(2_088, 1_000 + 10 * 10_240_000), 0);
        (0..40).for_each(|_| gaps.notified(200_000_000));
        assert_eq!(gaps.gap(2_088, 200_000_000), 8_300_000);
    }
}
