//! Bundles under a cap: what switches tell the governor, and how they follow.

use crate::engine::control::bundles;
use crate::engine::event::queue::WakeupKind;
use crate::engine::switch::switches::Switches;
use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::runtime::{Notification, NotificationKind};
use crate::power::{Change, Policy};

use super::trunks::Trunks;
use super::windows::ASKS;

impl Trunks {
    /// Lets what a cap does not reach sleep from the start: so many ports or lanes of each bundle are on.
    pub fn begin_under_cap<P: Policy>(
        &mut self,
        switches: &mut Switches<P>,
        start: impl Iterator<Item = (ChannelId, u32)>,
    ) {
        for (channel, on) in start {
            let Some(trunk) = self.bundle(switches, channel) else { continue };
            if let Some(place) = self.all[trunk].lanes {
                let port = self.first_port(trunk);
                let lanes = &mut self.lanes[place as usize];
                lanes.begin_with(on);
                switches.links.hot[port].narrow = lanes.narrow;
                let links = &mut switches.links;
                links.policy.lanes_changed(&mut links.accounts[port].policy, Time::ZERO, on);
                continue;
            }
            let off: Vec<usize> = self.ports_of(trunk).skip(on as usize).collect();
            for link in off {
                let gate = switches.gate(link);
                switches.links.hot[gate].sleep_at = 0;
                switches.links.begin_asleep(link);
            }
        }
        switches.availability.forget();
    }

    /// Returns the trunk here whose first port's channel this is.
    fn bundle<P: Policy>(&self, switches: &Switches<P>, channel: ChannelId) -> Option<usize> {
        let port = switches.partition.local_channel(switches.network, channel)?;
        let trunk = *self.of.get(port as usize)? as usize;
        (trunk < self.all.len()).then_some(trunk)
    }

    /// Learns how many ports or lanes of a bundle are to be on: from the next edge on.
    pub fn level<P: Policy>(&mut self, switches: &mut Switches<P>, channel: ChannelId, on: u32) {
        let Some(trunk) = self.bundle(switches, channel) else { return };
        self.all[trunk].level = on;
        let next = switches.events.now.number + 1;
        switches.wake_port(self.first_port(trunk) as u32, next, WakeupKind::Level);
    }

    /// Turns ports or lanes of a port's bundle off or on, until there are as many as commanded.
    pub(super) fn follow<P: Policy>(&mut self, switches: &mut Switches<P>, port: usize) {
        let trunk = self.of[port] as usize;
        let level = self.all[trunk].level;
        let before = match self.lanes_of(trunk) {
            Some(lanes) => lanes.count().1,
            None => self.ports_of(trunk).filter(|&port| switches.is_wanted(port)).count() as u32,
        };
        let ports = level.abs_diff(before).min(u32::from(u8::MAX)) as u8;
        let change = if level > before { Change::More(ports) } else { Change::Fewer(ports) };
        self.resize(switches, trunk, change);
        if self.lanes_of(trunk).is_some() {
            self.lanes_moved(switches, trunk, before);
        }
    }

    /// Tells the governor when lanes of a bundle have gone on, or sleep: not before the packet that they carry has gone.
    fn lanes_moved<P: Policy>(&mut self, switches: &Switches<P>, trunk: usize, before: u32) {
        let (port, now) = (self.first_port(trunk), switches.events.now.time);
        let Some(lanes) = self.lanes_of(trunk) else { return };
        let (after, until) = (lanes.count().1, lanes.moving_until().max(now));
        let free_at = if after < before { switches.links.hot[port].free_at } else { 0 };
        self.tell_moved(trunk, after.abs_diff(before), Time(until.max(free_at)), now);
    }

    /// Tells the governor, if the trunk is under a cap, when a port has gone on, or sleeps.
    pub(super) fn port_moved<P: Policy>(&mut self, switches: &Switches<P>, link: usize, on: bool) {
        let Some(&trunk) = self.of.get(link).filter(|&&trunk| self.all.get(trunk as usize).is_some()) else { return };
        let (links, now) = (&switches.links, switches.events.now.time);
        let until = if on { links.hot[link].awake_at } else { links.asleep_from(link) };
        self.tell_moved(trunk as usize, 1, Time(until.max(now)), now);
    }

    fn tell_moved(&mut self, trunk: usize, ports: u32, until: Time, now: u64) {
        if let Some(channel) = self.all[trunk].capped.filter(|_| ports > 0) {
            self.told.push(Notification { at: Time(now), what: NotificationKind::Moved { channel, ports, until } });
        }
    }

    /// Tells the governor at the end of a window what a bundle had to do. One that cannot send asks twice more, since the
    /// next packet asks again.
    pub(super) fn tell_load<P: Policy>(&mut self, switches: &mut Switches<P>, trunk: usize, channel: ChannelId) {
        let sent = self.flits_sent(&switches.links, trunk);
        let seen = self.seen(switches, trunk, sent.wrapping_sub(self.all[trunk].sent));
        let state = &mut self.all[trunk];
        state.asked = if sent == state.sent { state.asked.saturating_add(1) } else { 0 };
        (state.sent, state.watched) = (sent, false);
        let load = seen.busy.saturating_add(seen.backlog);
        if load > Time::ZERO && state.asked <= ASKS {
            let at = Time(switches.events.now.time);
            self.told.push(Notification { at, what: NotificationKind::Load { channel, load } });
            self.watch(switches, trunk);
        }
    }

    /// Moves what the governor is to be told to all notifications.
    pub fn take_told(&mut self, notifications: &mut Vec<Notification>) {
        notifications.append(&mut self.told);
    }

    /// Marks the trunk that was added last as a bundle under a cap, if its class is.
    pub(super) fn cap_last<P: Policy>(&mut self, policy: &P, class: u8, channel: ChannelId) {
        if bundles::is_capped(policy, class) {
            self.all.last_mut().into_iter().for_each(|trunk| trunk.capped = Some(channel));
        }
    }
}
