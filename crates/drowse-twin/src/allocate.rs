//! The three-stage allocator: heads ask, readers choose among their queues, outputs among readers.

use drowse_core::config::{Arbitration, TrunkChoice};
use drowse_core::rng::{self, Purpose};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::Geometry;

use crate::cut_through::{Machine, Packet};
use crate::routes::{Output, Permitted, mix};

/// A head asks for an output.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Request {
    queue: usize,
    output: Output,
}

impl Machine<'_> {
    /// Lets a switch allocate its outputs at a clock edge.
    pub fn allocate(&mut self, switch: usize) {
        let ports = self.routes.ports(switch);
        let queues = self.queue(ports.start, 0)..self.queue(ports.end, 0);
        let requests: Vec<Request> = queues.filter_map(|queue| self.ask(switch, queue)).collect();
        let is_chosen = |request: &Request| self.choose_queue(switch, request.queue, &requests) == Some(*request);
        let chosen: Vec<Request> = requests.iter().copied().filter(is_chosen).collect();
        let granted: Vec<Request> = ports.filter_map(|port| self.choose_reader(switch, port, &chosen)).collect();
        granted.iter().for_each(|&request| self.grant(switch, request));
        for lost in requests.iter().filter(|request| !granted.contains(request)) {
            self.channels[lost.output.0].await_by(lost.queue);
        }
    }

    /// First stage: lets the head of a queue ask for an output, or wait.
    fn ask(&mut self, switch: usize, queue: usize) -> Option<Request> {
        let t = self.now;
        let packet = *self.queues[queue].packets.front().filter(|packet| packet.head_at <= t)?;
        if self.readers[self.reader(queue)].busy_until >= self.next_edge() {
            return None;
        }
        let request = |output| Some(Request { queue, output });
        if let Some(output) = self.queues[queue].chosen {
            if !self.on_or_awaited(queue, output.0, t) {
                return None;
            }
            if self.is_free(output.0, queue, &packet) && self.has_room(output, &packet) {
                return request(output);
            }
            self.queues[queue].chosen = None;
        }
        let permitted = self.routes.permitted(switch, self.source.messages[packet.message].to, packet.memory);
        let pick = |machine: &Self| machine.pick(switch, queue, &packet, &permitted);
        let Some(output) = pick(self) else {
            let woken = self.wait(queue, &permitted, t)?;
            // One that takes no time to wake is on.
            return if self.channels[woken].power.is_on() { pick(self).and_then(request) } else { None };
        };
        if !self.config.sleep.aware && !self.on_or_awaited(queue, output.0, t) {
            self.queues[queue].chosen = Some(output);
            return None;
        }
        request(output)
    }

    /// Picks an adaptive output and virtual channel that can be had, else an escape.
    fn pick(&self, switch: usize, queue: usize, packet: &Packet, permitted: &Permitted) -> Option<Output> {
        let first = self.routes.ports(switch).start;
        let (name, pointer) = (queue - self.queue(first, 0), self.queues[queue].pointer);
        let by_credits =
            matches!(self.network.geometry, Geometry::Levels(_)) && self.config.routing == RoutingKind::Adaptive;
        let lack = |port: usize| {
            if by_credits { u64::MAX - self.channels[port].credits.iter().sum::<u64>() } else { 0 }
        };
        let packed = self.config.switch.trunks == TrunkChoice::Packed;
        let behind = |port: usize| packed.then(|| (!self.is_free(port, queue, packet), self.routes.before(port)));
        let may_ask = |&(port, vc): &Output| {
            (self.config.switch.request_busy || self.is_free(port, queue, packet))
                && (!self.config.sleep.aware || self.channels[port].power.is_on())
                && self.has_room((port, vc), packet)
        };
        let best = |outputs: &[Output]| {
            let rank = |&(port, vc): &Output| {
                let turn = self.turn(switch, name, pointer, place(port - first, vc));
                (behind(port), lack(port), turn)
            };
            outputs.iter().copied().filter(may_ask).min_by_key(rank)
        };
        let asked = best(&permitted.adaptive).or_else(|| best(&permitted.escape));
        asked.filter(|&(port, _)| self.is_free(port, queue, packet))
    }

    /// Second stage: lets the reader of a queue choose one of the requests of its queues.
    fn choose_queue(&self, switch: usize, queue: usize, requests: &[Request]) -> Option<Request> {
        let reader = self.reader(queue);
        let pointer = self.readers[reader].pointer;
        let name = 0x8000 | (reader / self.speedup - self.routes.ports(switch).start);
        let rank = |request: &Request| {
            let vc = (request.queue % self.vcs) as u16;
            (self.turn(switch, name, pointer, vc), vc.wrapping_sub(pointer))
        };
        requests.iter().copied().filter(|request| self.reader(request.queue) == reader).min_by_key(rank)
    }

    /// Third stage: lets an output choose one of the readers.
    fn choose_reader(&self, switch: usize, port: usize, requests: &[Request]) -> Option<Request> {
        let first = self.routes.ports(switch).start;
        let (name, pointer) = (0x4000 | (port - first), self.output_pointers[port]);
        let number = |request: &Request| (self.reader(request.queue) - first * self.speedup) as u16;
        let rank = |request: &Request| self.turn(switch, name, pointer, number(request));
        requests.iter().copied().filter(|request| request.output.0 == port).min_by_key(rank)
    }

    /// Lets a packet through the switch.
    fn grant(&mut self, switch: usize, Request { queue, output: (port, vc) }: Request) {
        let (input, input_vc, reader) = (queue / self.vcs, queue % self.vcs, self.reader(queue));
        let Some(packet) = self.queues[queue].packets.pop_front() else { return };
        let earliest = self.no_underrun(port, queue, &packet);
        let start = self.now.max(self.readers[reader].busy_until).max(self.channels[port].free_at).max(earliest);
        let ports = self.routes.ports(switch);
        ports.clone().filter(|&other| other != port).for_each(|other| self.channels[other].leave(queue, self.now));
        let end = self.channels[port].send(Some(queue), packet.flits, start, false);
        self.readers[reader].busy_until = end;
        self.readers[reader].pointer = input_vc as u16 + 1;
        self.queues[queue].pointer = place(port - ports.start, vc) + 1;
        self.queues[queue].chosen = None;
        self.output_pointers[port] = (reader - ports.start * self.speedup) as u16 + 1;
        let back_at = end + self.channels[input].class.latency.0;
        let feeder = self.network.peer[input] as usize;
        self.channels[feeder].return_credit(back_at, input_vc, packet.flits);
        self.forward(&packet, (port, vc), start, end);
    }

    /// Gives a candidate's place in the order of an arbiter of a switch, the least of which wins: how far it is from where the
    /// arbiter looks first, or a draw, in which `name` tells the arbiter from the others of the switch.
    fn turn(&self, switch: usize, name: usize, pointer: u16, candidate: u16) -> u16 {
        match self.config.switch.arbitration {
            Arbitration::RoundRobin => candidate.wrapping_sub(pointer),
            Arbitration::Random => {
                let occasion =
                    mix(self.now / self.config.switch.clock.0) ^ ((name as u64) << 16 | u64::from(candidate));
                rng::draw(self.config.seed, Purpose::Arbitration, switch as u32, occasion) as u16
            }
        }
    }

    /// Tells whether an output can begin to send a packet before the next edge.
    fn is_free(&self, port: usize, queue: usize, packet: &Packet) -> bool {
        self.channels[port].free_at.max(self.no_underrun(port, queue, packet)) < self.next_edge()
    }

    fn next_edge(&self) -> u64 {
        self.now + self.config.switch.clock.0
    }

    /// Gives the earliest start at which an output that is faster than the input does not run ahead of it.
    fn no_underrun(&self, port: usize, queue: usize, packet: &Packet) -> u64 {
        let input = &self.channels[queue / self.vcs];
        let ahead = input.duration(packet.flits).saturating_sub(self.channels[port].duration(packet.flits));
        packet.head_at + ahead
    }

    fn has_room(&self, (port, vc): Output, packet: &Packet) -> bool {
        self.channels[port].credits[vc] >= packet.flits
    }

    fn reader(&self, queue: usize) -> usize {
        queue / self.vcs * self.speedup + queue % self.vcs % self.speedup
    }
}

/// Numbers an output of a switch and a virtual channel in the order of a queue's arbiter.
fn place(output: usize, vc: usize) -> u16 {
    (output * 8 + vc) as u16
}
