//! Packets that find no output: what they wait for, and which sleeping outputs they wake.

use crate::channel::Channel;
use crate::cut_through::Machine;
use crate::routes::Permitted;

impl<'a> Machine<'a> {
    /// Lets the head of a queue wait for all its outputs; gives the output that it has woken.
    ///
    /// Where none is on or waking, it wakes the escape's first at once; else one more each time it has waited long enough.
    pub fn wait(&mut self, queue: usize, permitted: &Permitted) -> Option<usize> {
        let outputs: Vec<usize> = permitted.adaptive.iter().chain(&permitted.escape).map(|&(port, _)| port).collect();
        let on = self.find(&outputs, Channel::is_on);
        let waking = self.find(&outputs, Channel::is_waking);
        let asleep = self.find(&outputs, Channel::is_asleep);
        let escape = permitted.escape[0].0;
        let patience = self.patience(escape);
        let packet = &mut self.queues[queue].packets[0];
        packet.delayed |= on.is_none();
        let impatient = packet.waits_since.is_some_and(|since| since.saturating_add(patience) <= self.now);
        let to_wake = if on.or(waking).is_none() {
            Some(escape)
        } else if asleep.is_some() && impatient {
            packet.waits_since = Some(self.now);
            asleep
        } else {
            None
        };
        to_wake.iter().for_each(|&port| self.channels[port].wake(self.now));
        if self.find(&outputs, Channel::is_asleep).is_some() {
            self.queues[queue].packets[0].waits_since.get_or_insert(self.now);
        }
        outputs.iter().for_each(|&port| self.channels[port].await_by(queue));
        to_wake
    }

    fn find(&self, ports: &[usize], is: fn(&Channel<'a>) -> bool) -> Option<usize> {
        ports.iter().copied().find(|&port| is(&self.channels[port]))
    }

    /// Lets the head of a queue wait for one output that it has chosen, unless that is on; tells whether it is.
    pub fn on_or_awaited(&mut self, queue: usize, port: usize) -> bool {
        if !self.channels[port].is_on() {
            self.queues[queue].packets[0].delayed = true;
            self.channels[port].wake(self.now);
            self.channels[port].await_by(queue);
        }
        self.channels[port].is_on()
    }

    /// Gives how long a packet waits before it wakes one more output.
    fn patience(&self, escape: usize) -> u64 {
        let deepest = self.channels[escape].class.states.map(|states| states.shallow.wake.max(states.deep.wake));
        self.config.sleep.wake_after.or(deepest).map_or(1, |patience| patience.0.max(1))
    }
}
