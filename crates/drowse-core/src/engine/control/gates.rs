//! Ports of governed trunks that have queues before them (`switch.queues = "output"`).
//!
//! What is in the queues of a port cannot leave it for another. So it is the way through the crossbar that goes off and
//! on, the port's *gate*: no packet crosses to a port that goes off, and the link sends what is in its queues before it
//! sleeps. A port that goes on takes packets once its link is on. Without such queues, a link is its own gate.

use crate::engine::link::channel::Channel;
use crate::engine::switch::switches::Switches;
use crate::power::Policy;

use super::trunks::Trunks;

impl<P: Policy> Switches<'_, P> {
    /// Returns the gate of a port, by its link.
    pub fn gate(&self, link: usize) -> usize {
        self.partition.opposite(link as u32) as usize
    }

    /// Returns whether a port is not commanded off.
    pub fn is_wanted(&self, link: usize) -> bool {
        self.links.is_wanted(self.gate(link), self.events.now.time)
    }

    /// Returns whether a port is going off: it has been turned off, and does not yet sleep.
    pub fn is_going_off(&self, link: usize) -> bool {
        let (links, t) = (&self.links, self.events.now.time);
        !self.is_wanted(link) && (links.is_wanted(link, t) || links.is_going_off(link, t))
    }

    /// Commands a port on, by its gate; heads that wait for it are examined once it is on.
    pub fn turn_on(&mut self, gate: usize) {
        let (t, link) = (self.events.now.time, self.partition.link(gate as u32) as usize);
        self.availability.forget();
        // One that has packets left to send has not been turned off yet.
        if !self.links.is_wanted(link, t) {
            let wanted = self.links.some_wait(link);
            self.links.turn_on(link, t, wanted);
        }
        if gate != link {
            self.links.open(gate, link);
        }
        if self.links.some_wait(gate) {
            let awake = self.events.clock.first_from(self.links.hot[gate].awake_at);
            self.wake_output(gate, awake.max(self.events.now.number + 1));
        }
        self.note_woken(gate);
    }
}

impl Trunks {
    /// Commands a port off that is on.
    pub(super) fn turn_off<P: Policy>(&mut self, switches: &mut Switches<P>, link: usize) {
        let (t, gate) = (switches.events.now.time, switches.gate(link));
        if gate != link {
            switches.links.hot[gate].sleep_at = t;
        }
        if self.queued.get(link).is_none_or(|&queued| queued == 0) {
            switches.links.turn_off(link, t);
            self.port_moved(switches, link, false);
        }
    }

    /// Notes that a packet has gone through a gate, or by its link. A link that has been turned off goes to sleep once
    /// the last has gone.
    pub(super) fn passed<P: Policy>(&mut self, switches: &mut Switches<P>, channel: usize) {
        if switches.partition.crosses(channel) {
            self.queued[switches.partition.link(channel as u32) as usize] += 1;
            return;
        }
        let Some(queued) = self.queued.get_mut(channel) else { return };
        // Ports whose lanes are governed have no gate.
        if switches.links.hot[switches.gate(channel)].has(Channel::GOVERNED) {
            *queued -= 1;
            if *queued == 0 && !switches.is_wanted(channel) {
                switches.links.turn_off(channel, switches.events.now.time);
                self.port_moved(switches, channel, false);
            }
        }
    }
}
