//! Wakes outputs that take no time to wake: [`AtOnce`](super::at_once::AtOnce) says who sees them on.

use crate::power::Policy;

use super::request::Head;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Notes an output that has been woken, if that took no time.
    pub fn note_woken(&mut self, channel: usize) {
        if self.links.is_on(channel, self.events.now.time) {
            self.at_once.woken.push(channel as u32);
        }
    }

    /// Examines all heads that wait for outputs that have been woken before heads select.
    #[inline]
    pub fn examine_woken(&mut self) {
        while let Some(channel) = self.at_once.woken.pop() {
            self.examine_waiting::<false>(channel);
        }
    }

    /// Lets an output that a head has woken seem to wake, now that this head has selected.
    pub fn hide_woken(&mut self, head: &Head) {
        while let Some(channel) = self.at_once.woken.pop() {
            if !head.alone {
                self.links.hot[channel as usize].awake_at = self.events.now.time + 1;
                self.at_once.hidden.push(channel);
            }
        }
    }

    /// Lets hidden outputs be on, now that all heads have selected.
    #[inline]
    pub fn show_woken(&mut self) {
        while let Some(channel) = self.at_once.hidden.pop() {
            self.links.hot[channel as usize].awake_at = self.events.now.time;
        }
    }
}
