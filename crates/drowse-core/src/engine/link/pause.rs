//! Priority flow control: a sender stops and goes on by what the queues at the other end of its channel hold.
//!
//! Those count a packet when its head comes, and no longer when its last bit has left. What they tell their sender takes
//! the latency of the wire. Both times are known to it beforehand: the first when it sends the packet, the second by the
//! credit of the packet. So nothing is sent back but credits, which say here that a packet has left.

use std::collections::VecDeque;

use crate::model::config::PauseLevels;

use super::channel::Channel;

/// What the senders of channels know of the queues at the other end. A virtual channel has the credits of a full packet
/// while its sender goes on, and none while it pauses.
#[derive(Debug)]
pub struct Pauses {
    levels: PauseLevels,
    /// Indexed by channel; `None` where senders count credits or nodes take everything.
    pub(super) meters: Vec<Option<Meter>>,
}

/// What a sender knows of the queues at the other end of its channel.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// Flits that each virtual channel held when it last told.
    pub(super) held: [u16; 8],
    /// Packets sent whose coming the sender has not been told; the earliest first.
    pub(super) coming: VecDeque<Word>,
    /// Packets that have left, or will, without the sender having been told; the earliest first.
    pub(super) leaving: VecDeque<Word>,
}

/// What a sender is told of a packet, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) at: u64,
    pub(super) vc: u8,
    pub(super) flits: u16,
}

impl Pauses {
    /// Prepares channels, of whose senders some pause.
    pub(super) fn new(levels: PauseLevels, pausing: impl Iterator<Item = bool>) -> Self {
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
    pub(super) fn leave(&mut self, word: Word) -> bool {
        let place = self.leaving.partition_point(|other| other.at <= word.at);
        self.leaving.insert(place, word);
        place + 1 < self.leaving.len()
    }
}
