//! What is noted of wakes for which messages wait, where a probe wants it.

use crate::power::Policy;

use super::links::Links;

impl<P: Policy> Links<'_, P> {
    /// Notes how a channel sleeps that is woken, before its policy learns of that.
    #[cold]
    pub(super) fn note_woken(&mut self, channel: usize) {
        let hot = &self.hot[channel];
        let timers = self.policy.timers(hot.class, &self.accounts[channel].policy);
        let idle_since = hot.idle_since;
        self.wake_log.iter_mut().for_each(|log| log.woken(channel, idle_since, timers));
    }

    /// Says which message of the shard has just waited for a channel, if one has and a probe wants it.
    #[inline]
    pub fn number_waiting(&mut self, message: u32) {
        if P::PROBES
            && let Some(log) = &mut self.wake_log
        {
            log.number(message);
        }
    }
}
