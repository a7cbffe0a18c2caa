//! Link power policies, from their definitions in docs/model/policies.md and the papers: what is asked of a policy is
//! computed from all that it has seen, each time anew.

use std::sync::LazyLock;

use drowse_core::model::units::Time;
use drowse_core::power::{CoalescingLimits, Compared, Learning, LinkState, SleepStates, Split, Timers, Trunk, Width};

/// What decides on the sleep of the channels of a class.
#[derive(Clone, Debug, PartialEq)]
pub enum Policy {
    /// Fixed stall timers.
    Timers(Timers),
    /// Fixed stall timers of shallow and deep sleep, and of the states beyond.
    Further(Timers, Vec<Time>),
    /// Fixed stall timers of each channel of the network.
    Table(Vec<Timers>),
    /// Deep sleep at once; several packets wake a channel together.
    Coalescing(CoalescingLimits),
    /// The best sleep for each idle period, once that has ended.
    Oracle,
    /// The weight of the last idle period in billionths, and the watchdog; by default the break-even time of deep sleep.
    Predictive(u64, Option<Time>),
    /// One timer that keeps a bound.
    PerfBound(Learning),
    /// Two timers that keep a bound.
    DynamicFastwake(Learning),
    /// Ports of trunks are turned off and on.
    Trunk(Trunk),
    /// Lanes of links are turned off and on.
    Width(Width),
}

/// A policy and what it has seen of one channel.
#[derive(Clone, Debug)]
pub struct Memory<'a> {
    /// What decides.
    pub policy: &'a Policy,
    channel: usize,
    states: Option<SleepStates>,
    /// Predictive: the predicted idle period.
    predicted: u64,
    /// With a bound, since the last refresh: the idle periods of 1 us or more by bin, in which sleep some of them ended,
    /// the hops of messages, and when that refresh was.
    periods: [u64; NEVER],
    slept: Vec<LinkState>,
    hops: Vec<u64>,
    refreshed_at: u64,
    /// The bins of the timers that were found last, and the correction of the deep one.
    found: (usize, usize),
    shift: isize,
    /// Trunk: whether the port is turned off.
    pub is_off: bool,
}

/// A timer that never expires.
const NEVER: usize = 100;
/// A power of 1, and a share of 1.
const BILLION: u128 = 1_000_000_000;
/// The unit in which 1 / hops is summed: 1 / lcm(1, ..., 16).
const HOPS_UNIT: u64 = 720_720;
/// The deviation that is not corrected, in messages.
const BAND: u64 = 20;

impl<'a> Memory<'a> {
    /// Starts with nothing seen.
    pub fn new(policy: &'a Policy, channel: usize, states: Option<SleepStates>) -> Self {
        let found = (NEVER, NEVER);
        let (periods, slept, hops) = ([0; NEVER], Vec::new(), Vec::new());
        Memory {
            policy,
            channel,
            states,
            predicted: 0,
            periods,
            slept,
            hops,
            refreshed_at: 0,
            found,
            shift: 0,
            is_off: false,
        }
    }

    /// Returns the stall timers of the present idle period.
    pub fn timers(&self) -> Timers {
        let stall = |bin: usize| if bin < NEVER { Time(edge(bin)) } else { Time::NEVER };
        match self.policy {
            Policy::Timers(timers) | Policy::Further(timers, _) => *timers,
            Policy::Table(of_channel) => of_channel[self.channel],
            Policy::Coalescing(_) => Timers::DEEP_AT_ONCE,
            Policy::Trunk(_) if self.is_off => Timers::DEEP_AT_ONCE,
            Policy::Oracle | Policy::Trunk(_) | Policy::Width(_) => Timers::NEVER,
            Policy::Predictive(_, watchdog) => {
                match [LinkState::Shallow, LinkState::Deep].map(|s| self.break_even(s)) {
                    [_, deep] if self.predicted >= deep => Timers::DEEP_AT_ONCE,
                    [shallow, deep] => Timers {
                        shallow: if self.predicted >= shallow { Time::ZERO } else { Time::NEVER },
                        deep: watchdog.unwrap_or(Time(deep)),
                    },
                }
            }
            Policy::PerfBound(_) => Timers { shallow: Time::NEVER, deep: stall(self.shifted(1)) },
            Policy::DynamicFastwake(_) => {
                let deep = self.shifted(0);
                Timers { shallow: stall(self.found.0.min(deep)), deep: stall(deep) }
            }
        }
    }

    /// Returns the stall timers of the states beyond deep sleep that the class has; those of others never expire.
    pub fn further_timers(&self) -> Vec<Time> {
        let count = self.states.map_or(0, |states| states.further.all().len());
        let timer = |place: usize| match self.policy {
            Policy::Further(_, further) => further.get(place).copied().unwrap_or(Time::NEVER),
            _ => Time::NEVER,
        };
        (0..count).map(timer).collect()
    }

    /// Returns the deep timer with its correction.
    fn shifted(&self, shortest: usize) -> usize {
        self.found.1.saturating_add_signed(self.shift).clamp(shortest, NEVER)
    }

    /// Returns whether it counts messages.
    pub fn counts_messages(&self) -> bool {
        matches!(self.policy, Policy::PerfBound(_) | Policy::DynamicFastwake(_))
    }

    /// Learns of a message with so many channels on its minimal route that may sleep.
    pub fn message(&mut self, hops: u64) {
        self.hops.push(hops.clamp(1, 255));
    }

    /// Learns that an idle period has ended, and in which sleep.
    pub fn idle_ended(&mut self, since: u64, until: u64, sleep: Option<LinkState>) {
        let length = until - since;
        match self.policy {
            Policy::Predictive(weight, _) => {
                let [weight, idle, before] = [*weight, length, self.predicted].map(u128::from);
                let average = ((weight * idle + (BILLION - weight) * before) / BILLION) as u64;
                let shortest = self.break_even(LinkState::Shallow).min(self.break_even(LinkState::Deep));
                self.predicted = average.min((2 * self.predicted).max(shortest));
            }
            Policy::PerfBound(learning) | Policy::DynamicFastwake(learning) if length >= edge(0) => {
                let bin = (0..NEVER).rfind(|&bin| edge(bin) <= length);
                self.periods[bin.unwrap_or(0)] += 1;
                self.slept.extend(sleep);
                self.learn(*learning, until);
            }
            _ => {}
        }
    }

    /// Finds the timers anew after an idle period that ended at time `t`.
    fn learn(&mut self, learning: Learning, t: u64) {
        let Some(states) = self.states else { return };
        let periods: u64 = self.periods.iter().sum();
        let (refresh, allowed) = (u64::from(learning.refresh.get()), self.allowance(&learning, t));
        let holds = self.refreshed_at > 0 && periods < (refresh / 2).min(200);
        let [error, target, band];
        if matches!(self.policy, Policy::PerfBound(_)) {
            // Counted in messages.
            target = allowed / states.deep.wake.0;
            error = self.slept.len() as u64;
            band = BAND;
            if !holds {
                self.found.1 = self.one_timer(target);
            }
        } else {
            // Counted in time.
            target = allowed;
            let deep_only = learning.compares == Compared::DeepWakes;
            let compared = self.slept.iter().filter(|&&sleep| !deep_only || sleep == LinkState::Deep);
            error = compared.map(|&sleep| states.of(sleep).wake.0).sum();
            band = BAND * states.deep.wake.0;
            if !holds {
                self.found = self.two_timers(&states, target);
            }
        }
        if learning.correction {
            self.shift = match self.shift {
                shift if error > target + band => (shift.max(0) + 1).min(100),
                shift if target > error + band => (shift.min(0) - 1).max(-100),
                _ => 0,
            };
        }
        if periods >= refresh {
            (self.refreshed_at, self.shift) = (t, 0);
            self.periods = [0; NEVER];
            self.slept.clear();
            self.hops.clear();
        }
    }

    /// Returns the time that may have been lost to waking since the last refresh: the local bound times the time.
    fn allowance(&self, learning: &Learning, t: u64) -> u64 {
        let of = u128::from(HOPS_UNIT);
        let (part, of) = match learning.bound.split {
            Split::Ratio if self.hops.is_empty() => (0, 1),
            Split::Ratio => {
                let inverse: u64 = self.hops.iter().map(|hops| HOPS_UNIT / hops).sum();
                (u128::from(inverse), of * self.hops.len() as u128)
            }
            Split::Equal { hops } => (1, u128::from(hops.get())),
            Split::Local => (1, 1),
        };
        // Rounded down twice.
        let share = u128::from(t - self.refreshed_at) * part / of;
        (share * u128::from(learning.bound.billionths) / BILLION) as u64
    }

    /// Returns how many idle periods are in a bin or above it.
    fn outlast(&self, timer: usize) -> u64 {
        self.periods[timer..].iter().sum()
    }

    /// Returns the shortest timer, but for that of the first bin, that at most `target` idle periods outlast.
    fn one_timer(&self, target: u64) -> usize {
        (1..=NEVER).find(|&timer| target > 0 && self.outlast(timer) <= target).unwrap_or(NEVER)
    }

    /// Returns the timers that save most and lose no more than `target`: of equal ones those with the longest deep
    /// timer, of these the one with the shortest shallow timer.
    fn two_timers(&self, states: &SleepStates, target: u64) -> (usize, usize) {
        let saves = |bin: usize, power: u64| {
            u128::from(u64::midpoint(edge(bin), edge(bin + 1))) * (BILLION - u128::from(power)) / BILLION
        };
        // By bin: periods, and what is saved if they end in shallow or in deep sleep.
        let of_bin = |bin: usize| {
            let count = self.periods[bin];
            let of = |power| u128::from(count) * if count > 0 { saves(bin, power) } else { 0 };
            (count, [states.shallow, states.deep].map(|state| of(state.power_billionths())))
        };
        let bins: [(u64, [u128; 2]); NEVER] = std::array::from_fn(of_bin);
        let (mut best, mut most) = ((NEVER, NEVER), 0);
        for deep in (0..=NEVER).rev() {
            let (mut lost, mut saved) = (0, 0);
            for (count, [_, deep]) in &bins[deep..] {
                (lost, saved) = (lost + count * states.deep.wake.0, saved + deep);
            }
            // From the longest shallow timer to the shortest, each accepted at most once.
            let mut of_this = None;
            for shallow in (0..=deep).rev() {
                if shallow < deep {
                    let (count, [more, _]) = bins[shallow];
                    (lost, saved) = (lost + count * states.shallow.wake.0, saved + more);
                }
                if lost <= target && saved >= of_this.map_or(0, |(_, saved)| saved) {
                    of_this = Some(((shallow, deep), saved));
                }
            }
            if let Some((pair, saved)) = of_this.filter(|&(_, saved)| saved > most) {
                (best, most) = (pair, saved);
            }
        }
        best
    }

    /// Returns the sleep in which an idle period would have cost least, entered at once and, if the channel `wakes`,
    /// left in time: the lighter one of equal ones, `None` if none saves anything.
    pub fn cheapest(&self, length: u64, wakes: bool) -> Option<LinkState> {
        let states = self.states.filter(|_| *self.policy == Policy::Oracle)?;
        let cost = |sleep: LinkState| {
            let state = states.of(sleep);
            let moves = state.enter.0 + if wakes { state.wake.0 } else { 0 };
            let asleep = length.checked_sub(moves)?;
            Some(u128::from(moves) * BILLION + u128::from(asleep) * u128::from(state.power_billionths()))
        };
        let awake = u128::from(length) * BILLION;
        let mut cheapest = (awake, None);
        for sleep in LinkState::SLEEPS.into_iter().take(2 + states.further.all().len()) {
            if let Some(cost) = cost(sleep).filter(|&cost| cost < cheapest.0) {
                cheapest = (cost, Some(sleep));
            }
        }
        cheapest.1
    }

    /// Returns how long an idle period must be for a sleep state to save energy.
    fn break_even(&self, sleep: LinkState) -> u64 {
        let state = self.states.map(|states| *states.of(sleep)).filter(|state| state.power < 1.0);
        state.map_or(u64::MAX, |state| state.enter.0 + state.wake.0)
    }
}

/// Returns the lower edge of a bin of idle periods: 1 us * 10^(bin / 20), rounded to seven digits.
#[expect(clippy::cast_sign_loss, reason = "edges are positive")]
fn edge(bin: usize) -> u64 {
    static EDGES: LazyLock<[u64; NEVER + 1]> = LazyLock::new(|| {
        std::array::from_fn(|bin| {
            let first_decade = 1e6 * 10f64.powf((bin % 20) as f64 / 20.0);
            first_decade.round() as u64 * 10u64.pow(bin as u32 / 20)
        })
    });
    EDGES[bin]
}
