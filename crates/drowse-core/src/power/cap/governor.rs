//! The governor of a cap as one sequential machine: it handles reports in order of time and returns commands.

use std::collections::BTreeMap;
use std::vec::Drain;

use super::allotment::{Asked, Has, divide};
use super::bundle::Bundle;
use crate::measure::CapRecord;
use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::policy::CapRules;
use crate::power::runtime::{Command, CommandKind, Notification, NotificationKind};

/// A share of 1.
const ALL: u128 = 1_000_000_000;

/// Divides what a cap leaves among bundles.
#[derive(Debug)]
pub struct CapGovernor {
    rules: CapRules,
    bundles: Vec<Bundle>,
    states: Vec<State>,
    /// The place of the bundle of each first port, of both directions.
    places: BTreeMap<ChannelId, usize>,
    /// The bundles whose ports are to change: those that lose first, then the others by what they have to do.
    changing: Vec<usize>,
    /// What counts: ports that are on, that have been commanded on, or that do not sleep yet; in nanowatts.
    counts: u64,
    /// When the last of what has been freed sleeps.
    free_from: Time,
    commands: Vec<Command>,
    record: CapRecord,
}

/// What is known of a bundle.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Ports or lanes that are on, or that have been commanded on.
    on: u32,
    /// So many are to be.
    target: u32,
    /// What those that have been commanded off cost until they sleep.
    leaving: u64,
    /// Ports, or lanes, of which it is not yet known when they have gone on or off.
    moving: u32,
    /// When the last of the others has.
    until: Time,
}

impl CapGovernor {
    /// Prepares for bundles in the order of their numbers. As many ports are on from the start as the cap lets, one more
    /// of each bundle in turn.
    pub fn new(rules: CapRules, bundles: Vec<Bundle>) -> Self {
        let has = vec![Has { ports: 1, moving: false }; bundles.len()];
        let all = |(place, bundle): (usize, &Bundle)| Asked { place, load: 1, ports: bundle.most };
        let asked: Vec<Asked> = bundles.iter().enumerate().map(all).collect();
        let first = divide(&bundles, &has, &asked, rules.spare);
        let state = |&on: &u32| State { on, target: on, leaving: 0, moving: 0, until: Time::ZERO };
        let counts: u64 = bundles.iter().zip(&first).map(|(bundle, &on)| bundle.cost(on)).sum();
        let places = bundles.iter().enumerate();
        let places = places.flat_map(|(place, bundle)| bundle.channels().map(move |channel| (channel, place)));
        let floor_nw = rules.cap.saturating_sub(rules.spare);
        let record = CapRecord {
            cap_nw: rules.cap,
            floor_nw,
            all_nw: bundles.iter().map(|bundle| bundle.cost(bundle.most)).fold(floor_nw, u64::saturating_add),
            most_nw: floor_nw + counts,
            ..CapRecord::default()
        };
        CapGovernor {
            rules,
            places: places.collect(),
            states: first.iter().map(state).collect(),
            bundles,
            changing: Vec::new(),
            counts,
            free_from: Time::ZERO,
            commands: Vec::new(),
            record,
        }
    }

    /// Returns the first ports of all bundles, of both directions, with how many are on at the start.
    pub fn start(&self) -> impl Iterator<Item = (ChannelId, u32)> {
        self.places.iter().map(|(&channel, &place)| (channel, self.states[place].on))
    }

    /// Returns how long it takes from a report until switches obey.
    pub fn delay(&self) -> Time {
        self.rules.reaction
    }

    /// Returns what it has done.
    pub fn record(&self) -> CapRecord {
        self.record
    }

    /// Handles reports, and returns the commands that follow from them. All reports of an instant come at once.
    pub fn notify(&mut self, notifications: &mut Vec<Notification>) -> Drain<'_, Command> {
        notifications.sort_unstable();
        for together in notifications.chunk_by(|a, b| a.at == b.at) {
            let mut loads: BTreeMap<usize, u64> = BTreeMap::new();
            let mut told = false;
            for Notification { what, .. } in together {
                match *what {
                    NotificationKind::Moved { channel, ports, until } => {
                        self.moved(channel, ports, until);
                        told = true;
                    }
                    NotificationKind::Load { channel, load } => {
                        if let Some(&place) = self.places.get(&channel) {
                            let largest = loads.entry(place).or_default();
                            *largest = load.0.max(*largest);
                        }
                    }
                    _ => {}
                }
            }
            if !loads.is_empty() {
                self.decide(&loads);
            }
            if told || !loads.is_empty() {
                self.command(together[0].at);
            }
        }
        notifications.clear();
        self.commands.drain(..)
    }

    /// Learns when ports have gone on, or sleep.
    fn moved(&mut self, channel: ChannelId, ports: u32, until: Time) {
        let Some(&place) = self.places.get(&channel) else { return };
        let state = &mut self.states[place];
        state.moving = state.moving.saturating_sub(ports);
        state.until = state.until.max(until);
        if state.moving == 0 && state.leaving > 0 {
            self.counts -= std::mem::take(&mut state.leaving);
            self.free_from = self.free_from.max(state.until);
        }
    }

    /// Divides the power at the end of a window in which bundles had so much to do.
    fn decide(&mut self, loads: &BTreeMap<usize, u64>) {
        let each = u128::from(self.rules.window.0) * u128::from(self.rules.on);
        let asked = |(&place, &load): (&usize, &u64)| {
            let ports = (u128::from(load) * ALL).div_ceil(each.max(1));
            Asked { place, load, ports: self.bundles[place].fitting(u32::try_from(ports).unwrap_or(u32::MAX)) }
        };
        let asked: Vec<Asked> = loads.iter().map(asked).collect();
        let has: Vec<Has> = self.states.iter().map(|state| Has { ports: state.on, moving: state.moving > 0 }).collect();
        let gets = divide(&self.bundles, &has, &asked, self.rules.spare);
        self.states.iter_mut().zip(gets).for_each(|(state, ports)| state.target = ports);
        self.count(&asked);
        let mut more: Vec<&Asked> = asked.iter().filter(|asked| self.is_to_gain(asked.place)).collect();
        more.sort_by_key(|asked| (std::cmp::Reverse(asked.load), asked.place));
        let less = (0..self.states.len()).filter(|&place| self.states[place].target < self.states[place].on);
        self.changing = less.chain(more.into_iter().map(|asked| asked.place)).collect();
    }

    fn is_to_gain(&self, place: usize) -> bool {
        self.states[place].target > self.states[place].on
    }

    /// Counts what was asked for and refused in a window.
    fn count(&mut self, asked: &[Asked]) {
        let mut refused = 0;
        for asked in asked {
            let lacks = asked.ports.saturating_sub(self.states[asked.place].target);
            let bundle = &self.bundles[asked.place];
            // A lane is a part of a port.
            let part = if bundle.doubles { u128::from(bundle.most.max(1)) } else { 1 };
            refused += u128::from(lacks) * u128::from(self.rules.window.0) / part;
        }
        self.record.windows += 1;
        self.record.refused_windows += u64::from(refused > 0);
        self.record.refused_ps += refused;
    }

    /// Commands what can be commanded now: bundles that lose ports at once, and others as far as there is room.
    fn command(&mut self, at: Time) {
        let changing = std::mem::take(&mut self.changing);
        for &place in &changing {
            let State { on, target, moving, .. } = self.states[place];
            match target {
                _ if moving > 0 => {}
                target if target < on => self.take_from(place, at),
                target if target > on => self.give_to(place, at),
                _ => {}
            }
        }
        let mut changing = changing;
        changing.retain(|&place| self.states[place].target != self.states[place].on);
        self.changing = changing;
    }

    /// Commands ports of a bundle off; of lanes one half.
    fn take_from(&mut self, place: usize, at: Time) {
        let bundle = self.bundles[place];
        let State { on, target, .. } = self.states[place];
        let left = if bundle.doubles { on / 2 } else { target };
        self.states[place].leaving = bundle.cost(on) - bundle.cost(left);
        self.resize(place, left, at.saturating_add(self.rules.reaction));
    }

    /// Commands ports of a bundle on, as far as there is room; lanes as many again.
    fn give_to(&mut self, place: usize, at: Time) {
        let bundle = self.bundles[place];
        let State { on, target, .. } = self.states[place];
        let room = self.rules.spare.saturating_sub(self.counts);
        let fits = |ports: u32| bundle.cost(ports) - bundle.cost(on) <= room;
        let most = if bundle.doubles { (2 * on).min(target) } else { target };
        let Some(ports) = (on + 1..=most).rev().find(|&ports| bundle.fitting(ports) == ports && fits(ports)) else {
            return;
        };
        self.counts += bundle.cost(ports) - bundle.cost(on);
        self.record.most_nw = self.record.most_nw.max(self.record.floor_nw + self.counts);
        self.resize(place, ports, at.saturating_add(self.rules.reaction).max(self.free_from));
    }

    /// Commands how many ports or lanes of a bundle are on, not before those that moved have.
    fn resize(&mut self, place: usize, ports: u32, at: Time) {
        let bundle = self.bundles[place];
        let state = &mut self.states[place];
        state.moving = state.on.abs_diff(ports) * bundle.channels().count() as u32;
        state.on = ports;
        let at = at.max(state.until);
        let command = |channel| Command { at, what: CommandKind::Level { channel, on: ports } };
        self.commands.extend(bundle.channels().map(command));
        self.record.commands += 1;
    }
}
