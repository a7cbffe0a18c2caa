//! Senders that pause and go on by what they are told: [`Pauses`] holds it.

use std::collections::VecDeque;

use crate::model::config::PauseLevels;
use crate::power::Policy;

use super::channel::Channel;
use super::links::Links;
use super::pause::{Meter, Pauses, Word};

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
