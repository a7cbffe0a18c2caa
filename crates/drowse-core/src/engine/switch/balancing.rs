//! A head packet [chooses](super::balance) one of its permitted outputs, once, and is left that one.

use crate::power::Policy;
use crate::routing::{Candidates, PortGroup};

use super::balance::{Asking, Balancer, Output, narrow};
use super::buffers::Queue;
use super::request::Head;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Lets a head choose when it is examined for the first time that its read port could send it, and leaves it what it
    /// has chosen. [`PortGroup::NONE`] where it waits for more than that: the escape, or links that it may wake.
    pub(super) fn balance(&mut self, head: &mut Head) {
        if head.group.count == 1 {
            return;
        }
        let Some(mut balancer) = self.balancer.take() else { return };
        let place = head.place as usize;
        if !self.buffers.queues[place].has(Queue::BALANCED) && self.may_be_sent(head) {
            balancer.chosen[place] = self
                .output_of_queue(head)
                .unwrap_or_else(|| self.choose_output(&mut balancer, head.id, head.switch).port);
            self.buffers.queues[place].flags |= Queue::BALANCED;
        }
        if self.buffers.queues[place].has(Queue::BALANCED) {
            let found = &mut balancer.scratch.found;
            self.candidates(&self.buffers.packets[head.id], head.switch, found);
            narrow(balancer.chosen[place], balancer.keeps_escape, found);
            let alone = found.adaptive_len == 0 && !balancer.avoids_sleep;
            head.group = if alone { found.escape } else { PortGroup::NONE };
        }
        self.balancer = Some(balancer);
    }

    /// Returns whether the read port of a head is free.
    fn may_be_sent(&self, head: &Head) -> bool {
        let reader = self.layout.reader::<false>(head.place);
        self.buffers.read_ports[reader].busy_until < self.events.now.next
    }

    /// Returns the output of a head's queue, where each output has queues of its own: it has been chosen when the packet
    /// came into one.
    fn output_of_queue(&self, head: &Head) -> Option<u16> {
        self.layout.by_output().then(|| self.layout.number(head.bit) >> self.layout.vc_bits)
    }

    /// Lets a packet choose among the outputs that routing permits at a switch: adaptive ones, where there are any.
    pub(super) fn choose_output(&mut self, balancer: &mut Balancer, id: u32, switch: u32) -> Output {
        let packet = self.buffers.packets[id];
        self.candidates(&packet, switch, &mut balancer.scratch.found);
        let mut permitted = std::mem::take(&mut balancer.scratch.permitted);
        permitted.clear();
        let found = &balancer.scratch.found;
        let all = if found.adaptive_len > 0 { found.adaptive() } else { std::slice::from_ref(&found.escape) };
        for group in all {
            let outputs = group.outputs().map(|port| Output { port, vcs: group.vcs, queued: 0 });
            permitted.extend(outputs);
        }
        if let [only] = permitted[..] {
            // It takes no turn from those that have a choice.
            balancer.scratch.permitted = permitted;
            return only;
        }
        let first = self.partition.first_port[switch as usize];
        if balancer.sees_queues {
            for output in &mut permitted {
                output.queued = self.queued(first as usize + usize::from(output.port));
            }
        }
        balancer.scratch.permitted = permitted;
        self.find_awake(balancer, first);
        let (here, origin, now) = (switch, self.origins.of(id), self.events.now.time);
        balancer.choose(&Asking { switch: self.partition.switches.whole(here), here, first, origin, now })
    }

    /// Returns the flits that an output has sent and got no credit back for, or that are in its queues, and the heads of
    /// queues that wait for it.
    fn queued(&mut self, channel: usize) -> u64 {
        let heads = u64::from(self.links.count_waiting(channel));
        let credits = self.links.collect_credits(channel, self.events.now.time).total_credits();
        self.rules.room - u64::from(credits) + heads * u64::from(self.rules.packet_flits)
    }

    /// Finds the outputs over which packets are sprayed: where they avoid those that sleep, those that are on; where none
    /// is, those that wake; else all.
    fn find_awake(&self, balancer: &mut Balancer, first: u32) {
        let (links, t) = (&self.links, self.events.now.time);
        let channel = |output: &Output| first as usize + usize::from(output.port);
        let avoids = balancer.avoids_sleep;
        let (permitted, awake) = (&balancer.scratch.permitted, &mut balancer.scratch.awake);
        awake.clear();
        if avoids {
            awake.extend(permitted.iter().filter(|output| links.is_on(channel(output), t)));
            if awake.is_empty() {
                awake.extend(permitted.iter().filter(|output| links.is_waking(channel(output), t)));
            }
        }
        if awake.is_empty() {
            awake.extend(permitted);
        }
    }

    /// Leaves of the permitted outputs of a head what it has chosen.
    pub(super) fn narrow(&self, candidates: &mut Candidates, head: &Head) {
        if let Some(balancer) = &self.balancer
            && self.buffers.queues[head.place as usize].has(Queue::BALANCED)
        {
            narrow(balancer.chosen[head.place as usize], balancer.keeps_escape, candidates);
        }
    }

    /// Returns all outputs that routing permits to a head that waits for one that is on, of which it may wake another for
    /// those that come after it; `None` where it wakes none but its own.
    pub(super) fn all_that_it_may_wake(&self, head: &Head) -> Option<Candidates> {
        let balancer = self.balancer.as_ref().filter(|balancer| balancer.avoids_sleep)?;
        if !self.buffers.queues[head.place as usize].has(Queue::BALANCED) {
            return None;
        }
        let channel = head.first as usize + usize::from(balancer.chosen[head.place as usize]);
        if !self.links.is_on(channel, self.events.now.time) {
            return None;
        }
        let mut all = Candidates::new();
        self.candidates(&self.buffers.packets[head.id], head.switch, &mut all);
        Some(all)
    }
}
