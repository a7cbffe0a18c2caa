//! The search for the pair of stall timers that saves most within a bound on delay (Saravanan and Carpenter 2018,
//! section 6.2, Algorithm 1).
//!
//! With timers S <= D ([`super::bins`]: an index is that of the first bin whose periods outlast the timer), periods in
//! bins S to D - 1 end in a fast wake, those in D and above in a wake from deep sleep:
//!
//! ```text
//! T_overh = M_FW T_FW + M_DS T_DS,   M_FW = periods in S..D, M_DS = periods in D..100
//! E_sav   = sum over S..D of count * e_FW(bin) + sum over D..100 of count * e_DS(bin)
//! ```
//!
//! where e(bin) is the middle of the bin times (1 - power of the sleep state), in whole picoseconds of full power. As
//! in the paper, the time before the timers expire and the time to enter are left out. T_overh and -E_sav fall in both
//! S and D.
//!
//! The pair found maximises E_sav subject to T_overh <= T_D. Among equals it has the largest D, and then the smallest
//! S. Where nothing can be saved, it is never to sleep. Algorithm 1 visits pairs in that order, from D = 100 down and
//! from S = 0 up. Two slips of the paper are corrected: a pair at the bound is accepted, as the paper's text says, and
//! where no pair is accepted, the result is not (100, 0), which may break the bound, but (100, 100).
//!
//! Most idle periods leave the pair as it is, and no search is needed to know that. T_overh of a pair only rises, so
//! rejected pairs stay rejected until T_D reaches the least of their overheads. In one period no pair gains more on the
//! best than the saving of deep sleep less the saving of the best. So a search keeps the overhead of the best pair, the
//! least overhead of those rejected, and the lead of the best over the next. A new search is due only when one of these
//! is used up, or when a period is the first of its bin and tells pairs apart that had been equal.

use super::bins::{BINS, NEVER, midpoint};
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;

/// Two timers, as indexes of bins: shallow <= deep <= 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// B_S: stall-to-shallow.
    pub shallow: u8,
    /// B_D: stall-to-deep.
    pub deep: u8,
}

impl Pair {
    /// Never sleeps.
    pub const NEVER: Pair = Pair { shallow: NEVER, deep: NEVER };
}

/// The time that sleeping costs and the energy that it saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Picoseconds to wake from shallow sleep, and the additional ones from deep sleep.
    wake: [u64; 2],
    /// Picoseconds of full power that a period of each bin saves in shallow sleep, and the additional ones in deep
    /// sleep.
    saves: [[u64; 2]; BINS],
}

/// The best pair, and for how long it stays the best; packed, because each channel has one.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed(2))]
pub struct Best {
    /// The pair.
    pub pair: Pair,
    /// Its T_overh.
    overhead: u64,
    /// The least T_overh of all pairs that are rejected.
    next: u64,
    /// A lower bound on how much more it saves than any other accepted pair.
    lead: u64,
}

/// The longest time to wake that is distinguished, two minutes: no bound allows it, and sums of 65,535 fit.
const SLOWEST: Time = Time(1 << 47);

impl Costs {
    /// Computes the costs of two sleep states; `None` where deep sleep draws more than shallow, shallow more than on,
    /// or deep sleep wakes faster than shallow, because the search relies on that order.
    pub fn new(states: &SleepStates) -> Option<Self> {
        let [shallow, deep] = [states.shallow, states.deep];
        let less = shallow.power_billionths().checked_sub(deep.power_billionths())?;
        let wake = shallow.wake.min(SLOWEST);
        let slower = deep.wake.min(SLOWEST).0.checked_sub(wake.0)?;
        let saved = 1_000_000_000u64.checked_sub(shallow.power_billionths())?;
        let saves = |weight: u64, bin| (u128::from(midpoint(bin).0) * u128::from(weight) / 1_000_000_000) as u64;
        let saves = std::array::from_fn(|bin| [saves(saved, bin), saves(saved + less, bin) - saves(saved, bin)]);
        Some(Costs { wake: [wake.0, slower], saves })
    }

    /// Returns the time lost to these numbers of wakes from shallow and from deep sleep.
    pub fn overhead(&self, [shallow, deep]: [u16; 2]) -> u64 {
        u64::from(shallow) * self.wake[0] + u64::from(deep) * self.deep_wake()
    }

    /// Returns the time lost to a wake from deep sleep.
    pub fn deep_wake(&self) -> u64 {
        self.wake[0] + self.wake[1]
    }

    /// Finds the best pair for a histogram, within `allowed` picoseconds of delay.
    ///
    /// Each step changes the contribution of one bin, and no bin is passed twice. Pairs that differ only by empty bins
    /// count as one.
    pub fn search(&self, counts: &[u16; BINS], allowed: u64) -> Best {
        let (mut shallow, mut deep) = (0, BINS);
        let periods = |bin: usize| u64::from(counts[bin]);
        let mut overhead = (0..BINS).map(periods).sum::<u64>() * self.wake[0];
        let mut saved: u64 = (0..BINS).map(|bin| periods(bin) * self.saves[bin][0]).sum();
        let (mut best, mut most) = (Best { next: u64::MAX, lead: u64::MAX, ..Best::NONE }, 0);
        loop {
            while overhead > allowed {
                best.next = best.next.min(overhead);
                if shallow == deep {
                    return best;
                }
                overhead -= periods(shallow) * self.wake[0];
                saved -= periods(shallow) * self.saves[shallow][0];
                shallow += 1;
            }
            if saved > most {
                let pair = Pair { shallow: shallow as u8, deep: deep as u8 };
                best = Best { pair, overhead, next: best.next, lead: saved - most };
                most = saved;
            } else if saved > 0 {
                best.lead = best.lead.min(most - saved);
            }
            loop {
                if shallow == deep {
                    return best;
                }
                deep -= 1;
                if counts[deep] > 0 {
                    break;
                }
            }
            overhead += periods(deep) * self.wake[1];
            saved += periods(deep) * self.saves[deep][1];
        }
    }

    /// Brings the best pair up to date with a period that has been counted in `bin`: O(1) unless a search is due.
    #[inline]
    pub fn follow(&self, best: &mut Best, counts: &[u16; BINS], bin: usize, allowed: u64) {
        let [shallow, more] = self.saves[bin];
        let (wake, missed) = match bin {
            bin if bin >= usize::from(best.pair.deep) => (self.deep_wake(), 0),
            bin if bin >= usize::from(best.pair.shallow) => (self.wake[0], more),
            _ => (0, shallow + more),
        };
        best.overhead += wake;
        best.lead = best.lead.saturating_sub(missed);
        let stays = best.overhead <= allowed && allowed < best.next && best.lead > 0 && counts[bin] > 1;
        if !stays {
            *best = self.search(counts, allowed);
        }
    }
}

impl Best {
    /// Never to sleep, until the first search.
    pub const NONE: Best = Best { pair: Pair::NEVER, overhead: 0, next: 0, lead: 0 };

    /// Makes the next search due at once, because the histogram starts afresh.
    pub fn expire(&mut self) {
        *self = Best { pair: self.pair, ..Best::NONE };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::sleep_state::SleepState;

    fn states(power: [f64; 2], wake: [u64; 2]) -> SleepStates {
        let state = |i: usize| SleepState { power: power[i], enter: Time(2_880_000), wake: Time(wake[i]) };
        SleepStates::new(state(0), state(1))
    }

    /// 60 % and 250 ns, 10 % and 4.48 us.
    fn paper() -> Costs {
        Costs::new(&states([0.6, 0.1], [250_000, 4_480_000])).unwrap()
    }

    /// The definition: what a pair costs and saves, from scratch.
    fn cost_and_saving(costs: &Costs, counts: &[u16; BINS], pair: Pair) -> (u64, u64) {
        let (mut cost, mut saving) = (0, 0);
        for (bin, &count) in counts.iter().enumerate().skip(usize::from(pair.shallow)) {
            let states = if bin < usize::from(pair.deep) { 1 } else { 2 };
            cost += u64::from(count) * costs.wake[..states].iter().sum::<u64>();
            saving += u64::from(count) * costs.saves[bin][..states].iter().sum::<u64>();
        }
        (cost, saving)
    }

    /// The naive search over all 5151 pairs, with the tie rule. Costs and savings of a pair are those of its two ends.
    fn exhaustive(costs: &Costs, counts: &[u16; BINS], allowed: u64) -> (Pair, u64) {
        let never = |bin| Pair { shallow: bin, deep: NEVER };
        let shallow: Vec<_> = (0..=NEVER).map(|bin| cost_and_saving(costs, counts, never(bin))).collect();
        let deep: Vec<_> =
            (0..=NEVER).map(|bin| cost_and_saving(costs, counts, Pair { shallow: bin, deep: bin })).collect();
        let (mut best, mut most) = (Pair::NEVER, 0);
        for pair in (0..=NEVER).rev().flat_map(|deep| (0..=deep).map(move |shallow| Pair { shallow, deep })) {
            let [light, instead, full] =
                [shallow[pair.shallow as usize], shallow[pair.deep as usize], deep[pair.deep as usize]];
            let (cost, saving) = (light.0 - instead.0 + full.0, light.1 - instead.1 + full.1);
            if cost <= allowed && saving > most {
                (best, most) = (pair, saving);
            }
        }
        (best, most)
    }

    /// Histograms that are sparse, dense, or have huge counts.
    fn histograms() -> impl Strategy<Value = [u16; BINS]> {
        let sparse = prop::collection::vec((0..BINS, 1..50u16), 0..6).prop_map(|bins| {
            let mut counts = [0; BINS];
            bins.into_iter().for_each(|(bin, count)| counts[bin] = count);
            counts
        });
        let dense = prop::array::uniform32(0..400u16).prop_map(|some| std::array::from_fn(|bin| some[bin * 7 % 32]));
        let huge = (0..BINS, 0..BINS, 1..30_000u16, 1..30_000u16).prop_map(|(a, b, few, more)| {
            let mut counts = [0; BINS];
            counts[a] += few;
            counts[b] += more;
            counts
        });
        prop_oneof![sparse, dense, huge]
    }

    /// Sleeps as in the paper, with equal wakes, equal powers, free wakes, and sleep that saves nothing.
    fn sleeps() -> impl Strategy<Value = Costs> {
        let kinds = vec![
            ([0.6, 0.1], [250_000, 4_480_000]),
            ([0.6, 0.1], [4_480_000, 4_480_000]),
            ([0.3, 0.3], [250_000, 4_480_000]),
            ([0.6, 0.1], [0, 4_480_000]),
            ([1.0, 1.0], [250_000, 4_480_000]),
            ([0.999, 0.0], [1, 3]),
        ];
        prop::sample::select(kinds).prop_map(|(power, wake)| Costs::new(&states(power, wake)).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

        /// Algorithm 1 against the exhaustive search: the saving, and the pair.
        #[test]
        fn algorithm_1_equals_exhaustive_search(
            counts in histograms(),
            costs in sleeps(),
            part in prop_oneof![Just(0), 0..=1_000u64],
        ) {
            let all = cost_and_saving(&costs, &counts, Pair { shallow: 0, deep: 0 }).0;
            let allowed = all * part / 1_000;
            let pair = costs.search(&counts, allowed).pair;
            let (best, most) = exhaustive(&costs, &counts, allowed);
            let (cost, saving) = cost_and_saving(&costs, &counts, pair);
            prop_assert!(cost <= allowed);
            prop_assert_eq!(saving, most);
            prop_assert_eq!(pair, best);
        }

        /// What follows a period is what a search finds, while the allowance rises with time and now and then falls.
        #[test]
        fn following_equals_searching(
            costs in sleeps(),
            periods in prop::collection::vec((0..6usize, 0..BINS, 0..2_000_000u64), 1..200),
            spread in 1..=BINS,
        ) {
            let (mut counts, mut best, mut allowed) = ([0; BINS], Best::NONE, 0u64);
            for (kind, bin, more) in periods {
                let bin = bin / spread * spread;
                counts[bin] += 1;
                allowed = match kind {
                    0 => allowed.saturating_sub(more),
                    1 => allowed + 10 * more,
                    _ => allowed + more / 20,
                };
                costs.follow(&mut best, &counts, bin, allowed);
                prop_assert_eq!(best.pair, costs.search(&counts, allowed).pair);
            }
        }
    }

    /// Nothing seen, or nothing allowed: never. At the bound, not above it: accepted.
    #[test]
    fn pairs_by_hand() {
        let found = |counts: &[u16; BINS], allowed| paper().search(counts, allowed).pair;
        let mut counts = [0; BINS];
        assert_eq!(found(&counts, 0), Pair::NEVER);
        assert_eq!(found(&counts, u64::MAX), Pair::NEVER);
        // One period each of about 11 us and 1.1 ms.
        (counts[20], counts[60]) = (1, 1);
        assert_eq!(found(&counts, 249_999), Pair::NEVER);
        assert_eq!(found(&counts, 250_000), Pair { shallow: 21, deep: 100 });
        assert_eq!(found(&counts, 4_479_999), Pair { shallow: 0, deep: 100 });
        assert_eq!(found(&counts, 4_480_000), Pair { shallow: 21, deep: 60 });
        assert_eq!(found(&counts, 4_730_000), Pair { shallow: 0, deep: 60 });
        assert_eq!(found(&counts, 8_960_000), Pair { shallow: 0, deep: 20 });
    }

    /// The paper's weights, 40 and 90 hundredths of the middle of a bin.
    #[test]
    fn savings_are_the_papers() {
        let costs = paper();
        for bin in 0..BINS {
            let [shallow, more] = costs.saves[bin];
            assert_eq!(shallow, midpoint(bin).0 * 40 / 100);
            assert_eq!(shallow + more, midpoint(bin).0 * 90 / 100);
        }
    }

    /// Deep sleep that is no deeper, or faster to leave, is refused.
    #[test]
    fn sleeps_out_of_order_are_refused() {
        assert_eq!(Costs::new(&states([0.1, 0.6], [250_000, 4_480_000])), None);
        assert_eq!(Costs::new(&states([0.6, 0.1], [4_480_000, 250_000])), None);
        assert_eq!(Costs::new(&states([1.5, 0.1], [250_000, 4_480_000])), None);
    }

    /// The best pair's costs are kept up to date without a search.
    fn true_overhead(costs: &Costs, counts: &[u16; BINS], best: &Best) -> u64 {
        cost_and_saving(costs, counts, best.pair).0
    }

    /// 60 % and 250 ns, 50 % and 4.48 us: deep sleep saves little more, so that two pairs may be about as good.
    fn close() -> Costs {
        Costs::new(&states([0.6, 0.5], [250_000, 4_480_000])).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

        /// With few bins and an allowance that stays, pairs overtake each other by single periods. What is kept of the
        /// best pair is true then, too: its overhead; that no rejected pair costs less than the next, or that it saves
        /// less by the lead at least, whatever is allowed; and that no accepted pair saves more than the lead leaves.
        #[test]
        fn pairs_that_overtake_each_other(
            bins in prop::collection::btree_set(0..BINS, 2..4),
            start in prop::collection::vec(0..120u16, 3),
            periods in prop::collection::vec(0..12usize, 1..50),
            part in 0..=100u64,
            is_close in any::<bool>(),
        ) {
            let costs = if is_close { close() } else { paper() };
            let bins: Vec<usize> = bins.into_iter().collect();
            let (mut counts, mut best) = ([0; BINS], Best::NONE);
            bins.iter().zip(&start).for_each(|(&bin, &count)| counts[bin] = count);
            let all = cost_and_saving(&costs, &counts, Pair { shallow: 0, deep: 0 }).0;
            let allowed = all * part / 100;
            for kind in periods {
                let bin = bins[[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2][kind].min(bins.len() - 1)];
                counts[bin] += 1;
                costs.follow(&mut best, &counts, bin, allowed);
                let (pair, most) = exhaustive(&costs, &counts, allowed);
                prop_assert_eq!(best.pair, pair);
                let (overhead, next, lead) = (best.overhead, best.next, best.lead);
                prop_assert_eq!(overhead, true_overhead(&costs, &counts, &best));
                let ends: Vec<u8> = (0..=NEVER).filter(|&end| {
                    bins.iter().any(|&bin| usize::from(end) == bin || usize::from(end) == bin + 1) || end % NEVER == 0
                }).collect();
                for &deep in &ends {
                    let of = |&shallow: &u8| cost_and_saving(&costs, &counts, Pair { shallow, deep });
                    let (rejected, accepted): (Vec<_>, Vec<_>) =
                        ends.iter().filter(|&&end| end <= deep).map(of).partition(|&(cost, _)| cost > allowed);
                    // One that was accepted when the best was searched may cost too much now: it stays behind.
                    let behind = |saving: u64| saving.saturating_add(lead) <= most;
                    prop_assert!(rejected.iter().all(|&(cost, saving)| next <= cost || behind(saving)), "{}", deep);
                    // Of pairs with one deep timer, that with the shortest other timer stays ahead.
                    if let Some(&(_, saving)) = accepted.first().filter(|pair| 0 < pair.1 && pair.1 < most) {
                        prop_assert!(most - saving >= lead, "{}", deep);
                    }
                }
            }
        }
    }

    /// Long periods make deep sleep the better of two accepted pairs: by hand. 100 periods of about 10 us in shallow
    /// sleep save 40 % of 1.059 ms, and each of about 1 ms saves 50 % of 1.06 ms in deep sleep and 40 % in shallow.
    #[test]
    fn the_lead_is_used_up() {
        let costs = close();
        let mut counts = [0; BINS];
        (counts[20], counts[60]) = (100, 1);
        let allowed = 27_000_000;
        let mut best = costs.search(&counts, allowed);
        let mut pairs = vec![best.pair];
        for _ in 0..5 {
            counts[60] += 1;
            costs.follow(&mut best, &counts, 60, allowed);
            pairs.push(best.pair);
        }
        let [light, deep] = [Pair { shallow: 0, deep: 100 }, Pair { shallow: 21, deep: 60 }];
        assert_eq!(pairs, [light, light, light, light, deep, deep]);
    }

    /// No search is made where none is due: the least overhead of the rejected pairs is that of the last search, though
    /// it has grown since. One is made for the first period of a bin, where the allowance reaches a rejected pair, and
    /// where it no longer reaches the best.
    #[test]
    fn searches_are_made_when_they_are_due() {
        let costs = paper();
        let mut counts = [0; BINS];
        counts[60] = 10;
        // Ten wakes from deep sleep take 44.8 us.
        let mut best = costs.search(&counts, 10_000_000);
        let next = |best: &Best| best.next;
        assert_eq!((best.pair, next(&best)), (Pair { shallow: 0, deep: 100 }, 44_800_000));
        for (count, overhead) in [(11, 2_750_000u64), (12, 3_000_000)] {
            counts[60] += 1;
            costs.follow(&mut best, &counts, 60, 10_000_000);
            let (kept, lead) = (best.overhead, best.lead);
            assert_eq!((counts[60], kept, next(&best)), (count, overhead, 44_800_000), "12 wakes take 53.76 us");
            assert!(lead > 0);
        }
        let due = |best: &Best, bin: usize, allowed: u64| {
            let (mut best, mut counts) = (*best, counts);
            counts[bin] += 1;
            costs.follow(&mut best, &counts, bin, allowed);
            (best.pair, next(&best))
        };
        assert_eq!(due(&best, 61, 10_000_000), (Pair { shallow: 0, deep: 61 }, 13 * 4_480_000));
        assert_eq!(due(&best, 60, 44_799_999), (Pair { shallow: 0, deep: 100 }, 44_800_000));
        assert_eq!(due(&best, 60, 44_800_000), (Pair { shallow: 0, deep: 100 }, 13 * 4_480_000));
        assert_eq!(due(&best, 60, 3_250_000), (Pair { shallow: 0, deep: 100 }, 44_800_000));
        assert_eq!(due(&best, 60, 3_249_999), (Pair::NEVER, 3_250_000));
        best.expire();
        assert_eq!((best.pair, next(&best)), (Pair { shallow: 0, deep: 100 }, 0));
    }
}
