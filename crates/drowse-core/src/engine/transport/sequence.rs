//! Which packets of a connection have come, where some may be lost.

use std::collections::BTreeSet;

use crate::model::transport::Retransmit;

/// The numbers that have come.
#[derive(Debug, Default)]
pub struct Sequence {
    /// The lowest that has not.
    next: u64,
    /// Those above it that have.
    early: BTreeSet<u64>,
    /// The number of which the sender has last been told that it is missing, where it goes back.
    told: Option<u64>,
}

/// What a packet is to its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is new.
    New,
    /// It has come before, or comes too early for a receiver that takes packets in sequence.
    Superfluous,
    /// The sender must learn that a packet is missing.
    Missing(u64),
}

impl Sequence {
    /// Takes in a packet, which may have lost its data.
    pub fn take(&mut self, number: u64, trimmed: bool, retransmit: Retransmit) -> Taken {
        if number < self.next || self.early.contains(&number) {
            return Taken::Superfluous;
        }
        let back = retransmit == Retransmit::GoBackN;
        if trimmed && !back {
            return Taken::Missing(number);
        }
        if trimmed || (back && number > self.next) {
            let told = self.told.replace(self.next) == Some(self.next);
            return if told { Taken::Superfluous } else { Taken::Missing(self.next) };
        }
        if number > self.next {
            self.early.insert(number);
            return Taken::New;
        }
        self.next += 1;
        while self.early.remove(&self.next) {
            self.next += 1;
        }
        Taken::New
    }

    /// Returns the lowest number that has not come, and which of 64 numbers have, up to one that has just come or a little
    /// beyond it: the first of them, and one bit each.
    pub fn told(&self, number: u64) -> (u64, [u64; 2]) {
        let first = (self.next + 1).max(number.saturating_sub(63));
        let bits = self.early.range(first..=first + 63).map(|number| 1 << (number - first));
        (self.next, [first, bits.fold(0, |map, bit: u64| map | bit)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selective() {
        let mut sequence = Sequence::default();
        let take = |sequence: &mut Sequence, number, trimmed| sequence.take(number, trimmed, Retransmit::Selective);
        assert_eq!(take(&mut sequence, 0, false), Taken::New);
        assert_eq!(take(&mut sequence, 2, false), Taken::New);
        assert_eq!(take(&mut sequence, 3, true), Taken::Missing(3));
        assert_eq!(take(&mut sequence, 65, false), Taken::New);
        assert_eq!(sequence.told(65), (1, [2, 1 | 1 << 63]));
        assert_eq!(take(&mut sequence, 2, false), Taken::Superfluous);
        assert_eq!(take(&mut sequence, 1, false), Taken::New);
        assert_eq!(take(&mut sequence, 100, false), Taken::New);
        assert_eq!(sequence.told(100), (3, [37, 1 << 28 | 1 << 63]));
        assert_eq!(sequence.told(66), (3, [4, 1 << 61]));
    }

    /// One that comes early is thrown away, and the sender is told once.
    #[test]
    fn in_sequence_only() {
        let mut sequence = Sequence::default();
        let taken = [0, 2, 3, 1, 2, 4].map(|number| sequence.take(number, false, Retransmit::GoBackN));
        let missing = Taken::Missing(1);
        assert_eq!(taken, [Taken::New, missing, Taken::Superfluous, Taken::New, Taken::New, Taken::Missing(3)]);
        assert_eq!(sequence.told(4), (3, [4, 0]));
    }
}
