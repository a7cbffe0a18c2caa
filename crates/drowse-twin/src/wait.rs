//! Packets that find no output: what they wait for, and which sleeping outputs they wake.

use crate::cut_through::Machine;
use crate::routes::Permitted;

impl Machine<'_> {
    /// Lets the head of a queue wait for all its outputs; gives the output that it has woken.
    ///
    /// Where none is on or waking, it wakes the escape's first at once; else one more each time it has waited long enough.
    pub fn wait(&mut self, queue: usize, permitted: &Permitted, t: u64) -> Option<usize> {
        let escape = permitted.escape[0].0;
        let some_on = permitted.ports().any(|port| self.channels[port].power.is_on());
        let some_waking = permitted.ports().any(|port| self.channels[port].power.is_waking());
        let asleep = permitted.ports().find(|&port| self.channels[port].power.is_asleep());
        let patience = self.patience(escape);
        let packet = &mut self.queues[queue].packets[0];
        packet.delayed |= !some_on;
        let impatient = packet.waits_since.is_some_and(|since| since.saturating_add(patience) <= t);
        let to_wake = if !some_on && !some_waking {
            Some(escape)
        } else if asleep.is_some() && impatient {
            packet.waits_since = Some(t);
            asleep
        } else {
            None
        };
        to_wake.iter().for_each(|&port| self.channels[port].wake(t));
        if permitted.ports().any(|port| self.channels[port].power.is_asleep()) {
            self.queues[queue].packets[0].waits_since.get_or_insert(t);
        }
        permitted.ports().for_each(|port| self.channels[port].await_by(queue));
        to_wake
    }

    /// Lets the head of a queue wait for one output that it has chosen, unless that is on; tells whether it is.
    pub fn on_or_awaited(&mut self, queue: usize, port: usize, t: u64) -> bool {
        if !self.channels[port].power.is_on() {
            self.queues[queue].packets[0].delayed = true;
            self.channels[port].wake(t);
            self.channels[port].await_by(queue);
        }
        self.channels[port].power.is_on()
    }

    /// Gives how long a packet waits before it wakes one more output.
    fn patience(&self, escape: usize) -> u64 {
        let deepest = self.channels[escape].class.states.map(|states| states.shallow.wake.max(states.deep.wake));
        self.config.sleep.wake_after.or(deepest).map_or(1, |patience| patience.0.max(1))
    }
}
