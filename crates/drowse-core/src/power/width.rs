//! Links that narrow (`kind = "width"`): dynamically adjusted link width (Alonso et al., LNCS 3149, 2004; Andújar et
//! al. 2019, section 5).
//!
//! A link consists of lanes that carry parts of the same packet. With half of its lanes off, a packet takes twice as
//! long, and the network stays connected. Windows and thresholds are those of trunks. Above the upper threshold the
//! number of lanes doubles. Below the lower one half of them go off, which doubles the utilisation of the rest.

use super::trunk::{Off, Trunk};
use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{
    Change, CoalescingPolicy, GovernedPolicy, HindsightPolicy, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy,
    TrunkWindow, WidthPolicy,
};

/// The number of lanes of each link, and the thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// Lanes of a link: 2, 4, 8 or 16.
    pub lanes: u8,
    /// The thresholds, the lower one [static](Off::Static).
    pub thresholds: Trunk,
}

impl Width {
    /// Returns whether the number of lanes can be halved down to one, and no constant load switches lanes on and off in
    /// turn.
    pub fn is_valid(&self) -> bool {
        let stable = matches!(self.thresholds.off, Off::Static(_)) && self.thresholds.is_stable();
        stable && self.lanes.is_power_of_two() && (2..=16).contains(&self.lanes)
    }
}

impl SleepPolicy for Width {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, _class: u8, (): &()) -> Timers {
        Timers::NEVER
    }
}

impl WidthPolicy for Width {
    fn lanes(&self, _class: u8) -> u8 {
        self.lanes
    }
}

impl TrunkPolicy for Width {
    fn trunk_window(&self, _class: u8) -> Option<Time> {
        Some(self.thresholds.window)
    }

    fn resize(&self, _class: u8, seen: &TrunkWindow) -> Change {
        self.thresholds.decide(seen)
    }
}

impl CoalescingPolicy for Width {}
impl RuntimePolicy for Width {}
impl GovernedPolicy for Width {}
impl HindsightPolicy for Width {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// At any constant load the width goes one way only, and then stays.
        #[test]
        fn never_oscillates(
            on in 2u32..=1_000_000_000,
            off in any::<prop::sample::Index>(),
            lanes in prop::sample::select(vec![2u8, 4, 8, 16]),
            start in 0u32..5,
            load in 0u64..17_000_000,
        ) {
            let off = Off::Static(off.index(on.div_ceil(2) as usize) as u32);
            let window = Time(1_000_000);
            let width = Width { lanes, thresholds: Trunk { window, on, off, backlog: Time::NEVER, steps: 1 } };
            prop_assert!(width.is_valid());
            let ports = u32::from(lanes);
            let mut lanes_on = (1 << start).min(ports);
            let mut widths = vec![lanes_on];
            for _ in 0..10 {
                let busy = Time(load.min(u64::from(lanes_on) * window.0));
                match width.resize(0, &TrunkWindow { ports, on: lanes_on, busy, backlog: Time::ZERO }) {
                    Change::More(_) => lanes_on *= 2,
                    Change::Fewer(_) => lanes_on /= 2,
                    Change::None => break,
                }
                widths.push(lanes_on);
            }
            prop_assert!(widths.len() <= 5 && widths.iter().all(|width| (1..=ports).contains(width)), "{widths:?}");
            prop_assert!(widths.is_sorted() || widths.is_sorted_by(|a, b| a >= b), "{widths:?}");
        }
    }
}
