//! What becomes of a governed trunk at the end of each window.

use crate::engine::event::NONE;
use crate::engine::event::queue::WakeupKind;
use crate::engine::link::lanes::Lanes;
use crate::engine::switch::switches::Switches;
use crate::model::units::Time;
use crate::power::{Change, Policy, TrunkWindow};

use super::trunks::{Trunk, Trunks};

/// How often an end that sends nothing asks for one port fewer: the other end learns of the first request, and joins
/// the second if it is idle, too. Later, the end that has stopped asking asks when it hears of the other.
pub(super) const ASKS: u8 = 2;

impl Trunks {
    /// Starts to watch all governed trunks, whose ports and lanes are all on: the first windows may change that. Trunks
    /// whose ports stand by are examined at the first edge.
    pub fn watch_all<P: Policy>(&mut self, switches: &mut Switches<P>) {
        for trunk in 0..self.all.len() {
            if self.all[trunk].stands_by {
                self.all[trunk].watched = true;
                let first = switches.events.now.number + 1;
                switches.wake_port(self.first_port(trunk) as u32, first, WakeupKind::Window);
            } else if self.all[trunk].capped.is_none() {
                self.watch(switches, trunk);
            }
        }
    }

    /// Watches the trunk of a governed port by which a packet has gone.
    pub fn used<P: Policy>(&mut self, switches: &mut Switches<P>, port: u32) {
        self.passed(switches, port as usize);
        if let Some(&trunk) = self.of.get(port as usize).filter(|&&trunk| trunk != NONE) {
            self.watch(switches, trunk as usize);
        }
    }

    /// Watches the trunk of a governed port by which a flow goes.
    pub fn used_by_flow<P: Policy>(&mut self, switches: &mut Switches<P>, port: u32) {
        if let Some(&trunk) = self.of.get(port as usize).filter(|&&trunk| trunk != NONE) {
            self.watch(switches, trunk as usize);
        }
    }

    /// Makes sure that a trunk is examined when the present window ends.
    pub(super) fn watch<P: Policy>(&mut self, switches: &mut Switches<P>, trunk: usize) {
        let Trunk { window, watched, .. } = &mut self.all[trunk];
        if !std::mem::replace(watched, true) {
            let now = switches.events.now;
            let end = (now.time / *window + 1).saturating_mul(*window);
            let bucket = switches.events.clock.first_from(end).max(now.number + 1);
            switches.wake_port(self.first_port(trunk) as u32, bucket, WakeupKind::Window);
        }
    }

    /// Examines a trunk at the end of a window.
    pub(super) fn window_ended<P: Policy>(&mut self, switches: &mut Switches<P>, port: usize) {
        let trunk = self.of[port] as usize;
        if let Some(channel) = self.all[trunk].capped {
            return self.tell_load(switches, trunk, channel);
        }
        let before = self.all[trunk].sent;
        let sent = self.flits_sent(&switches.links, trunk);
        let now = switches.events.now.time;
        let moving = match self.lanes_of(trunk) {
            Some(lanes) => lanes.is_moving(now),
            None => self.ports_of(trunk).any(|port| switches.links.is_waking(port, now) || switches.is_going_off(port)),
        };
        let change = self.decided(switches, trunk, sent.wrapping_sub(before), moving);
        let both = self.both;
        let state = &mut self.all[trunk];
        (state.sent, state.watched) = (sent, false);
        state.asked =
            if sent == before && matches!(change, Change::Fewer(_)) { state.asked.saturating_add(1) } else { 0 };
        let asks = change != Change::None && (!both || state.asked <= ASKS);
        match (asks, both) {
            (false, _) => {}
            (true, true) => self.want(switches, trunk, change),
            (true, false) => self.resize(switches, trunk, change),
        }
        // Where nothing moves and nothing changes, nothing will before the next packet, or a message from the other
        // end.
        if sent != before || moving || asks {
            self.watch(switches, trunk);
        }
    }

    /// Returns what the policy decides on a trunk that has sent `flits` in a window.
    fn decided<P: Policy>(&self, switches: &Switches<P>, trunk: usize, flits: u64, moving: bool) -> Change {
        let seen = self.seen(switches, trunk, flits);
        let links = &switches.links;
        match links.policy.resize(links.hot[self.first_port(trunk)].class, &seen) {
            // Those that are going off may stay on after all; else one change at a time.
            Change::More(_) if moving && !self.ports_of(trunk).any(|port| switches.is_going_off(port)) => Change::None,
            Change::Fewer(_) if moving => Change::None,
            change => change,
        }
    }

    /// Returns what is measured of a trunk that has sent `flits` in a window.
    pub(super) fn seen<P: Policy>(&self, switches: &Switches<P>, trunk: usize, flits: u64) -> TrunkWindow {
        let links = &switches.links;
        let ports = || self.ports_of(trunk).filter(|&port| switches.is_wanted(port)).count() as u32;
        let (all, on) = self.lanes_of(trunk).map_or_else(|| (self.all[trunk].count, ports()), Lanes::count);
        let first = self.first_port(trunk);
        let class = links.class(first);
        // Each of several lanes takes so many times longer for its own share.
        let share = if self.lanes_of(trunk).is_some() { u64::from(all) } else { 1 };
        let time = |flits: u64| Time(class.time_of(flits.saturating_mul(share)));
        let backlog = time(self.flits_waiting(switches, trunk));
        TrunkWindow { ports: all, on, busy: time(flits), backlog }
    }

    /// Counts the flits of all packets in queues whose head waits for a trunk.
    fn flits_waiting<P: Policy>(&self, switches: &Switches<P>, trunk: usize) -> u64 {
        if let Some(&flits) = self.waits.get(trunk) {
            return flits;
        }
        let at_inputs = switches.flits_waiting(|| self.ports_of(trunk).map(|port| switches.gate(port)));
        // The queues of each output are a switch of their own.
        let outputs = self.ports_of(trunk).filter(|&port| switches.gate(port) != port);
        at_inputs + outputs.map(|port| switches.flits_waiting(|| std::iter::once(port))).sum::<u64>()
    }

    /// Turns more ports of a trunk on, or some off.
    pub(super) fn resize<P: Policy>(&mut self, switches: &mut Switches<P>, trunk: usize, change: Change) {
        if self.all[trunk].lanes.is_some() {
            return self.resize_lanes(switches, trunk, change);
        }
        match change {
            Change::None => {}
            Change::More(ports) => (0..ports).for_each(|_| self.turn_one_on(switches, trunk)),
            Change::Fewer(ports) => (0..ports).for_each(|_| self.turn_one_off(switches, trunk)),
        }
    }

    /// Turns the first port that is off on.
    fn turn_one_on<P: Policy>(&mut self, switches: &mut Switches<P>, trunk: usize) {
        let Some(port) = self.ports_of(trunk).find(|&port| !switches.is_wanted(port)) else { return };
        let gate = switches.gate(port);
        switches.turn_on(gate);
        if switches.links.is_on(gate, switches.events.now.time) {
            // The port had not begun to sleep: packets that wait for it may take it at this edge.
            switches.examine_waiting::<false>(gate as u32);
        }
        self.port_moved(switches, port, true);
    }

    /// Turns the last port that is on off, but never the first.
    fn turn_one_off<P: Policy>(&mut self, switches: &mut Switches<P>, trunk: usize) {
        let on = self.ports_of(trunk).skip(1).filter(|&port| switches.is_wanted(port)).last();
        let Some(port) = on else { return };
        self.turn_off(switches, port);
        if switches.rules.choice.request_busy {
            // Packets that requested the port while it was busy request another at this edge.
            switches.examine_waiting::<false>(switches.gate(port) as u32);
        }
    }

    /// Halves or doubles the lanes of a trunk's only port that are on.
    fn resize_lanes<P: Policy>(&mut self, switches: &mut Switches<P>, trunk: usize, change: Change) {
        let (t, port) = (switches.events.now.time, self.first_port(trunk));
        let Some(states) = switches.links.class(port).states else { return };
        let Some(lanes) = self.all[trunk].lanes.map(|place| &mut self.lanes[place as usize]) else {
            return;
        };
        let class = switches.links.hot[port].class;
        if let (Change::More(_), false, Some(over_time)) = (change, lanes.is_moving(t), &mut switches.links.over_time)
            && let Some(group) = over_time.group(port, class)
        {
            lanes.account_by_interval(t, &states, group, over_time);
        }
        let wider_at = lanes.resize(change, t, &states);
        switches.links.hot[port].narrow = lanes.narrow;
        if let (Change::Fewer(_), Some(over_time)) = (change, &mut switches.links.over_time) {
            over_time.narrowed(port, t, lanes.narrow);
        }
        let (links, at) = (&mut switches.links, Time(wider_at.unwrap_or(t)));
        links.policy.lanes_changed(&mut links.accounts[port].policy, at, lanes.count().1);
        if matches!(change, Change::Fewer(_)) && switches.links.some_wait(port) {
            // A packet that came over a narrow link may enter a narrow one earlier than a wide one.
            switches.examine_waiting::<false>(port as u32);
        }
        if let Some(at) = wider_at {
            let bucket = switches.events.clock.first_from(at).max(switches.events.now.number + 1);
            switches.wake_port(port as u32, bucket, WakeupKind::Wider);
        }
    }

    /// Puts the lanes of a port that have gone on to use.
    pub(super) fn widen<P: Policy>(&mut self, switches: &mut Switches<P>, port: usize) {
        let Some(place) = self.all[self.of[port] as usize].lanes else { return };
        let lanes = &mut self.lanes[place as usize];
        lanes.widen();
        switches.links.hot[port].narrow = lanes.narrow;
    }
}
