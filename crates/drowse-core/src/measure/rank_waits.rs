//! For whom ranks wait: sums by partner, and the longest waits.
//!
//! The partner of a wait is the rank whose hand-over has ended it: of a message, or of the answer to one that asked.
//! Recorded on request; nothing in the run changes.

use std::collections::BTreeMap;

use super::causes::Waits;
use super::timeline::RankState;
use crate::model::units::Time;

/// How many of its waits each rank keeps.
pub const LONGEST: usize = 16;

/// A wait of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankWait {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub to: Time,
    /// Who ended it, in the whole simulation; `None` where nobody did, such as its own NIC.
    pub partner: Option<u32>,
    /// What the rank does meanwhile.
    pub state: RankState,
    /// Its parts by cause.
    pub causes: Waits,
}

impl RankWait {
    /// Returns how long it is.
    pub fn length(&self) -> Time {
        self.to.saturating_sub(self.from)
    }
}

/// The waits of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankWaits {
    /// The rank, in the whole simulation.
    pub rank: u32,
    /// By partner: the sums of the parts. All together are the rank's [waits](super::RankTimes::waits), those that are
    /// extrapolated excepted.
    pub by_partner: BTreeMap<Option<u32>, Waits>,
    /// Its [longest](LONGEST) waits, the longest first; of equals, the earlier first.
    pub longest: Vec<RankWait>,
}

impl RankWaits {
    /// Adds a wait that is over.
    pub(crate) fn add(&mut self, wait: RankWait) {
        let sum = self.by_partner.entry(wait.partner).or_default();
        *sum = sum.plus(wait.causes);
        let place = self.longest.partition_point(|other| other.length() >= wait.length());
        if place < LONGEST {
            self.longest.truncate(LONGEST - 1);
            self.longest.insert(place, wait);
        }
    }

    /// Takes back what was added of a wait for nobody but the network, beyond the end of the rank.
    pub(crate) fn take_back(&mut self, beyond: Time, end: Time) {
        let own = self.by_partner.entry(None).or_default();
        own.network = own.network.saturating_sub(beyond);
        for wait in self.longest.iter_mut().filter(|wait| wait.to > end) {
            let beyond = wait.to.saturating_sub(end.max(wait.from));
            (wait.to, wait.causes.network) =
                (wait.to.saturating_sub(beyond), wait.causes.network.saturating_sub(beyond));
        }
        self.longest.retain(|wait| wait.length() > Time::ZERO);
        self.longest.sort_by_key(|wait| (std::cmp::Reverse(wait.length()), wait.from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(from: u64, to: u64, partner: Option<u32>) -> RankWait {
        let causes = Waits { network: Time(to - from), ..Waits::default() };
        RankWait { from: Time(from), to: Time(to), partner, state: RankState::Sending, causes }
    }

    /// Of 20 waits of 1 to 20, in some order, the 16 longest are kept, and all are in the sums.
    #[test]
    fn the_longest_are_kept() {
        let mut waits = RankWaits::default();
        (0..20).for_each(|number| {
            let length = 1 + number * 7 % 20;
            waits.add(wait(100 * number, 100 * number + length, Some(number as u32 % 2)));
        });
        let lengths: Vec<u64> = waits.longest.iter().map(|wait| wait.length().0).collect();
        assert_eq!(lengths, (5..=20).rev().collect::<Vec<_>>());
        let sums: Vec<u64> = waits.by_partner.values().map(|sum| sum.network.0).collect();
        assert_eq!((sums.len(), sums.iter().sum::<u64>()), (2, 210));
        // Of equals, the earlier stays.
        waits.add(wait(9_000, 9_005, None));
        assert_eq!(waits.longest[15].from.0 % 100, 0);
        assert_ne!(waits.longest[15].from.0, 9_000);
    }

    #[test]
    fn waits_end_with_the_rank() {
        let mut waits = RankWaits::default();
        waits.add(wait(10, 20, Some(3)));
        waits.add(wait(30, 50, None));
        waits.take_back(Time(15), Time(35));
        assert_eq!(waits.longest.iter().map(|wait| wait.length().0).collect::<Vec<_>>(), [10, 5]);
        assert_eq!(waits.by_partner[&None].network, Time(5));
        waits.take_back(Time(5), Time(30));
        assert_eq!(waits.longest.iter().map(|wait| wait.length().0).collect::<Vec<_>>(), [10]);
    }
}
