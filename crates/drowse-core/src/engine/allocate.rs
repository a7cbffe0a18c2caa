//! The three-stage allocator of a switch, with round-robin arbiters (paper 000, section 3.1; Blue Gene/L).
//!
//! At a clock edge, first the head packet of every input queue picks one of its permitted outputs and virtual channels
//! that is on, free and has credits for the whole packet, adaptive ones before the escape; then every input port picks
//! one of its queues; then every output picks one of the input ports. Losers try again at the next edge. An arbiter's
//! pointer moves past the winner only when a packet is granted. A packet that finds nothing is parked: it is looked at
//! again when one of its outputs may have become available, and not before.

use crate::power::Policy;
use crate::routing::{Candidates, Outputs};

use super::channel::Channel;
use super::fabric::{Ejected, Fabric};
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

/// Buffers that are used again at every allocation.
#[derive(Debug)]
pub struct Scratch {
    candidates: Candidates,
    requests: Vec<Request>,
    /// Per output of the switch: the position in `requests` of the best so far, or `NO_REQUEST`.
    best: Vec<u16>,
}

const NO_REQUEST: u16 = u16::MAX;

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
        self.candidates(&packet, switch, candidates);
        let start = self.next_output[(first + local) * self.vcs + usize::from(packet.vc)];
        let Some((output, vc)) = self.pick_available(candidates, first, &packet, start, edge) else {
            let on_at_once = self.park(switch, local, head, candidates, edge);
            return on_at_once.then(|| self.pick_available(candidates, first, &packet, start, edge)).flatten();
        };
        // Only where sleep is ignored when choosing may it not be on: wait for this very output.
        let channel = first + usize::from(output);
        let on = self.channels.is_on(channel, edge * self.clock) || self.wait_for_wake(channel, local, head, edge);
        on.then_some((output, vc))
    }

    /// Picks an available adaptive output, else the escape if that is available.
    #[inline]
    fn pick_available(
        &mut self,
        candidates: &Candidates,
        first: usize,
        packet: &Packet,
        start: u16,
        edge: u64,
    ) -> Option<(u16, u8)> {
        if candidates.adaptive_len > 0 {
            let picked = self.pick_among(candidates.adaptive(), first, packet, start, edge);
            if picked.is_some() {
                return picked;
            }
        }
        self.pick_among(&[candidates.escape], first, packet, start, edge)
    }

    /// Picks the available output and virtual channel that comes first from `start` on, round robin.
    #[inline]
    fn pick_among(
        &mut self,
        runs: &[Outputs],
        first: usize,
        packet: &Packet,
        start: u16,
        edge: u64,
    ) -> Option<(u16, u8)> {
        let t = edge * self.clock;
        let mut best: Option<(u16, u16, u8)> = None;
        for run in runs {
            for output in run.first..run.first + run.count {
                let channel = first + usize::from(output);
                if !self.is_free(channel, packet, edge) || (self.sleep_aware && !self.channels.is_on(channel, t)) {
                    continue;
                }
                self.channels.collect_credits(channel, t);
                let hot = &self.channels.hot[channel];
                let mut vcs = run.vcs;
                while vcs != 0 {
                    let vc = vcs.trailing_zeros() as u8;
                    vcs &= vcs - 1;
                    if hot.credits[usize::from(vc)] >= packet.flits {
                        let distance = pointer(output, vc).wrapping_sub(start);
                        if best.is_none_or(|(d, _, _)| distance < d) {
                            best = Some((distance, output, vc));
                        }
                    }
                }
            }
        }
        best.map(|(_, output, vc)| (output, vc))
    }

    /// Tells whether an output can begin to send a packet before the next edge.
    #[inline]
    fn is_free(&self, channel: usize, packet: &Packet, edge: u64) -> bool {
        self.ends_by(self.channels.hot[channel].free_at, edge)
            && (!self.may_underrun || self.ends_by(self.underrun_bound(channel, packet), edge))
    }

    /// Gives the earliest start at which a faster output does not run ahead of a slower input.
    fn underrun_bound(&self, channel: usize, packet: &Packet) -> u64 {
        let came = self.channels.class(packet.port as usize).duration_ceil(packet.flits);
        let goes = self.channels.class(channel).duration_ceil(packet.flits);
        packet.head_at + came.saturating_sub(goes)
    }

    /// Second and third stage: inputs choose queues, outputs choose inputs.
    fn arbitrate(&mut self, switch: u32, edge: u64, requests: &[Request], best: &mut [u16]) {
        let first = self.part.first_port[switch as usize] as usize;
        for chosen in 0..requests.len() {
            if !self.wins_input(first, requests, chosen) {
                continue;
            }
            let output = usize::from(requests[chosen].output);
            let next_reader = self.channels.hot[first + output].next_reader;
            let distance = |i: u16| self.reader_of(requests[usize::from(i)]).wrapping_sub(next_reader);
            if best[output] == NO_REQUEST || distance(chosen as u16) < distance(best[output]) {
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

    /// Second stage: tells whether a request is the one that its read port picks, round robin over the queues.
    fn wins_input(&self, first: usize, requests: &[Request], chosen: usize) -> bool {
        let Request { input, vc, .. } = requests[chosen];
        let reader = self.reader(first + usize::from(input), vc);
        let next_vc = self.inputs[reader].next_vc;
        // Requests are in the order of inputs: those of one input lie side by side.
        let before = requests[..chosen].iter().rev().take_while(|r| r.input == input);
        let after = requests[chosen + 1..].iter().take_while(|r| r.input == input);
        before
            .chain(after)
            .filter(|r| self.reader(first + usize::from(input), r.vc) == reader)
            .all(|r| r.vc.wrapping_sub(next_vc) > vc.wrapping_sub(next_vc))
    }

    /// Lets the losers of an arbitration try again: at the next edge, or when their input has sent its packet.
    fn retry_losers(&mut self, switch: u32, edge: u64, requests: &[Request], best: &[u16]) {
        let first = self.part.first_port[switch as usize] as usize;
        let mut retry = false;
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
                retry = true;
            } else {
                self.inputs[reader].pending |= 1 << request.vc;
                self.input_alarm(switch, port, request.vc);
            }
        }
        if retry {
            self.wheel.put_alarm(edge + 1, Alarm { switch, local: 0, vc: 0, kind: AlarmKind::Retry });
        }
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
            self.ejected.push(Ejected { message: packet.message, first, at: end + hop });
            self.packets.remove(id);
            return;
        }
        hot.credits[usize::from(request.output_vc)] -= request.flits;
        packet.port = self.part.leads_to[channel];
        packet.vc = request.output_vc;
        packet.head_at = start + hop;
        packet.wait_since = u64::MAX;
        packet.crossed |= self.part.dateline[channel];
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

    /// Lets a packet wait for those of its outputs that do not sleep, and wakes sleeping ones by the rules of the model.
    ///
    /// Tells whether it has woken one that takes no time to wake.
    fn park(&mut self, switch: u32, local: usize, head: u32, candidates: &Candidates, edge: u64) -> bool {
        let t = edge * self.clock;
        let first = self.part.first_port[switch as usize] as usize;
        let runs = || candidates.adaptive().iter().chain(std::iter::once(&candidates.escape));
        let outputs = || runs().flat_map(|run| run.first..run.first + run.count).map(|o| first + usize::from(o));
        let mut on_at_once = false;
        if self.may_sleep {
            let escape = first + usize::from(candidates.escape.first);
            let woken = self.wake_for(switch, local, head, escape, outputs(), edge);
            on_at_once = woken.is_some_and(|channel| self.channels.is_on(channel, t));
        }
        self.packets[head].flags |= Packet::PARKED;
        let bit = local * self.vcs + usize::from(self.packets[head].vc);
        for channel in outputs() {
            if self.may_sleep && self.channels.is_asleep(channel, t) {
                // It goes on sleeping, but should somebody else wake it, this packet may take it too.
                self.waiting[channel * self.words + bit / 64] |= 1 << (bit % 64);
            } else {
                self.wait_for(channel, bit, head, edge);
            }
        }
        on_at_once
    }

    /// Wakes an output for a packet if none of its outputs is on or waking, or if it has waited long enough, and gives it.
    fn wake_for(
        &mut self,
        switch: u32,
        local: usize,
        head: u32,
        escape: usize,
        outputs: impl Iterator<Item = usize>,
        edge: u64,
    ) -> Option<usize> {
        let t = edge * self.clock;
        let (mut some_on, mut some_waking, mut asleep, mut sleepers) = (false, false, None, 0);
        for channel in outputs {
            if self.channels.is_on(channel, t) {
                some_on = true;
            } else if self.channels.is_waking(channel, t) {
                some_waking = true;
            } else {
                asleep = asleep.or(Some(channel));
                sleepers += 1;
            }
        }
        if !some_on {
            self.packets[head].flags |= Packet::DELAYED;
        }
        let to_wake = if !some_on && !some_waking {
            Some(escape)
        } else if sleepers > 0 && self.waited(head, escape, t) {
            asleep
        } else {
            None
        };
        if let Some(channel) = to_wake {
            self.channels.wake(channel, t);
            sleepers -= 1;
        }
        if sleepers > 0 {
            self.patience_alarm(switch, local, head, escape, t);
        }
        to_wake
    }

    /// Tells whether a packet has waited so long that it may request one more sleeping output, and starts a new wait.
    fn waited(&mut self, head: u32, escape: usize, t: u64) -> bool {
        let patience = self.channels.class(escape).wake_after;
        let packet = &mut self.packets[head];
        if packet.wait_since != u64::MAX && t >= packet.wait_since.saturating_add(patience) {
            packet.wait_since = t;
            return true;
        }
        false
    }

    /// Makes sure that a packet that waits while some of its outputs sleep is looked at when its patience ends.
    fn patience_alarm(&mut self, switch: u32, local: usize, head: u32, escape: usize, t: u64) {
        let patience = self.channels.class(escape).wake_after;
        let packet = &mut self.packets[head];
        if packet.wait_since == u64::MAX {
            packet.wait_since = t;
        }
        if packet.wait_since == t {
            let vc = packet.vc;
            // A patience beyond all time needs no alarm.
            let Some(end) = t.checked_add(patience).filter(|&end| end < u64::MAX - self.clock) else { return };
            let bucket = self.edge_after(end);
            self.wheel.put_alarm(bucket, Alarm { switch, local: local as u16, vc, kind: AlarmKind::Packet });
        }
    }

    /// Lets a packet wait for one output that sleeps or wakes, and wakes it; tells whether that took no time.
    fn wait_for_wake(&mut self, channel: usize, local: usize, head: u32, edge: u64) -> bool {
        let t = edge * self.clock;
        self.packets[head].flags |= Packet::PARKED | Packet::DELAYED;
        let bit = local * self.vcs + usize::from(self.packets[head].vc);
        if !self.channels.is_waking(channel, t) {
            self.channels.wake(channel, t);
        }
        self.wait_for(channel, bit, head, edge);
        self.channels.is_on(channel, t)
    }

    /// Marks an input queue as waiting for an output, and sets the alarm for when the output may be available.
    fn wait_for(&mut self, channel: usize, bit: usize, head: u32, edge: u64) {
        let t = edge * self.clock;
        self.waiting[channel * self.words + bit / 64] |= 1 << (bit % 64);
        self.channels.end_idle(channel, t);
        if self.may_underrun {
            let from = self.edge_freeing(self.underrun_bound(channel, &self.packets[head]));
            if from > edge {
                return self.output_alarm(channel, from);
            }
        }
        let hot = &self.channels.hot[channel];
        let available = self.edge_freeing(hot.free_at).max(self.edge_after(hot.awake_at));
        if available > edge {
            self.output_alarm(channel, available);
        } else if let Some(at) = self.channels.next_credit(channel) {
            let edge_of_credit = self.edge_after(at).max(edge + 1);
            self.output_alarm(channel, edge_of_credit);
        } else {
            self.channels.hot[channel].flags |= Channel::WANTS_CREDIT;
        }
    }

    /// Takes an input queue out of all waiting masks of the switch; outputs for which nobody waits any more are idle.
    fn unpark(&mut self, switch: u32, bit: usize, granted: usize, t: u64) {
        let ports = self.part.first_port[switch as usize] as usize..self.part.first_port[switch as usize + 1] as usize;
        for channel in ports {
            let mask = &mut self.waiting[channel * self.words..][..self.words];
            if mask[bit / 64] & (1 << (bit % 64)) != 0 {
                mask[bit / 64] &= !(1 << (bit % 64));
                if channel != granted && mask.iter().all(|&w| w == 0) {
                    self.channels.begin_idle(channel, t);
                }
            }
        }
    }
}

/// Numbers an output and virtual channel for the round-robin pointer of an input queue.
#[inline]
fn pointer(output: u16, vc: u8) -> u16 {
    output * 8 + u16::from(vc)
}
