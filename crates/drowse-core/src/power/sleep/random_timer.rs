//! A stall timer that is drawn anew for each idle period (Karlin, Manasse, McGeoch and Owicki 1994, "Competitive
//! randomized algorithms for nonuniform problems").
//!
//! Who does not know how long an idle period will be needs at most twice the energy of one who knows, with a timer of the
//! break-even time B: the worst period ends just after that. A timer T that is drawn with the density e^(T/B) / (B (e -
//! 1)) from 0 to B needs e / (e - 1) = 1.58 times the energy in the mean, whatever the periods are, and nothing needs
//! less. Energies are those above the power of the sleep state.
//!
//! Timers are drawn among 256 of equal probability, by the channel and the number of its idle period.

use std::sync::Arc;

use super::idle_energy::IdleEnergy;
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::rng::{Purpose, draw};
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;
use crate::power::policy::{Idle, SleepPolicy, Timers};

/// The number of timers is a power of two, so that each takes as many of the bits that are drawn.
const TIMERS: u64 = 256;
/// Parts of 1 in fixed point.
const ONE: u128 = 1 << 60;

/// Draws stall timers (`kind = "random-timer"`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomTimer {
    seed: u64,
    timers: Arc<[Time]>,
}

impl RandomTimer {
    /// Creates the policy of channels with these states: they go to deep sleep.
    pub fn new(seed: u64, states: SleepStates) -> Self {
        let break_even = IdleEnergy::new(states).break_even(LinkState::Deep);
        let part = |share: u128| Time((u128::from(break_even.0) * share / ONE) as u64);
        let timer = |number| if break_even == Time::NEVER { Time::NEVER } else { part(quantile(number)) };
        RandomTimer { seed, timers: (0..TIMERS).map(timer).collect() }
    }
}

/// Returns the share of the break-even time that a timer has: x of e^x = 1 + u (e - 1) with u in the middle of its part of
/// 1, by halving.
fn quantile(number: u64) -> u128 {
    let wanted = ONE + (exponential(ONE) - ONE) * u128::from(2 * number + 1) / u128::from(2 * TIMERS);
    let (mut below, mut above) = (0, ONE);
    while above - below > 1 {
        let middle = u128::midpoint(below, above);
        if exponential(middle) <= wanted { below = middle } else { above = middle }
    }
    below
}

/// Returns e^x of an x from 0 to 1, by its series in whole numbers, so that all machines draw the same timers.
fn exponential(x: u128) -> u128 {
    let term = |term: &mut u128, divisor: u128| {
        *term = *term * x / ONE / divisor;
        Some(*term)
    };
    ONE + (1..24).scan(ONE, term).sum::<u128>()
}

impl SleepPolicy for RandomTimer {
    /// The channel, and how many of its idle periods have ended.
    type State = (u32, u64);

    fn start(&self, channel: ChannelId, _class: u8) -> (u32, u64) {
        (channel.0, 0)
    }

    fn timers(&self, _class: u8, &(channel, period): &(u32, u64)) -> Timers {
        let drawn = draw(self.seed, Purpose::Timers, channel, period) % TIMERS;
        Timers { shallow: Time::NEVER, deep: self.timers[drawn as usize] }
    }

    fn idle_ended(&self, _class: u8, (_, period): &mut (u32, u64), _idle: Idle) {
        *period += 1;
    }
}

crate::sleep_only!(RandomTimer);

#[cfg(test)]
mod tests {
    use super::*;

    /// E = e / (e - 1) times the cost of the one who knows, for all lengths alike.
    const RATIO: f64 = 1.581_976_7;

    fn drawn() -> RandomTimer {
        RandomTimer::new(1, SleepStates::SARAVANAN_2018)
    }

    /// Staying on for a time costs this time, and to sleep costs the break-even time. Each timer stands for 1/256 of the
    /// draws, so that the mean of short periods jumps.
    #[test]
    fn the_mean_cost_is_the_same_multiple_of_the_least_whatever_the_period() {
        let policy = drawn();
        let break_even = IdleEnergy::new(SleepStates::SARAVANAN_2018).break_even(LinkState::Deep).0 as f64;
        for share in [0.25, 0.4, 0.7, 0.99, 1.01, 2.0, 30.0] {
            let period = share * break_even;
            let cost = |timer: &Time| {
                let timer = timer.0 as f64;
                if timer < period { timer + break_even } else { period }
            };
            let mean = policy.timers.iter().map(cost).sum::<f64>() / TIMERS as f64;
            let least = period.min(break_even);
            assert!((mean / least - RATIO).abs() < 0.02, "{share}: {}", mean / least);
        }
    }

    /// Over many periods of a channel all timers come, and two channels draw different ones.
    #[test]
    fn each_period_draws_a_timer_of_its_own() {
        let policy = drawn();
        let timer = |channel, period| policy.timers(1, &(channel, period)).deep;
        let of = |channel| (0..10_000).map(|period| timer(channel, period)).collect::<Vec<_>>();
        let (first, second) = (of(0), of(1));
        assert_ne!(first[..20], second[..20]);
        let mean = first.iter().map(|time| time.0 as f64).sum::<f64>() / 1e4;
        let expected = policy.timers.iter().map(|time| time.0 as f64).sum::<f64>() / TIMERS as f64;
        // Four standard deviations of the mean: timers spread by less than a third of the break-even time.
        assert!((mean - expected).abs() < 4.0 * expected / 100.0, "{mean} {expected}");
    }

    /// A state that saves nothing is never entered.
    #[test]
    fn sleep_that_saves_nothing_is_left_out() {
        let mut states = SleepStates::SARAVANAN_2018;
        states.deep.power = 1.0;
        assert_eq!(RandomTimer::new(1, states).timers(1, &(0, 0)).deep, Time::NEVER);
    }

    /// e to 17 places.
    #[test]
    fn the_series_is_exact() {
        let e = exponential(ONE) as f64 / ONE as f64;
        assert!((e - std::f64::consts::E).abs() < 1e-15);
        assert_eq!(exponential(0), ONE);
    }
}
