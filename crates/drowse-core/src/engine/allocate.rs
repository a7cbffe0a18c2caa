//! The three-stage allocator of a switch, with round-robin arbiters (paper 000, section 3.1; Blue Gene/L) or random ones
//! (paper 002, section IV).
//!
//! At a clock edge, first the head packet of every input queue picks one of its permitted outputs and virtual channels
//! that is on, free and has credits for the whole packet, adaptive ones before the escape; then every input port picks
//! one of its queues; then every output picks one of the input ports. Losers try again at the next edge. An arbiter's
//! pointer moves past the winner only when a packet is granted. A packet that finds nothing is parked: it is looked at
//! again when one of its outputs may have become available, and not before. On trees with adaptive routing, the output with
//! the most credits is picked.

use crate::power::Policy;
use crate::routing::{Candidates, Outputs};

use super::channel::Channel;
use super::fabric::{Choice, Ejected, Fabric};
use super::packet::{NONE, Packet};
use super::part::ELSEWHERE;
use super::wheel::{Alarm, AlarmKind};

/// A head packet asks for an output.
#[derive(Clone, Copy, Debug)]
struct Request {
    input: u16,
    output: u16,
    vc: u8,
    output_vc: u8,
    flits: u16,
}

/// What a head packet finds among its outputs.
#[derive(Clone, Copy, Debug)]
enum Pick {
    /// An output and virtual channel that can be had.
    Free(u16, u8),
    /// The output that it asks for is busy.
    Busy {
        /// Others are free: at the next edge it may choose one of these.
        others_free: bool,
    },
    /// None that is free, on and has credits.
    None,
}

impl Pick {
    fn free(self) -> Option<(u16, u8)> {
        match self {
            Pick::Free(output, vc) => Some((output, vc)),
            Pick::Busy { .. } | Pick::None => None,
        }
    }
}

/// Buffers that are used again at every allocation.
#[derive(Debug)]
pub struct Scratch {
    candidates: Candidates,
    requests: Vec<Request>,
    /// Per output of the switch: the position in `requests` of the best so far, or `NO_REQUEST`.
    best: Vec<u16>,
}

const NO_REQUEST: u16 = u16::MAX;
/// Tell the arbiters of inputs and of outputs from those of queues, which are numbered by their bits.
const INPUT_ARBITER: u16 = 0x8000;
const OUTPUT_ARBITER: u16 = 0x4000;

impl Scratch {
    /// Makes buffers for switches of up to `radix` ports.
    pub fn new(radix: usize) -> Self {
        Scratch { candidates: Candidates::new(), requests: Vec::new(), best: vec![NO_REQUEST; radix] }
    }
}

impl<P: Policy> Fabric<'_, P> {
    /// Allocates the outputs of a switch at edge `edge`.
    pub fn allocate(&mut self, scratch: &mut Scratch, switch: u32, edge: u64) {
        scratch.requests.clear();
        self.collect_requests(scratch, switch, edge);
        match scratch.requests.as_slice() {
            [] => {}
            [only] => self.grant(switch, *only, edge),
            requests => self.arbitrate(switch, edge, requests, &mut scratch.best),
        }
    }

    /// First stage: every queue that is to be looked at picks an output, or is parked.
    #[inline]
    fn collect_requests(&mut self, scratch: &mut Scratch, switch: u32, edge: u64) {
        for word in 0..self.words {
            let mut bits = std::mem::take(&mut self.examine[switch as usize * self.words + word]);
            while bits != 0 {
                let bit = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.collect_request(scratch, switch, bit, edge);
            }
        }
    }

    /// Lets one input queue pick an output; parks it where there is none.
    #[inline]
    fn collect_request(&mut self, scratch: &mut Scratch, switch: u32, bit: usize, edge: u64) {
        let (local, vc) = (bit / self.vcs, (bit % self.vcs) as u8);
        let port = self.part.first_port[switch as usize] as usize + local;
        let head = self.queues[port * self.vcs + usize::from(vc)].head;
        if head == NONE {
            return;
        }
        let reader = self.reader(port, vc);
        if !self.ends_by(self.inputs[reader].busy_until, edge) {
            self.inputs[reader].pending |= 1 << vc;
            self.input_alarm(switch, port, vc);
            return;
        }
        if let Some((output, output_vc)) = self.pick(&mut scratch.candidates, switch, local, head, edge) {
            let flits = self.packets[head].flits;
            scratch.requests.push(Request { input: local as u16, output, vc, output_vc, flits });
        }
    }

    /// Picks an available output for a head packet; parks it where there is none.
    #[inline]
    fn pick(
        &mut self,
        candidates: &mut Candidates,
        switch: u32,
        local: usize,
        head: u32,
        edge: u64,
    ) -> Option<(u16, u8)> {
        let first = self.part.first_port[switch as usize] as usize;
        let packet = self.packets[head];
        let queue = (first + local) * self.vcs + usize::from(packet.vc);
        if let Some(Some((output, vc))) = self.chosen.get(queue).copied() {
            let channel = first + usize::from(output);
            if !self.is_on_or_awaited(channel, local, head, edge) {
                return None;
            }
            if self.is_free(channel, &packet, edge) && self.has_room(channel, vc, &packet, edge) {
                return Some((output, vc));
            }
            self.chosen[queue] = None;
        }
        self.candidates(&packet, switch, candidates);
        let picked = match self.pick_available(candidates, switch, &packet, edge) {
            Pick::Free(output, vc) => Some((output, vc)),
            Pick::Busy { others_free } => {
                if others_free {
                    self.examine_input(switch, local, 1 << packet.vc);
                    self.retry(switch, edge);
                }
                None
            }
            Pick::None => None,
        };
        let Some((output, vc)) = picked else {
            let on_at_once = self.park(switch, local, head, candidates, edge);
            let again = on_at_once.then(|| self.pick_available(candidates, switch, &packet, edge));
            return again.and_then(Pick::free);
        };
        if !self.chosen.is_empty() && !self.is_on_or_awaited(first + usize::from(output), local, head, edge) {
            self.chosen[queue] = Some((output, vc));
            return None;
        }
        Some((output, vc))
    }

    /// Tells whether an output is on; where it is not, which happens only where sleep is ignored when choosing, lets the
    /// packet wait for this very output and wakes it.
    fn is_on_or_awaited(&mut self, channel: usize, local: usize, head: u32, edge: u64) -> bool {
        self.channels.is_on(channel, edge * self.clock) || self.wait_for_wake(channel, local, head, edge)
    }

    /// Tells whether an output has credits for a packet on a virtual channel.
    fn has_room(&mut self, channel: usize, vc: u8, packet: &Packet, edge: u64) -> bool {
        self.channels.collect_credits(channel, edge * self.clock);
        self.channels.hot[channel].credits[usize::from(vc)] >= packet.flits
    }

    /// Picks an available adaptive output, else the escape if that is available.
    #[inline]
    fn pick_available(&mut self, candidates: &Candidates, switch: u32, packet: &Packet, edge: u64) -> Pick {
        if candidates.adaptive_len > 0 {
            let picked = self.pick_among(candidates.adaptive(), switch, packet, edge);
            if !matches!(picked, Pick::None) {
                return picked;
            }
        }
        self.pick_among(&[candidates.escape], switch, packet, edge)
    }

    /// Picks the available output and virtual channel whose turn it is, among those with the most credits where these count.
    #[inline]
    fn pick_among(&mut self, runs: &[Outputs], switch: u32, packet: &Packet, edge: u64) -> Pick {
        let t = edge * self.clock;
        let Choice { most_credits, request_busy, .. } = self.choice;
        let first = self.part.first_port[switch as usize] as usize;
        let queue = packet.port as usize * self.vcs + usize::from(packet.vc);
        let (start, arbiter) = (self.next_output[queue], (queue - first * self.vcs) as u16);
        let mut best: Option<(u64, u16, u8, bool)> = None;
        let mut some_free = false;
        for run in runs {
            for output in run.first..run.first + run.count {
                let channel = first + usize::from(output);
                let free = self.is_free(channel, packet, edge);
                if !(free || request_busy) || (self.sleep_aware && !self.channels.is_on(channel, t)) {
                    continue;
                }
                self.channels.collect_credits(channel, t);
                let hot = &self.channels.hot[channel];
                let lack = if most_credits { u64::from(u32::MAX) - hot.total_credits() } else { 0 };
                let mut vcs = run.vcs;
                while vcs != 0 {
                    let vc = vcs.trailing_zeros() as u8;
                    vcs &= vcs - 1;
                    if hot.credits[usize::from(vc)] >= packet.flits {
                        let candidate = pointer(output, vc);
                        let turn = self.turn(candidate.wrapping_sub(start), switch, edge, arbiter, candidate);
                        let rank = lack << 16 | u64::from(turn);
                        some_free |= free;
                        if best.is_none_or(|(least, ..)| rank < least) {
                            best = Some((rank, output, vc, free));
                        }
                    }
                }
            }
        }
        match best {
            None => Pick::None,
            Some((_, output, vc, true)) => Pick::Free(output, vc),
            Some(_) => Pick::Busy { others_free: some_free },
        }
    }

    /// Tells whether an output can begin to send a packet before the next edge.
    #[inline]
    fn is_free(&self, channel: usize, packet: &Packet, edge: u64) -> bool {
        self.ends_by(self.channels.hot[channel].free_at, edge)
            && (!self.may_underrun || self.ends_by(self.underrun_bound(channel, packet), edge))
    }

    /// Gives the earliest start at which a faster output does not run ahead of a slower input.
    pub(super) fn underrun_bound(&self, channel: usize, packet: &Packet) -> u64 {
        let came = self.channels.class(packet.port as usize).duration_ceil(packet.flits);
        let goes = self.channels.class(channel).duration_ceil(packet.flits);
        packet.head_at + came.saturating_sub(goes)
    }

    /// Second and third stage: inputs choose queues, outputs choose inputs.
    fn arbitrate(&mut self, switch: u32, edge: u64, requests: &[Request], best: &mut [u16]) {
        let first = self.part.first_port[switch as usize] as usize;
        for chosen in 0..requests.len() {
            if !self.wins_input(switch, requests, chosen, edge) {
                continue;
            }
            let output = usize::from(requests[chosen].output);
            let next_reader = self.channels.hot[first + output].next_reader;
            let turn = |i: u16| {
                let reader = self.reader_of(requests[usize::from(i)]);
                let arbiter = OUTPUT_ARBITER | output as u16;
                self.turn(reader.wrapping_sub(next_reader), switch, edge, arbiter, reader)
            };
            if best[output] == NO_REQUEST || turn(chosen as u16) < turn(best[output]) {
                best[output] = chosen as u16;
            }
        }
        for (i, request) in requests.iter().enumerate() {
            if best[usize::from(request.output)] == i as u16 {
                self.grant(switch, *request, edge);
            }
        }
        self.retry_losers(switch, edge, requests, best);
        requests.iter().for_each(|request| best[usize::from(request.output)] = NO_REQUEST);
    }

    /// Numbers the read port of a request among those of the switch.
    #[inline]
    fn reader_of(&self, request: Request) -> u16 {
        self.reader(usize::from(request.input), request.vc) as u16
    }

    /// Second stage: tells whether a request is the one that its read port picks among its queues.
    fn wins_input(&self, switch: u32, requests: &[Request], chosen: usize, edge: u64) -> bool {
        let first = self.part.first_port[switch as usize] as usize;
        let Request { input, vc, .. } = requests[chosen];
        let reader = self.reader(first + usize::from(input), vc);
        let next_vc = self.inputs[reader].next_vc;
        let turn = |vc: u8| {
            let distance = u16::from(vc.wrapping_sub(next_vc));
            (self.turn(distance, switch, edge, INPUT_ARBITER | input, u16::from(vc)), distance)
        };
        // Requests are in the order of inputs: those of one input lie side by side.
        let before = requests[..chosen].iter().rev().take_while(|r| r.input == input);
        let after = requests[chosen + 1..].iter().take_while(|r| r.input == input);
        before
            .chain(after)
            .filter(|r| self.reader(first + usize::from(input), r.vc) == reader)
            .all(|r| turn(r.vc) > turn(vc))
    }

    /// Lets the losers of an arbitration try again: at the next edge, or when their input has sent its packet.
    fn retry_losers(&mut self, switch: u32, edge: u64, requests: &[Request], best: &[u16]) {
        let first = self.part.first_port[switch as usize] as usize;
        let mut some_lost = false;
        for (i, request) in requests.iter().enumerate() {
            if best[usize::from(request.output)] == i as u16 {
                continue;
            }
            let port = first + usize::from(request.input);
            if self.may_sleep {
                self.keep_awake(port, first + usize::from(request.output), *request, edge);
            }
            let reader = self.reader(port, request.vc);
            if self.ends_by(self.inputs[reader].busy_until, edge) {
                self.examine_input(switch, usize::from(request.input), 1 << request.vc);
                some_lost = true;
            } else {
                self.inputs[reader].pending |= 1 << request.vc;
                self.input_alarm(switch, port, request.vc);
            }
        }
        if some_lost {
            self.retry(switch, edge);
        }
    }

    /// Lets the allocator look at a switch at the next edge.
    fn retry(&mut self, switch: u32, edge: u64) {
        self.wheel.put_alarm(edge + 1, Alarm { switch, local: 0, vc: 0, kind: AlarmKind::Retry });
    }

    /// Lets the loser of an arbitration wait for the output that it asked for, so that this does not fall asleep.
    fn keep_awake(&mut self, port: usize, channel: usize, request: Request, edge: u64) {
        let bit = usize::from(request.input) * self.vcs + usize::from(request.vc);
        let head = self.queues[port * self.vcs + usize::from(request.vc)].head;
        self.packets[head].flags |= Packet::PARKED;
        self.waiting[channel * self.words + bit / 64] |= 1 << (bit % 64);
        self.channels.end_idle(channel, edge * self.clock);
    }

    /// Lets a packet through the switch.
    fn grant(&mut self, switch: u32, request: Request, edge: u64) {
        let t = edge * self.clock;
        let first = self.part.first_port[switch as usize] as usize;
        let (port, channel) = (first + usize::from(request.input), first + usize::from(request.output));
        let id = self.pop(port, request.vc);
        let reader = self.reader(port, request.vc);
        let mut start = t.max(self.inputs[reader].busy_until).max(self.channels.hot[channel].free_at);
        if self.may_underrun {
            start = start.max(self.underrun_bound(channel, &self.packets[id]));
        }
        let queue = port * self.vcs + usize::from(request.vc);
        if self.packets[id].flags & Packet::PARKED != 0 {
            self.unpark(switch, usize::from(request.input) * self.vcs + usize::from(request.vc), channel, t);
        }
        let others_wait = self.waiting[channel * self.words..][..self.words].iter().any(|&w| w != 0);
        let end = self.channels.send(channel, request.flits, start, t, others_wait);
        if others_wait {
            let free = self.edge_freeing(end).max(edge + 1);
            self.output_alarm(channel, free);
        }
        let input = &mut self.inputs[reader];
        input.busy_until = end;
        input.next_vc = request.vc + 1;
        if self.queues[queue].head != NONE {
            input.pending |= 1 << request.vc;
        }
        if input.pending != 0 {
            self.input_alarm(switch, port, request.vc);
        }
        self.next_output[queue] = pointer(request.output, request.output_vc).wrapping_add(1);
        if !self.chosen.is_empty() {
            self.chosen[queue] = None;
        }
        self.channels.hot[channel].next_reader = self.reader_of(request) + 1;
        self.return_credit(port, request.vc, request.flits, end);
        self.forward(id, channel, request, start, end);
    }

    /// Sends a granted packet on its way to the next switch or to its node.
    #[inline]
    fn forward(&mut self, id: u32, channel: usize, request: Request, start: u64, end: u64) {
        self.hops += 1;
        let hop = self.channels.class(channel).hop;
        let packet = &mut self.packets[id];
        let hot = &mut self.channels.hot[channel];
        let waited_first = packet.flags & (Packet::DELAYED | Packet::FIRST) == Packet::DELAYED | Packet::FIRST;
        if waited_first && hot.awake_at > packet.head_at {
            self.channels.accounts[channel].delayed_messages += 1;
        }
        if hot.has(Channel::EJECTS) {
            let first = packet.flags & Packet::FIRST != 0;
            self.ejected.push(Ejected { message: packet.message, first, flits: request.flits, at: end + hop });
            self.packets.remove(id);
            return;
        }
        hot.credits[usize::from(request.output_vc)] -= request.flits;
        packet.port = self.part.leads_to[channel];
        packet.vc = request.output_vc;
        packet.head_at = start + hop;
        packet.wait_since = u64::MAX;
        packet.route |= self.part.dateline[channel];
        packet.flags &= Packet::FIRST | Packet::LIVE;
        packet.next = NONE;
        if packet.port & ELSEWHERE == 0 {
            let bucket = packet.head_at.div_ceil(self.clock);
            self.wheel.put_arrival(bucket, id);
        } else {
            self.departed.push((packet.port & !ELSEWHERE, *packet));
            self.packets.remove(id);
        }
    }

    #[inline]
    fn pop(&mut self, port: usize, vc: u8) -> u32 {
        let queue = &mut self.queues[port * self.vcs + usize::from(vc)];
        let id = queue.head;
        queue.head = self.packets[id].next;
        id
    }
}

/// Numbers an output and virtual channel for the round-robin pointer of an input queue.
#[inline]
fn pointer(output: u16, vc: u8) -> u16 {
    output * 8 + u16::from(vc)
}
