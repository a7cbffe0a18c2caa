//! Acts on the wakeups of an edge that are for what controls links, in an order that does not depend on the partitions.

use crate::engine::event::queue::WakeupKind;
use crate::engine::switch::switches::Switches;
use crate::power::{Change, Policy};

use super::paired;
use super::trunks::Trunks;

/// Acts on all wakeups of this edge that are not for the allocators.
#[inline]
pub fn act<P: Policy>(trunks: &mut Trunks, switches: &mut Switches<P>) {
    if !switches.outgoing.control.is_empty() {
        act_on_all(trunks, switches);
    }
}

#[inline(never)]
fn act_on_all<P: Policy>(trunks: &mut Trunks, switches: &mut Switches<P>) {
    let mut wakeups = std::mem::take(&mut switches.outgoing.control);
    wakeups.sort_unstable();
    for (kind, port, ports) in wakeups.drain(..) {
        let port = port as usize;
        match kind {
            WakeupKind::Peer => paired::peer_woken(switches, port),
            WakeupKind::Decide => trunks.decide(switches, port),
            WakeupKind::More => trunks.other_wants(switches, port, Change::More(ports)),
            WakeupKind::Fewer => trunks.other_wants(switches, port, Change::Fewer(ports)),
            WakeupKind::Wider => trunks.widen(switches, port),
            WakeupKind::Level => trunks.follow(switches, port),
            WakeupKind::Window => trunks.window_ended(switches, port),
            WakeupKind::Retry | WakeupKind::Packet => {}
        }
    }
    switches.outgoing.control = wakeups;
}

/// Watches the trunks by which packets have gone at this edge.
#[inline]
pub fn watch_used<P: Policy>(trunks: &mut Trunks, switches: &mut Switches<P>) {
    while let Some(port) = switches.outgoing.on_trunks.pop() {
        trunks.used(switches, port);
    }
}
