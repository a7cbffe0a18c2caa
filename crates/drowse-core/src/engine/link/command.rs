//! Ports of trunks that their switch commands off and on; packets do not wake them. Those that the runtime system commands, which
//! packets do wake, are in [`crate::engine::control::runtime`].

use crate::power::Policy;

use crate::engine::link::channel::Links;
use crate::engine::switch::switches::Switches;

impl<P: Policy> Links<'_, P> {
    /// Commands a channel off at time `t`: it sends what has been granted, then goes to sleep. It is not offered from now on.
    pub fn turn_off(&mut self, channel: usize, t: u64) {
        if self.hot[channel].sleep_at <= t {
            return;
        }
        if self.hot[channel].idle_since <= t {
            self.idle_over(channel, t);
        }
        let hot = &mut self.hot[channel];
        hot.idle_since = t.max(hot.free_at).max(hot.awake_at);
        hot.sleep_at = t;
        self.policy.commanded(hot.class, &mut self.accounts[channel].policy, false);
    }

    /// Commands a channel on at time `t`; one that still sends had not begun to go to sleep. `wanted` tells whether somebody
    /// waits for it.
    fn turn_on(&mut self, channel: usize, t: u64, wanted: bool) {
        let idle_since = self.hot[channel].idle_since;
        if idle_since != u64::MAX && idle_since < t {
            self.start_waking(channel, t);
        }
        let hot = &mut self.hot[channel];
        self.policy.commanded(hot.class, &mut self.accounts[channel].policy, true);
        (hot.idle_since, hot.sleep_at) = (u64::MAX, u64::MAX);
        if !wanted {
            let since = t.max(hot.free_at).max(hot.awake_at);
            self.idle_from(channel, since);
        }
    }

    /// Returns when a channel that is commanded off sleeps, once it has sent what it had to and gone to sleep.
    pub fn asleep_from(&self, channel: usize) -> u64 {
        let hot = &self.hot[channel];
        let enter = self.classes[hot.class as usize].states.map_or(0, |states| states.deep.enter.0);
        hot.idle_since.saturating_add(enter)
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Commands a port's channel on at time `t`; those who wait for it look at it once it is.
    pub fn turn_on(&mut self, port: usize, t: u64) {
        let wanted = self.channels.some_wait(port);
        self.channels.turn_on(port, t, wanted);
        if wanted {
            let awake = self.clock.first_from(self.channels.hot[port].awake_at);
            self.wake_output(port, awake.max(self.now.number + 1));
        }
    }
}
