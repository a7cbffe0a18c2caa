//! Which input queues of a switch have a head that waits for an output: a bit mask for each output, of one or more words.
//!
//! The first word, the only one up to 64 queues a switch, lies in the channel itself, beside what a packet touches anyway.

use crate::power::Policy;

use crate::engine::link::channel::Links;
use crate::engine::switch::switches::Switches;

/// The words of masks beyond the first.
#[derive(Debug, Default)]
pub struct WideMasks {
    /// So many for each output.
    count: usize,
    words: Vec<u64>,
}

impl WideMasks {
    /// Makes the other words of empty masks of so many words each.
    pub fn new(words: usize, outputs: usize) -> Self {
        let count = words.saturating_sub(1);
        WideMasks { count, words: vec![0; count * outputs] }
    }

    #[inline(never)]
    fn of(&self, channel: usize) -> &[u64] {
        &self.words[channel * self.count..][..self.count]
    }
}

impl<P: Policy> Links<'_, P> {
    /// Returns a word of the mask of those that wait for an output.
    #[inline]
    pub fn waiting(&self, channel: usize, word: usize) -> u64 {
        if word == 0 { self.hot[channel].waiting } else { self.wide_masks.of(channel)[word - 1] }
    }

    /// Returns a word of the mask of those that wait for an output, to be changed.
    #[inline]
    pub fn waiting_mut(&mut self, channel: usize, word: usize) -> &mut u64 {
        if word == 0 {
            return &mut self.hot[channel].waiting;
        }
        let more = &mut self.wide_masks;
        &mut more.words[channel * more.count + word - 1]
    }

    /// Returns whether some input queue waits for an output.
    #[inline]
    pub fn some_wait(&self, channel: usize) -> bool {
        self.hot[channel].waiting != 0
            || self.wide_masks.count > 0 && self.wide_masks.of(channel).iter().any(|&word| word != 0)
    }

    /// Counts the input queues that wait for an output.
    pub fn count_waiting(&self, channel: usize) -> u32 {
        let more: u32 = self.wide_masks.of(channel).iter().map(|word| word.count_ones()).sum();
        self.hot[channel].waiting.count_ones() + more
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Marks an input queue as waiting for an output.
    #[inline]
    pub fn set_waiting(&mut self, channel: usize, bit: u16) {
        *self.channels.waiting_mut(channel, usize::from(bit) / 64) |= 1 << (bit % 64);
    }

    /// Takes an input queue, whose packet goes, out of the switch's masks of those that wait; outputs for which nobody
    /// waits any more are idle.
    #[inline(never)]
    pub fn unblock(&mut self, switch: u32, first: u32, bit: u32, granted: usize) {
        let place = (first << self.vc_bits) + bit;
        let run = self.only_run(&self.packets[self.queues[place as usize].head], switch);
        let ports = if run.count > 0 {
            let from = first as usize + usize::from(run.first);
            from..from + usize::from(run.count)
        } else {
            first as usize..self.part.first_port[switch as usize + 1] as usize
        };
        let (word, bit) = (bit as usize / 64, 1 << (bit % 64));
        for channel in ports {
            let mask = self.channels.waiting_mut(channel, word);
            if *mask & bit != 0 {
                *mask &= !bit;
                if channel != granted && !self.channels.some_wait(channel) {
                    self.channels.begin_idle(channel, self.now.time);
                    self.channels.stop_coalescing(channel);
                }
            }
        }
    }
}
