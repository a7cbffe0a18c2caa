//! The policies of all classes where that of some is of another crate.

use super::by_class::{ByClass, ChannelState};
use super::class_policy::ClassPolicy;
use super::other::Other;
use super::policy::{
    CapRules, Change, CoalescingLimits, CoalescingPolicy, FurtherTimers, GovernedPolicy, GovernorRules,
    HindsightPolicy, Idle, Policy, Rules, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy, TrunkWindow, WidthPolicy,
};
use crate::model::ids::ChannelId;
use crate::model::link_state::LinkState;
use crate::model::units::Time;

/// The policies of all classes where that of some is of another crate.
pub struct WithOther<'a, P> {
    known: &'a ByClass,
    /// By class, that of another crate.
    others: Vec<Option<&'a P>>,
}

/// What a policy remembers of a channel.
#[derive(Clone, Debug)]
pub enum Remembered<S> {
    /// One that is known here.
    Known(ChannelState),
    /// One of another crate.
    Other(S),
}

impl<'a, P: Policy> WithOther<'a, P> {
    /// Takes the policies of all classes; `find` gets those of another crate. Returns the first of them that it does not know.
    pub fn new(known: &'a ByClass, find: impl Fn(&'a Other) -> Option<&'a P>) -> Result<Self, &'a Other> {
        let other = |class: &'a ClassPolicy| match class {
            ClassPolicy::Other(other) => find(other).map(Some).ok_or(other),
            _ => Ok(None),
        };
        Ok(WithOther { known, others: known.classes().iter().map(other).collect::<Result<_, _>>()? })
    }

    #[inline]
    fn other(&self, class: u8) -> Option<&'a P> {
        self.others[usize::from(class)]
    }

    fn all(&self) -> impl Iterator<Item = &'a P> {
        self.others.iter().flatten().copied()
    }
}

/// Asks the policy of another crate with what it remembers, or else those that are known.
macro_rules! ask {
    ($self:ident, $class:expr, $state:expr, $method:ident($($argument:expr),*)) => {
        match ($self.other($class), $state) {
            (Some(other), Remembered::Other(state)) => other.$method($class, state, $($argument),*),
            (_, Remembered::Known(state)) => $self.known.$method($class, state, $($argument),*),
            // A channel keeps the class that it began with.
            (None, Remembered::Other(_)) => {}
        }
    };
}

impl<P: Policy> SleepPolicy for WithOther<'_, P> {
    type State = Remembered<P::State>;

    fn start(&self, channel: ChannelId, class: u8) -> Self::State {
        match self.other(class) {
            Some(other) => Remembered::Other(other.start(channel, class)),
            None => Remembered::Known(self.known.start(channel, class)),
        }
    }

    #[inline]
    fn timers(&self, class: u8, state: &Self::State) -> Timers {
        match (self.other(class), state) {
            (Some(other), Remembered::Other(state)) => other.timers(class, state),
            (_, Remembered::Known(state)) => self.known.timers(class, state),
            (None, Remembered::Other(_)) => Timers::NEVER,
        }
    }

    fn further_timers(&self, class: u8, state: &Self::State) -> FurtherTimers {
        match (self.other(class), state) {
            (Some(other), Remembered::Other(state)) => other.further_timers(class, state),
            (_, Remembered::Known(state)) => self.known.further_timers(class, state),
            (None, Remembered::Other(_)) => FurtherTimers::NEVER,
        }
    }

    fn may_sleep(&self, class: u8) -> bool {
        self.other(class).map_or_else(|| self.known.may_sleep(class), |other| other.may_sleep(class))
    }

    fn shortest_idle(&self) -> Time {
        self.all().map(P::shortest_idle).fold(self.known.shortest_idle(), Time::min)
    }

    fn counts_messages(&self) -> bool {
        self.known.counts_messages() || self.all().any(P::counts_messages)
    }

    fn idle_ended(&self, class: u8, state: &mut Self::State, idle: Idle) {
        ask!(self, class, state, idle_ended(idle));
    }

    #[inline]
    fn message(&self, class: u8, state: &mut Self::State, hops: u8) {
        ask!(self, class, state, message(hops));
    }

    fn run_ended(&self, class: u8, state: &mut Self::State, idle: Idle) {
        ask!(self, class, state, run_ended(idle));
    }

    fn learns_for(&self, class: u8) -> u32 {
        self.other(class).map_or_else(|| self.known.learns_for(class), |other| other.learns_for(class))
    }

    fn skipped(&self, class: u8, state: &mut Self::State, by: Time) {
        ask!(self, class, state, skipped(by));
    }

    fn commanded(&self, class: u8, state: &mut Self::State, on: bool) {
        ask!(self, class, state, commanded(on));
    }
}

impl<P: Policy> CoalescingPolicy for WithOther<'_, P> {
    #[inline]
    fn coalescing(&self, class: u8) -> Option<CoalescingLimits> {
        self.other(class).map_or_else(|| self.known.coalescing(class), |other| other.coalescing(class))
    }
}

impl<P: Policy> TrunkPolicy for WithOther<'_, P> {
    fn trunk_window(&self, class: u8) -> Option<Time> {
        self.other(class).map_or_else(|| self.known.trunk_window(class), |other| other.trunk_window(class))
    }

    fn stands_by(&self, class: u8) -> bool {
        self.other(class).map_or_else(|| self.known.stands_by(class), |other| other.stands_by(class))
    }

    fn off_state(&self, class: u8) -> LinkState {
        self.other(class).map_or_else(|| self.known.off_state(class), |other| other.off_state(class))
    }

    fn resize(&self, class: u8, seen: &TrunkWindow) -> Change {
        self.other(class).map_or_else(|| self.known.resize(class, seen), |other| other.resize(class, seen))
    }
}

impl<P: Policy> WidthPolicy for WithOther<'_, P> {
    fn lanes(&self, class: u8) -> u8 {
        self.other(class).map_or_else(|| self.known.lanes(class), |other| other.lanes(class))
    }
}

impl<P: Policy> RuntimePolicy for WithOther<'_, P> {
    fn runtime_rules(&self, class: u8) -> Option<Rules> {
        self.other(class).map_or_else(|| self.known.runtime_rules(class), |other| other.runtime_rules(class))
    }
}

impl<P: Policy> GovernedPolicy for WithOther<'_, P> {
    fn governor(&self, class: u8) -> Option<GovernorRules> {
        self.other(class).map_or_else(|| self.known.governor(class), |other| other.governor(class))
    }

    fn cap(&self, class: u8) -> Option<CapRules> {
        self.other(class).map_or_else(|| self.known.cap(class), |other| other.cap(class))
    }

    fn allowed(&self, class: u8, state: &mut Self::State, billionths: u32) {
        ask!(self, class, state, allowed(billionths));
    }
}

impl<P: Policy> HindsightPolicy for WithOther<'_, P> {
    fn judges(&self) -> bool {
        self.known.judges() || self.all().any(P::judges)
    }

    #[inline]
    fn hindsight(&self, class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
        self.other(class)
            .map_or_else(|| self.known.hindsight(class, idle, wakes), |other| other.hindsight(class, idle, wakes))
    }
}
