//! The three-stage allocator, after heads have decided on their routes: heads select an output and request it, readers arbitrate among their queues, outputs
//! among readers. Also the blocked packets: the outputs for which they wait, and the sleeping outputs that they wake.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use drowse_core::model::config::{Arbitration, FlowControl, SleepRules, SleepSelection, SwitchModel, TrunkChoice};
use drowse_core::model::rng::{self, Purpose};
use drowse_core::power::SleepStates;
use drowse_core::routing::RoutingKind;

use crate::arbiter::{arbitrate, mix};
use crate::channel::Channel;
use crate::machine::{Machine, Packet};
use crate::net::{Net, Output, Permitted, Trip};

/// A queue whose head requests an output.
type Request = (usize, Output);

/// How a request ranks at an arbiter.
type Rank = (usize, usize);

/// Queues whose heads request the same outputs: those of a switch's inputs, or those of one output.
pub struct Unit {
    /// The switch, where heads have routes.
    switch: Option<usize>,
    /// The port of its first queue.
    first_port: usize,
    /// Its queues.
    queues: Range<usize>,
    /// Its outputs: channels that are links, or crossbar paths to the queues before these.
    outputs: Range<usize>,
    /// Names its arbiters.
    name: u32,
}

impl Unit {
    /// Returns the unit of a switch's inputs.
    pub fn switch(net: &Net<'_>, switch: usize) -> Self {
        let ports = net.ports(switch);
        let outputs = net.way(ports.start)..net.way(ports.start) + ports.len();
        Unit { switch: Some(switch), first_port: ports.start, queues: net.slots(switch), outputs, name: switch as u32 }
    }

    /// Returns the unit of the queues of an output, whose only output is the link.
    pub fn output(net: &Net<'_>, port: usize) -> Self {
        let first_port = net.ports + port;
        let queues = net.first_queue(first_port)..net.first_queue(first_port + 1);
        Unit { switch: None, first_port, queues, outputs: port..port + 1, name: u32::MAX - port as u32 }
    }
}

impl<'a> Machine<'a> {
    /// Allocates the outputs of a unit at a clock edge.
    pub fn allocate(&mut self, unit: &Unit) {
        let Unit { queues, outputs, .. } = unit;
        outputs.clone().for_each(|output| self.recheck_coalescing(output));
        if let Some(switch) = unit.switch {
            for queue in queues.clone() {
                self.decide(switch, queue);
                self.spray(switch, queue);
            }
        }
        let mut requests: Vec<Request> = Vec::new();
        for queue in queues.clone() {
            let slept: Vec<usize> = outputs.clone().filter(|&output| !self.channels[output].is_on()).collect();
            requests.extend(self.request(unit, queue).map(|output| (queue, output)));
            for output in slept {
                self.channels[output].hidden |= self.channels[output].is_on();
            }
        }
        outputs.clone().for_each(|output| self.channels[output].hidden = false);
        let queue_priority = |(queue, (output, _)): Request| self.rank_of_queue(unit, queue, output);
        let reader_priority = |(queue, (output, _)): Request| self.rank_at_output(unit, queue, output);
        let mut selected = arbitrate(&requests, |(queue, _)| self.reader(queue), queue_priority);
        // Of equals at an output, the first queue is chosen.
        selected.sort_unstable();
        let granted = arbitrate(&selected, |(_, (output, _))| output, reader_priority);
        let in_order: BTreeSet<Request> = granted.iter().copied().collect();
        in_order.into_iter().for_each(|request| self.grant(unit, request));
        for &(queue, (port, _)) in requests.iter().filter(|request| !granted.contains(request)) {
            self.channels[port].add_waiter(queue, self.now);
        }
    }

    /// Looks at a coalescing output if packets have come behind heads that wait for it. Otherwise it is looked at with
    /// each of these heads that its reader could send.
    fn recheck_coalescing(&mut self, port: usize) {
        let just_now = (self.now + 1).saturating_sub(self.net.clock)..=self.now;
        let came_behind =
            |queue: usize| self.queues[queue].iter().skip(1).any(|packet| just_now.contains(&packet.head_at));
        if self.channels[port].waiting().iter().any(|&queue| came_behind(queue)) {
            self.end_coalescing(port);
        }
    }

    /// Wakes an output for which enough packets wait, or the first has waited long enough.
    fn end_coalescing(&mut self, port: usize) {
        if self.channels[port].coalesces_since.is_some() {
            self.request_asleep(port);
        }
    }

    /// Requests an output that sleeps: wakes it, or goes on coalescing the packets of all queues whose head waits for
    /// it.
    fn request_asleep(&mut self, port: usize) {
        let frames = self.channels[port].waiting().iter().map(|&queue| self.queues[queue].len() as u64).sum();
        self.channels[port].request(self.now, frames);
    }

    /// Returns the head of a queue, if its reader can send it.
    pub fn head(&self, queue: usize) -> Option<Packet> {
        let reader_is_free = self.busy_until[self.reader(queue)] < self.now + self.net.clock;
        self.queues[queue].front().filter(|_| reader_is_free).copied()
    }

    /// Decides on the route of a head, once at a switch, from what all outputs have sent and who has waited for them
    /// before this edge.
    fn decide(&mut self, switch: usize, queue: usize) {
        if let Some(Packet { trip, has_decided: false, .. }) = self.head(queue) {
            self.queues[queue][0].trip = self.decided(switch, trip);
            self.queues[queue][0].has_decided = true;
        }
    }

    /// Returns the route that a packet takes from a switch on.
    pub fn decided(&self, switch: usize, trip: Trip) -> Trip {
        let Some(other) = self.net.non_minimal(switch, trip).filter(|_| self.net.decides(trip)) else { return trip };
        let cost = |trip: Trip| {
            let queued = self.net.next_ports(switch, trip).into_iter().map(|port| self.queued(port)).min();
            queued.unwrap_or(0) * self.net.route_length(switch, trip) as u64
        };
        if self.net.config.routing == RoutingKind::Valiant || cost(other) < cost(trip) { other } else { trip }
    }

    /// Returns the length of the queue for a port: what has left for it and got no credits, which is in its output queues
    /// if it has these, and full packets at the heads that wait for it.
    pub fn queued(&self, port: usize) -> u64 {
        let SwitchModel { buffer_flits, packet_flits, flow_control, .. } = self.net.config.switch;
        let room = match self.net.output_queues() {
            Some(queues) => queues.room_flits,
            None if flow_control == FlowControl::Credits => buffer_flits,
            None => packet_flits,
        };
        let output = &self.channels[self.net.way(port)];
        let taken = output.credits.iter().map(|credits| u64::from(room) - credits);
        taken.sum::<u64>() + output.waiting().len() as u64 * u64::from(packet_flits)
    }

    /// First stage: returns the output that the head of a queue requests. Otherwise the queue waits.
    fn request(&mut self, unit: &Unit, queue: usize) -> Option<Output> {
        let packet = self.head(queue)?;
        match packet.selected {
            Some((port, _)) if !self.on_or_awaited(queue, port) => return None,
            Some(output) if self.is_available(output, queue, &packet) => return Some(output),
            _ => self.queues[queue][0].selected = None,
        }
        let permitted = match unit.switch {
            Some(switch) => self.net.permitted(switch, packet.trip).map(|outputs| self.net.leaving_by(outputs)),
            None => [Vec::new(), vec![(unit.outputs.start, self.net.input(queue).1)]],
        };
        let permitted = self.left_to(&packet, permitted);
        let select = |machine: &Self| machine.select(unit, queue, &packet, &permitted);
        let output = select(self).or_else(|| if self.wait(queue, &permitted) { select(self) } else { None })?;
        if self.ignores_sleep() && !self.on_or_awaited(queue, output.0) {
            self.queues[queue][0].selected = Some(output);
            return None;
        }
        Some(output)
    }

    /// Selects an available adaptive output and virtual channel, else an escape.
    fn select(&self, unit: &Unit, queue: usize, packet: &Packet, permitted: &Permitted) -> Option<Output> {
        let first = unit.outputs.start;
        let (name, pointer) = (queue - unit.queues.start, self.queue_pointers[queue]);
        let by_credits = self.net.is_tree() && self.net.config.routing == RoutingKind::Adaptive;
        let packed = self.net.config.switch.trunks == TrunkChoice::Packed;
        let is_free = |port: usize| self.is_free(port, queue, packet);
        let may_request = |&(port, vc): &Output| {
            (self.net.config.switch.request_busy || is_free(port))
                && (self.ignores_sleep() || self.channels[port].is_on())
                && self.has_room((port, vc), queue, packet)
        };
        let rank = |&(port, vc): &Output| {
            let before = unit.switch.map_or(0, |_| self.net.before(unit.first_port + port - first));
            let place_in_trunk = packed.then(|| (!is_free(port), before));
            let credits = by_credits.then(|| self.channels[port].credits.iter().sum::<u64>());
            (place_in_trunk, Reverse(credits), self.rank_of_selection(unit, name, pointer, place(port - first, vc)))
        };
        let best = |outputs: &[Output]| outputs.iter().copied().filter(may_request).min_by_key(rank);
        permitted.iter().find_map(|outputs| best(outputs)).filter(|&(port, _)| is_free(port))
    }

    /// Adds a queue to the waiters of all permitted outputs. Returns whether one of them is on.
    ///
    /// If no output is on or waking, it wakes the first escape output at once; else one more each time `wake_after` has
    /// passed, or where the queue for the others is long.
    fn wait(&mut self, queue: usize, permitted: &Permitted) -> bool {
        let outputs: Vec<usize> = permitted.iter().flatten().map(|&(port, _)| port).collect();
        let escape = permitted[1][0].0;
        let wakes = |states: SleepStates| states.sleeps().map(|sleep| states.of(sleep).wake).max().unwrap_or_default();
        let deepest = self.channels[escape].class.states.map(wakes);
        let wake_after = self.net.config.sleep.wake_after.or(deepest).map_or(1, |time| time.0.max(1));
        let any = |is: fn(&Channel<'a>) -> bool| outputs.iter().copied().find(|&port| is(&self.channels[port]));
        let on = any(Channel::is_on);
        let waking = any(|channel| channel.is_waking() || channel.coalesces_since.is_some());
        let wakes_up =
            |channel: &Channel| channel.is_asleep() && channel.coalesces_since.is_none() && !channel.is_governed();
        let asleep = any(wakes_up);
        let packet = &mut self.queues[queue][0];
        packet.delayed |= on.is_none();
        let overdue = packet.waits_since.is_some_and(|since| since.saturating_add(wake_after) <= self.now);
        let some_awake = on.or(waking).is_some();
        if !some_awake {
            packet.waits_since = None;
        } else if asleep.is_some() && overdue {
            packet.waits_since = Some(self.now);
        }
        let long = |&port: &usize| overdue || self.queue_is_long(queue, port, &outputs);
        let to_wake = if some_awake { asleep.filter(long) } else { Some(escape) };
        self.queues[queue][0].compared = true;
        if let Some(port) = to_wake {
            self.channels[port].add_waiter(queue, self.now);
            if self.channels[port].is_governed() {
                // Routing that offers some ports of a trunk only, and not that which is always on.
                self.turn_on(self.net.port_of(port));
            } else {
                self.request_asleep(port);
            }
        }
        if outputs.iter().any(|&port| wakes_up(&self.channels[port])) {
            self.queues[queue][0].waits_since.get_or_insert(self.now);
        }
        for &port in &outputs {
            self.channels[port].add_waiter(queue, self.now);
            self.end_coalescing(port);
        }
        outputs.iter().any(|&port| self.channels[port].is_on())
    }

    /// Returns whether a packet that finds no output for the first time finds that the packets that wait take longer
    /// over the outputs that are on, waking or coalescing than the wake of one that sleeps, weighted.
    fn queue_is_long(&self, queue: usize, asleep: usize, outputs: &[usize]) -> bool {
        if self.net.config.sleep.selection != SleepSelection::LeastDelay || self.queues[queue][0].compared {
            return false;
        }
        let ports: BTreeSet<usize> = outputs.iter().copied().collect();
        let is_awake = |channel: &Channel| !channel.is_asleep() || channel.coalesces_since.is_some();
        let awake = ports.iter().filter(|&&port| is_awake(&self.channels[port])).count() as u64;
        let mut waiting: BTreeSet<usize> =
            ports.iter().flat_map(|&port| self.channels[port].waiting()).copied().collect();
        waiting.insert(queue);
        let flits: u64 = waiting.iter().flat_map(|&queue| &self.queues[queue]).map(|packet| packet.flits).sum();
        let channel = &self.channels[asleep];
        channel.time_of(flits).0 * SleepRules::QUEUE_WEIGHT > channel.time_to_wake(self.now) * awake
    }

    /// Returns whether packets select as if all outputs were on.
    fn ignores_sleep(&self) -> bool {
        self.net.config.sleep.selection == SleepSelection::Blind
    }

    /// Returns whether a selected output is on. If it is not, wakes it and adds the queue to its waiters.
    fn on_or_awaited(&mut self, queue: usize, port: usize) -> bool {
        if !self.channels[port].is_on() {
            self.queues[queue][0].delayed = true;
            self.channels[port].add_waiter(queue, self.now);
            self.request_asleep(port);
        }
        self.channels[port].is_on()
    }

    /// Grants an output to the head of a queue.
    fn grant(&mut self, unit: &Unit, (queue, (port, vc)): Request) {
        let ((input, input_vc), reader) = (self.net.input(queue), self.reader(queue));
        let came_by = self.came_by(unit, queue);
        self.grants += 1;
        self.served_ports.insert((port, came_by), self.grants);
        self.served_queues[queue] = self.grants;
        self.mark_leaving(queue);
        let Some(packet) = self.queues[queue].pop_front() else { return };
        let earliest = self.earliest(port, queue, &packet).max(self.channels[port].free_for(vc));
        let start = self.now.max(self.busy_until[reader]).max(earliest);
        let others = unit.outputs.clone().filter(|&other| other != port);
        others.for_each(|other| self.channels[other].remove_waiter(queue, self.now));
        let last = self.crosses_until(queue, &packet);
        let end = self.channels[port].send(queue, packet.flits, start..last, self.now);
        let free_at = end + self.net.config.switch.allocation_gap.0;
        self.channels[port].free_at = free_at;
        self.busy_until[reader] = free_at;
        self.reader_pointers[reader] = self.number(queue) + 1;
        self.queue_pointers[queue] = place(port - unit.outputs.start, vc) + 1;
        self.output_pointers[port] = reader - self.reader(unit.queues.start) + 1;
        let feeder = self.net.feeder(input);
        if self.net.is_way(feeder) || !self.net.config.switch.is_lossy() {
            let feeder = &mut self.channels[feeder];
            feeder.returning.push((end + feeder.class.latency.0, input_vc, packet.flits));
        }
        if self.net.is_way(port) {
            self.cross(Packet { came_by, ..packet }, (port, vc), start);
        } else {
            self.forward(packet, (port, vc), start, end);
        }
    }

    /// Ranks a queue among those of its reader; the lowest is chosen.
    fn rank_of_queue(&self, unit: &Unit, queue: usize, output: usize) -> Rank {
        let (number, pointer) = (self.number(queue), self.reader_pointers[self.reader(queue)]);
        let distance = number.wrapping_sub(pointer);
        match self.net.config.switch.arbitration {
            Arbitration::LeastRecentlyServed if unit.switch.is_none() => self.rank_at_output(unit, queue, output),
            Arbitration::LeastRecentlyServed => (self.served_queues[queue], number),
            Arbitration::RoundRobin => (0, distance),
            Arbitration::Random => {
                let arbiter = 0x8000 | (self.net.input(queue).0 - unit.first_port);
                (self.draw(unit, arbiter, number), distance)
            }
            Arbitration::Age => (self.born(queue), number),
        }
    }

    /// Ranks a queue among those that request an output; the lowest is chosen.
    fn rank_at_output(&self, unit: &Unit, queue: usize, output: usize) -> Rank {
        let reader = self.reader(queue) - self.reader(unit.queues.start);
        match self.net.config.switch.arbitration {
            Arbitration::LeastRecentlyServed => {
                let port = self.came_by(unit, queue);
                let served = self.served_ports.get(&(output, port)).copied().unwrap_or(0);
                // Those that have not been served come in the order of their numbers, before all others.
                let never = if served == 0 { port } else { 0 };
                (served, never << 32 | self.served_queues[queue])
            }
            Arbitration::RoundRobin => (0, reader.wrapping_sub(self.output_pointers[output])),
            Arbitration::Random => (self.draw(unit, 0x4000 | (output - unit.outputs.start), reader), reader),
            Arbitration::Age => (self.born(queue), queue),
        }
    }

    /// Returns the input port of its switch by which the head of a queue came.
    fn came_by(&self, unit: &Unit, queue: usize) -> usize {
        match unit.switch {
            Some(_) => self.net.input(queue).0 - unit.first_port,
            None => self.queues[queue].front().map_or(0, |packet| packet.came_by),
        }
    }

    /// Returns when the head of a queue left its node.
    fn born(&self, queue: usize) -> usize {
        self.queues[queue].front().map_or(0, |packet| packet.born as usize)
    }

    /// Returns a candidate's rank among what a head may select: its distance behind a pointer, or a draw.
    fn rank_of_selection(&self, unit: &Unit, name: usize, pointer: usize, candidate: usize) -> usize {
        match self.net.config.switch.arbitration {
            Arbitration::Random => self.draw(unit, name, candidate),
            _ => candidate.wrapping_sub(pointer),
        }
    }

    /// Draws a number for a candidate at an arbiter, which `name` identifies within the unit.
    fn draw(&self, unit: &Unit, name: usize, candidate: usize) -> usize {
        let occasion = mix(self.now / self.net.clock) ^ (name << 16 | candidate) as u64;
        usize::from(rng::draw(self.net.config.seed, Purpose::Arbitration, unit.name, occasion) as u16)
    }

    /// Returns whether an output can begin to send a packet before the next edge and has credits for it.
    fn is_available(&self, (port, vc): Output, queue: usize, packet: &Packet) -> bool {
        self.is_free(port, queue, packet) && self.has_room((port, vc), queue, packet)
    }

    /// Returns whether the channel to an output is free and has credits for a packet: where it enters a ring that a bubble
    /// keeps from filling up, for one full packet more.
    fn has_room(&self, (port, vc): Output, queue: usize, packet: &Packet) -> bool {
        let (input, input_vc) = self.net.input(queue);
        let ring = self.net.ring(self.net.port_of(port), vc);
        // What waits behind the crossbar has entered the ring of its link.
        let comes = || if input < self.net.ports { self.net.ring(self.net.back[input], input_vc) } else { ring };
        let enters = ring.is_some() && ring != comes();
        let bubble = if enters { self.net.config.switch.packet_flits.into() } else { 0 };
        let is_free = self.channels[port].free_for(vc) < self.now + self.net.clock;
        is_free && self.channels[port].credits[vc] >= packet.flits + bubble
    }

    /// Returns whether an output can begin to send a packet before the next edge.
    fn is_free(&self, port: usize, queue: usize, packet: &Packet) -> bool {
        self.earliest(port, queue, packet) < self.now + self.net.clock
    }

    /// Returns the earliest start at which an output is free and cannot underrun, if the input is slower.
    fn earliest(&self, output: usize, queue: usize, packet: &Packet) -> u64 {
        let input = self.net.input(queue).0;
        let free_at = self.channels[output].free_at;
        if self.net.stores() || input >= self.net.ports {
            return free_at.max(packet.head_at);
        }
        let input = self.channels[input].duration(packet.flits, packet.narrow);
        // Behind output queues its link may have any speed when the packet comes to it.
        let link = self.net.port_of(output);
        let narrow = if link == output { self.channels[link].narrow() } else { 0 };
        let behind = input.saturating_sub(self.channels[link].duration(packet.flits, narrow));
        free_at.max(packet.head_at + behind)
    }

    /// Returns the reader of a queue.
    fn reader(&self, queue: usize) -> usize {
        let speedup = usize::from(self.net.config.switch.input_speedup);
        let (port, vc) = self.net.input(queue);
        port * speedup + vc % speedup
    }

    /// Numbers a queue among those of its port: the virtual channels of each output begin at a power of two.
    fn number(&self, queue: usize) -> usize {
        let (port, vc) = self.net.input(queue);
        (queue - self.net.first_queue(port)) / self.net.vcs * self.net.vcs.next_power_of_two() + vc
    }
}

/// Numbers an output of a switch and a virtual channel in the order of a queue's arbiter.
fn place(output: usize, vc: usize) -> usize {
    output * 8 + vc
}
