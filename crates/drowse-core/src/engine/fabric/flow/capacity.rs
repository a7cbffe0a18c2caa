//! What links carry: the rates that are shared, and the times that heads and packets take.

use crate::engine::link::class::Class;
use crate::model::config::{ClassModel, Config, OutputQueues};

use super::slab::Flow;
use super::volume::{of_bytes, rate_of, time_for};

/// What a flow must know of a link class.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// From the time at which a head goes by a channel until it is at the other end.
    pub hop: u64,
    /// The rate of a channel.
    pub rate: u64,
}

/// What heads of flows cost, and what the switches are.
#[derive(Debug)]
pub struct Passages {
    classes: Vec<Passage>,
    /// From the time at which a NIC begins a message until its head is at the switch.
    nic: u64,
    /// A switch passes a packet on only when its last bit has come.
    pub stores: bool,
    /// Time through a crossbar to the queues of an output; 0 where there are none.
    pub crossing: u64,
    /// Flits of a full packet.
    pub packet_flits: u64,
    /// Bytes of a flit.
    pub flit: u64,
}

impl Passages {
    /// Takes those of a machine.
    pub fn new(config: &Config, classes: &[Class]) -> Self {
        let passage =
            |(class, model): (&Class, &ClassModel)| Passage { hop: class.hop, rate: rate_of(model.bandwidth) };
        let queues = config.switch.output_queues();
        Passages {
            classes: classes.iter().zip(&config.classes).map(passage).collect(),
            nic: config.node.nic_latency.0 + classes.first().map_or(0, |class| class.latency),
            stores: config.switch.stores(),
            crossing: queues.map_or(0, |_| OutputQueues::CROSSING * config.switch.clock.0),
            packet_flits: u64::from(config.switch.packet_flits),
            flit: config.switch.flit.0,
        }
    }

    /// Returns what a flow must know of a class.
    #[inline]
    pub fn of(&self, class: u8) -> Passage {
        self.classes[usize::from(class)]
    }

    /// Returns the rate of the channels of a flow's level.
    #[inline]
    pub fn rate(&self, flow: &Flow, level: usize) -> u64 {
        self.of(flow.levels[level].class).rate
    }

    /// Returns how long a head takes that goes by a level until it is at the next.
    #[inline]
    pub fn hop(&self, flow: &Flow, level: usize) -> u64 {
        if level == 0 { self.nic } else { self.of(flow.levels[level].class).hop }
    }

    /// Returns the time of so many flits on a channel of a flow's level, rounded up.
    #[inline]
    pub fn time(&self, flow: &Flow, level: usize, flits: u64) -> u64 {
        time_for(of_bytes(flits * self.flit), self.rate(flow, level))
    }

    /// Returns the flits of the first packet of a flow.
    pub fn first(&self, flow: &Flow) -> u64 {
        flow.flits.min(self.packet_flits)
    }

    /// Returns the flits of the last packet of a flow.
    pub fn last(&self, flow: &Flow) -> u64 {
        (flow.flits - 1) % self.packet_flits + 1
    }

    /// Returns by how much later than its head comes a faster channel begins to send the first packet of a flow, lest
    /// it runs ahead of what comes by a slower one.
    pub fn lag(&self, flow: &Flow, level: usize) -> u64 {
        if self.stores || self.rate(flow, level - 1) >= self.rate(flow, level) {
            return 0;
        }
        let [before, here] = [level - 1, level].map(|level| self.time(flow, level, self.first(flow)));
        before.saturating_sub(here)
    }
}
