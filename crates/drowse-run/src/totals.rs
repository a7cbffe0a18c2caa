//! Sums over the channels of each link class, and the mean powers that follow.

use drowse_core::measure::ChannelRecord;
use drowse_core::model::ids::ChannelId;
use drowse_core::power::PerState;
use drowse_core::power::model::channel_power;
use drowse_core::topology::Network;

use drowse_experiment::System;

/// Sums over the channels of one link class.
#[derive(Clone, Copy, Default)]
pub struct Totals {
    /// How many channels the class has.
    pub channels: u64,
    /// Time in each state in picoseconds, in the order of [`LinkState::ALL`](drowse_core::power::LinkState::ALL).
    pub residency: PerState<u128>,
    /// How often a channel woke.
    pub wakes: u64,
    /// Messages whose first packet waited for a channel to wake.
    pub delayed_messages: u64,
    /// Time that these waited, in picoseconds.
    pub time_lost: u128,
    /// Packets sent.
    pub packets: u64,
    /// Flits sent.
    pub flits: u64,
}

/// The totals of each link class.
pub struct ClassTotals(pub Vec<Totals>);

impl ClassTotals {
    /// Sums the records of all channels by class.
    pub fn of(network: &Network, channels: &[ChannelRecord]) -> Self {
        let mut totals = vec![Totals::default(); network.classes.len()];
        for (index, channel) in channels.iter().enumerate() {
            let class = network.channel_class(ChannelId(index as u32));
            totals[usize::from(class)].add(channel);
        }
        ClassTotals(totals)
    }

    /// Returns the sum over the chosen classes.
    pub fn sum(&self, chosen: impl Fn(u8) -> bool) -> Totals {
        let classes = self.0.iter().enumerate().filter(|(class, _)| chosen(*class as u8));
        classes.fold(Totals::default(), |sum, (_, totals)| sum.plus(totals))
    }
}

impl Totals {
    /// Adds what a channel did.
    pub fn add(&mut self, channel: &ChannelRecord) {
        self.channels += 1;
        self.residency.iter_mut().zip(channel.residency).for_each(|(sum, time)| *sum += u128::from(time.0));
        self.wakes += channel.wakes;
        self.delayed_messages += channel.delayed_messages;
        self.time_lost += u128::from(channel.time_lost.0);
        self.packets += channel.packets;
        self.flits += channel.flits;
    }

    fn plus(mut self, other: &Totals) -> Totals {
        self.channels += other.channels;
        self.residency.iter_mut().zip(other.residency).for_each(|(mine, theirs)| *mine += theirs);
        self.wakes += other.wakes;
        self.delayed_messages += other.delayed_messages;
        self.time_lost += other.time_lost;
        self.packets += other.packets;
        self.flits += other.flits;
        self
    }
}

/// Mean powers of channels and ports, as shares of one that is on.
pub(crate) struct Powers {
    /// Of a channel of a node's link.
    pub node: f64,
    /// Of a channel between switches; `None` where there are none.
    pub switch: Option<f64>,
    /// Of any channel.
    pub all: f64,
    /// Of a port.
    pub port: f64,
}

impl Powers {
    /// Computes the mean powers of a run.
    ///
    /// A port's power is the mean of its two channels'. A link between switches has two ports for its two channels, a
    /// node's link has one. A link of several lanes has so many ports, and counts so many times.
    pub fn of(system: &System, totals: &ClassTotals) -> Self {
        let (mut node, mut switch) = ((0.0, 0), (0.0, 0));
        for (class, totals) in totals.0.iter().enumerate() {
            let sum = if class == 0 { &mut node } else { &mut switch };
            let lanes = totals.channels * u64::from(system.config.classes[class].lanes);
            sum.0 += channel_power(&totals.residency, &system.config.classes[class].powers()) * lanes as f64;
            sum.1 += lanes;
        }
        let channels = (node.1 + switch.1) as f64;
        let ports = node.1 as f64 / 2.0 + switch.1 as f64;
        Powers {
            node: node.0 / node.1 as f64,
            switch: (switch.1 > 0).then(|| switch.0 / switch.1 as f64),
            all: (node.0 + switch.0) / channels,
            port: (node.0 / 2.0 + switch.0) / ports,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each sum adds up by itself, over the chosen classes only.
    #[test]
    fn classes_add_up() {
        let totals = |base: u64| Totals {
            channels: base,
            residency: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|part| u128::from(base * part)),
            wakes: base + 1,
            delayed_messages: base + 2,
            time_lost: u128::from(base + 3),
            packets: base + 4,
            flits: base + 5,
        };
        let classes = ClassTotals(vec![totals(10), totals(20), totals(400)]);
        let Totals { channels, residency, wakes, delayed_messages, time_lost, packets, flits } =
            classes.sum(|class| class < 2);
        assert_eq!((channels, residency), (30, [30, 60, 90, 120, 150, 180, 210, 240, 270]));
        assert_eq!((wakes, delayed_messages, time_lost, packets, flits), (32, 34, 36, 38, 40));
    }
}
