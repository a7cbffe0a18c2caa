//! The second and third stage of the allocator: read ports choose among their queues, and outputs among read ports.

use crate::power::Policy;

use super::contest::{Bid, Contest};
use super::request::{Claims, Request};
use super::switches::Switches;

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
            let rank = || self.rank_at_output::<FAST>(request);
            let bid = if request.leads { Bid::new(rank(), number) } else { Bid::NONE };
            let best = &mut contest.best[usize::from(request.output)];
            *best = bid.min(*best);
        }
        // At the next edge another crossbar path to an output may be free, if there are several.
        contest.decide(requests, FAST || !self.links.crossbar_paths.several());
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
        let first = of_input[chosen].first << self.layout.queue_bits;
        let reader = |request: &Request| self.layout.reader::<FAST>(first + u32::from(request.bit));
        let my_reader = reader(&of_input[chosen]);
        let rank = |request: &Request| self.rank_at_input::<FAST>(request);
        let least = rank(&of_input[chosen]);
        !of_input.iter().any(|request| reader(request) == my_reader && rank(request) < least)
    }
}
