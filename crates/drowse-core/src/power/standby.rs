//! Spare links that stand by (`kind = "standby"`): parallel links between two switches that are taken down for seconds or
//! minutes, and brought up again where the load asks for it.
//!
//! Links go to a state from which no packet wakes them, so the number that is up is decided rarely: at the start of a run,
//! when nothing has been sent, and at the end of each window. A link comes up where those that are up were busy for more
//! than a threshold, and goes down where fewer would be busy for less than another; all that are due at once.
//!
//! **Reachability.** Of each trunk of p links, at least min(p, k) stay up, and at least one. So any two switches keep
//! min(k, what they had) paths without a common link: a cut that contains a trunk of k links or more keeps k links, and
//! any other cut keeps all of its links (Menger 1927).

use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::units::Time;
use crate::power::policy::{
    Change, CoalescingPolicy, FurtherTimers, GovernedPolicy, HindsightPolicy, RuntimePolicy, SleepPolicy, Timers,
    TrunkPolicy, TrunkWindow, WidthPolicy,
};

/// Which spare links stand by, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standby {
    /// How long a window is.
    pub every: Time,
    /// The sleep state of links that stand by.
    pub state: LinkState,
    /// The largest share of a trunk's links that stand by, in billionths.
    pub budget: u32,
    /// Links of a trunk that stay up at least, as far as there are so many.
    pub paths: u8,
    /// Above this share of busy time, in billionths, more links come up.
    pub on: u32,
    /// Links go down as far as those that stay up would be busy for no more than this share, in billionths; below `on`.
    pub off: u32,
}

/// A share of 1.
const ALL: u128 = 1_000_000_000;

impl Standby {
    /// Returns how many links of a trunk of `ports` stay up at least.
    pub fn least(&self, ports: u32) -> u32 {
        let spare = (u128::from(ports) * u128::from(self.budget) / ALL) as u32;
        ports.saturating_sub(spare).max(ports.min(u32::from(self.paths))).max(1)
    }

    /// Decides by what was measured in a window.
    pub fn decide(&self, seen: &TrunkWindow) -> Change {
        let (up, down) = (self.needed(seen, self.on), self.needed(seen, self.off));
        let steps = |links: u32| links.min(u32::from(u8::MAX)) as u8;
        match seen.on {
            on if up > on => Change::More(steps(up - on)),
            on if down < on => Change::Fewer(steps(on - down)),
            _ => Change::None,
        }
    }

    /// Returns how many links carry what was sent, each busy for no more than a share of its time.
    fn needed(&self, seen: &TrunkWindow, share: u32) -> u32 {
        let each = u128::from(self.every.0) * u128::from(share);
        let needed = (u128::from(seen.busy.0) * ALL).div_ceil(each.max(1));
        u32::try_from(needed).unwrap_or(u32::MAX).clamp(self.least(seen.ports), seen.ports)
    }
}

impl SleepPolicy for Standby {
    /// Whether the link is commanded down.
    type State = bool;

    fn start(&self, _channel: ChannelId, _class: u8) -> bool {
        false
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, _class: u8, &down: &bool) -> Timers {
        match self.state {
            _ if !down => Timers::NEVER,
            LinkState::Shallow => Timers { shallow: Time::ZERO, deep: Time::NEVER },
            _ => Timers::DEEP_AT_ONCE,
        }
    }

    fn further_timers(&self, _class: u8, &down: &bool) -> FurtherTimers {
        let mut timers = FurtherTimers::NEVER;
        let place = self.state.sleep_place().and_then(|place| place.checked_sub(2));
        if let (true, Some(timer)) = (down, place.and_then(|place| timers.0.get_mut(place))) {
            *timer = Time::ZERO;
        }
        timers
    }

    fn commanded(&self, _class: u8, down: &mut bool, on: bool) {
        *down = !on;
    }
}

impl TrunkPolicy for Standby {
    fn trunk_window(&self, _class: u8) -> Option<Time> {
        Some(self.every)
    }

    fn stands_by(&self, _class: u8) -> bool {
        true
    }

    fn off_state(&self, _class: u8) -> LinkState {
        self.state
    }

    fn resize(&self, _class: u8, seen: &TrunkWindow) -> Change {
        self.decide(seen)
    }
}

impl CoalescingPolicy for Standby {}
impl WidthPolicy for Standby {}
impl RuntimePolicy for Standby {}
impl GovernedPolicy for Standby {}
impl HindsightPolicy for Standby {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EVERY: Time = Time(1_000_000);

    fn standby(budget: u32, paths: u8) -> Standby {
        let (on, off) = (500_000_000, 250_000_000);
        Standby { every: EVERY, state: LinkState::Deep, budget, paths, on, off }
    }

    fn seen(ports: u32, on: u32, busy: u64) -> TrunkWindow {
        TrunkWindow { ports, on, busy: Time(busy), backlog: Time::ZERO }
    }

    /// By hand: of 8 links, a budget of three quarters lets 6 stand by, and two paths keep 2.
    #[test]
    fn budget_and_paths() {
        assert_eq!(standby(750_000_000, 1).least(8), 2);
        assert_eq!(standby(750_000_000, 3).least(8), 3);
        assert_eq!(standby(1_000_000_000, 1).least(8), 1);
        assert_eq!(standby(0, 1).least(8), 8);
        assert_eq!(standby(1_000_000_000, 4).least(2), 2, "no more than there are");
    }

    /// Nothing was sent: all that may stand by go down. Two links' time is more than half of three: one more is needed.
    #[test]
    fn by_the_load() {
        let standby = standby(1_000_000_000, 1);
        assert_eq!(standby.decide(&seen(8, 8, 0)), Change::Fewer(7));
        assert_eq!(standby.decide(&seen(8, 3, 2 * EVERY.0)), Change::More(1));
        assert_eq!(standby.decide(&seen(8, 4, 2 * EVERY.0)), Change::None);
        assert_eq!(standby.decide(&seen(8, 8, EVERY.0)), Change::Fewer(4));
    }

    proptest! {
        /// A constant load changes the number of links once, and then never.
        #[test]
        fn no_constant_load_brings_links_up_and_down(
            ports in 1u32..=64, start in 1u32..=64, load in 0..64 * EVERY.0, budget in 0u32..=1_000_000_000, paths in 1u8..=8,
        ) {
            let standby = standby(budget, paths);
            let mut on = start.min(ports);
            let mut directions = Vec::new();
            for _ in 0..80 {
                match standby.decide(&seen(ports, on, load.min(u64::from(on) * EVERY.0))) {
                    Change::More(more) => (on, ()) = (on + u32::from(more), directions.push(1)),
                    Change::Fewer(fewer) => (on, ()) = (on - u32::from(fewer), directions.push(-1)),
                    Change::None => break,
                }
                prop_assert!(on >= standby.least(ports) && on <= ports);
            }
            directions.dedup();
            prop_assert!(directions.len() <= 1, "{:?}", directions);
        }
    }
}
