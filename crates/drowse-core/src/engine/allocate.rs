//! The three-stage allocator of a switch, with round-robin arbiters (Andújar et al. 2019, section 3.1; Blue Gene/L) or random ones
//! (Navaridas et al. 2010, section IV).
//!
//! At a clock edge, first the head packet of every input queue picks one of its permitted outputs and virtual channels
//! that is on, free and has credits for the whole packet, adaptive ones before the escape; then every input port picks
//! one of its queues; then every output picks one of the input ports. Losers try again at the next edge. An arbiter's
//! pointer moves past the winner only when a packet is granted. A packet that finds nothing is parked: it is looked at
//! again when one of its outputs may have become available, and not before. On trees with adaptive routing, the output with
//! the most credits is picked.
//!
//! The first stage is in [`super::pick`], what follows a grant in [`super::grant`].

use crate::power::Policy;
use crate::routing::{Candidates, PortGroup};

use super::ahead;
use super::fabric::{Fabric, Queue};
use super::wheel::{Alarm, AlarmKind};

/// The packet at the head of an input queue.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Head {
    /// The packet.
    pub id: u32,
    /// The switch.
    pub switch: u32,
    /// The switch's first port.
    pub first: u32,
    /// The place of the input queue among all.
    pub place: u32,
    /// The bit of the input queue in the masks of its switch.
    pub bit: u16,
    /// Which of the switches it is that are looked at together.
    pub member: u8,
    /// No other head of its switch is looked at.
    pub alone: bool,
    /// The only outputs that it may take; none where that is not known.
    pub run: PortGroup,
}

/// The packet at the head of an input queue asks for an output of its switch.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The switch.
    pub switch: u32,
    /// The switch's first port.
    pub first: u32,
    /// The bit of the input queue in the masks of its switch.
    pub bit: u16,
    /// The output, relative to the switch's first port.
    pub output: u16,
    /// The virtual channel at the output.
    pub vc: u8,
    /// Which of the switches it is that are looked at together.
    member: u8,
    /// Its read port has picked it among its queues.
    leads: bool,
    /// This output is the only one that the packet may take, and it remembers no choice of a virtual channel.
    pub only: bool,
}

/// The read ports and outputs of a switch for which there are requests.
#[derive(Clone, Copy, Debug, Default)]
struct Claims {
    inputs: u64,
    outputs: u64,
    /// Those for which there is more than one: all others are granted what they ask for.
    twice: u64,
}

impl Claims {
    /// Adds a request. Ports that differ by 64 are taken for the same, and arbitrated in vain.
    #[inline]
    fn add(&mut self, request: &Request, reader_bits: u32) {
        let (input, output) = (1 << (request.bit >> reader_bits & 63), 1 << (request.output & 63));
        self.twice |= self.inputs & input | self.outputs & output;
        self.inputs |= input;
        self.outputs |= output;
    }
}

/// Buffers that are used again at every allocation.
#[derive(Debug)]
pub struct Scratch {
    /// The permitted outputs of the packet that is looked at.
    pub candidates: Candidates,
    heads: Vec<Head>,
    requests: Vec<Request>,
    /// The claims of the switches that are looked at together; empty before and after.
    claims: [Claims; ahead::BATCH],
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
        Scratch {
            candidates: Candidates::new(),
            heads: Vec::new(),
            requests: Vec::new(),
            claims: [Claims::default(); ahead::BATCH],
            best: vec![NO_REQUEST; radix],
        }
    }
}

impl<P: Policy> Fabric<'_, P> {
    /// Allocates the outputs of all switches that have something to look at.
    pub fn allocate_all<const LEAN: bool>(&mut self, scratch: &mut Scratch) {
        let active = std::mem::take(&mut self.active);
        let count = std::mem::take(&mut self.active_len);
        active[..count].chunks(ahead::BATCH).for_each(|batch| self.allocate::<LEAN>(scratch, batch));
        self.active = active;
        if !self.sent.is_empty() {
            self.wheel.put_arrivals(self.now.number + self.sent_edges, &mut self.sent);
        }
    }

    /// Allocates the outputs of some switches that have something to look at.
    fn allocate<const LEAN: bool>(&mut self, scratch: &mut Scratch, switches: &[u32]) {
        let Scratch { candidates, heads, requests, claims, best } = scratch;
        self.collect_heads::<LEAN>(switches, heads);
        requests.clear();
        for head in &*heads {
            if let Some(request) = self.request::<LEAN>(candidates, head) {
                if head.alone {
                    self.grant::<LEAN>(request);
                    continue;
                }
                claims[usize::from(request.member) % ahead::BATCH].add(&request, self.reader_bits.min(self.vc_bits));
                requests.push(request);
            }
        }
        let mut rest = requests.as_mut_slice();
        while let Some(&request) = rest.first() {
            let mut count = 1;
            let claims = std::mem::take(&mut claims[usize::from(request.member) % ahead::BATCH]);
            if claims.twice == 0 {
                self.grant_one::<LEAN>(request);
            } else {
                count = rest.iter().take_while(|other| other.member == request.member).count();
                self.arbitrate::<LEAN>(&mut rest[..count], best);
            }
            rest = &mut rest[count..];
        }
    }

    #[inline(never)]
    fn grant_one<const LEAN: bool>(&mut self, request: Request) {
        self.grant::<LEAN>(request);
    }

    /// First stage: lets a head that is to be looked at pick an output; parks it where there is none.
    #[inline]
    fn request<const LEAN: bool>(&mut self, candidates: &mut Candidates, head: &Head) -> Option<Request> {
        let reader = self.reader::<LEAN>(head.place);
        let input = &mut self.inputs[reader];
        if input.busy_until >= self.now.next {
            input.pending |= 1 << (u32::from(head.bit) & self.vc_mask);
            self.input_alarm::<LEAN>(head.place);
            return None;
        }
        let ((output, vc), only) = self.pick::<LEAN>(candidates, head)?;
        let Head { switch, first, bit, member, .. } = *head;
        Some(Request { switch, first, bit, output, vc, member, leads: false, only })
    }

    /// Second and third stage: inputs choose queues, outputs choose inputs.
    fn arbitrate<const LEAN: bool>(&mut self, requests: &mut [Request], best: &mut [u16]) {
        let Request { switch, first, .. } = requests[0];
        for chosen in 0..requests.len() {
            requests[chosen].leads = self.wins_input::<LEAN>(switch, first, requests, chosen);
            if requests[chosen].leads {
                self.challenge::<LEAN>(switch, first, requests, best, chosen);
            }
        }
        let won = |best: &[u16], i: usize| best[usize::from(requests[i].output)] == i as u16;
        // Those that lose their only output wait for it: whom it is granted to tells them when it is free again.
        for (i, request) in requests.iter().enumerate().filter(|(_, request)| request.leads && request.only) {
            if !won(best, i) {
                self.await_output(first, request);
            }
        }
        for (i, request) in requests.iter().enumerate() {
            if won(best, i) {
                self.grant_one::<LEAN>(*request);
            }
        }
        for (i, request) in requests.iter().enumerate().filter(|(_, request)| !(request.leads && request.only)) {
            if !won(best, i) {
                self.let_try_again::<LEAN>(switch, first, request);
            }
        }
        requests.iter().for_each(|request| best[usize::from(request.output)] = NO_REQUEST);
    }

    /// Second stage: tells whether a request is the one that its read port picks among its queues.
    #[inline]
    fn wins_input<const LEAN: bool>(&self, switch: u32, first: u32, requests: &[Request], chosen: usize) -> bool {
        let input = |request: &Request| request.bit >> self.vc_bits;
        let mine = input(&requests[chosen]);
        // Requests are in the order of inputs: those of one input lie side by side.
        let rivals = |i: usize| requests.get(i).is_some_and(|request| input(request) == mine);
        if !rivals(chosen.wrapping_sub(1)) && !rivals(chosen + 1) {
            return true;
        }
        let reader = |request: &Request| self.reader::<LEAN>((first << self.vc_bits) + u32::from(request.bit));
        let my_reader = reader(&requests[chosen]);
        let next_vc = self.inputs[my_reader].next_vc();
        let turn = |request: &Request| {
            let vc = (u32::from(request.bit) & self.vc_mask) as u8;
            let distance = u16::from(vc.wrapping_sub(next_vc));
            (self.turn(distance, switch, INPUT_ARBITER | mine, u16::from(vc)), distance)
        };
        let least = turn(&requests[chosen]);
        requests.iter().filter(|r| input(r) == mine && reader(r) == my_reader).all(|r| turn(r) >= least)
    }

    /// Third stage: lets a request take the place of the one that was best for its output so far, if its turn is before.
    #[inline]
    fn challenge<const LEAN: bool>(
        &self,
        switch: u32,
        first: u32,
        requests: &[Request],
        best: &mut [u16],
        chosen: usize,
    ) {
        let output = usize::from(requests[chosen].output);
        let best = &mut best[output];
        if *best == NO_REQUEST {
            *best = chosen as u16;
            return;
        }
        let next_reader = self.channels.hot[first as usize + output].next_reader;
        // Of equal draws, that of the first read port wins.
        let turn = |i: usize| {
            let reader = self.reader_of::<LEAN>(&requests[i]);
            (self.turn(reader.wrapping_sub(next_reader), switch, OUTPUT_ARBITER | output as u16, reader), reader)
        };
        if turn(chosen) < turn(usize::from(*best)) {
            *best = chosen as u16;
        }
    }

    /// Numbers the read port of a request among those of the switch.
    #[inline]
    pub(super) fn reader_of<const LEAN: bool>(&self, request: &Request) -> u16 {
        self.reader::<LEAN>(u32::from(request.bit)) as u16
    }

    /// Lets the loser of an arbitration try again: at the next edge, or when its input has sent its packet.
    fn let_try_again<const LEAN: bool>(&mut self, switch: u32, first: u32, request: &Request) {
        // Sleep must know who waits, and so must packets that decide by queues, whether channels may sleep or not.
        if self.may_sleep || self.router.decides {
            self.await_output(first, request);
        }
        let bit = request.bit;
        let place = (first << self.vc_bits) + u32::from(bit);
        let reader = self.reader::<LEAN>(place);
        let input = &mut self.inputs[reader];
        if input.busy_until < self.now.next {
            self.retry(switch, bit);
        } else {
            input.pending |= 1 << (u32::from(bit) & self.vc_mask);
            self.input_alarm::<LEAN>(place);
        }
    }

    /// Lets the allocator look at an input queue at the next edge.
    pub(super) fn retry(&mut self, switch: u32, bit: u16) {
        self.examine[switch as usize * self.words + usize::from(bit) / 64] |= 1 << (bit % 64);
        self.wheel.put_alarm(self.now.number + 1, Alarm { switch, local: 0, vc: 0, kind: AlarmKind::Retry });
    }

    /// Lets the loser of an arbitration wait for the output that it asked for, which so does not fall asleep.
    fn await_output(&mut self, first: u32, request: &Request) {
        let channel = first as usize + usize::from(request.output);
        let place = (first << self.vc_bits) + u32::from(request.bit);
        self.queues[place as usize].flags |= Queue::PARKED;
        self.set_waiting(channel, request.bit);
        self.channels.end_idle(channel, self.now.time);
    }
}
