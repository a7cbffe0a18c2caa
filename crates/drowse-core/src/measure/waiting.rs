//! How long packets wait for a channel, by cause, and how much it sends in its busiest window.

use std::ops::{Index, Range};

use crate::model::units::Time;

/// Why a packet waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// The channel sends another packet, another packet came first, or the packet's read port is in use.
    #[default]
    Busy,
    /// The channel was found free, but the other end has no room for the packet.
    NoCredit,
    /// The channel sleeps or wakes; of several channels, all do.
    Asleep,
}

impl Cause {
    /// All causes, in the order of their numbers.
    pub const ALL: [Cause; 3] = [Cause::Busy, Cause::NoCredit, Cause::Asleep];
}

/// Times that packets have waited, summed over packets, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting([Time; 3]);

impl Waiting {
    /// Adds the wait of so many packets.
    pub(crate) fn add(&mut self, cause: Cause, time: Time, packets: u64) {
        let sum = &mut self.0[cause as usize];
        *sum = sum.saturating_add(Time(time.0.saturating_mul(packets)));
    }

    /// Takes a time off, from the first cause that has some on.
    pub(crate) fn take_off(&mut self, mut time: Time) {
        for sum in &mut self.0 {
            let off = time.min(*sum);
            *sum = sum.saturating_sub(off);
            time = time.saturating_sub(off);
        }
    }

    /// Adds other times.
    pub fn plus(&mut self, other: &Waiting) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, time)| *sum = sum.saturating_add(time));
    }

    /// Returns the sum over all causes.
    pub fn total(&self) -> Time {
        self.0.into_iter().fold(Time::ZERO, Time::saturating_add)
    }
}

impl Index<Cause> for Waiting {
    type Output = Time;

    fn index(&self, cause: Cause) -> &Time {
        &self.0[cause as usize]
    }
}

/// A packet that a channel sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sending {
    /// From its first bit to its last.
    pub time: Range<Time>,
    /// How often the lanes of the channel have been halved: so much shorter it takes on all lanes, as a power of two.
    pub narrow: u8,
    /// How long it and the packets behind it have waited while it was the first.
    pub waited: Waiting,
}

/// How long a channel sends in its busiest window. Windows of one length follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Busiest {
    /// The window of the last packet.
    window: u64,
    /// How long packets have been sent in it, as if on all lanes.
    sent: Time,
    /// The most of all windows.
    pub most: Time,
}

impl Busiest {
    /// Adds a packet that is sent no earlier than the last, in time since the first window began.
    pub(crate) fn add(&mut self, time: Range<Time>, narrow: u8, window: Time) {
        let (mut from, length) = (time.start.0, window.0.max(1));
        while from < time.end.0 {
            let number = from / length;
            let to = time.end.0.min((number + 1).saturating_mul(length));
            if number != self.window {
                (self.window, self.sent) = (number, Time::ZERO);
            }
            self.sent += Time((to - from) >> narrow);
            self.most = self.most.max(self.sent);
            from = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_counts_in_each_window_that_it_is_sent_in() {
        let mut busiest = Busiest::default();
        let mut add = |from, to, narrow| {
            busiest.add(Time(from)..Time(to), narrow, Time(10));
            busiest.most.0
        };
        // 3 in the first window, 7 in the second; then 8 there; a whole one; one at half the width.
        assert_eq!([add(2, 5, 0), add(13, 20, 0)], [3, 7]);
        assert_eq!([add(25, 29, 0), add(31, 34, 0), add(35, 52, 0)], [7, 7, 10]);
        let mut busiest = Busiest::default();
        busiest.add(Time(0)..Time(8), 1, Time(10));
        assert_eq!(busiest.most, Time(4));
    }

    #[test]
    fn what_is_taken_off_comes_from_the_first_causes() {
        let mut waiting = Waiting::default();
        waiting.add(Cause::Busy, Time(2), 2);
        waiting.add(Cause::Asleep, Time(5), 1);
        waiting.take_off(Time(6));
        assert_eq!(Cause::ALL.map(|cause| waiting[cause].0), [0, 0, 3]);
        assert_eq!(waiting.total(), Time(3));
    }
}
