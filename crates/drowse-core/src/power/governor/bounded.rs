//! Channels under a governor, as a policy (`kind = "bounded"`).

use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{
    CoalescingPolicy, GovernedPolicy, GovernorRules, HindsightPolicy, Idle, RuntimePolicy, SleepPolicy, Timers,
    TrunkPolicy, WidthPolicy,
};
use crate::power::sleep::bounded::{Bound, Learning, Periods, Split, bins};

/// Ends in deep sleep those idle periods that save most, as many as the governor's share allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The governor's rules.
    pub rules: GovernorRules,
    /// The time to wake from deep sleep.
    pub wake: Time,
}

/// What is known of a channel.
#[derive(Clone, Debug)]
pub struct Governed {
    periods: Periods,
    /// Idle periods since the last refresh that ended in sleep.
    delayed: u16,
    /// The timer of the next idle period.
    timer: u8,
    /// The share of its time that it may lose, in billionths.
    billionths: u32,
    on: bool,
}

impl SleepPolicy for Bounded {
    /// Boxed, so that accounts of channels stay small.
    type State = Box<Governed>;

    #[inline]
    fn shortest_idle(&self) -> Time {
        bins::edge(0)
    }

    fn start(&self, _channel: ChannelId, _class: u8) -> Box<Governed> {
        Box::new(Governed { periods: Periods::none(), delayed: 0, timer: bins::NEVER, billionths: 0, on: true })
    }

    #[inline]
    fn timers(&self, _class: u8, state: &Box<Governed>) -> Timers {
        let deep = if state.on { Time::NEVER } else { bins::stall(state.timer) };
        Timers { shallow: Time::NEVER, deep }
    }

    fn idle_ended(&self, _class: u8, state: &mut Box<Governed>, idle: Idle) {
        let Some(bin) = bins::bin(idle.length()) else { return };
        let bound = Bound { billionths: state.billionths, split: Split::Local };
        let learning = Learning { correction: false, ..Learning::new(bound) };
        let Governed { periods, delayed, .. } = &mut **state;
        periods.add(bin);
        *delayed = delayed.saturating_add(u16::from(idle.wake.is_some()));
        let allowance = periods.allowance(&learning, idle.until);
        let target = allowance.0.checked_div(self.wake.0).unwrap_or(u64::MAX);
        periods.find(&learning, target);
        // Where many periods are about as long, some of them may end in sleep though not all may.
        let timer = if u64::from(*delayed) < target { periods.next_lower() } else { periods.timer() };
        if periods.refresh(&learning, idle.until) {
            *delayed = 0;
        }
        state.timer = timer;
    }

    fn commanded(&self, _class: u8, state: &mut Box<Governed>, on: bool) {
        state.on = on;
    }
}

impl GovernedPolicy for Bounded {
    fn governor(&self, _class: u8) -> Option<GovernorRules> {
        Some(self.rules)
    }

    fn allowed(&self, _class: u8, state: &mut Box<Governed>, billionths: u32) {
        state.billionths = billionths;
    }
}

impl CoalescingPolicy for Bounded {}
impl TrunkPolicy for Bounded {}
impl WidthPolicy for Bounded {}
impl RuntimePolicy for Bounded {}
impl HindsightPolicy for Bounded {}
