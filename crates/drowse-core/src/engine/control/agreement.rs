//! How the two ends of a trunk agree, where both channels of a cable go on and off together (`power.directions =
//! "both"`).
//!
//! Each end tells the other what it wants: as many ports go on as either end wants, and as many go off as both want.

use crate::engine::event::queue::WakeupKind;
use crate::engine::switch::outgoing::LinkMessage;
use crate::engine::switch::switches::Switches;
use crate::power::{Change, Policy};

use super::trunks::Trunks;
use super::windows::ASKS;

impl Trunks {
    /// Notes what this end of a trunk wants, and tells the other end.
    pub(super) fn want<P: Policy>(&mut self, switches: &mut Switches<P>, trunk: usize, change: Change) {
        self.all[trunk].wants[0] = change;
        let message = match change {
            Change::More(ports) => LinkMessage::More(ports),
            Change::Fewer(ports) => LinkMessage::Fewer(ports),
            Change::None => return,
        };
        let port = self.first_port(trunk);
        let at = switches.events.now.time + switches.links.class(port).latency.max(1);
        switches.tell_other_end(switches.partition.leads_to(port as u32), at, message);
        decide_after(switches, port as u32, at);
    }

    /// Notes what the other end of a port's trunk wants. An end that has stopped asking asks again.
    pub(super) fn other_wants<P: Policy>(&mut self, switches: &mut Switches<P>, port: usize, change: Change) {
        let trunk = self.of[port] as usize;
        let state = &mut self.all[trunk];
        state.wants[1] = change;
        state.asked = state.asked.min(ASKS - 1);
        decide_after(switches, self.first_port(trunk) as u32, switches.events.now.time);
        self.watch(switches, trunk);
    }

    /// Does what the ends of a trunk want; nothing where that has been done.
    pub(super) fn decide<P: Policy>(&mut self, switches: &mut Switches<P>, port: usize) {
        let trunk = self.of[port] as usize;
        let wants = std::mem::replace(&mut self.all[trunk].wants, [Change::None; 2]);
        let change = match wants {
            [Change::More(here), Change::More(there)] => Change::More(here.max(there)),
            [Change::More(ports), _] | [_, Change::More(ports)] => Change::More(ports),
            [Change::Fewer(here), Change::Fewer(there)] => Change::Fewer(here.min(there)),
            _ => return,
        };
        self.resize(switches, trunk, change);
        self.all[trunk].asked = 0;
        // With windows shorter than the wire, this end may have stopped watching since it asked.
        self.watch(switches, trunk);
    }
}

/// Decides on a trunk once both ends are known.
fn decide_after<P: Policy>(switches: &mut Switches<P>, port: u32, at: u64) {
    switches.wake_port(port, switches.events.clock.first_from(at) + 1, WakeupKind::Decide);
}
