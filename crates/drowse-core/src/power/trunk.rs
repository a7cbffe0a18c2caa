//! Trunks that shed ports (`kind = "trunk"`): the on/off mechanism of Alonso et al. (IPDPS 2005; Parallel Computing 36,
//! 2010) that Andújar et al. 2019 uses (section 3.1).
//!
//! The sending switch looks at a trunk after each window. Where the utilisation of the ports that are on was above a
//! threshold, one more port goes on; where it was below another threshold, one goes off. Several may do so at once,
//! as many as would at this load one after the other. No constant load may switch ports on and off in turn: a load at
//! which a port goes off must not let it go on again on the ports that are left. So `off < on (n - 1) / n` for `n`
//! ports on, which is strictest for two. The papers do not print their thresholds.

use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::{
    Change, CoalescingPolicy, GovernedPolicy, HindsightPolicy, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy,
    TrunkWindow, WidthPolicy,
};

/// Below which utilisation a port goes off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    /// One utilisation for any number of ports on, in billionths; below half of the threshold at which a port goes on.
    Static(u32),
    /// A share, in billionths and below 1, of the highest threshold that does not let the port go on again. It depends
    /// on the number of ports on.
    ByPorts(u32),
}

/// The thresholds of trunks, all shares in billionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trunk {
    /// How long a window is.
    pub window: Time,
    /// Above this utilisation one more port goes on.
    pub on: u32,
    /// Below this one goes off.
    pub off: Off,
    /// One more port also goes on where the waiting packets would keep each port that is on busy for longer than this.
    /// A trunk that waits for credits may never be busy enough.
    pub backlog: Time,
    /// So many ports go on or off at the end of a window at most.
    pub steps: u8,
}

/// A share of 1.
const ALL: u128 = 1_000_000_000;

impl Trunk {
    /// Returns whether no constant load switches ports on and off in turn.
    pub fn is_stable(&self) -> bool {
        match self.off {
            Off::Static(off) => u64::from(off) * 2 < u64::from(self.on),
            Off::ByPorts(share) => u128::from(share) < ALL,
        }
    }

    /// Decides by what was measured in a window.
    pub fn decide(&self, seen: &TrunkWindow) -> Change {
        let first = self.step(seen);
        // The same load on the ports that would be on after so many steps.
        let after = |steps: u8| match first {
            Change::Fewer(_) => TrunkWindow { on: seen.on - u32::from(steps), ..*seen },
            _ => TrunkWindow { on: seen.on + u32::from(steps), ..*seen },
        };
        let steps = (1..self.steps).find(|&steps| self.step(&after(steps)) != first).unwrap_or(self.steps);
        match first {
            Change::More(_) => Change::More(steps),
            Change::Fewer(_) => Change::Fewer(steps),
            Change::None => Change::None,
        }
    }

    /// Decides on a single port.
    fn step(&self, seen: &TrunkWindow) -> Change {
        let on = u128::from(seen.on);
        // Utilisation against thresholds, both times the number of ports on and the window.
        let window = u128::from(self.window.0);
        let busy = u128::from(seen.busy.0) * ALL;
        let waits = u128::from(seen.backlog.0) > u128::from(self.backlog.0) * on;
        if (busy > u128::from(self.on) * on * window || waits) && seen.on < seen.ports {
            return Change::More(1);
        }
        let too_much = match self.off {
            Off::Static(off) => busy >= u128::from(off) * on * window,
            Off::ByPorts(share) => busy * ALL >= u128::from(share) * u128::from(self.on) * (on - 1) * window,
        };
        if too_much || waits || seen.on <= 1 { Change::None } else { Change::Fewer(1) }
    }
}

impl SleepPolicy for Trunk {
    /// Whether the port is commanded off.
    type State = bool;

    fn start(&self, _channel: ChannelId, _class: u8) -> bool {
        false
    }

    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::NEVER
    }

    #[inline]
    fn timers(&self, _class: u8, &off: &bool) -> Timers {
        if off { Timers::DEEP_AT_ONCE } else { Timers::NEVER }
    }

    fn commanded(&self, _class: u8, off: &mut bool, on: bool) {
        *off = !on;
    }
}

impl TrunkPolicy for Trunk {
    fn trunk_window(&self, _class: u8) -> Option<Time> {
        Some(self.window)
    }

    fn resize(&self, _class: u8, seen: &TrunkWindow) -> Change {
        self.decide(seen)
    }
}

impl CoalescingPolicy for Trunk {}
impl WidthPolicy for Trunk {}
impl RuntimePolicy for Trunk {}
impl GovernedPolicy for Trunk {}
impl HindsightPolicy for Trunk {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WINDOW: Time = Time(10_000_000);

    fn trunk(on: u32, off: Off) -> Trunk {
        Trunk { window: WINDOW, on, off, backlog: Time(4_160_000), steps: 1 }
    }

    /// A load in picoseconds of sending time in a window, on `on` ports.
    fn under(load: u64, ports: u32, on: u32) -> TrunkWindow {
        TrunkWindow { ports, on, busy: Time(load.min(u64::from(on) * WINDOW.0)), backlog: Time::ZERO }
    }

    /// Thresholds that satisfy the rule.
    fn stable() -> impl Strategy<Value = Trunk> {
        (2u32..=1_000_000_000).prop_flat_map(|on| {
            let fixed = (0..on.div_ceil(2)).prop_map(Off::Static);
            let by_ports = (0u32..1_000_000_000).prop_map(Off::ByPorts);
            prop_oneof![fixed, by_ports].prop_map(move |off| trunk(on, off))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        /// At any constant load the number of ports goes one way only, and then stays. However many ports may change at
        /// once, it ends at the same number, and no later.
        #[test]
        fn never_oscillates(
            one in stable(),
            ports in 2u32..=64,
            start in 1u32..=64,
            load in 0..70 * WINDOW.0,
            steps in 2u8..=64,
        ) {
            prop_assert!(one.is_stable());
            let numbers = |trunk: Trunk| {
                let mut on = start.min(ports);
                let next = || {
                    on = match trunk.decide(&under(load, ports, on)) {
                        Change::More(more) => on + u32::from(more),
                        Change::Fewer(fewer) => on - u32::from(fewer),
                        Change::None => return None,
                    };
                    Some(on)
                };
                std::iter::once(start.min(ports)).chain(std::iter::from_fn(next).take(ports as usize)).collect::<Vec<_>>()
            };
            let [each, several] = [one, Trunk { steps, ..one }].map(numbers);
            for on in [&each, &several] {
                prop_assert!(on.len() <= ports as usize && on.iter().all(|on| (1..=ports).contains(on)), "{on:?}");
                prop_assert!(on.is_sorted() || on.is_sorted_by(|a, b| a >= b), "{on:?}");
            }
            prop_assert!(each.windows(2).all(|pair| pair[0].abs_diff(pair[1]) == 1), "{each:?}");
            let most = several.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max();
            prop_assert!(most.is_none_or(|most| most <= u32::from(steps)), "{several:?}");
            prop_assert!(each.last() == several.last() && several.len() <= each.len(), "{each:?} {several:?}");
        }

        /// What breaks the rule does oscillate at some load: the rule says no more than it must.
        #[test]
        fn the_rule_is_needed(on in (100u32..=5_000_000).prop_map(|hundreds| 100 * hundreds), above in 51u32..1_000) {
            let broken = trunk(on, Off::Static(on / 2 + above));
            prop_assert!(!broken.is_stable());
            // Just above the load at which the second port goes on.
            let load = u64::from(on) * WINDOW.0 / 1_000_000_000 + 1;
            prop_assert_eq!(broken.decide(&under(load, 2, 1)), Change::More(1));
            prop_assert_eq!(broken.decide(&under(load, 2, 2)), Change::Fewer(1));
        }
    }

    #[test]
    fn a_backlog_switches_ports_on() {
        let trunk = trunk(650_000_000, Off::Static(250_000_000));
        let seen = |backlog| TrunkWindow { ports: 4, on: 2, busy: Time::ZERO, backlog: Time(backlog) };
        assert_eq!(trunk.decide(&seen(2 * 4_160_000)), Change::Fewer(1));
        assert_eq!(trunk.decide(&seen(2 * 4_160_000 + 1)), Change::More(1));
    }

    /// By hand: three ports on, thresholds 0.6 and 0.9 x 0.6 x 2/3 = 0.36.
    #[test]
    fn thresholds_by_the_number_of_ports() {
        let trunk = trunk(600_000_000, Off::ByPorts(900_000_000));
        let at = |thousandths: u64| trunk.decide(&under(3 * WINDOW.0 / 1_000 * thousandths, 4, 3));
        assert_eq!([359, 361, 599, 601].map(at), [Change::Fewer(1), Change::None, Change::None, Change::More(1)]);
    }

    /// A utilisation that is a threshold is neither above nor below it, whichever kind that is.
    #[test]
    fn at_a_threshold_nothing_changes() {
        for off in [Off::Static(250_000_000), Off::ByPorts(625_000_000)] {
            let trunk = trunk(600_000_000, off);
            // 0.625 x 0.6 x 2/3 = 0.25 of each of three ports, too.
            let at = |load: u64| trunk.decide(&under(load, 4, 3));
            let (low, high) = (WINDOW.0 / 4 * 3, WINDOW.0 / 5 * 9);
            assert_eq!([low - 1, low, low + 1].map(at), [Change::Fewer(1), Change::None, Change::None], "{off:?}");
            assert_eq!([high - 1, high, high + 1].map(at), [Change::None, Change::None, Change::More(1)], "{off:?}");
        }
    }

    /// By hand: four ports carry 0.9 of what one can. Below a threshold of 0.4, four carry 0.23 each and three 0.3, so
    /// that two go off; two carry 0.45. Above one of 0.25, one carries 0.9, two 0.45 and three 0.3, so that three more go
    /// on.
    #[test]
    fn several_at_once() {
        let off = Trunk { steps: 3, ..trunk(900_000_000, Off::Static(400_000_000)) };
        let load = WINDOW.0 / 10 * 9;
        assert_eq!(off.decide(&under(load, 4, 4)), Change::Fewer(2));
        assert_eq!(Trunk { steps: 1, ..off }.decide(&under(load, 4, 4)), Change::Fewer(1));
        let on = Trunk { steps: 3, ..trunk(250_000_000, Off::Static(100_000_000)) };
        assert_eq!(on.decide(&under(load, 4, 1)), Change::More(3));
        assert_eq!(on.decide(&under(load, 8, 1)), Change::More(3));
        assert_eq!(on.decide(&under(load, 2, 1)), Change::More(1));
    }
}
