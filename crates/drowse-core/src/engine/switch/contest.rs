//! The contest for the outputs of a switch: the best bid for each, and what becomes of every request.

use super::request::Request;

/// What a request counts at its output, the least wins: its rank in 48 bits, and its number among the requests of the
/// switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bid(u64);

impl Bid {
    /// Loses against every other.
    pub const NONE: Bid = Bid(u64::MAX);

    pub(super) fn new(rank: u64, number: u16) -> Self {
        Bid(rank << 16 | u64::from(number))
    }

    fn number(self) -> u16 {
        self.0 as u16
    }
}

/// What becomes of 64 requests, one bit each. Who wins cannot be predicted, so that this is found without branches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fates {
    pub(super) won: u64,
    /// They lose the only output that they may take.
    pub(super) wait: u64,
    /// The others.
    pub(super) lost: u64,
}

/// Buffers of an arbitration.
#[derive(Debug)]
pub struct Contest {
    /// The best bid so far for each output of the switch; [`Bid::NONE`] before and after.
    pub(super) best: Vec<Bid>,
    fates: Vec<Fates>,
}

impl Contest {
    /// Creates buffers for switches of up to `radix` ports.
    pub fn new(radix: usize) -> Self {
        Contest { best: vec![Bid::NONE; radix], fates: Vec::new() }
    }

    /// Tells who has won, now that the best bids are known. `waits` says whether who loses its only output waits for it.
    pub(super) fn decide(&mut self, requests: &[Request], waits: bool) {
        self.fates.clear();
        let mut number = 0_u16;
        for requests in requests.chunks(64) {
            let mut fates = Fates::default();
            for (bit, request) in (0..).zip(requests) {
                let won = self.best[usize::from(request.output)].number() == number;
                number = number.wrapping_add(1);
                let wait = !won & request.leads & request.only & waits;
                fates.won |= u64::from(won) << bit;
                fates.wait |= u64::from(wait) << bit;
                fates.lost |= u64::from(!(won | wait)) << bit;
            }
            self.fates.push(fates);
        }
        requests.iter().for_each(|request| self.best[usize::from(request.output)] = Bid::NONE);
    }

    /// Returns the numbers of some requests.
    pub(super) fn those(&self, of: impl Fn(&Fates) -> u64) -> impl Iterator<Item = usize> {
        (0..).step_by(64).zip(&self.fates).flat_map(move |(from, fates)| {
            let mut left = of(fates);
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (bit < 64).then_some(from + bit)
            })
        })
    }
}
