//! Which of its outputs a part of a flow takes: that whose turn it is first.

use drowse_flows::DENOMINATOR;

use crate::engine::switch::pointer::pointer;
use crate::engine::switch::switches::Switches;
use crate::power::Policy;

use super::outputs::{self, Output, Spread};
use super::places::Place;
use super::route::Routes;
use super::slab::Flow;
use super::turns::Queue;

impl Routes {
    /// Orders the outputs of a part by whose turn it is; of a part that is one packet only the first is left. Returns
    /// the virtual channel that this takes.
    pub(super) fn take_in_turn<P: Policy>(
        &mut self,
        switches: &Switches<P>,
        flow: &mut Flow,
        (place, queue): (Place, Queue),
        spread: Spread,
    ) -> u8 {
        if spread == Spread::Even && self.permitted.len() < 2 {
            return place.vc;
        }
        let first = switches.partition.link(switches.network.first_port[place.switch as usize]);
        let turned = flow.turned.iter().position(|(of, _)| *of == queue);
        let start = turned.map_or_else(|| self.turns.of(queue), |place| flow.turned[place].1);
        if spread == Spread::One && switches.rules.choice.most_credits {
            self.leave_out_taken(switches);
        }
        let Some((chosen, vc)) = outputs::next_in_turn(&self.outputs, first, start) else { return place.vc };
        let (vc, pointer) = if spread == Spread::One {
            self.outputs.swap(0, chosen);
            self.outputs.truncate(1);
            self.taken.push(self.outputs[0].channel);
            (vc, pointer((self.outputs[0].channel - first) as u16, vc) + 1)
        } else {
            self.outputs.rotate_left(chosen);
            let packets = flow.packets * u64::from(place.share) / u64::from(DENOMINATOR);
            let next = (packets % self.outputs.len() as u64) as usize;
            (0, pointer((self.outputs[next].channel - first) as u16, 0))
        };
        match turned {
            Some(place) => flow.turned[place].1 = pointer,
            None if !self.is_chosen_again(switches) => self.turns.set(queue, pointer),
            None => flow.turned.push((queue, pointer)),
        }
        vc
    }

    /// Returns whether the head chooses again among the permitted outputs when it comes to them.
    fn is_chosen_again<P: Policy>(&self, switches: &Switches<P>) -> bool {
        let sleeps = |output: &Output| self.may_sleep(switches.links.hot[output.channel as usize].class);
        self.chooses_on_the_way() && self.permitted.len() > 1 && self.permitted.iter().any(sleeps)
    }

    /// Leaves out the outputs that the packets just before have taken, if there are others: these have more credits,
    /// until the credits of those packets have come back.
    fn leave_out_taken<P: Policy>(&mut self, switches: &Switches<P>) {
        let Some(class) = self.outputs.first().map(|output| switches.links.hot[output.channel as usize].class) else {
            return;
        };
        let class = &switches.links.classes[usize::from(class)];
        let packet = class.duration_ceil(switches.rules.packet_flits).max(1);
        let back = (class.hop + packet + class.latency).div_ceil(packet) as usize;
        let (taken, permitted) = (&self.taken, &self.permitted);
        let here = |channel: &&u32| permitted.iter().any(|output| output.channel == **channel);
        let is_recent = |channel: u32| taken.iter().rev().filter(here).take(back).any(|recent| *recent == channel);
        if self.outputs.iter().any(|output| !is_recent(output.channel)) {
            self.outputs.retain(|output| !is_recent(output.channel));
        }
    }
}
