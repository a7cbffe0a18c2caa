//! Energies in joules of links, switches, NICs and nodes over the measured time, from their watts.

use drowse_core::measure::Record;
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::watts::{NodeTimes, Sent};
use drowse_experiment::System;

use crate::node_times::node_times;
use crate::totals::{ClassTotals, Totals};

/// The energies of a run.
pub(crate) struct Joules {
    /// Of the links of each class; `None` where there are none.
    pub classes: Vec<Option<f64>>,
    /// Of the switches without their links.
    pub switches: f64,
    /// Of the NICs.
    pub nics: f64,
    /// Of the nodes that count, without NICs; `None` for open-loop traffic, which has no ranks.
    pub nodes: Option<f64>,
}

impl Joules {
    /// Computes the energies of a run.
    pub fn of(system: &System, record: &Record, totals: &ClassTotals) -> Self {
        let seconds = record.measured.seconds();
        let nodes = record.makespan.map(|_| node_times(system, record, seconds));
        let joules = Joules::over(system, seconds, totals, nodes);
        match &system.watts.watts.models {
            None => joules,
            Some(_) => Joules { classes: between_models(system, record), ..joules },
        }
    }

    /// Computes the energies of a time in seconds, in which channels and nodes did this. Totals are those of channels that
    /// draw alike, in the order of their watts; those of each class where switches are of one model.
    pub fn over(system: &System, seconds: f64, totals: &ClassTotals, nodes: Option<NodeTimes>) -> Self {
        let switches: f64 = switch_watts(system).sum();
        Joules {
            classes: by_class(system, &totals.0),
            switches: switches * seconds,
            nics: system.watts.watts.nic * f64::from(system.network.nodes) * seconds,
            nodes: nodes.map(|times| system.watts.watts.node.joules(&times)),
        }
    }

    /// Returns the energy of the links of nodes.
    pub fn of_nodes(&self) -> Option<f64> {
        self.classes[0]
    }

    /// Returns the energy of the links between switches.
    pub fn between_switches(&self) -> Option<f64> {
        self.classes[1..].iter().flatten().copied().reduce(|a, b| a + b)
    }

    /// Returns the energy of all links.
    pub fn links(&self) -> f64 {
        self.classes.iter().flatten().sum()
    }

    /// Returns the energy of the network: of links, switches and NICs.
    pub fn network(&self) -> f64 {
        self.links() + self.switches + self.nics
    }

    /// Returns the energy of the network and of the nodes that count.
    pub fn total(&self) -> Option<f64> {
        self.nodes.map(|nodes| self.network() + nodes)
    }
}

/// Returns a mean power in watts; a run of no time has none.
pub(crate) fn mean_power(joules: f64, measured: Time) -> Option<f64> {
    (measured > Time::ZERO).then(|| joules / measured.seconds())
}

/// Returns the energies of the links of each class, where switches are of several models: the channels between two
/// models draw alike.
fn between_models(system: &System, record: &Record) -> Vec<Option<f64>> {
    let watts = &system.watts.watts;
    let mut totals = vec![Totals::default(); watts.classes.len()];
    for (channel, of_channel) in (0..).map(ChannelId).zip(&record.channels) {
        totals[watts.place_of(&system.network, channel)].add(of_channel);
    }
    by_class(system, &totals)
}

/// Returns the energies of the links of each class, from the sums over channels that draw alike.
fn by_class(system: &System, totals: &[Totals]) -> Vec<Option<f64>> {
    let mut classes = vec![None; system.network.classes.len()];
    for (place, totals) in totals.iter().enumerate().filter(|(_, totals)| totals.channels > 0) {
        let class = &mut classes[place % system.network.classes.len()];
        *class = Some(class.unwrap_or(0.0) + channels(system, place, totals));
    }
    classes
}

/// Returns the energy of one channel, from what it did.
pub(crate) fn of_channel(system: &System, channel: ChannelId, totals: &Totals) -> f64 {
    channels(system, system.watts.watts.place_of(&system.network, channel), totals)
}

/// Returns the energy of channels that draw alike, from the sums over them; `place` is that of their watts, which
/// begin with those of each class.
fn channels(system: &System, place: usize, totals: &Totals) -> f64 {
    let class = place % system.network.classes.len();
    let watts = &system.watts.watts.classes[place];
    watts.joules(&Sent {
        lanes: system.config.classes[class].lanes,
        residency: &totals.residency,
        powers: &system.config.classes[class].powers(),
        bits: bits(system, totals.flits),
        packets: totals.packets,
    })
}

/// Returns the bits of some flits.
pub(crate) fn bits(system: &System, flits: u64) -> u128 {
    u128::from(flits) * u128::from(system.config.switch.flit.0) * 8
}

/// Returns what each switch draws without its links.
pub(crate) fn switch_watts(system: &System) -> impl Iterator<Item = f64> {
    let lanes = move |class: usize| system.config.classes[class].lanes;
    system.watts.watts.of_switches(&system.network, lanes)
}
