//! Packets that are sprayed: each chooses one of the outputs that routing permits, once at each switch, whether they sleep
//! or not.

use drowse_core::model::balance::Balance;
use drowse_core::model::rng::{self, Purpose};
use drowse_core::topology::Geometry;

use crate::arbiter::mix;
use crate::machine::{Machine, Packet};
use crate::net::Permitted;

impl Machine<'_> {
    /// Lets the head of a queue of a switch choose, if its reader can send it.
    pub fn spray(&mut self, switch: usize, queue: usize) {
        if let Some(packet) = self.head(queue).filter(|packet| packet.chosen.is_none()) {
            self.queues[queue][0].chosen = self.choice(switch, &packet);
        }
    }

    /// Returns the port that a packet chooses at a switch; `None` if packets do not choose.
    pub fn choice(&mut self, switch: usize, packet: &Packet) -> Option<usize> {
        let balance = self.net.config.switch.balance;
        let [adaptive, escape] = self.net.permitted(switch, packet.trip);
        let mut of: Vec<usize> =
            if adaptive.is_empty() { &escape } else { &adaptive }.iter().map(|&(port, _)| port).collect();
        of.dedup();
        if balance == Balance::Adaptive {
            return None;
        }
        let first = of[0];
        if of.len() == 1 {
            // It takes no turn from packets that have a choice.
            return Some(first);
        }
        let from = self.net.ports(switch).start;
        let draw = |occasion| rng::draw(self.net.config.seed, Purpose::Balancing, switch as u32, occasion);
        let pair = mix((packet.trip.from as u64) << 32 | packet.trip.to as u64) as u32;
        let drawn = (mix(draw(pair.into()) ^ (packet.header.number + 1)) % of.len() as u64) as usize;
        match balance {
            Balance::SprayRandom => Some(of[drawn]),
            Balance::SprayQueue => {
                let in_turn = of[drawn..].iter().chain(&of[..drawn]);
                in_turn.copied().min_by_key(|&port| self.queued(port))
            }
            _ => {
                let (round, turn) = (self.turns[first] / of.len() as u64, self.turns[first] % of.len() as u64);
                let begin = draw(((first - from) as u64) << 32 ^ round) % of.len() as u64;
                self.turns[first] += 1;
                Some(of[(begin + turn) as usize % of.len()])
            }
        }
    }

    /// Returns the outputs that a head may take: of those that routing permits, the one that it has chosen. On grids the
    /// escape stays open to it.
    pub fn left_to(&self, packet: &Packet, permitted: Permitted) -> Permitted {
        let Some(chosen) = packet.chosen.map(|port| self.net.way(port)) else { return permitted };
        let is_chosen = |&&(port, _): &&(usize, usize)| port == chosen;
        let [adaptive, escape] = permitted;
        let of = if adaptive.is_empty() { &escape } else { &adaptive };
        let only: Vec<_> = of.iter().filter(is_chosen).copied().collect();
        let keeps_escape = matches!(self.net.network.geometry, Geometry::Grid(_)) && !adaptive.is_empty();
        if keeps_escape { [only, escape] } else { [Vec::new(), only] }
    }
}
