//! The three-stage allocator of a switch, with round-robin arbiters (Andújar et al. 2019, section 3.1; Blue Gene/L) or
//! random ones (Navaridas et al. 2010, section IV).
//!
//! At a clock edge, the head packet of every input queue first selects one of its permitted outputs and virtual
//! channels that is on, free and has credits for the whole packet, adaptive ones before the escape. Then every input
//! port chooses one of its queues, and every output one of the input ports. Losers try again at the next edge. An
//! arbiter's pointer moves past the winner only when a packet is granted. A packet that finds nothing is blocked: it is
//! examined again when one of its outputs may have become available, and not before. On trees with adaptive routing,
//! packets select the output with the most credits.
//!
//! The first stage is in [`super::select`], the others are in [`super::arbitrate`], and what follows a grant is in
//! [`super::grant`].

use crate::power::Policy;
use crate::routing::Candidates;

use crate::engine::event::queue::{Wakeup, WakeupKind};

use super::buffers::Queue;
use super::request::{BATCH, Head, Request};
use super::scratch::Scratch;
use super::switches::Switches;

impl<P: Policy> Switches<'_, P> {
    /// Allocates the outputs of all switches that have something to examine.
    pub fn allocate_all<const FAST: bool>(&mut self, scratch: &mut Scratch) {
        let active = std::mem::take(&mut self.work.active);
        let count = std::mem::take(&mut self.work.active_len);
        active[..count].chunks(BATCH).for_each(|batch| self.allocate::<FAST>(scratch, batch));
        self.work.active = active;
        if !self.outgoing.sent.is_empty() {
            self.events.queue.put_arrivals(self.events.now.number + self.outgoing.sent_edges, &mut self.outgoing.sent);
        }
    }

    /// Allocates the outputs of some switches that have something to examine.
    fn allocate<const FAST: bool>(&mut self, scratch: &mut Scratch, switches: &[u32]) {
        let Scratch { candidates, heads, requests, found, claims, contest } = scratch;
        self.collect_heads::<FAST>(switches, candidates, heads);
        requests.clear();
        found.clear();
        let claim_bits = self.layout.reader_bits.min(self.layout.queue_bits);
        let one_way = FAST || !self.links.crossbar_paths.several();
        for head in &*heads {
            if let Some(request) = self.request::<FAST>(candidates, head) {
                if head.alone && one_way {
                    self.grant::<FAST>(request);
                    continue;
                }
                claims[usize::from(request.member) % BATCH].add(&request, claim_bits);
                requests.push(request);
                if self.availability.used {
                    found.push(if request.only { u64::MAX } else { self.availability.found });
                }
            }
        }
        self.show_woken();
        let (mut rest, mut found) = (requests.as_mut_slice(), found.as_slice());
        while let Some(&request) = rest.first() {
            let mut count = 1;
            let claims = std::mem::take(&mut claims[usize::from(request.member) % BATCH]);
            if claims.inputs_twice | claims.outputs_twice == 0 {
                self.grant_one::<FAST>(request);
            } else {
                count = rest.iter().take_while(|other| other.member == request.member).count();
                self.arbitrate::<FAST>(&mut rest[..count], &claims, found, contest);
            }
            rest = &mut rest[count..];
            found = found.get(count..).unwrap_or_default();
        }
    }

    #[inline(never)]
    pub fn grant_one<const FAST: bool>(&mut self, request: Request) {
        if !FAST && self.links.crossbar_paths.several() {
            return self.grant_by_path(request);
        }
        self.grant::<FAST>(request);
    }

    /// Grants a request where outputs have several crossbar paths: meanwhile, the channel is free when the path is that
    /// the packet takes.
    #[inline(never)]
    fn grant_by_path(&mut self, request: Request) {
        let (channel, vc) = (request.first as usize + usize::from(request.output), request.vc);
        let Some(way) = self.links.crossbar_paths.of(channel, vc) else { return self.grant::<false>(request) };
        self.links.hot[channel].free_at = self.links.crossbar_paths.free_at(channel, vc);
        self.grant::<false>(request);
        self.links.hot[channel].free_at = self.links.crossbar_paths.take(way, self.links.hot[channel].free_at);
    }

    /// First stage: selects an output for a head; blocks the packet where there is none.
    #[inline]
    fn request<const FAST: bool>(&mut self, candidates: &mut Candidates, head: &Head) -> Option<Request> {
        let reader = self.layout.reader::<FAST>(head.place);
        let input = &mut self.buffers.read_ports[reader];
        if input.busy_until >= self.events.now.next {
            input.pending |= 1 << (u32::from(head.bit) & self.layout.vc_mask);
            self.wake_read_port::<FAST>(head.place);
            return None;
        }
        let selected = self.select::<FAST>(candidates, head);
        if P::PROBES {
            self.note_selection(candidates, head, selected.is_some());
        }
        let ((output, vc), only) = selected?;
        let Head { switch, first, bit, member, group, .. } = *head;
        Some(Request { switch, first, bit, output, vc, member, leads: true, only, group })
    }

    /// Schedules another try for the loser of an arbitration: at the next edge, or when its read port is free.
    pub fn let_try_again<const FAST: bool>(&mut self, switch: u32, first: u32, request: &Request) {
        // Sleep must know who waits, and so must packets that decide by queues, whether channels may sleep or not.
        if self.rules.may_sleep || self.rules.counts_waiting {
            self.await_output(first, request);
        }
        let bit = request.bit;
        let place = (first << self.layout.queue_bits) + u32::from(bit);
        let reader = self.layout.reader::<FAST>(place);
        let input = &mut self.buffers.read_ports[reader];
        if input.busy_until < self.events.now.next {
            self.retry(switch, bit);
        } else {
            input.pending |= 1 << (u32::from(bit) & self.layout.vc_mask);
            self.wake_read_port::<FAST>(place);
        }
    }

    /// Examines an input queue again at the next edge.
    pub fn retry(&mut self, switch: u32, bit: u16) {
        self.work.examine[switch as usize * self.layout.words + usize::from(bit) / 64] |= 1 << (bit % 64);
        let next = self.events.now.number + 1;
        // One wakeup serves all queues of a switch.
        if std::mem::replace(&mut self.work.retried, (switch, next)) != (switch, next) {
            self.events.queue.put_wakeup(next, Wakeup { switch, local: 0, vc: 0, kind: WakeupKind::Retry });
        }
    }

    /// Marks the loser of an arbitration as waiting for the output that it requested, so that the output does not fall
    /// asleep.
    pub fn await_output(&mut self, first: u32, request: &Request) {
        let channel = first as usize + usize::from(request.output);
        let place = (first << self.layout.queue_bits) + u32::from(request.bit);
        self.buffers.queues[place as usize].flags |= Queue::BLOCKED;
        self.set_waiting(channel, request.bit);
        self.links.end_idle(channel, self.events.now.time);
    }
}
