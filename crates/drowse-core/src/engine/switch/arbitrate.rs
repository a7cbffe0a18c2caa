//! The second and third stage of the allocator: read ports choose among their queues, and outputs among read ports.

use crate::power::Policy;

use super::request::{Claims, Request};
use super::switches::Switches;

/// Distinguish the arbiters of inputs and of outputs from those of queues, which are numbered by their bits.
const INPUT_ARBITER: u16 = 0x8000;
const OUTPUT_ARBITER: u16 = 0x4000;

/// What a request counts at its output, the least wins: its priority, then its read port; and its number among the
/// requests of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bid(u64);

impl Bid {
    /// Loses against every other.
    pub const NONE: Bid = Bid(u64::MAX);

    fn new(priority: u16, reader: u16, number: u32) -> Self {
        Bid(u64::from(priority) << 48 | u64::from(reader) << 32 | u64::from(number))
    }

    fn number(self) -> u32 {
        self.0 as u32
    }
}

/// What becomes of 64 requests, one bit each. Who wins cannot be predicted, so that this is found without branches.
#[derive(Clone, Copy, Debug, Default)]
struct Fates {
    won: u64,
    /// They lose the only output that they may take.
    wait: u64,
    /// The others.
    lost: u64,
}

/// Buffers of an arbitration.
#[derive(Debug)]
pub struct Contest {
    /// The best bid so far for each output of the switch; [`Bid::NONE`] before and after.
    best: Vec<Bid>,
    fates: Vec<Fates>,
}

impl Contest {
    /// Creates buffers for switches of up to `radix` ports.
    pub fn new(radix: usize) -> Self {
        Contest { best: vec![Bid::NONE; radix], fates: Vec::new() }
    }

    /// Tells who has won, now that the best bids are known. `waits` says whether who loses its only output waits for it.
    fn decide(&mut self, requests: &[Request], waits: bool) {
        self.fates.clear();
        let mut number = 0;
        for requests in requests.chunks(64) {
            let mut fates = Fates::default();
            for (bit, request) in (0..).zip(requests) {
                let won = self.best[usize::from(request.output)].number() == number;
                number += 1;
                let wait = !won & request.leads & request.only & waits;
                fates.won |= u64::from(won) << bit;
                fates.wait |= u64::from(wait) << bit;
                fates.lost |= u64::from(!(won | wait)) << bit;
            }
            self.fates.push(fates);
        }
        requests.iter().for_each(|request| self.best[usize::from(request.output)] = Bid::NONE);
    }

    /// Returns the numbers of some requests.
    fn those(&self, of: impl Fn(&Fates) -> u64) -> impl Iterator<Item = usize> {
        (0..).step_by(64).zip(&self.fates).flat_map(move |(from, fates)| {
            let mut left = of(fates);
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (bit < 64).then_some(from + bit)
            })
        })
    }
}

impl<P: Policy> Switches<'_, P> {
    /// Second and third stage: inputs choose queues, outputs choose inputs. `found` holds, for each request, the outputs
    /// that its head found.
    pub fn arbitrate<const FAST: bool>(
        &mut self,
        requests: &mut [Request],
        claims: &Claims,
        found: &[u64],
        contest: &mut Contest,
    ) {
        let Request { switch, first, .. } = requests[0];
        if claims.inputs_twice != 0 {
            self.choose_leaders::<FAST>(requests);
        }
        for (number, request) in (0..).zip(&*requests) {
            let bid = if request.leads { self.bid::<FAST>(request, number) } else { Bid::NONE };
            let best = &mut contest.best[usize::from(request.output)];
            *best = bid.min(*best);
        }
        // At the next edge another way to an output may be free, if there are several.
        contest.decide(requests, FAST || !self.links.ways.several());
        // Those that lose their only output wait for it: the grant to another schedules a wakeup for when it is free
        // again.
        contest.those(|fates| fates.wait).for_each(|i| self.await_output(first, &requests[i]));
        let mut granted = 0;
        for i in contest.those(|fates| fates.won) {
            self.grant_one::<FAST>(requests[i]);
            granted |= 1_u64.unbounded_shl(u32::from(requests[i].output));
        }
        // One that has been blocked before, and for which nothing is left, is still blocked.
        let stays = |i: &usize| found.get(*i).is_some_and(|found| found & !granted == 0);
        for i in contest.those(|fates| fates.lost).filter(|i| !stays(i)) {
            self.let_try_again::<FAST>(switch, first, &requests[i]);
        }
    }

    /// Second stage: each read port chooses one of the requests of its queues.
    #[inline]
    fn choose_leaders<const FAST: bool>(&self, requests: &mut [Request]) {
        let input = |request: &Request| request.bit >> self.layout.queue_bits;
        // Requests are in the order of inputs: those of one input lie side by side.
        for of_input in requests.chunk_by_mut(|a, b| input(a) == input(b)) {
            if of_input.len() > 1 {
                for chosen in 0..of_input.len() {
                    of_input[chosen].leads = self.wins_input::<FAST>(of_input, chosen);
                }
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

    /// Third stage: returns what a request counts at its output.
    #[inline]
    fn bid<const FAST: bool>(&self, request: &Request, number: u32) -> Bid {
        let Request { switch, first, output, .. } = *request;
        let reader = self.layout.reader::<FAST>(u32::from(request.bit)) as u16;
        let next_reader = self.links.hot[first as usize + usize::from(output)].next_reader;
        let priority = self.priority(reader.wrapping_sub(next_reader), switch, OUTPUT_ARBITER | output, reader);
        // Of equal draws, that of the first read port wins.
        Bid::new(priority, reader, number)
    }
}
