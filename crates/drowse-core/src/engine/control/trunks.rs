//! Governed trunks: at the end of each window, the switch that sends on a trunk turns one of its ports on or off, as
//! the policy decides (`kind = "trunk"`, Andújar et al. 2019; Alonso et al. 2005).
//!
//! Windows begin at the multiples of their length everywhere. A trunk that carries nothing with one port on is not
//! examined; the next packet through it resumes that, so that idle time costs nothing. What happens at the end of a
//! window is in [`super::windows`], how the two ends of a trunk agree in [`super::agreement`].

use crate::model::config::Config;
use crate::model::ids::ChannelId;
use crate::model::units::Time;
use crate::power::{Change, Policy};
use crate::topology::Network;

use crate::engine::event::NONE;
use crate::engine::link::channel::Channel;
use crate::engine::link::lanes::Lanes;
use crate::engine::link::links::Links;
use crate::engine::partition::Partition;
use crate::power::runtime::Notification;

use super::parallel_ports::grouped;

/// The governed trunks of a partition.
#[derive(Debug, Default)]
pub struct Trunks {
    /// The trunk of each port, or [`NONE`]; empty where none is governed.
    pub(super) of: Vec<u32>,
    pub(super) all: Vec<Trunk>,
    /// The ports of all trunks, one trunk after the other, each in an order that is the same at both ends of its links.
    pub(super) ports: Vec<u32>,
    /// The packets in the queues before each link, or on their way into them; empty where there are no such queues.
    pub(super) queued: Vec<u32>,
    /// The lanes of ports that narrow, each a trunk of its own here.
    pub(super) lanes: Vec<Lanes>,
    /// By trunk: flits that wait for it, where it is flows that move; empty elsewhere.
    pub waits: Vec<u64>,
    /// The two channels of a link go together.
    pub(super) both: bool,
    /// What the governor of a cap is to be told.
    pub(super) told: Vec<Notification>,
}

/// A trunk with more than one port.
#[derive(Clone, Copy, Debug)]
pub struct Trunk {
    /// Where its ports are in the list of all; the first of them is always on.
    pub first: u32,
    pub count: u32,
    /// The length of windows.
    pub window: u64,
    /// Flits sent by the beginning of the window.
    pub sent: u64,
    /// A wakeup for the end of the window is in the event queue.
    pub watched: bool,
    /// What this end wants, and what the other end wants.
    pub wants: [Change; 2],
    /// Where the lanes of its port, the only one, are in the list of all, if it is these that are governed.
    pub(super) lanes: Option<u32>,
    /// Its ports stand by when they are off.
    pub stands_by: bool,
    /// Where its ports or lanes are under a cap: the channel of the first, as numbered in the whole network.
    pub(super) capped: Option<ChannelId>,
    /// So many of these are to be on.
    pub(super) level: u32,
    /// How often in a row this end has wanted one port fewer since it sent something.
    pub asked: u8,
}

impl Trunks {
    /// Finds the governed trunks of a partition; marks their channels.
    pub fn new<P: Policy>(
        network: &Network,
        part: &Partition,
        config: &Config,
        policy: &P,
        hot: &mut [Channel],
    ) -> Self {
        let window = |class: u8| {
            let governed = config.classes.get(usize::from(class)).is_some_and(|class| class.states.is_some());
            if governed { policy.trunk_window(class) } else { None }
        };
        let mut trunks = Trunks { both: config.sleep.both, ..Trunks::default() };
        if (0..config.classes.len()).all(|class| window(class as u8).is_none()) {
            return trunks;
        }
        trunks.of = vec![NONE; part.ports() as usize];
        trunks.queued = vec![0; if part.outputs > 0 { part.ports() as usize } else { 0 }];
        for ports in grouped(network, part.switches.iter()) {
            let class = network.channel_class(ChannelId(ports[0]));
            // A node's NIC decides by itself, and a node has one link.
            if network.is_node_channel(ChannelId(ports[0])) {
                continue;
            }
            let Some(Time(window)) = window(class) else { continue };
            let numbers = ports;
            let ports: Vec<u32> =
                numbers.iter().filter_map(|&port| part.local_channel(network, ChannelId(port))).collect();
            match policy.lanes(class) {
                0 | 1 if ports.len() == 1 => {}
                0 | 1 => {
                    ports.iter().for_each(|&port| hot[part.opposite(port) as usize].flags |= Channel::GOVERNED);
                    trunks.add(ports.into_iter(), window, hot);
                    trunks.all.last_mut().into_iter().for_each(|trunk| trunk.stands_by = policy.stands_by(class));
                    trunks.cap_last(policy, class, ChannelId(numbers[0]));
                }
                lanes => {
                    for (port, &number) in ports.into_iter().zip(&numbers) {
                        trunks.add(std::iter::once(port), window, hot);
                        let place = trunks.lanes.len() as u32;
                        trunks.all.last_mut().into_iter().for_each(|trunk| trunk.lanes = Some(place));
                        trunks.lanes.push(Lanes::new(lanes));
                        trunks.cap_last(policy, class, ChannelId(number));
                    }
                }
            }
        }
        trunks
    }

    /// Adds a trunk of some ports of the partition.
    fn add(&mut self, ports: impl Iterator<Item = u32>, window: u64, hot: &mut [Channel]) {
        let (first, number) = (self.ports.len() as u32, self.all.len() as u32);
        self.ports.extend(ports);
        for &port in &self.ports[first as usize..] {
            self.of[port as usize] = number;
            hot[port as usize].flags |= Channel::GOVERNED;
        }
        self.all.push(Trunk {
            first,
            count: self.ports.len() as u32 - first,
            window: window.max(1),
            sent: 0,
            watched: false,
            wants: [Change::None; 2],
            lanes: None,
            stands_by: false,
            capped: None,
            level: 0,
            asked: 0,
        });
    }

    /// Returns the ports of all trunks.
    pub fn all_ports(&self) -> Vec<Vec<u32>> {
        (0..self.all.len()).map(|trunk| self.ports_of(trunk).map(|port| port as u32).collect()).collect()
    }

    /// Returns whether no trunk is governed.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Returns whether some links narrow.
    pub fn narrow(&self) -> bool {
        !self.lanes.is_empty()
    }

    /// Returns the lanes of a trunk, if it is these that are governed.
    pub fn lanes_of(&self, trunk: usize) -> Option<&Lanes> {
        self.all[trunk].lanes.map(|place| &self.lanes[place as usize])
    }

    /// Returns the ports of a trunk.
    pub fn ports_of(&self, trunk: usize) -> impl Iterator<Item = usize> {
        let Trunk { first, count, .. } = self.all[trunk];
        self.ports[first as usize..][..count as usize].iter().map(|&port| port as usize)
    }

    /// Returns the port of a trunk that is always on.
    pub fn first_port(&self, trunk: usize) -> usize {
        self.ports[self.all[trunk].first as usize] as usize
    }

    /// Returns the flits that a trunk has sent.
    pub fn flits_sent<P: Policy>(&self, links: &Links<P>, trunk: usize) -> u64 {
        self.ports_of(trunk).map(|port| links.hot[port].flits).sum()
    }
}
