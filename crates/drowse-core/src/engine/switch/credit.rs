//! A credit returns: the room of a packet that leaves an input queue goes back to the sender of the channel that feeds
//! the queue. When it arrives there is in [`crate::engine::link::credits`].

use crate::engine::event::node::NodeEvent;
use crate::engine::partition::REMOTE;
use crate::power::Policy;

use super::outgoing::RemoteCredit;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Returns a credit for an input port to its sender; both directions of a link have the same latency.
    #[inline(always)]
    pub fn return_credit(&mut self, port: u32, vc: u8, flits: u16, left_at: u64) {
        let feeder = self.partition.peer[port as usize];
        if feeder & REMOTE == 0 {
            let at = left_at + self.links.latency(feeder as usize);
            self.credit(feeder, vc, flits, at);
        } else {
            let at = left_at + self.links.latency(self.partition.link(port) as usize);
            let wake_delay = self.wake_delays.leaving;
            self.outgoing.credits.push(RemoteCredit { channel: feeder & !REMOTE, vc, flits, at, wake_delay });
        }
    }

    /// Returns a credit to a channel at time `at`, and wakes its sender if that waits for one.
    #[inline(always)]
    pub fn credit(&mut self, channel: u32, vc: u8, flits: u16, at: u64) {
        if self.links.return_credit(channel as usize, vc, flits, at, self.events.now.time) {
            self.credit_wanted(channel, at);
        }
    }

    #[cold]
    fn credit_wanted(&mut self, channel: u32, at: u64) {
        let ports = self.partition.ports();
        if channel >= ports {
            self.events.put_node(NodeEvent::nic(at, channel - ports));
        } else {
            let bucket = self.events.clock.first_from(at);
            self.wake_output(channel as usize, bucket);
        }
    }
}
