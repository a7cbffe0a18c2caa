//! Which input queues of a switch have a head that waits for an output: a bit mask for each output, of one or more
//! words.
//!
//! The first word, the only one up to 64 queues a switch, lies in the channel itself, beside what a packet touches
//! anyway.

use crate::power::Policy;

use crate::engine::link::links::Links;

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
