//! One direction of a link: its wire, its credits, who waits for it, its power state.

use std::collections::BTreeSet;

use drowse_core::config::ClassModel;
use drowse_core::measure::ChannelRecord;
use drowse_core::units::Time;

use crate::power::Power;

/// One direction of a link.
#[derive(Clone, Debug)]
pub struct Channel<'a> {
    /// What it has in common with others of its class.
    pub class: &'a ClassModel,
    flit_bits: u64,
    /// When the last bit of the last packet is sent.
    pub free_at: u64,
    /// Flits that may be sent on each virtual channel.
    pub credits: Vec<u64>,
    /// Credits on their way back: when they come, virtual channel, flits.
    returning: Vec<(u64, usize, u64)>,
    /// The input queues whose heads wait for it.
    waiting: BTreeSet<usize>,
    /// Its power state.
    pub power: Power,
    /// When it was last woken, or the measured time began since.
    pub asked_at: u64,
    /// What it has done; residencies are the power state's.
    pub record: ChannelRecord,
}

impl<'a> Channel<'a> {
    /// Makes an idle channel with credits for its virtual channels.
    pub fn new(class: &'a ClassModel, flit_bytes: u64, credits: Vec<u64>, power: Power) -> Self {
        Channel {
            class,
            flit_bits: flit_bytes * 8,
            free_at: 0,
            credits,
            returning: Vec::new(),
            waiting: BTreeSet::new(),
            power,
            asked_at: 0,
            record: ChannelRecord::default(),
        }
    }

    /// Lets everything happen that happens up to and at time `t`.
    pub fn advance(&mut self, t: u64) {
        self.power.advance(t);
        let credits = &mut self.credits;
        self.returning.retain(|&(at, vc, flits)| {
            if at <= t {
                credits[vc] += flits;
            }
            at > t
        });
    }

    /// Wakes it if it sleeps.
    pub fn wake(&mut self, t: u64) {
        if self.power.is_asleep() {
            self.record.wakes += 1;
            self.asked_at = t;
            self.power.wake(t);
        }
    }

    /// Counts a message that was there at time `since` and was delayed until the channel was awake.
    pub fn delay(&mut self, since: u64) {
        self.record.delayed_messages += 1;
        self.record.time_lost.0 += self.power.awake_at.saturating_sub(since.max(self.asked_at));
    }

    /// Lets the head of an input queue wait for it; where it sleeps, it goes on sleeping.
    pub fn await_by(&mut self, queue: usize) {
        self.waiting.insert(queue);
        self.power.end_idle();
    }

    /// Lets the head of an input queue, which has gone elsewhere at time `t`, wait no more.
    pub fn leave(&mut self, queue: usize, t: u64) {
        if self.waiting.remove(&queue) && self.waiting.is_empty() {
            self.power.begin_idle(t.max(self.free_at));
        }
    }

    /// Sends a packet from time `start` on and gives the time of its last bit; `more` tells that a NIC has others.
    pub fn send(&mut self, queue: Option<usize>, flits: u64, start: u64, more: bool) -> u64 {
        queue.iter().for_each(|queue| _ = self.waiting.remove(queue));
        self.free_at = start + self.bits_until(self.record.flits + flits) - self.bits_until(self.record.flits);
        self.record.flits += flits;
        self.record.packets += 1;
        self.power.end_idle();
        if self.waiting.is_empty() && !more {
            self.power.begin_idle(self.free_at);
        }
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

    /// Sends credits back to its sender.
    pub fn return_credit(&mut self, at: u64, vc: usize, flits: u64) {
        self.returning.push((at, vc, flits));
    }

    /// Gives when the next credits come back.
    pub fn next_credit(&self) -> Option<u64> {
        self.returning.iter().map(|&(at, ..)| at).min()
    }

    /// Gives what it has done up to time `t`, to which it has been advanced.
    pub fn record(&self, t: u64) -> ChannelRecord {
        ChannelRecord { residency: self.power.residency(t).map(Time), ..self.record }
    }
}
