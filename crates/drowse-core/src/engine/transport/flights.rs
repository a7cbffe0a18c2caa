//! Packets that have been sent and may be lost: which have come, which are missing, and which are out.

use std::collections::{BTreeSet, VecDeque};

/// What is known of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is out.
    Out,
    /// It has come.
    Come,
    /// It is to be sent again.
    Missing,
}

/// A packet that has been sent.
#[derive(Clone, Copy, Debug)]
struct Flight {
    flits: u16,
    /// The number of its message at its node.
    sequence: u32,
    /// When it was last sent.
    sent_at: u64,
    state: State,
}

/// The packets of a connection from the first on of which nobody knows that it has come.
#[derive(Debug, Default)]
pub struct Flights {
    /// The number of the first.
    first: u64,
    all: VecDeque<Flight>,
    /// The numbers of those that are to be sent again.
    missing: BTreeSet<u64>,
}

impl Flights {
    /// Adds the next packet, which leaves at time `t`.
    pub fn add(&mut self, flits: u16, sequence: u32, t: u64) {
        self.all.push_back(Flight { flits, sequence, sent_at: t, state: State::Out });
    }

    /// Returns number, length and message of the packet that is to be sent again first.
    pub fn next_missing(&self) -> Option<(u64, u16, u32)> {
        let &number = self.missing.first()?;
        self.get(number).map(|flight| (number, flight.flits, flight.sequence))
    }

    /// Notes that a packet is sent again at time `t`.
    pub fn resend(&mut self, number: u64, t: u64) {
        self.missing.remove(&number);
        if let Some(flight) = self.get_mut(number) {
            (flight.state, flight.sent_at) = (State::Out, t);
        }
    }

    /// Takes in what has come: all below a number, and of 64 from another on those with a bit. Returns the flits of packets
    /// of which that was not known: of those that were out, and of those that were to be sent again.
    pub fn come(&mut self, below: u64, [first, map]: [u64; 2]) -> [u64; 2] {
        let mut flits = [0; 2];
        let bits = (0..64).filter(|bit| map >> bit & 1 == 1).map(|bit| first + bit);
        let numbers: Vec<u64> = (self.first..below).chain(bits).collect();
        for number in numbers {
            let Some(flight) = self.get_mut(number) else { continue };
            let of = match std::mem::replace(&mut flight.state, State::Come) {
                State::Out => 0,
                State::Missing => 1,
                State::Come => continue,
            };
            flits[of] += u64::from(flight.flits);
            self.missing.remove(&number);
        }
        while self.all.front().is_some_and(|flight| flight.state == State::Come) {
            self.all.pop_front();
            self.first += 1;
        }
        flits
    }

    /// Notes that a packet is missing, or it and all after it; returns the flits of those that were out.
    pub fn miss(&mut self, from: u64, all_after: bool) -> u64 {
        let end = if all_after { self.first + self.all.len() as u64 } else { from + 1 };
        (from..end).map(|number| self.miss_one(number)).sum()
    }

    /// Notes that packets are missing which were sent at a time or before it; returns how many there are, and their flits.
    pub fn miss_until(&mut self, sent_at: u64) -> (u64, u64) {
        let overdue = |&(_, flight): &(u64, &Flight)| flight.state == State::Out && flight.sent_at <= sent_at;
        let numbers: Vec<u64> = (self.first..).zip(&self.all).filter(overdue).map(|(number, _)| number).collect();
        (numbers.len() as u64, numbers.iter().map(|&number| self.miss_one(number)).sum())
    }

    fn miss_one(&mut self, number: u64) -> u64 {
        match self.get_mut(number) {
            Some(flight) if flight.state == State::Out => {
                flight.state = State::Missing;
                let flits = flight.flits.into();
                self.missing.insert(number);
                flits
            }
            _ => 0,
        }
    }

    /// Returns when the packet was sent that has been out for longest.
    pub fn oldest(&self) -> Option<u64> {
        self.all.iter().filter(|flight| flight.state == State::Out).map(|flight| flight.sent_at).min()
    }

    fn get(&self, number: u64) -> Option<&Flight> {
        self.all.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    fn get_mut(&mut self, number: u64) -> Option<&mut Flight> {
        self.all.get_mut(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six packets of 10 flits, one a nanosecond.
    fn six() -> Flights {
        let mut flights = Flights::default();
        (0..6).for_each(|n| flights.add(10, 7, n * 1_000));
        flights
    }

    /// By hand: 0 and 1 have come, and 3 and 5; 2 is missing; then 4 is late.
    #[test]
    fn by_hand() {
        let mut flights = six();
        assert_eq!(flights.come(2, [3, 0b101]), [40, 0]);
        assert_eq!(flights.miss(2, false), 10);
        assert_eq!(flights.miss(2, false), 0, "it is known to be missing");
        assert_eq!(flights.miss(3, false), 0, "it has come");
        assert_eq!(flights.oldest(), Some(4_000));
        assert_eq!(flights.miss_until(3_999), (0, 0));
        assert_eq!(flights.miss_until(4_000), (1, 10));
        assert_eq!(flights.next_missing(), Some((2, 10, 7)));
        flights.resend(2, 9_000);
        assert_eq!((flights.next_missing(), flights.oldest()), (Some((4, 10, 7)), Some(9_000)));
        // 4 was not lost but slow, and 2 has come.
        assert_eq!(flights.come(6, [7, 0]), [10, 10]);
        assert_eq!((flights.next_missing(), flights.oldest(), flights.first), (None, None, 6));
    }

    /// All after a missing one are sent again.
    #[test]
    fn goes_back() {
        let mut flights = six();
        assert_eq!(flights.miss(3, true), 30);
        assert_eq!(flights.come(3, [4, 0]), [30, 0]);
        assert_eq!(flights.next_missing(), Some((3, 10, 7)));
    }
}
