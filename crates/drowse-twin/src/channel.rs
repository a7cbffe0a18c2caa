//! One direction of a link: its wire, its credits, the queues that wait for it, and its power state machine.

use std::collections::BTreeSet;
use std::ops::Range;

use drowse_core::measure::ChannelRecord;
use drowse_core::model::config::{ClassModel, FlowControl, PauseLevels, SwitchModel};
use drowse_core::model::units::Time;
use drowse_core::power::{LinkState, PerState, SleepState, Timers};

use crate::lanes::Lanes;
use crate::policy::{Memory, Policy};

/// Whether packets may cross to the queues before a port of a governed trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The link is on.
    Open,
    /// The link has been turned on, and wakes.
    Opens,
    /// The port has been turned off.
    Shut,
}

/// One direction of a link.
pub struct Channel<'a> {
    /// The parameters of its class.
    pub class: &'a ClassModel,
    pub memory: Memory<'a>,
    flit_bits: u64,
    /// When it has sent the last bit of the last packet.
    pub free_at: u64,
    /// When each crossbar path is free, if several lead to the queues of an output: then `free_at` is the first of these.
    paths_free: Vec<u64>,
    /// Flits that may be sent on each virtual channel.
    pub credits: Vec<u64>,
    /// Returning credits: arrival time, virtual channel, flits.
    pub returning: Vec<(u64, usize, u64)>,
    /// Where its sender pauses when told to: the levels, flits that it was told each virtual channel holds, and what it is
    /// told of packets that come: when, virtual channel, flits. While it pauses it has no credits.
    pause: Option<(PauseLevels, Vec<u64>)>,
    coming: Vec<(u64, usize, u64)>,
    packet_flits: u64,
    /// The input queues whose heads wait for it.
    waiting: BTreeSet<usize>,
    /// Its lanes, if these are governed.
    pub lanes: Option<Lanes>,
    /// Where it is the crossbar path to the queues before a port of a governed trunk: whether packets may cross.
    pub gate: Option<Gate>,
    /// Flits sent since the beginning, and the flits that would have taken as long with all lanes in use.
    pub sent: u64,
    sent_wide: u64,
    /// The power state and its begin.
    state: LinkState,
    since: u64,
    /// While entering, asleep or waking: the sleep state.
    sleep: LinkState,
    /// Whether it enters deep sleep from shallow sleep.
    deepens: bool,
    /// The begin of its idle period, past or future; `None` if a queue waits for it.
    idle_since: Option<u64>,
    /// Until when the other channel of its link is in use, if both sleep together.
    peer_until: u64,
    /// When it was first requested before it was last woken.
    requested_at: u64,
    /// When it was woken, until the other end of its link is told.
    pub woken: Option<u64>,
    /// A head has woken it in no time at this edge: for the other heads of the edge, it wakes.
    pub hidden: bool,
    /// While it coalesces packets: since when.
    pub coalesces_since: Option<u64>,
    /// The end of the last wake, past or future.
    pub awake_at: u64,
    /// Its account from `counted_from` to the begin of its state.
    record: ChannelRecord,
    counted_from: u64,
    /// Time in sleep states by hindsight.
    by_hindsight: PerState<u64>,
}

impl<'a> Channel<'a> {
    /// Makes a channel that is on and idle.
    pub fn new(number: usize, class: &'a ClassModel, policy: &'a Policy, switch: &SwitchModel) -> Self {
        // Where nobody tells it of room, there is always enough.
        let is_told = switch.flow_control == FlowControl::Credits;
        let room = if is_told { switch.buffer_flits } else { switch.packet_flits };
        let vcs = switch.vcs.total().into();
        Channel {
            class,
            memory: Memory::new(policy, number, class.states),
            flit_bits: switch.flit.0 * 8,
            free_at: 0,
            paths_free: Vec::new(),
            credits: vec![room.into(); vcs],
            returning: Vec::new(),
            pause: switch.pause_levels().map(|levels| (levels, vec![0; vcs])),
            coming: Vec::new(),
            packet_flits: switch.packet_flits.into(),
            waiting: BTreeSet::new(),
            lanes: match (policy, class.states) {
                (Policy::Width(width), Some(states)) => Some(Lanes::new(width.lanes, states)),
                _ => None,
            },
            gate: None,
            sent: 0,
            sent_wide: 0,
            state: LinkState::On,
            since: 0,
            sleep: LinkState::Shallow,
            deepens: false,
            idle_since: Some(0),
            peer_until: 0,
            requested_at: 0,
            woken: None,
            hidden: false,
            coalesces_since: None,
            awake_at: 0,
            record: ChannelRecord::default(),
            counted_from: 0,
            by_hindsight: [0; LinkState::COUNT],
        }
    }

    /// Advances the state and the credits up to and including time `t`.
    pub fn advance(&mut self, t: u64) {
        self.lanes.iter_mut().for_each(|lanes| lanes.advance(t));
        while let Some((at, state)) = self.next_change(t).filter(|&(at, _)| at <= t) {
            self.enter(state, at);
        }
        let left: Vec<_> = self.returning.extract_if(.., |&mut (at, ..)| at <= t).collect();
        if self.pause.is_none() {
            left.into_iter().for_each(|(_, vc, flits)| self.credits[vc] += flits);
            return;
        }
        let came = self.coming.extract_if(.., |&mut (at, ..)| at <= t);
        let told = left.into_iter().map(|(at, vc, flits)| (at, vc, -flits.cast_signed()));
        let mut told: Vec<_> = told.chain(came.map(|(at, vc, flits)| (at, vc, flits.cast_signed()))).collect();
        // Of what is told at the same time, packets that leave come first.
        told.sort_unstable_by_key(|&(at, _, more)| (at, more > 0));
        told.into_iter().for_each(|(_, vc, more)| self.hear(vc, more));
    }

    /// Hears that a virtual channel at the other end holds more flits, or fewer; pauses or goes on by that.
    fn hear(&mut self, vc: usize, more: i64) {
        let Some((levels, held)) = &mut self.pause else { return };
        held[vc] = held[vc].strict_add_signed(more);
        match held[vc] {
            flits if flits >= levels.xoff_flits.into() => self.credits[vc] = 0,
            flits if flits <= levels.xon_flits.into() => self.credits[vc] = self.packet_flits,
            _ => {}
        }
    }

    /// Takes the room of a packet on a virtual channel whose head comes to the other end at a time.
    pub fn fill(&mut self, vc: usize, flits: u64, comes_at: u64) {
        match self.pause {
            Some(_) => self.coming.push((comes_at + self.class.latency.0, vc, flits)),
            None => self.credits[vc] -= flits,
        }
    }

    /// Returns time and state of the next change, if no event comes before.
    fn next_change(&self, t: u64) -> Option<(u64, LinkState)> {
        let target = self.target()?;
        let idle_since = self.idle_since.unwrap_or(u64::MAX);
        Some(match self.state {
            // At the moment when its idle period begins, a channel is still on, with any timers.
            LinkState::On if idle_since >= t => return None,
            LinkState::On => (self.next_sleep(idle_since, 0, 0).0, LinkState::Entering),
            LinkState::Entering => {
                let takes = match self.class.states {
                    Some(states) if self.deepens => states.deepen.takes,
                    _ => target.enter,
                };
                (self.since + takes.0, if self.is_waking() { LinkState::Waking } else { self.sleep })
            }
            LinkState::Waking => (self.awake_at, LinkState::On),
            // A queue that waits without having woken it does not prevent deeper sleep.
            asleep => {
                let deeper = asleep.sleep_place().map_or(0, |place| place + 1);
                (self.next_sleep(idle_since, self.since, deeper).0, LinkState::Entering)
            }
        })
    }

    /// Returns the sleep state that it enters, is in or leaves; `None` for a channel that is always on.
    fn target(&self) -> Option<SleepState> {
        self.class.states.map(|states| *states.of(self.sleep))
    }

    /// Returns when it goes to a sleep state, not before `since`, and to which, of those from a place on: the deepest
    /// whose timer has expired first. Idle since a time, it waits for the timer of deep sleep before it goes beyond.
    fn next_sleep(&self, idle_since: u64, since: u64, from: usize) -> (u64, LinkState) {
        let (Timers { shallow, deep }, further) = (self.memory.timers(), self.memory.further_timers());
        let mut timers = vec![shallow, deep];
        timers.extend(further.into_iter().map(|timer| timer.max(deep)));
        let mut next = (u64::MAX, LinkState::Shallow);
        for (timer, sleep) in timers.into_iter().zip(LinkState::SLEEPS).skip(from) {
            let at = idle_since.saturating_add(timer.0).max(since);
            if at <= next.0 {
                next = (at, sleep);
            }
        }
        next
    }

    fn enter(&mut self, state: LinkState, at: u64) {
        self.record.residency[self.counts_as() as usize].0 += at - self.since.max(self.counted_from);
        if state == LinkState::Entering {
            let idle_since = self.idle_since.unwrap_or(u64::MAX);
            let from = self.state.sleep_place().map_or(0, |place| place + 1);
            self.sleep = self.next_sleep(idle_since, if from > 0 { self.since } else { 0 }, from).1;
            self.deepens = self.state == LinkState::Shallow && self.sleep == LinkState::Deep;
        }
        (self.state, self.since) = (state, at);
    }

    /// Returns the state as which its present time is accounted.
    fn counts_as(&self) -> LinkState {
        let as_shallow = self.deepens && self.class.states.is_some_and(|states| states.deepen.as_shallow);
        if as_shallow && self.state == LinkState::Entering { LinkState::Shallow } else { self.state }
    }

    /// Returns its account up to time `t`, and begins a new one.
    pub fn account(&mut self, t: u64) -> ChannelRecord {
        self.advance(t);
        self.record.residency[self.counts_as() as usize].0 += t - self.since.max(self.counted_from);
        self.counted_from = t;
        for (state, time) in std::mem::take(&mut self.by_hindsight).into_iter().enumerate() {
            self.record.residency[state].0 += time;
            self.record.residency[LinkState::On as usize].0 -= time;
        }
        let record = std::mem::take(&mut self.record);
        match &mut self.lanes {
            Some(lanes) => lanes.account(t, record),
            None => record,
        }
    }

    /// Judges the idle period in which the measured time ends.
    pub fn end(&mut self, t: u64) {
        if let Some(since) = self.idle_since.filter(|&since| since < t) {
            self.judge(since, t, false);
        }
    }

    /// Returns whether it can send.
    pub fn is_on(&self) -> bool {
        let is_open = self.gate.is_none_or(|gate| gate == Gate::Open);
        self.state == LinkState::On && is_open && !self.memory.is_off && !self.hidden
    }

    /// Returns whether it has been woken in its state and is not on yet.
    pub fn is_waking(&self) -> bool {
        self.hidden || self.gate == Some(Gate::Opens) || self.state != LinkState::On && self.awake_at > self.since
    }

    /// Returns whether it sleeps or enters sleep and has not been woken.
    pub fn is_asleep(&self) -> bool {
        !self.is_on() && !self.is_waking()
    }

    /// Requests it at time `t` while it sleeps, with so many packets waiting for it. It wakes at once, unless it
    /// coalesces packets.
    pub fn request(&mut self, t: u64, frames: u64) {
        if !self.is_asleep() {
            return;
        }
        if let Policy::Coalescing(limits) = self.memory.policy {
            let since = *self.coalesces_since.get_or_insert(t);
            if t < since.saturating_add(limits.timeout.0) && frames < u64::from(limits.frames) {
                return;
            }
        }
        self.wake(t);
    }

    /// Returns how long it would take to wake. A channel that enters sleep completes that first.
    pub fn time_to_wake(&self, t: u64) -> u64 {
        let (Some(states), Some(target)) = (self.class.states, self.target()) else { return 0 };
        let takes = if self.deepens { states.deepen.takes } else { target.enter };
        let asleep_at = if self.state == LinkState::Entering { self.since + takes.0 } else { t };
        asleep_at + target.wake.0 - t
    }

    /// Wakes it if it sleeps. A channel that enters sleep completes that first.
    pub fn wake(&mut self, t: u64) {
        if !self.is_asleep() {
            return;
        }
        let enters = self.state == LinkState::Entering;
        self.awake_at = t + self.time_to_wake(t);
        self.woken = Some(t);
        self.requested_at = self.coalesces_since.take().unwrap_or(t);
        if let Some(since) = self.idle_since.take() {
            self.memory.idle_ended(since, t, Some(self.sleep));
        }
        self.record.wakes += 1;
        if !enters {
            self.enter(LinkState::Waking, t);
        }
        self.advance(t);
    }

    /// Counts a message that arrived at time `since` and was delayed until the channel was awake, and the time lost.
    pub fn delay(&mut self, since: u64) {
        self.record.delayed_messages += 1;
        let lost_from = since.max(self.requested_at).max(self.counted_from);
        self.record.time_lost.0 += self.awake_at.saturating_sub(lost_from);
    }

    /// Returns the queues whose heads wait for it.
    pub fn waiting(&self) -> &BTreeSet<usize> {
        &self.waiting
    }

    /// Adds a queue whose head waits for it at time `t`. This ends the idle period, unless it sleeps.
    pub fn add_waiter(&mut self, queue: usize, t: u64) {
        self.waiting.insert(queue);
        if !self.is_asleep() {
            self.end_idle(t);
        }
    }

    /// Removes a queue whose head leaves by another output at time `t`.
    pub fn remove_waiter(&mut self, queue: usize, t: u64) {
        if self.waiting.remove(&queue) && self.waiting.is_empty() {
            self.coalesces_since = None;
            if self.idle_since.is_none() {
                self.begin_idle(t.max(self.free_at).max(self.awake_at));
            }
        }
    }

    /// Sends a packet of a queue from the start of `time` on, and not before its end, which was decided at time `t`.
    /// Returns the time of its last bit.
    pub fn send(&mut self, queue: usize, flits: u64, time: Range<u64>, t: u64) -> u64 {
        self.end_idle(t);
        self.waiting.remove(&queue);
        let before = self.bits_until(self.sent_wide);
        self.sent_wide += flits << self.narrow();
        self.free_at = (time.start + self.bits_until(self.sent_wide) - before).max(time.end);
        self.sent += flits;
        if self.waiting.is_empty() {
            self.begin_idle(self.free_at);
        }
        self.record.flits += flits;
        self.record.packets += 1;
        self.free_at
    }

    /// Sets how many crossbar paths it consists of.
    pub fn with_paths(mut self, count: usize) -> Self {
        self.paths_free = vec![0; if count > 1 { count } else { 0 }];
        self
    }

    /// Returns when the crossbar path to a virtual channel is free, where there are several.
    pub fn free_for(&self, vc: usize) -> u64 {
        let several = self.paths_free.len();
        if several > 0 { self.paths_free[vc % several] } else { 0 }
    }

    /// Takes the room of a packet, and the crossbar path by which it has been sent, if there are several.
    pub fn take(&mut self, vc: usize, flits: u64) {
        self.credits[vc] -= flits;
        let several = self.paths_free.len();
        if several > 0 {
            self.paths_free[vc % several] = self.free_at;
            self.free_at = self.paths_free.iter().copied().min().unwrap_or_default();
        }
    }

    /// Begins an idle period; a later one if the other channel of the link is still in use.
    fn begin_idle(&mut self, since: u64) {
        self.idle_since = Some(since.max(self.peer_until));
    }

    /// Ends the idle period of a channel that is on.
    fn end_idle(&mut self, t: u64) {
        if let Some(since) = self.idle_since.take().filter(|&since| since < t) {
            self.memory.idle_ended(since, t, None);
            self.judge(since, t, true);
        }
    }

    /// Notes at time `t` that the other channel of the link is in use until a time, and wakes up.
    pub fn peer_is_active(&mut self, t: u64, until: u64) {
        if self.class.states.is_none() || self.is_governed() || self.lanes.is_some() {
            return;
        }
        self.peer_until = self.peer_until.max(until);
        self.advance(t);
        if self.is_asleep() {
            self.wake(t);
            self.woken = None;
            self.begin_idle(self.awake_at);
        } else if let Some(since) = self.idle_since {
            self.end_idle(t);
            self.begin_idle(since.max(t));
        }
    }

    /// Accounts an idle period by hindsight.
    fn judge(&mut self, since: u64, until: u64, wakes: bool) {
        let Some(sleep) = self.memory.cheapest(until - since, wakes) else { return };
        let Some(state) = self.class.states.map(|states| *states.of(sleep)) else { return };
        let asleep = since + state.enter.0..if wakes { until - state.wake.0 } else { until };
        let mut add = |state: LinkState, from: u64, to: u64| {
            self.by_hindsight[state as usize] += to.saturating_sub(from.max(self.counted_from));
        };
        add(LinkState::Entering, since, asleep.start);
        add(sleep, asleep.start, asleep.end);
        add(LinkState::Waking, asleep.end, until);
        self.record.wakes += u64::from(wakes);
    }

    /// Returns the time that the first `flits` flits of a channel take, in whole picoseconds.
    ///
    /// A packet takes the difference of two such times, so a long flow has exactly the bandwidth.
    fn bits_until(&self, flits: u64) -> u64 {
        let picobits = u128::from(flits) * u128::from(self.flit_bits) * 1_000_000_000_000;
        (picobits / u128::from(self.class.bandwidth.0)) as u64
    }

    /// Turns it off at time `t`: it sends what has been granted, then goes to sleep.
    pub fn turn_off(&mut self, t: u64) {
        self.idle_since = Some(t.max(self.free_at).max(self.awake_at));
        self.memory.is_off = true;
    }

    /// Turns it on at time `t`. If it still sends, it has not begun to go to sleep.
    pub fn turn_on(&mut self, t: u64) {
        if self.state != LinkState::On {
            self.wake(t);
            self.woken = None;
        }
        self.memory.is_off = false;
        self.idle_since = None;
        if self.waiting.is_empty() {
            self.begin_idle(t.max(self.free_at).max(self.awake_at));
        }
    }

    /// Returns whether it has been turned off and does not sleep yet. It may go to sleep in no time.
    pub fn goes_off(&self, t: u64) -> bool {
        let enter = self.class.states.map_or(0, |states| states.deep.enter.0);
        let sleeps_at_once = self.state == LinkState::On && self.idle_since.is_some_and(|since| since + enter <= t);
        self.memory.is_off && self.state != LinkState::Deep && !sleeps_at_once
    }

    /// Returns whether packets do not wake it, because it belongs to a governed trunk.
    pub fn is_governed(&self) -> bool {
        self.gate.is_some() || matches!(self.memory.policy, Policy::Trunk(_))
    }

    /// Returns how often its lanes have been halved.
    pub fn narrow(&self) -> u32 {
        self.lanes.as_ref().map_or(0, |lanes| lanes.narrow)
    }

    /// Returns the time that flits take, rounded down.
    pub fn time_of(&self, flits: u64) -> Time {
        Time(self.bits_until(flits))
    }

    /// Returns the time that a packet takes with the lanes halved so often, rounded up.
    pub fn duration(&self, flits: u64, narrow: u32) -> u64 {
        self.class.bandwidth.transfer_time((flits << narrow) * self.flit_bits / 8).0
    }
}
