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
//! The first stage is in [`crate::engine::switch::select`], what follows a grant in [`crate::engine::switch::grant`].

use crate::power::Policy;
use crate::routing::Candidates;

use crate::engine::event::queue::{Wakeup, WakeupKind};

use super::buffers::Queue;
use super::request::{BATCH, Best, Head, Request, Scratch};
use super::switches::Switches;

/// Distinguish the arbiters of inputs and of outputs from those of queues, which are numbered by their bits.
const INPUT_ARBITER: u16 = 0x8000;
const OUTPUT_ARBITER: u16 = 0x4000;

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
        let Scratch { candidates, heads, requests, found, claims, best } = scratch;
        self.collect_heads::<FAST>(switches, candidates, heads);
        requests.clear();
        found.clear();
        let one_way = FAST || !self.links.ways.several();
        for head in &*heads {
            if let Some(request) = self.request::<FAST>(candidates, head) {
                if head.alone && one_way {
                    self.grant::<FAST>(request);
                    continue;
                }
                claims[usize::from(request.member) % BATCH]
                    .add(&request, self.layout.reader_bits.min(self.layout.queue_bits));
                requests.push(request);
                if self.offers.used {
                    found.push(if request.only { u64::MAX } else { self.offers.found });
                }
            }
        }
        self.show_woken();
        let (mut rest, mut found) = (requests.as_mut_slice(), found.as_slice());
        while let Some(&request) = rest.first() {
            let mut count = 1;
            let claims = std::mem::take(&mut claims[usize::from(request.member) % BATCH]);
            if claims.twice == 0 {
                self.grant_one::<FAST>(request);
            } else {
                count = rest.iter().take_while(|other| other.member == request.member).count();
                self.arbitrate::<FAST>(&mut rest[..count], found, best);
            }
            rest = &mut rest[count..];
            found = found.get(count..).unwrap_or_default();
        }
    }

    #[inline(never)]
    fn grant_one<const FAST: bool>(&mut self, request: Request) {
        if !FAST && self.links.ways.several() {
            return self.grant_by_way(request);
        }
        self.grant::<FAST>(request);
    }

    /// Grants a request where outputs have several ways: meanwhile, the channel is free when the way is that the packet
    /// takes.
    #[inline(never)]
    fn grant_by_way(&mut self, request: Request) {
        let (channel, vc) = (request.first as usize + usize::from(request.output), request.vc);
        let Some(way) = self.links.ways.of(channel, vc) else { return self.grant::<false>(request) };
        self.links.hot[channel].free_at = self.links.ways.free_at(channel, vc);
        self.grant::<false>(request);
        self.links.hot[channel].free_at = self.links.ways.take(way, self.links.hot[channel].free_at);
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
        Some(Request { switch, first, bit, output, vc, member, leads: false, only, group })
    }

    /// Second and third stage: inputs choose queues, outputs choose inputs.
    fn arbitrate<const FAST: bool>(&mut self, requests: &mut [Request], found: &[u64], best: &mut [Best]) {
        let Request { switch, first, .. } = requests[0];
        self.choose_leaders::<FAST>(requests);
        for chosen in 0..requests.len() {
            if requests[chosen].leads {
                self.challenge::<FAST>(switch, first, requests, best, chosen);
            }
        }
        let won = |best: &[Best], i: usize| best[usize::from(requests[i].output)].request == i as u16;
        // Those that lose their only output wait for it: the grant to another schedules a wakeup for when it is free
        // again. At the next edge another way to it may be free, if there are several.
        let one_way = FAST || !self.links.ways.several();
        let waits = |request: &Request| request.leads && request.only && one_way;
        for (i, request) in requests.iter().enumerate().filter(|(_, request)| waits(request)) {
            if !won(best, i) {
                self.await_output(first, request);
            }
        }
        let mut granted = 0;
        for (i, request) in requests.iter().enumerate() {
            if won(best, i) {
                self.grant_one::<FAST>(*request);
                granted |= 1_u64.unbounded_shl(u32::from(request.output));
            }
        }
        // One that has been blocked before, and for which nothing is left, is still blocked.
        let stays = |i: usize| found.get(i).is_some_and(|found| found & !granted == 0);
        for (i, request) in requests.iter().enumerate().filter(|(_, request)| !waits(request)) {
            if !won(best, i) && !stays(i) {
                self.let_try_again::<FAST>(switch, first, request);
            }
        }
        requests.iter().for_each(|request| best[usize::from(request.output)] = Best::NONE);
    }

    /// Second stage: each read port chooses one of the requests of its queues.
    #[inline]
    fn choose_leaders<const FAST: bool>(&self, requests: &mut [Request]) {
        let input = |request: &Request| request.bit >> self.layout.queue_bits;
        // Requests are in the order of inputs: those of one input lie side by side.
        for of_input in requests.chunk_by_mut(|a, b| input(a) == input(b)) {
            if let [alone] = of_input {
                alone.leads = true;
                continue;
            }
            for chosen in 0..of_input.len() {
                of_input[chosen].leads = self.wins_input::<FAST>(of_input, chosen);
            }
        }
    }

    /// Returns whether a request is the one of an input that its read port chooses among its queues.
    #[inline]
    fn wins_input<const FAST: bool>(&self, of_input: &[Request], chosen: usize) -> bool {
        let Request { switch, first, bit, .. } = of_input[chosen];
        let reader =
            |request: &Request| self.layout.reader::<FAST>((first << self.layout.queue_bits) + u32::from(request.bit));
        let my_reader = reader(&of_input[chosen]);
        let next = match self.buffers.next_queue.get(my_reader) {
            Some(&next) if !FAST => next,
            _ => u16::from(self.buffers.read_ports[my_reader].next_vc()),
        };
        let arbiter = INPUT_ARBITER | bit >> self.layout.queue_bits;
        let priority = |request: &Request| {
            let queue = self.layout.number(request.bit);
            let distance = queue.wrapping_sub(next);
            (self.priority(distance, switch, arbiter, queue), distance)
        };
        let least = priority(&of_input[chosen]);
        !of_input.iter().any(|request| reader(request) == my_reader && priority(request) < least)
    }

    /// Third stage: a request replaces the best one so far for its output, if its priority is higher.
    #[inline]
    fn challenge<const FAST: bool>(
        &self,
        switch: u32,
        first: u32,
        requests: &[Request],
        best: &mut [Best],
        chosen: usize,
    ) {
        let output = usize::from(requests[chosen].output);
        let best = &mut best[output];
        let mine = Best { request: chosen as u16, priority: None };
        if best.request == Best::NONE.request {
            *best = mine;
            return;
        }
        let next_reader = self.links.hot[first as usize + output].next_reader;
        // Of equal draws, that of the first read port wins.
        let priority = |i: usize| {
            let reader = self.reader_of::<FAST>(&requests[i]);
            (self.priority(reader.wrapping_sub(next_reader), switch, OUTPUT_ARBITER | output as u16, reader), reader)
        };
        let other = *best.priority.get_or_insert_with(|| priority(usize::from(best.request)));
        let priority = priority(chosen);
        if priority < other {
            *best = Best { priority: Some(priority), ..mine };
        }
    }

    /// Numbers the read port of a request among those of the switch.
    #[inline]
    pub fn reader_of<const FAST: bool>(&self, request: &Request) -> u16 {
        self.layout.reader::<FAST>(u32::from(request.bit)) as u16
    }

    /// Schedules another try for the loser of an arbitration: at the next edge, or when its read port is free.
    fn let_try_again<const FAST: bool>(&mut self, switch: u32, first: u32, request: &Request) {
        // Sleep must know who waits, and so must packets that decide by queues, whether channels may sleep or not.
        if self.rules.may_sleep || self.rules.router.decides {
            self.await_output(first, request);
        }
        let bit = request.bit;
        let place = (first << self.layout.queue_bits) + u32::from(bit);
        self.buffers.queues[place as usize].flags |= Queue::LOST;
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
    fn await_output(&mut self, first: u32, request: &Request) {
        let channel = first as usize + usize::from(request.output);
        let place = (first << self.layout.queue_bits) + u32::from(request.bit);
        self.buffers.queues[place as usize].flags |= Queue::BLOCKED;
        self.set_waiting(channel, request.bit);
        self.links.end_idle(channel, self.events.now.time);
    }
}
