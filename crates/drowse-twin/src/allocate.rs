//! The three-stage allocator: heads ask, readers choose among their queues, outputs among readers.

use std::cmp::Reverse;

use drowse_core::config::{Arbitration, TrunkChoice};
use drowse_core::rng::{self, Purpose};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::Geometry;

use crate::arbiter::{choose, mix};
use crate::cut_through::{Machine, Packet, Reader};
use crate::routes::{Output, Permitted};

/// The head of a queue asks for an output.
type Request = (usize, Output);

impl Machine<'_> {
    /// Lets a switch allocate its outputs at a clock edge.
    pub fn allocate(&mut self, switch: usize) {
        let ports = self.routes.ports(switch);
        let first = ports.start;
        let queues = first * self.vcs..ports.end * self.vcs;
        let requests: Vec<Request> = queues.filter_map(|queue| Some((queue, self.ask(switch, queue)?))).collect();
        let queue_turn = |(queue, _): Request| {
            let (vc, pointer) = (queue % self.vcs, self.readers[self.reader(queue)].pointer);
            (self.turn(switch, 0x8000 | (queue / self.vcs - first), pointer, vc), vc.wrapping_sub(pointer))
        };
        let first_reader = self.reader(first * self.vcs);
        let reader_turn = |(queue, (port, _)): Request| {
            let pointer = self.output_pointers[port];
            self.turn(switch, 0x4000 | (port - first), pointer, self.reader(queue) - first_reader)
        };
        let chosen = choose(&requests, |(queue, _)| self.reader(queue), queue_turn);
        let granted = choose(&chosen, |(_, (port, _))| port, reader_turn);
        granted.iter().for_each(|&request| self.grant(switch, request));
        for &(queue, (port, _)) in requests.iter().filter(|request| !granted.contains(request)) {
            self.channels[port].await_by(queue);
        }
    }

    /// First stage: lets the head of a queue ask for an output, or wait.
    fn ask(&mut self, switch: usize, queue: usize) -> Option<Output> {
        let packet = *self.queues[queue].packets.front().filter(|packet| packet.head_at <= self.now)?;
        if self.readers[self.reader(queue)].busy_until >= self.now + self.config.switch.clock.0 {
            return None;
        }
        if let Some((port, vc)) = self.queues[queue].chosen {
            if !self.on_or_awaited(queue, port) {
                return None;
            }
            if self.is_free(port, queue, &packet) && self.channels[port].credits[vc] >= packet.flits {
                return Some((port, vc));
            }
            self.queues[queue].chosen = None;
        }
        let permitted = self.routes.permitted(switch, self.source.messages[packet.message].to, packet.memory);
        let pick = |machine: &Self| machine.pick(switch, queue, &packet, &permitted);
        let Some(output) = pick(self) else {
            // One that takes no time to wake is on.
            return self.wait(queue, &permitted).filter(|&woken| self.channels[woken].is_on()).and_then(|_| pick(self));
        };
        if !self.config.sleep.aware && !self.on_or_awaited(queue, output.0) {
            self.queues[queue].chosen = Some(output);
            return None;
        }
        Some(output)
    }

    /// Picks an adaptive output and virtual channel that can be had, else an escape.
    fn pick(&self, switch: usize, queue: usize, packet: &Packet, permitted: &Permitted) -> Option<Output> {
        let first = self.routes.ports(switch).start;
        let (name, pointer) = (queue - first * self.vcs, self.queues[queue].pointer);
        let by_credits =
            matches!(self.network.geometry, Geometry::Levels(_)) && self.config.routing == RoutingKind::Adaptive;
        let credits = |port: usize| by_credits.then(|| self.channels[port].credits.iter().sum::<u64>());
        let packed = self.config.switch.trunks == TrunkChoice::Packed;
        let behind = |port: usize| packed.then(|| (!self.is_free(port, queue, packet), self.routes.before(port)));
        let may_ask = |&(port, vc): &Output| {
            (self.config.switch.request_busy || self.is_free(port, queue, packet))
                && (!self.config.sleep.aware || self.channels[port].is_on())
                && self.channels[port].credits[vc] >= packet.flits
        };
        let best = |outputs: &[Output]| {
            let rank = |&(port, vc): &Output| {
                let turn = self.turn(switch, name, pointer, place(port - first, vc));
                (behind(port), Reverse(credits(port)), turn)
            };
            outputs.iter().copied().filter(may_ask).min_by_key(rank)
        };
        let asked = best(&permitted.adaptive).or_else(|| best(&permitted.escape));
        asked.filter(|&(port, _)| self.is_free(port, queue, packet))
    }

    /// Lets a packet through the switch.
    fn grant(&mut self, switch: usize, (queue, (port, vc)): Request) {
        let (input, input_vc, reader) = (queue / self.vcs, queue % self.vcs, self.reader(queue));
        let Some(packet) = self.queues[queue].packets.pop_front() else { return };
        let earliest = self.no_underrun(port, queue, &packet);
        let start = self.now.max(self.readers[reader].busy_until).max(self.channels[port].free_at).max(earliest);
        let ports = self.routes.ports(switch);
        ports.clone().filter(|&other| other != port).for_each(|other| self.channels[other].leave(queue, self.now));
        let end = self.channels[port].send(queue, packet.flits, start);
        self.readers[reader] = Reader { busy_until: end, pointer: input_vc + 1 };
        self.queues[queue].pointer = place(port - ports.start, vc) + 1;
        self.queues[queue].chosen = None;
        self.output_pointers[port] = reader - self.reader(ports.start * self.vcs) + 1;
        let feeder = &mut self.channels[self.network.peer[input] as usize];
        feeder.returning.push((end + feeder.class.latency.0, input_vc, packet.flits));
        self.forward(packet, (port, vc), start, end);
    }

    /// Gives a candidate's place in the order of an arbiter of a switch, the least of which wins: how far it is from where the
    /// arbiter looks first, or a draw, in which `name` tells the arbiter from the others of the switch.
    fn turn(&self, switch: usize, name: usize, pointer: usize, candidate: usize) -> usize {
        match self.config.switch.arbitration {
            Arbitration::RoundRobin => candidate.wrapping_sub(pointer),
            Arbitration::Random => {
                let occasion = mix(self.now / self.config.switch.clock.0) ^ (name << 16 | candidate) as u64;
                usize::from(rng::draw(self.config.seed, Purpose::Arbitration, switch as u32, occasion) as u16)
            }
        }
    }

    /// Tells whether an output can begin to send a packet before the next edge.
    fn is_free(&self, port: usize, queue: usize, packet: &Packet) -> bool {
        self.channels[port].free_at.max(self.no_underrun(port, queue, packet)) < self.now + self.config.switch.clock.0
    }

    /// Gives the earliest start at which an output that is faster than the input does not run ahead of it.
    fn no_underrun(&self, port: usize, queue: usize, packet: &Packet) -> u64 {
        let input = &self.channels[queue / self.vcs];
        let ahead = input.duration(packet.flits).saturating_sub(self.channels[port].duration(packet.flits));
        packet.head_at + ahead
    }

    fn reader(&self, queue: usize) -> usize {
        let speedup = usize::from(self.config.switch.input_speedup);
        queue / self.vcs * speedup + queue % self.vcs % speedup
    }
}

/// Numbers an output of a switch and a virtual channel in the order of a queue's arbiter.
fn place(output: usize, vc: usize) -> usize {
    output * 8 + vc
}
