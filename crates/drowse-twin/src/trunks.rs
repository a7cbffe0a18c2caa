//! Governed trunks and widths (docs/model/trunks.md): at the end of each window, the sending switch turns a port of a
//! trunk, or half of the lanes of a link, on or off. Where both channels of a link go together, it tells the other end
//! what it wants, and both act when both know.
//!
//! Every window of every trunk is examined.

use std::collections::{BTreeSet, VecDeque};

use drowse_core::model::units::Time;
use drowse_core::power::Trunk as Thresholds;
use drowse_core::power::trunk::Off;

use crate::channel::Gate;
use crate::machine::Machine;
use crate::trunk::{ASKS, Change, Trunk};

const BILLION: u128 = 1_000_000_000;

impl Machine<'_> {
    /// Does what the ends of trunks have agreed on, examines the trunks whose windows have ended since the last edge, and
    /// lets the ends hear of each other.
    pub fn govern(&mut self) {
        for place in 0..self.trunks.len() {
            self.agree(place);
            let Trunk { window, thresholds, .. } = self.trunks[place];
            let number = self.now / thresholds.window.0.max(1);
            if number > window {
                self.trunks[place].window = number;
                self.examine(place);
            }
        }
        self.trunks.iter_mut().for_each(|trunk| trunk.agreement.hear(self.now, self.net.clock));
    }

    /// Decides on a trunk at the end of a window.
    fn examine(&mut self, place: usize) {
        let Trunk { ports, thresholds, sent, .. } = &self.trunks[place];
        let (ports, thresholds, before) = (ports.clone(), *thresholds, *sent);
        let sent: u64 = ports.iter().map(|&port| self.channels[port].sent).sum();
        let was_idle = sent == before;
        self.trunks[place].sent = sent;
        let first = &self.channels[ports[0]];
        let (all, on, is_moving, goes_off) = if let Some(lanes) = &first.lanes {
            (lanes.lanes.len(), lanes.wanted(), lanes.is_moving(), false)
        } else {
            let count = |is: &dyn Fn(usize) -> bool| ports.iter().filter(|&&port| is(port)).count();
            let goes_off = count(&|port| self.is_emptied(port) || self.channels[port].goes_off(self.now)) > 0;
            let wakes = count(&|port| self.channels[port].is_waking()) > 0;
            let on = count(&|port| !self.is_shed(port));
            (ports.len(), on, goes_off || wakes, goes_off)
        };
        // Each of several lanes takes so many times longer for its own share of a flit.
        let share = if first.lanes.is_some() { all as u64 } else { 1 };
        let [busy, backlog] = [sent - before, self.backlog(&ports)].map(|flits| first.time_of(flits * share));
        let change = decide(&thresholds, all as u128, on as u128, busy, backlog).filter(|change| match change {
            Change::More(_) => !is_moving || goes_off,
            Change::Fewer(_) => !is_moving,
        });
        if self.net.config.sleep.both {
            self.ask(place, change, was_idle);
        } else {
            self.change(&ports, change);
        }
    }

    fn change(&mut self, ports: &[usize], change: Option<Change>) {
        match change {
            Some(Change::More(count)) => (0..count).for_each(|_| self.more(ports)),
            Some(Change::Fewer(count)) => (0..count).for_each(|_| self.fewer(ports)),
            None => {}
        }
    }

    /// Tells the other end of a trunk what this end wants.
    fn ask(&mut self, place: usize, change: Option<Change>, was_idle: bool) {
        let port = self.trunks[place].ports[0];
        let at = self.now + self.channels[port].class.latency.0.max(1);
        let agreement = &mut self.trunks[place].agreement;
        agreement.asked = if was_idle && matches!(change, Some(Change::Fewer(_))) { agreement.asked + 1 } else { 0 };
        let Some(change) = change.filter(|_| agreement.asked <= ASKS) else { return };
        agreement.wants[0] = Some(change);
        agreement.decided_at.push(at.next_multiple_of(self.net.clock) + self.net.clock);
        let there = self.net.back[port];
        if let Some(other) = self.trunks.iter_mut().find(|other| other.ports[0] == there) {
            other.agreement.told.push((at, change));
        }
    }

    /// Does what both ends of a trunk want, if it is decided at this edge.
    fn agree(&mut self, place: usize) {
        let Trunk { ports, agreement, .. } = &mut self.trunks[place];
        if agreement.decided_at.extract_if(.., |at| *at <= self.now).count() == 0 {
            return;
        }
        let change = match std::mem::take(&mut agreement.wants) {
            [Some(Change::More(a)), Some(Change::More(b))] => Change::More(a.max(b)),
            [Some(Change::More(count)), _] | [_, Some(Change::More(count))] => Change::More(count),
            [Some(Change::Fewer(a)), Some(Change::Fewer(b))] => Change::Fewer(a.min(b)),
            _ => return,
        };
        agreement.asked = 0;
        let ports = ports.clone();
        self.change(&ports, Some(change));
    }

    /// Returns the flits of all packets in the queues whose head waits for one of some ports, at inputs or before the
    /// link.
    fn backlog(&self, ports: &[usize]) -> u64 {
        let waits = |port: usize| [port, self.net.way(port)].map(|channel| self.channels[channel].waiting());
        let queues: BTreeSet<usize> = ports.iter().flat_map(|&port| waits(port)).flatten().copied().collect();
        queues.into_iter().flat_map(|queue| &self.queues[queue]).map(|packet| packet.flits).sum()
    }

    /// Turns the first port that is off on, or doubles the lanes.
    fn more(&mut self, ports: &[usize]) {
        if let Some(lanes) = &mut self.channels[ports[0]].lanes {
            return lanes.double(self.now);
        }
        if let Some(&port) = ports.iter().find(|&&port| self.is_shed(port)) {
            self.turn_on(port);
        }
    }

    /// Turns the last port that is on off, but never the first, or halves the lanes.
    fn fewer(&mut self, ports: &[usize]) {
        if let Some(lanes) = &mut self.channels[ports[0]].lanes {
            return lanes.halve(self.now);
        }
        let Some(&port) = ports[1..].iter().rfind(|&&port| !self.is_shed(port)) else { return };
        match &mut self.channels[self.net.way(port)].gate {
            Some(gate) => *gate = Gate::Shut,
            None => self.channels[port].turn_off(self.now),
        }
        self.rest();
    }

    /// Adds a gate to each port that may be turned off and has queues before it.
    pub fn with_gates(mut self) -> Self {
        let ports = self.trunks.iter().flat_map(|trunk| trunk.ports.clone());
        let sheds = |port: &usize| self.net.output_queues().is_some() && self.channels[*port].lanes.is_none();
        for port in ports.filter(sheds).collect::<Vec<_>>() {
            self.channels[self.net.way(port)].gate = Some(Gate::Open);
        }
        self
    }

    /// Turns a port on. Packets cross to the queues before it once it is.
    pub fn turn_on(&mut self, port: usize) {
        let way = self.net.way(port);
        if self.channels[port].memory.is_off {
            self.channels[port].turn_on(self.now);
        }
        let on = self.channels[port].is_on();
        self.channels[way].gate.iter_mut().for_each(|gate| *gate = if on { Gate::Open } else { Gate::Opens });
    }

    /// Lets packets cross to ports that have been turned on and are on.
    pub fn open_gates(&mut self) {
        for port in 0..self.net.ports {
            let (on, way) = (self.channels[port].is_on(), self.net.way(port));
            if let Some(gate @ Gate::Opens) = self.channels[way].gate.as_mut().filter(|_| on) {
                *gate = Gate::Open;
            }
        }
    }

    /// Turns off the links of ports that have been turned off and have nothing left to send.
    pub fn rest(&mut self) {
        for port in 0..self.net.ports {
            let before = self.net.ports + port;
            let queues = self.net.first_queue(before)..self.net.first_queue(before + 1);
            let is_empty = || self.queues[queues].iter().all(VecDeque::is_empty);
            let crosses = || self.wires.iter().any(|&(to, ..)| to == before);
            if self.is_emptied(port) && is_empty() && !crosses() {
                self.channels[port].turn_off(self.now);
            }
        }
    }

    /// Returns whether a port has been turned off.
    fn is_shed(&self, port: usize) -> bool {
        let gate = self.channels[self.net.way(port)].gate;
        gate.map_or(self.channels[port].memory.is_off, |gate| gate == Gate::Shut)
    }

    /// Returns whether a port has been turned off whose link is still on.
    fn is_emptied(&self, port: usize) -> bool {
        self.is_shed(port) && !self.channels[port].memory.is_off
    }
}

/// Decides port by port, up to as many as may change: those that went before are on, or off, already.
fn decide(rule: &Thresholds, all: u128, on: u128, busy: Time, backlog: Time) -> Option<Change> {
    let mut ports = on;
    let mut change = None;
    for count in 1..=rule.steps {
        match (decide_on_one(rule, all, ports, busy, backlog), change) {
            (Some(true), None | Some(Change::More(_))) => (change, ports) = (Some(Change::More(count)), ports + 1),
            (Some(false), None | Some(Change::Fewer(_))) => (change, ports) = (Some(Change::Fewer(count)), ports - 1),
            _ => break,
        }
    }
    change
}

/// Decides by the thresholds whether one more port goes on, or one goes off: on the time for which ports were busy in
/// the window, and that which the packets that wait would need.
fn decide_on_one(rule: &Thresholds, all: u128, on: u128, busy: Time, backlog: Time) -> Option<bool> {
    let [window, busy, backlog, most] = [rule.window, busy, backlog, rule.backlog].map(|time| u128::from(time.0));
    let capacity = on * window * BILLION;
    let waits_long = backlog > most * on;
    if on < all && (waits_long || busy * BILLION * BILLION > u128::from(rule.on) * capacity) {
        return Some(true);
    }
    let off = match rule.off {
        Off::Static(off) => u128::from(off) * capacity,
        // A share of the load that would turn the port on again: the threshold on one port fewer.
        Off::ByPorts(share) => u128::from(share) * u128::from(rule.on) * (on - 1) * window,
    };
    (on > 1 && !waits_long && busy * BILLION * BILLION < off).then_some(false)
}
