//! `nscc`: network signalled congestion control, a window that follows marks and the delay of round trips, as the public
//! packet simulator of Ultra Ethernet computes it.
//!
//! Of an acknowledgement without a mark, a delay below the target lets the window grow in proportion to what is missing,
//! and a delay above it by a fair share. A marked one of low delay is left to load balancing. A marked one of high delay
//! shrinks the window by how far the mean delay is above the target, once in a round trip.

use crate::model::transport::{Control, Nscc};

use super::{Acked, Sent, Steer, Way};

/// To what product of bandwidth and round trip the gains refer, in bytes; and to what target delay, in picoseconds.
const REFERENCE: (u128, u128) = (150_000, 12_000_000);

/// A delay below which the window grows fast, once a whole window had it: 1 us.
const FAST_BELOW: u64 = 1_000_000;

/// Fractions of a byte of the window.
const PARTS: u128 = 1 << 16;

/// The window of a sender to a node.
#[derive(Debug)]
pub struct Signalled {
    way: Way,
    /// The bandwidth-delay product in bytes.
    product: u128,
    /// The delay that counts as congestion, in picoseconds.
    target: u64,
    /// The round trip in an idle network, which is known exactly: a measured one might have had links that slept.
    base: u64,
    /// Bytes, in [`PARTS`].
    window: u128,
    /// What the window is about to grow by, in bytes times bytes.
    grows: u128,
    /// Bytes acknowledged since it grew, and when that was.
    since_growth: u64,
    grown_at: u64,
    /// When the constant step was last added.
    stepped_at: u64,
    /// The mean delay, times 80.
    mean: u64,
    cut_at: Option<u64>,
    /// Bytes acknowledged in a row with nearly no delay; it grows fast after a whole window.
    undelayed: u64,
    /// What has happened since the window was last compared with what comes through.
    through: Through,
    /// Marks are ignored for so many bytes: of what was sent before the window was set to what comes through.
    ignores: u64,
    cuts: u64,
}

/// What has come through in a while.
#[derive(Debug, Default)]
struct Through {
    /// Since when.
    since: u64,
    /// Bytes that were acknowledged.
    bytes: u64,
    /// Something was lost, or took more than four times the target.
    trouble: bool,
}

impl Signalled {
    /// The most that the window may be: one and a half bandwidth-delay products.
    fn most(&self) -> u128 {
        self.product * 3 / 2 * PARTS
    }

    /// Keeps the window between a packet and the most.
    fn bound(&mut self) {
        let least = u128::from(self.way.packet) * PARTS;
        self.window = self.window.clamp(least, self.most().max(least));
    }

    /// Returns bytes times the gain of the way: how its product compares to the reference.
    fn scaled(&self, bytes: u64) -> u128 {
        u128::from(bytes) * self.product / REFERENCE.0
    }

    /// Takes a delay into the mean, with a weight of 1/80.
    fn average(&mut self, delay: u64) {
        self.mean = self.mean - self.mean / 80 + delay;
    }

    /// Shrinks the window by how far the mean delay is above the target.
    fn cut(&mut self, t: u64) {
        let mean = self.mean / 80;
        if mean <= self.target || self.cut_at.is_some_and(|at| t - at < self.base) {
            return;
        }
        self.cut_at = Some(t);
        self.cuts += 1;
        let (mean, above) = (u128::from(mean), u128::from(mean - self.target));
        // Four fifths of the excess, half of the window at most.
        let cut = (self.window * above * 4 / (mean * 5)).min(self.window / 2);
        self.window -= cut;
        self.bound();
    }

    /// Sets the window to what comes through where that is little: an eighth of the most in a round trip and a target delay, in
    /// which something was lost or took very long.
    fn adapt(&mut self, acked: &Acked, delay: u64) {
        self.through.bytes += acked.bytes;
        self.through.trouble |= delay > 4 * self.target;
        self.ignores = self.ignores.saturating_sub(acked.bytes);
        if acked.t - self.through.since < self.base + self.target {
            return;
        }
        let Through { bytes, trouble, .. } =
            std::mem::replace(&mut self.through, Through { since: acked.t, ..Through::default() });
        if trouble && u128::from(bytes) * PARTS < self.most() / 8 {
            self.window = u128::from(bytes) * PARTS;
            self.bound();
            (self.ignores, self.cuts) = (acked.in_flight, self.cuts + 1);
        }
    }

    /// Adds what has come together, after eight packets or a round trip.
    fn grow(&mut self, t: u64) {
        if self.since_growth < 8 * self.way.packet && t - self.grown_at < self.base {
            return;
        }
        (self.since_growth, self.grown_at) = (0, t);
        self.window += std::mem::take(&mut self.grows) * PARTS * PARTS / self.window.max(1);
        if t - self.stepped_at >= self.base {
            self.stepped_at = t;
            // 0.15 packets, scaled.
            self.window += self.scaled(self.way.packet) * PARTS * 15 / 100;
        }
        self.bound();
    }
}

impl Steer for Signalled {
    fn new(control: &Control, way: &Way) -> Option<Self> {
        let Control::Nscc(Nscc { target }) = *control else { return None };
        let product = u128::from(way.product());
        let target = target.map_or(way.round_trip * 3 / 4, |target| target.0).max(1);
        let (base, window) = (way.round_trip, product * 3 / 2 * PARTS);
        let mut signalled = Signalled {
            way: *way,
            product,
            target,
            base,
            window,
            grows: 0,
            since_growth: 0,
            grown_at: 0,
            stepped_at: 0,
            mean: 0,
            cut_at: None,
            undelayed: 0,
            through: Through::default(),
            ignores: 0,
            cuts: 0,
        };
        signalled.bound();
        Some(signalled)
    }

    fn may_send(&self, sent: Sent, bytes: u64) -> bool {
        sent.fits(bytes, (self.window / PARTS) as u64)
    }

    fn acked(&mut self, acked: &Acked) {
        let &Acked { t, bytes, round_trip, marked, .. } = acked;
        let delay = round_trip.saturating_sub(self.base);
        // A long delay without a mark says little of queues.
        let odd = delay > self.target && !marked;
        self.average(if odd { self.base / 4 } else { delay });
        self.adapt(acked, delay);
        self.since_growth += bytes;
        self.undelayed = if delay < FAST_BELOW { self.undelayed + bytes } else { 0 };
        let packet = self.way.packet;
        match (marked, delay >= self.target) {
            (true, true) if self.ignores == 0 => self.cut(t),
            (true, _) => {}
            (false, _) if u128::from(self.undelayed) * PARTS > self.window => {
                self.window += self.scaled(bytes) * PARTS / 4;
                self.bound();
            }
            (false, false) => {
                let missing = u128::from(self.target - delay);
                self.grows += 4 * self.scaled(packet) * u128::from(bytes) * missing / REFERENCE.1;
            }
            (false, true) => self.grows += 5 * self.scaled(packet) * u128::from(bytes),
        }
        self.grow(t);
    }

    fn lost(&mut self, bytes: u64) {
        self.through.trouble = true;
        self.average(self.way.round_trip);
        if self.ignores == 0 {
            self.window = self.window.saturating_sub(u128::from(bytes) * PARTS);
            self.bound();
        }
    }

    fn cuts(&self) -> u64 {
        self.cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::units::BitRate;

    /// 100 Gb/s and a round trip of 12 us: 150 kB, so that all gains are 1; packets of 4,150 bytes.
    fn signalled() -> Signalled {
        let way = Way { rate: BitRate(100_000_000_000), packet: 4_150, round_trip: 12_000_000 };
        Signalled::new(&Control::Nscc(Nscc { target: None }), &way).unwrap()
    }

    fn ack(t: u64, delay: u64, marked: bool) -> Acked {
        Acked { t, bytes: 4_150, round_trip: 12_000_000 + delay, marked, in_flight: 0 }
    }

    fn bytes(signalled: &Signalled) -> u64 {
        (signalled.window / PARTS) as u64
    }

    /// It begins with the most that it may be: 225,000 bytes.
    #[test]
    fn begins_and_is_bounded() {
        let mut signalled = signalled();
        assert_eq!((bytes(&signalled), signalled.target), (225_000, 9_000_000));
        (0..500).for_each(|i| signalled.acked(&ack(i * 400_000, 0, false)));
        assert_eq!(bytes(&signalled), 225_000);
    }

    /// Marks alone do nothing while delay is low; with a mean of twice the target, 0.8 of a half goes, once in a round trip.
    #[test]
    fn cuts() {
        let mut signalled = signalled();
        signalled.acked(&ack(0, 8_000_000, true));
        assert_eq!((bytes(&signalled), signalled.cuts()), (225_000, 0));
        signalled.mean = 80 * 18_000_000;
        signalled.acked(&ack(1, 18_000_000, true));
        assert_eq!((bytes(&signalled), signalled.cuts()), (135_000, 1));
        signalled.acked(&ack(2, 18_000_000, true));
        assert_eq!(signalled.cuts(), 1);
        signalled.acked(&ack(12_000_001, 18_000_000, true));
        // 0.6 of that again, and the constant step of 0.15 packets.
        assert!((81_000..=81_000 + 623).contains(&bytes(&signalled)), "{}", bytes(&signalled));
        // Never more than half.
        signalled.mean = 80 * 1_000_000_000;
        signalled.acked(&ack(40_000_000, 18_000_000, true));
        assert!((40_500..=41_000 + 623).contains(&bytes(&signalled)), "{}", bytes(&signalled));
    }

    /// Where little comes through and something is lost, the window is what has come through; marks of what was sent before
    /// do nothing.
    #[test]
    fn adapts_to_what_comes_through() {
        let mut signalled = signalled();
        signalled.lost(4_150);
        assert_eq!(bytes(&signalled), 225_000 - 4_150);
        let slow = |t| Acked { in_flight: 100_000, ..ack(t, 30_000_000, true) };
        (signalled.mean, signalled.stepped_at) = (0, 20_000_000);
        signalled.acked(&slow(10_000_000));
        signalled.acked(&slow(22_000_000));
        assert_eq!(bytes(&signalled), 8_300);
        signalled.mean = 80 * 100_000_000;
        signalled.acked(&slow(23_000_000));
        assert!(bytes(&signalled) >= 8_300);
    }

    /// Eight packets at half of the target grow the window by 4 packets times 1/2 of the target's share of 12 us each.
    #[test]
    fn grows_in_proportion() {
        let mut signalled = signalled();
        signalled.window = 100_000 * PARTS;
        (signalled.grown_at, signalled.stepped_at) = (1_000, 1_000);
        (0..8).for_each(|i| signalled.acked(&ack(1_000 + i, 4_500_000, false)));
        let growth = 8.0 * 4.0 * 4_150.0 * 4_150.0 * 4.5 / 12.0 / 100_000.0;
        assert!((bytes(&signalled) as f64 - 100_000.0 - growth).abs() < 2.0, "{}", bytes(&signalled));
    }
}
