//! One direction of a link: its wire, its credits, who waits for it, and its power state, a machine that goes from state to state.

use std::collections::BTreeSet;

use drowse_core::config::{ClassModel, SwitchModel};
use drowse_core::measure::ChannelRecord;
use drowse_core::power::{LinkState, SleepState, Timers};

/// One direction of a link.
pub struct Channel<'a> {
    /// What it has in common with others of its class.
    pub class: &'a ClassModel,
    timers: Timers,
    flit_bits: u64,
    /// When the last bit of the last packet is sent.
    pub free_at: u64,
    /// Flits that may be sent on each virtual channel.
    pub credits: Vec<u64>,
    /// Credits on their way back: when they come, virtual channel, flits.
    pub returning: Vec<(u64, usize, u64)>,
    /// The input queues whose heads wait for it.
    waiting: BTreeSet<usize>,
    /// Flits sent since the beginning.
    sent: u64,
    /// The power state, and since when.
    state: LinkState,
    since: u64,
    /// While entering, asleep or waking: the sleep state is deep sleep.
    deep: bool,
    /// The start of the idle period; `None` while somebody sends on or waits for the channel.
    idle_since: Option<u64>,
    /// Somebody has asked for it while it was entering a sleep state.
    wake_asked: bool,
    /// When it was last woken, or the measured time began since.
    asked_at: u64,
    /// When the last waking ends or ended.
    pub awake_at: u64,
    /// What it has done in the measured time; its residencies are those up to `settled`.
    record: ChannelRecord,
    settled: u64,
}

impl<'a> Channel<'a> {
    /// Makes a channel that is on and idle from the start.
    pub fn new(class: &'a ClassModel, timers: Timers, switch: &SwitchModel) -> Self {
        Channel {
            class,
            timers,
            flit_bits: switch.flit.0 * 8,
            free_at: 0,
            credits: vec![switch.buffer_flits.into(); switch.vcs.total().into()],
            returning: Vec::new(),
            waiting: BTreeSet::new(),
            sent: 0,
            state: LinkState::On,
            since: 0,
            deep: false,
            idle_since: Some(0),
            wake_asked: false,
            asked_at: 0,
            awake_at: 0,
            record: ChannelRecord::default(),
            settled: 0,
        }
    }

    /// Lets everything happen that happens up to and at time `t`.
    pub fn advance(&mut self, t: u64) {
        while let Some((at, state)) = self.next_change(t).filter(|&(at, _)| at <= t) {
            self.enter(state, at);
        }
        let credits = &mut self.credits;
        self.returning.retain(|&(at, vc, flits)| {
            credits[vc] += if at <= t { flits } else { 0 };
            at > t
        });
    }

    /// Gives the next change of state if nothing happens: when, and to which.
    fn next_change(&self, t: u64) -> Option<(u64, LinkState)> {
        let target = self.target()?;
        match self.state {
            // At the moment at which it begins to idle, a channel is still on, whatever the timers.
            LinkState::On => {
                let since = self.idle_since.filter(|&since| since < t)?;
                Some((since.saturating_add(self.timers.shallow.min(self.timers.deep).0), LinkState::Entering))
            }
            LinkState::Entering => {
                let asleep = if self.deep { LinkState::Deep } else { LinkState::Shallow };
                Some((self.since + target.enter.0, if self.wake_asked { LinkState::Waking } else { asleep }))
            }
            LinkState::Shallow => {
                let timer = self.idle_since?.saturating_add(self.timers.deep.0);
                Some((timer.max(self.since), LinkState::Entering))
            }
            LinkState::Deep => None,
            LinkState::Waking => Some((self.since + target.wake.0, LinkState::On)),
        }
    }

    /// Gives the sleep state that it enters, is in or wakes from; `None` for a channel that is always on.
    fn target(&self) -> Option<SleepState> {
        self.class.states.map(|states| if self.deep { states.deep } else { states.shallow })
    }

    fn enter(&mut self, state: LinkState, at: u64) {
        self.settle(at);
        if state == LinkState::Entering {
            self.deep = self.state == LinkState::Shallow || self.timers.deep <= self.timers.shallow;
        }
        self.wake_asked &= state != LinkState::Waking;
        (self.state, self.since) = (state, at);
    }

    /// Gives what it has done up to time `t`, to which it has been advanced.
    pub fn settle(&mut self, t: u64) -> ChannelRecord {
        self.record.residency[self.state as usize].0 += t - self.settled;
        self.settled = t;
        self.record
    }

    /// Begins the measured time, at time `t`, to which it has been advanced.
    pub fn begin_window(&mut self, t: u64) {
        self.settle(t);
        self.record = ChannelRecord::default();
        self.asked_at = self.asked_at.max(t);
    }

    /// Tells whether it can send.
    pub fn is_on(&self) -> bool {
        self.state == LinkState::On
    }

    /// Tells whether somebody has woken it, and it is not on yet.
    pub fn is_waking(&self) -> bool {
        self.state == LinkState::Waking || self.wake_asked
    }

    /// Tells whether it sleeps or enters sleep, and nobody has woken it.
    pub fn is_asleep(&self) -> bool {
        !self.is_on() && !self.is_waking()
    }

    /// Wakes it if it sleeps.
    pub fn wake(&mut self, t: u64) {
        let Some(target) = self.target().filter(|_| self.is_asleep()) else { return };
        self.record.wakes += 1;
        self.asked_at = t;
        self.idle_since = None;
        self.wake_asked = self.state == LinkState::Entering;
        let asleep_at = if self.wake_asked { self.since + target.enter.0 } else { t };
        self.awake_at = asleep_at + target.wake.0;
        if !self.wake_asked {
            self.enter(LinkState::Waking, t);
        }
        self.advance(t);
    }

    /// Counts a message that was there at time `since` and was delayed until the channel was awake.
    pub fn delay(&mut self, since: u64) {
        self.record.delayed_messages += 1;
        self.record.time_lost.0 += self.awake_at.saturating_sub(since.max(self.asked_at));
    }

    /// Lets the channel idle from time `t` on, once it is awake, unless somebody waits for it; one that idles already goes on.
    fn begin_idle(&mut self, t: u64) {
        if self.waiting.is_empty() {
            self.idle_since.get_or_insert(t.max(self.awake_at));
        }
    }

    /// Lets the head of a queue wait for it, which ends the idle period, unless it sleeps: then it goes on sleeping.
    pub fn await_by(&mut self, queue: usize) {
        self.waiting.insert(queue);
        if !self.is_asleep() {
            self.idle_since = None;
        }
    }

    /// Lets the head of a queue, which has gone elsewhere at time `t`, wait no more.
    pub fn leave(&mut self, queue: usize, t: u64) {
        if self.waiting.remove(&queue) {
            self.begin_idle(t.max(self.free_at));
        }
    }

    /// Sends a packet of a queue from time `start` on; gives the time of its last bit.
    pub fn send(&mut self, queue: usize, flits: u64, start: u64) -> u64 {
        self.free_at = start + self.bits_until(self.sent + flits) - self.bits_until(self.sent);
        self.sent += flits;
        self.record.flits += flits;
        self.record.packets += 1;
        self.waiting.remove(&queue);
        self.idle_since = None;
        self.begin_idle(self.free_at);
        self.free_at
    }

    /// Gives the time that the first so many flits of a channel take together, in whole picoseconds.
    ///
    /// A packet takes the difference of two such times, so that a long flow has exactly the bandwidth.
    fn bits_until(&self, flits: u64) -> u64 {
        let picobits = u128::from(flits) * u128::from(self.flit_bits) * 1_000_000_000_000;
        (picobits / u128::from(self.class.bandwidth.0)) as u64
    }

    /// Gives the time that a packet takes, rounded up.
    pub fn duration(&self, flits: u64) -> u64 {
        self.class.bandwidth.transfer_time(flits * self.flit_bits / 8).0
    }

    /// Gives when the next credits come back.
    pub fn next_credit(&self) -> Option<u64> {
        self.returning.iter().map(|&(at, ..)| at).min()
    }
}
