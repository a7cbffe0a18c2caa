//! Energies, powers and prices at the limits of what is known of NICs and nodes, where these are bands.
//!
//! No power of them changes a run, so that both ends follow from one: they are what two runs with these numbers give.

use drowse_core::measure::Record;
use drowse_core::power::watts::{NodeTimes, Watts};
use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use crate::joules::{Joules, mean_power};
use crate::node_times::node_times;

/// The energies of a run at one end of the band.
pub struct Ends {
    /// Of the network.
    pub network: f64,
    /// Of the nodes that count, and of network and nodes together.
    pub nodes: Option<[f64; 2]>,
}

/// Returns the energies at the lower and at the higher end; `None` where nothing is a band.
pub fn ends(system: &System, record: &Record, joules: &Joules) -> Option<[Ends; 2]> {
    let band = system.watts.band.as_deref()?;
    let seconds = record.measured.seconds();
    let times = record.makespan.map(|_| node_times(system, record, seconds));
    Some([0, 1].map(|end| at(system, &band[end], seconds, times.as_ref(), joules)))
}

fn at(system: &System, watts: &Watts, seconds: f64, times: Option<&NodeTimes>, joules: &Joules) -> Ends {
    let nics = watts.nic * f64::from(system.network.nodes) * seconds;
    let nodes = times.map(|times| watts.node.joules(times));
    let joules = Joules { classes: joules.classes.clone(), nics, nodes, ..*joules };
    Ends { network: joules.network(), nodes: nodes.zip(joules.total()).map(<[f64; 2]>::from) }
}

/// The columns of one end: energies, then mean powers, of network, nodes, and both.
const COLUMNS: [[[Column; 3]; 2]; 2] = [
    [
        [cases::ENERGY_NETWORK_LOW_J, cases::ENERGY_NODES_LOW_J, cases::ENERGY_TOTAL_LOW_J],
        [cases::POWER_NETWORK_LOW_W, cases::POWER_NODES_LOW_W, cases::POWER_TOTAL_LOW_W],
    ],
    [
        [cases::ENERGY_NETWORK_HIGH_J, cases::ENERGY_NODES_HIGH_J, cases::ENERGY_TOTAL_HIGH_J],
        [cases::POWER_NETWORK_HIGH_W, cases::POWER_NODES_HIGH_W, cases::POWER_TOTAL_HIGH_W],
    ],
];

/// Returns the energies and mean powers of both ends.
pub fn columns(ends: &[Ends; 2], record: &Record) -> Row {
    let mut row = Row::new();
    for (ends, [energies, powers]) in ends.iter().zip(COLUMNS) {
        let [nodes, total] = ends.nodes.map_or([None; 2], |nodes| nodes.map(Some));
        for ((joules, energy), power) in [Some(ends.network), nodes, total].into_iter().zip(energies).zip(powers) {
            row.push_some(energy, joules);
            row.push_some(power, joules.and_then(|joules| mean_power(joules, record.measured)));
        }
    }
    row
}
