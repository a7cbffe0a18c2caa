//! Priority flow control: a sender stops and goes on by what the queues at the other end of its channel hold.
//!
//! Those count a packet when its head comes, and no longer when its last bit has left. What they tell their sender takes
//! the latency of the wire. Both times are known to it beforehand: the first when it sends the packet, the second by the
//! credit of the packet. So nothing is sent back but credits, which say here that a packet has left.

use std::collections::VecDeque;

use crate::model::config::PauseLevels;
use crate::power::Policy;

use super::channel::{Channel, Credit};
use super::credit_pool::CreditPool;
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
    untold: VecDeque<Untold>,
}

/// A packet whose coming the sender is told at a time.
#[derive(Clone, Copy, Debug)]
struct Untold {
    at: u64,
    vc: u8,
    flits: u16,
}

impl Pauses {
    /// Prepares channels, of which some are `governed`.
    pub fn new(levels: PauseLevels, governed: impl Iterator<Item = bool>) -> Self {
        Pauses { levels, meters: governed.map(|governed| governed.then(Meter::default)).collect() }
    }

    /// Takes in what the sender of a channel has been told by time `t`: of what leaves before what comes at the same time.
    /// `full` is a full packet.
    fn collect(&mut self, (channel, hot): (usize, &mut Channel), credits: &mut CreditPool, t: u64, full: u16) -> bool {
        let Some(meter) = &mut self.meters[channel] else { return false };
        while let Some((vc, held)) = meter.next(hot, credits, t, full) {
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
    /// Takes in the next thing that the sender has been told by time `t`: a virtual channel, and what it holds now.
    fn next(&mut self, hot: &mut Channel, credits: &mut CreditPool, t: u64, full: u16) -> Option<(u8, u16)> {
        let comes_at = self.untold.front().map_or(u64::MAX, |packet| packet.at);
        let leaves_at = hot.kept(0).map_or(u64::MAX, |credit| credit.at);
        if comes_at.min(leaves_at) > t {
            return None;
        }
        let (vc, held) = if leaves_at <= comes_at {
            let Credit { vc, flits, .. } = credits.pop(hot, full)?;
            (vc, self.held[usize::from(vc)] - flits)
        } else {
            let Untold { vc, flits, .. } = self.untold.pop_front()?;
            (vc, self.held[usize::from(vc)] + flits)
        };
        self.held[usize::from(vc)] = held;
        Some((vc, held))
    }
}

impl<P: Policy> Links<'_, P> {
    /// Returns whether the sender of a channel pauses when it is told to, and counts no credits.
    #[inline]
    pub fn pauses(&self, channel: usize) -> bool {
        self.pauses.as_ref().is_some_and(|pauses| pauses.meters[channel].is_some())
    }

    /// Takes in what the sender of a channel has been told by time `t`, if it pauses when it is told to.
    #[inline(never)]
    pub(super) fn collect_pauses(&mut self, channel: usize, t: u64) -> bool {
        let Some(pauses) = &mut self.pauses else { return false };
        pauses.collect((channel, &mut self.hot[channel]), &mut self.credits, t, self.packet_flits)
    }

    /// Takes the room of a packet whose head comes to the other end of a channel at time `comes_at`.
    #[inline]
    pub fn fill(&mut self, channel: usize, vc: u8, flits: u16, comes_at: u64) {
        let at = comes_at + self.class(channel).latency;
        let meter = self.pauses.as_mut().and_then(|pauses| pauses.meters[channel].as_mut());
        match meter {
            Some(meter) => meter.untold.push_back(Untold { at, vc, flits }),
            None => self.hot[channel].spend(vc, flits, self.packet_flits),
        }
    }

    /// Returns the flits of a virtual channel that the other end holds or will have held, as far as the sender of the
    /// channel knows; `None` where it counts credits.
    pub fn held(&self, channel: usize, vc: u8) -> Option<u64> {
        let meter = self.pauses.as_ref()?.meters[channel].as_ref()?;
        let untold = meter.untold.iter().filter(|packet| packet.vc == vc).map(|packet| u64::from(packet.flits));
        Some(u64::from(meter.held[usize::from(vc)]) + untold.sum::<u64>())
    }
}
