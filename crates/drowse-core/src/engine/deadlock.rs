//! Tells who waits for whom when packets are in flight but nothing can happen any more.

use crate::power::Policy;
use crate::routing::Candidates;

use super::fabric::Fabric;
use super::packet::NONE;

impl<P: Policy> Fabric<'_, P> {
    /// Gives the members of a wait cycle among the input queues, a line each; nothing when no packet is in flight.
    ///
    /// From a queue whose head cannot go on, the walk follows the escape output to the queue that it fills, until a queue
    /// comes for the second time: what lies between is the cycle.
    pub fn describe_waits(&self) -> Vec<String> {
        let Some(start) = self.queues.iter().position(|queue| queue.head != NONE) else { return Vec::new() };
        let mut walk: Vec<usize> = Vec::new();
        let mut queue = start;
        while !walk.contains(&queue) {
            walk.push(queue);
            match self.fills(queue) {
                Some(next) => queue = next,
                None => break,
            }
        }
        let from = walk.iter().position(|&q| q == queue).unwrap_or(0);
        walk[from..].iter().map(|&q| self.describe_queue(q)).collect()
    }

    /// Gives the queue behind the escape output of a queue's head.
    fn fills(&self, queue: usize) -> Option<usize> {
        let packet = &self.packets[self.queues[queue].head];
        let switch = self.part.port_switch[packet.port as usize];
        let mut candidates = Candidates::new();
        self.candidates(packet, switch, &mut candidates);
        let channel = self.part.first_port[switch as usize] + u32::from(candidates.escape.first);
        let port = self.part.leads_to[channel as usize];
        // A node takes everything, and what lies in another part cannot be seen from here.
        if port >= self.part.ports() {
            return None;
        }
        let vc = candidates.escape.vcs.trailing_zeros() as usize;
        let next = port as usize * self.vcs + vc;
        (self.queues[next].head != NONE).then_some(next)
    }

    fn describe_queue(&self, queue: usize) -> String {
        let packet = &self.packets[self.queues[queue].head];
        let port = queue / self.vcs;
        let switch = self.part.port_switch[port];
        format!(
            "switch {} port {} virtual channel {}: a packet to switch {} waits",
            self.part.switches.start + switch,
            port as u32 - self.part.first_port[switch as usize],
            queue % self.vcs,
            packet.to_switch
        )
    }
}
