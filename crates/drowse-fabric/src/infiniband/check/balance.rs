//! How evenly routes use the channels, and how much bandwidth each level of switches has up and down.
//!
//! A switch with hosts is of level 0, another one level above the lowest switch that it is linked with. In a tree that
//! is its level; a torus has one level.

use std::collections::{BTreeMap, VecDeque};

use super::wiring::{Target, Wiring};

/// How many routes from host to host use the channels of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The levels of the switches at both ends.
    pub levels: [u32; 2],
    /// Channels, and those that no route uses.
    pub channels: u64,
    /// Channels that no route uses.
    pub unused: u64,
    /// Routes over the channel that has the fewest.
    pub least: u64,
    /// Routes over the channel that has the most.
    pub most: u64,
    /// Routes over all of them.
    pub total: u64,
}

impl Spread {
    /// Returns the mean over all channels, which is what each would have if routes were spread evenly.
    pub fn mean(&self) -> f64 {
        self.total as f64 / self.channels as f64
    }

    /// Returns how many times as many routes the fullest channel has as it would have if routes were spread evenly.
    pub fn imbalance(&self) -> f64 {
        if self.total == 0 { 1.0 } else { self.most as f64 / self.mean() }
    }
}

/// The bandwidth of the switches of a level, in one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The level; 0 of switches with hosts.
    pub level: u32,
    /// Switches.
    pub switches: u64,
    /// Towards hosts and lower levels: b/s, or cables if `in_cables`.
    pub down: u64,
    /// To switches of the same level.
    pub across: u64,
    /// Towards higher levels.
    pub up: u64,
    /// The switch with the most bandwidth down for what it has up: its name, down and up.
    pub worst: Option<(String, u64, u64)>,
    /// Cables are counted, because the file has no rates.
    pub in_cables: bool,
}

/// Returns the level of each switch; none of a switch that no way joins with a host.
pub(super) fn levels(wiring: &Wiring<'_>) -> Vec<Option<u32>> {
    let mut level = vec![None; wiring.switches.len()];
    wiring.hosts.iter().for_each(|host| level[host.switch as usize] = Some(0));
    let mut queue: VecDeque<u32> = (0..level.len() as u32).filter(|&switch| level[switch as usize].is_some()).collect();
    while let Some(switch) = queue.pop_front() {
        let above = level[switch as usize].map(|level: u32| level + 1);
        for (_, target) in wiring.outputs(switch) {
            if let Target::Switch(next, _) = target
                && level[next as usize].is_none()
            {
                level[next as usize] = above;
                queue.push_back(next);
            }
        }
    }
    level
}

/// Returns how routes are spread over the channels between each two levels.
pub(super) fn spread(wiring: &Wiring<'_>, levels: &[Option<u32>], loads: &[u64]) -> Vec<Spread> {
    let mut groups: BTreeMap<[u32; 2], Spread> = BTreeMap::new();
    for switch in 0..levels.len() as u32 {
        for (channel, target) in wiring.outputs(switch) {
            let Target::Switch(next, _) = target else { continue };
            let (Some(from), Some(to)) = (levels[switch as usize], levels[next as usize]) else { continue };
            let load = loads[channel as usize];
            let new = Spread { levels: [from, to], channels: 0, unused: 0, least: u64::MAX, most: 0, total: 0 };
            let group = groups.entry([from, to]).or_insert(new);
            group.channels += 1;
            group.unused += u64::from(load == 0);
            (group.least, group.most) = (group.least.min(load), group.most.max(load));
            group.total += load;
        }
    }
    groups.into_values().collect()
}

/// Returns the names of cables between switches that no route uses in either direction.
pub(super) fn unused(wiring: &Wiring<'_>, loads: &[u64]) -> Vec<String> {
    let mut number = vec![None; wiring.subnet.devices.len()];
    (0..).zip(&wiring.switches).for_each(|(new, &device)| number[device as usize] = Some(new));
    let load =
        |device: u32, port: u16| number[device as usize].map(|switch| loads[wiring.channel(switch, port) as usize]);
    let is_unused =
        |ends: &[_; 2]| ends.iter().all(|end: &crate::infiniband::subnet::End| load(end.device, end.port) == Some(0));
    let cables = wiring.subnet.cables.iter().filter(|cable| is_unused(&cable.ends));
    cables.map(|cable| wiring.subnet.cable_name(cable)).collect()
}

/// Returns the bandwidth of each level.
pub(super) fn bandwidth(wiring: &Wiring<'_>, levels: &[Option<u32>]) -> Vec<Level> {
    let subnet = wiring.subnet;
    let in_cables = subnet.cables.iter().any(|cable| cable.rate.is_none());
    let mut weights = vec![[0_u64; 3]; levels.len()];
    let mut number = vec![None; subnet.devices.len()];
    (0..).zip(&wiring.switches).for_each(|(new, &device)| number[device as usize] = Some(new));
    for cable in &subnet.cables {
        let weight = if in_cables { 1 } else { subnet.bandwidth(cable).map_or(0, |rate| rate.0) };
        let switches: [Option<usize>; 2] = cable.ends.map(|end| number[end.device as usize]);
        let [a, b] = cable.ends.map(|end| number[end.device as usize].and_then(|switch: usize| levels[switch]));
        for (switch, own, peer) in [(switches[0], a, b), (switches[1], b, a)] {
            let Some((switch, own)) = switch.zip(own) else { continue };
            // Hosts have no level, and lie below all.
            let side = peer.map_or(0, |peer| 1 + usize::from(peer > own) - usize::from(peer < own));
            weights[switch][side] += weight;
        }
    }
    let mut all: BTreeMap<u32, Level> = BTreeMap::new();
    for (switch, (level, [down, across, up])) in (0..).zip(levels.iter().zip(weights)) {
        let Some(level) = *level else { continue };
        let of = all.entry(level).or_insert_with(|| Level { level, in_cables, ..Level::default() });
        of.switches += 1;
        (of.down, of.across, of.up) = (of.down + down, of.across + across, of.up + up);
        let is_worse = |&(_, most, least): &(String, u64, u64)| {
            u128::from(down) * u128::from(least) > u128::from(most) * u128::from(up)
        };
        if up > 0 && of.worst.as_ref().is_none_or(is_worse) {
            of.worst = Some((wiring.switch_name(switch).to_owned(), down, up));
        }
    }
    all.into_values().collect()
}
