//! The power state of one channel, as a machine that goes from state to state.

use drowse_core::power::{LinkState, SleepState, SleepStates, Timers};

/// The power state of one channel.
#[derive(Clone, Debug)]
pub struct Power {
    timers: Timers,
    /// Without them it stays on.
    states: Option<SleepStates>,
    /// The state, and since when.
    state: LinkState,
    since: u64,
    /// While entering, asleep or waking: the sleep state is deep sleep.
    deep: bool,
    /// The start of the idle period; `None` while somebody sends on or waits for the channel.
    idle_since: Option<u64>,
    /// Somebody has asked for the channel while it was entering.
    wake_asked: bool,
    /// When the last waking ends or ended.
    pub awake_at: u64,
    /// Time in each state.
    residency: [u64; 5],
}

impl Power {
    /// Makes a channel that is on and idle from the start.
    pub fn new(timers: Timers, states: Option<SleepStates>) -> Self {
        Power {
            timers,
            states,
            state: LinkState::On,
            since: 0,
            deep: false,
            idle_since: Some(0),
            wake_asked: false,
            awake_at: 0,
            residency: [0; 5],
        }
    }

    /// Goes through all changes of state up to and at time `t`.
    pub fn advance(&mut self, t: u64) {
        while let Some((at, state)) = self.next_change(t).filter(|&(at, _)| at <= t) {
            self.residency[self.state as usize] += at - self.since;
            if state == LinkState::Entering {
                self.deep = self.state == LinkState::Shallow || self.timers.deep <= self.timers.shallow;
            }
            self.wake_asked &= state != LinkState::Waking;
            (self.state, self.since) = (state, at);
        }
    }

    /// Gives the next change of state if nothing happens: when, and to which.
    fn next_change(&self, t: u64) -> Option<(u64, LinkState)> {
        let target = self.target()?;
        match self.state {
            // At the moment at which it begins to idle, a channel is still on, whatever the timers.
            LinkState::On => {
                let since = self.idle_since.filter(|&since| since < t)?;
                let timer = self.timers.shallow.min(self.timers.deep).0;
                Some((since.saturating_add(timer), LinkState::Entering))
            }
            LinkState::Entering => {
                let asleep = if self.deep { LinkState::Deep } else { LinkState::Shallow };
                let then = if self.wake_asked { LinkState::Waking } else { asleep };
                Some((self.since + target.enter.0, then))
            }
            LinkState::Shallow => {
                let timer = self.idle_since?.saturating_add(self.timers.deep.0);
                Some((timer.max(self.since), LinkState::Entering))
            }
            LinkState::Deep => None,
            LinkState::Waking => Some((self.since + target.wake.0, LinkState::On)),
        }
    }

    /// Gives the sleep state that the channel enters, is in or wakes from.
    fn target(&self) -> Option<SleepState> {
        self.states.map(|states| if self.deep { states.deep } else { states.shallow })
    }

    /// Tells whether the channel can send.
    pub fn is_on(&self) -> bool {
        self.state == LinkState::On
    }

    /// Tells whether the channel sleeps or enters sleep, and nobody has woken it.
    pub fn is_asleep(&self) -> bool {
        !self.is_on() && !self.is_waking()
    }

    /// Tells whether somebody has woken the channel, and it is not on yet.
    pub fn is_waking(&self) -> bool {
        self.state == LinkState::Waking || self.wake_asked
    }

    /// Wakes the channel, which sleeps or enters sleep, at time `t`.
    pub fn wake(&mut self, t: u64) {
        self.idle_since = None;
        let Some(target) = self.target() else { return };
        if self.state == LinkState::Entering {
            self.wake_asked = true;
            self.awake_at = self.since + target.enter.0 + target.wake.0;
        } else {
            self.residency[self.state as usize] += t - self.since;
            (self.state, self.since) = (LinkState::Waking, t);
            self.awake_at = t + target.wake.0;
        }
        self.advance(t);
    }

    /// Ends the idle period, unless the channel sleeps: then it goes on sleeping.
    pub fn end_idle(&mut self) {
        if !self.is_asleep() {
            self.idle_since = None;
        }
    }

    /// Lets the channel idle from time `t` on, once it is awake; one that idles already goes on.
    pub fn begin_idle(&mut self, t: u64) {
        self.idle_since.get_or_insert(t.max(self.awake_at));
    }

    /// Gives the time in each state up to time `t`, to which the machine has been advanced.
    pub fn residency(&self, t: u64) -> [u64; 5] {
        let mut residency = self.residency;
        residency[self.state as usize] += t - self.since;
        residency
    }
}
