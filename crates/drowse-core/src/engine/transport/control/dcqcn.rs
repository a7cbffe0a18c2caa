//! `dcqcn`: a notification cuts the rate by half of an estimate of congestion, alpha; time and bytes raise it, first by
//! halving the way to the rate before the cut, then beyond it (Zhu et al., SIGCOMM 2015, section 5).

use crate::model::transport::{Control, Dcqcn};
use crate::model::units::BitRate;

use super::{Steer, Way};

/// 1 as an estimate of congestion.
const ONE: u64 = 1 << 32;

/// The rate of a sender to a node.
#[derive(Debug)]
pub struct Rate {
    rules: Dcqcn,
    /// The bandwidth of the node's link.
    line: u64,
    /// Bits a second (RC).
    current: u64,
    /// What it rises to (RT).
    target: u64,
    /// The estimate of congestion, of [`ONE`]; `None` before the first notification.
    alpha: Option<u64>,
    /// A notification has come since alpha was last brought up to date.
    notified: bool,
    alpha_since: u64,
    cut_at: u64,
    /// Since when time has not raised the rate.
    rise_since: u64,
    /// Bytes since bytes have raised it.
    bytes: u64,
    /// How often time and bytes have raised it since the last cut (T and BC).
    rises: [u32; 2],
    cuts: u64,
}

impl Rate {
    /// Brings alpha and the rate up to a time.
    fn pass(&mut self, t: u64) {
        // What is to come first happens first; a rise does not depend on alpha.
        while t - self.alpha_since >= self.rules.alpha_every.0 {
            self.alpha_since += self.rules.alpha_every.0;
            let notified = std::mem::take(&mut self.notified);
            let Some(alpha) = &mut self.alpha else {
                self.alpha_since = t - (t - self.alpha_since) % self.rules.alpha_every.0;
                break;
            };
            let part = |of: u64| of >> self.rules.gain_bits;
            *alpha = *alpha - part(*alpha) + if notified { part(ONE) } else { 0 };
        }
        while t - self.rise_since >= self.rules.rise_every.0 {
            self.rise_since += self.rules.rise_every.0;
            if self.current == self.line && self.target == self.line {
                self.rise_since = t - (t - self.rise_since) % self.rules.rise_every.0;
                break;
            }
            self.rise(0);
        }
    }

    /// Raises the rate by time (0) or bytes (1).
    fn rise(&mut self, by: usize) {
        self.rises[by] += 1;
        let (least, most) = (self.rises[0].min(self.rises[1]), self.rises[0].max(self.rises[1]));
        let BitRate(more) = match self.rules.fast_recoveries {
            recoveries if most < recoveries => BitRate(0),
            recoveries if least > recoveries => self.rules.hyper,
            _ => self.rules.additive,
        };
        self.target = (self.target + more).min(self.line);
        self.current = self.current.midpoint(self.target);
        if self.current + 1 >= self.line {
            self.current = self.line;
        }
    }
}

impl Steer for Rate {
    fn new(control: &Control, way: &Way) -> Option<Self> {
        let Control::Dcqcn(rules) = *control else { return None };
        let line = way.rate.0;
        Some(Rate {
            rules,
            line,
            current: line,
            target: line,
            alpha: None,
            notified: false,
            alpha_since: 0,
            cut_at: 0,
            rise_since: 0,
            bytes: 0,
            rises: [0; 2],
            cuts: 0,
        })
    }

    fn gap(&mut self, bytes: u64, t: u64) -> u64 {
        self.pass(t);
        self.bytes += bytes;
        while self.bytes >= self.rules.rise_bytes.0 {
            self.bytes -= self.rules.rise_bytes.0;
            self.rise(1);
        }
        BitRate(self.current).transfer_time(bytes).0
    }

    fn notified(&mut self, t: u64) {
        self.pass(t);
        let alpha = *self.alpha.get_or_insert_with(|| {
            self.alpha_since = t;
            ONE
        });
        self.notified = true;
        if self.cuts > 0 && t - self.cut_at < self.rules.cut_every.0 {
            return;
        }
        self.cuts += 1;
        (self.cut_at, self.target) = (t, self.current);
        let cut = (u128::from(self.current) * u128::from(alpha) / u128::from(2 * ONE)) as u64;
        self.current = (self.current - cut).max(self.rules.least.0).min(self.line);
        (self.rises, self.bytes, self.rise_since) = ([0; 2], 0, t);
    }

    fn cuts(&self) -> u64 {
        self.cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::units::{Bytes, Time};

    const GIGABIT: u64 = 1_000_000_000;

    fn rules() -> Dcqcn {
        Dcqcn {
            notify_every: Time::from_us(50),
            cut_every: Time::from_us(50),
            alpha_every: Time::from_us(55),
            gain_bits: 8,
            rise_every: Time::from_us(55),
            rise_bytes: Bytes(10_000_000),
            fast_recoveries: 5,
            additive: BitRate(40_000_000),
            hyper: BitRate(400_000_000),
            least: BitRate(GIGABIT / 10),
        }
    }

    fn rate() -> Rate {
        let way = Way { rate: BitRate(40 * GIGABIT), packet: 1_000, round_trip: 10_000_000 };
        Rate::new(&Control::Dcqcn(rules()), &way).unwrap()
    }

    const US: u64 = 1_000_000;

    /// By hand: the first notification halves the rate, for alpha is 1; five rises halve the way back; then the target
    /// rises by 40 Mb/s each.
    #[test]
    fn by_hand() {
        let mut rate = rate();
        assert_eq!(rate.gap(1_000, 0), 200_000);
        rate.notified(100 * US);
        assert_eq!(rate.gap(1_000, 100 * US), 400_000);
        // A second one within 50 us cuts nothing.
        rate.notified(149 * US);
        assert_eq!((rate.current, rate.cuts()), (20 * GIGABIT, 1));
        rate.pass(155 * US);
        assert_eq!(rate.current, 30 * GIGABIT);
        rate.pass((100 + 4 * 55) * US);
        assert_eq!(rate.current, 38_750_000_000);
        // Alpha was brought up to date four times, first with a notification.
        let part = |of: u64| of - (of >> 8);
        assert_eq!(rate.alpha, Some(part(part(part(ONE)))));
        // The target was the line's rate, and stays there.
        rate.pass((100 + 5 * 55) * US);
        assert_eq!(rate.current, 39_375_000_000);
    }

    /// Beyond the rate before the cut, the target rises by the additive step; where bytes have done so as often, by the
    /// hyper step.
    #[test]
    fn additive_and_hyper() {
        let mut rate = rate();
        (rate.current, rate.target, rate.alpha) = (10 * GIGABIT, 10 * GIGABIT, Some(0));
        (0..4).for_each(|_| rate.rise(0));
        assert_eq!((rate.current, rate.target), (10 * GIGABIT, 10 * GIGABIT));
        rate.rise(0);
        assert_eq!((rate.current, rate.target), (10_020_000_000, 10_040_000_000));
        (0..5).for_each(|_| rate.rise(1));
        assert_eq!(rate.target, 10_240_000_000);
        // Time is at 5, which is not above 5.
        rate.rise(1);
        assert_eq!(rate.target, 10_280_000_000);
        rate.rise(0);
        assert_eq!(rate.target, 10_680_000_000);
    }
}
