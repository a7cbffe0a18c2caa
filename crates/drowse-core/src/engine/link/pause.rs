//! Priority flow control: a sender stops and goes on by what the queues at the other end of its channel hold.
//!
//! Those count a packet when its head comes, and no longer when its last bit has left. What they tell their sender takes
//! the latency of the wire. Both times are known to it beforehand: the first when it sends the packet, the second by the
//! credit of the packet. So nothing is sent back but credits, which say here that a packet has left.

use std::collections::VecDeque;

use crate::model::config::PauseLevels;
use crate::power::Policy;

use super::channel::Channel;
use super::links::Links;

/// What the senders of channels know of the queues at the other end. A virtual channel has the credits of a full packet
/// while its sender goes on, and none while it pauses.
#[derive(Debug)]
pub struct Pauses {
    levels: PauseLevels,
    /// Indexed by channel; `None` where senders count credits or nodes take everything.
    meters: Vec<Option<Meter>>,
}

/// What a sender knows of the queues at the other end of its channel.
#[derive(Debug, Default)]
struct Meter {
    /// Flits that each virtual channel held when it last told.
    held: [u16; 8],
    /// Packets sent whose coming the sender has not been told; the earliest first.
    coming: VecDeque<Word>,
    /// Packets that have left, or will, without the sender having been told; the earliest first.
    leaving: VecDeque<Word>,
}

/// What a sender is told of a packet, and when.
#[derive(Clone, Copy, Debug)]
struct Word {
    at: u64,
    vc: u8,
    flits: u16,
}

impl Pauses {
    /// Prepares channels, of whose senders some pause.
    fn new(levels: PauseLevels, pausing: impl Iterator<Item = bool>) -> Self {
        Pauses { levels, meters: pausing.map(|pauses| pauses.then(Meter::default)).collect() }
    }

    /// Takes in what the sender of a channel has been told by time `t`; `false` if it counts credits. `full` is a full
    /// packet.
    pub(super) fn collect(&mut self, channel: usize, hot: &mut Channel, t: u64, full: u16) -> bool {
        let Some(meter) = &mut self.meters[channel] else { return false };
        hot.always_collect();
        while let Some((vc, held)) = meter.next(t) {
            if held >= self.levels.xoff_flits {
                hot.set_credits(vc, 0, full);
            } else if held <= self.levels.xon_flits {
                hot.set_credits(vc, full, full);
            }
        }
        true
    }
}

impl Meter {
    /// Takes in the next thing that the sender has been told by time `t`: a virtual channel, and what it holds now. What
    /// leaves counts before what comes at the same time.
    fn next(&mut self, t: u64) -> Option<(u8, u16)> {
        let at = |words: &VecDeque<Word>| words.front().map_or(u64::MAX, |word| word.at);
        let (leaves_at, comes_at) = (at(&self.leaving), at(&self.coming));
        if leaves_at.min(comes_at) > t {
            return None;
        }
        let leaves = leaves_at <= comes_at;
        let Word { vc, flits, .. } = if leaves { self.leaving.pop_front() } else { self.coming.pop_front() }?;
        let held = &mut self.held[usize::from(vc)];
        *held = if leaves { *held - flits } else { *held + flits };
        Some((vc, *held))
    }

    /// Notes a packet that leaves; returns whether word of it overtakes that of others.
    fn leave(&mut self, word: Word) -> bool {
        let place = self.leaving.partition_point(|other| other.at <= word.at);
        self.leaving.insert(place, word);
        place + 1 < self.leaving.len()
    }
}

impl<P: Policy> Links<'_, P> {
    /// Lets the senders of some channels pause when they are told to.
    pub fn let_pause(&mut self, levels: PauseLevels, pauses: impl Fn(usize, &Channel) -> bool) {
        let pausing: Vec<bool> = self.hot.iter().enumerate().map(|(channel, hot)| pauses(channel, hot)).collect();
        let channels = self.hot.iter_mut().zip(&pausing).filter(|(_, pauses)| **pauses);
        channels.for_each(|(hot, _)| hot.always_collect());
        self.pauses = Some(Pauses::new(levels, pausing.into_iter()));
    }

    /// Returns whether the sender of a channel pauses when it is told to, and counts no credits.
    #[inline]
    pub fn pauses(&self, channel: usize) -> bool {
        self.pauses.as_ref().is_some_and(|pauses| pauses.meters[channel].is_some())
    }

    fn meter(&mut self, channel: usize) -> Option<&mut Meter> {
        self.pauses.as_mut()?.meters[channel].as_mut()
    }

    /// Notes that a packet leaves the other end of a channel, of which its sender is told at time `at`. Returns whether
    /// that overtakes others; `None` if the sender counts credits.
    pub(super) fn note_leaving(&mut self, channel: usize, vc: u8, flits: u16, at: u64) -> Option<bool> {
        self.meter(channel).map(|meter| meter.leave(Word { at, vc, flits }))
    }

    /// Takes the room of a packet whose head comes to the other end of a channel at time `comes_at`.
    #[inline]
    pub fn fill(&mut self, channel: usize, vc: u8, flits: u16, comes_at: u64) {
        let at = comes_at + self.class(channel).latency;
        match self.meter(channel) {
            Some(meter) => meter.coming.push_back(Word { at, vc, flits }),
            None => self.hot[channel].spend(vc, flits, self.packet_flits),
        }
    }

    /// Returns when the sender of a channel that pauses is next told that a packet has left, if one is known to leave.
    pub(super) fn next_word(&self, channel: usize) -> Option<u64> {
        let meter = self.pauses.as_ref()?.meters[channel].as_ref()?;
        meter.leaving.front().map(|word| word.at)
    }

    /// Returns the flits of a virtual channel that have been sent and have not left the other end, as far as the sender of
    /// the channel will know; `None` where it counts credits.
    pub fn held(&self, channel: usize, vc: u8) -> Option<u64> {
        let meter = self.pauses.as_ref()?.meters[channel].as_ref()?;
        let sum = |words: &VecDeque<Word>| {
            words.iter().filter(|word| word.vc == vc).map(|word| u64::from(word.flits)).sum::<u64>()
        };
        Some(u64::from(meter.held[usize::from(vc)]) + sum(&meter.coming) - sum(&meter.leaving))
    }
}
