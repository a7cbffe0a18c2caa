//! Powers and energies of ports, network and nodes, by the model of [`drowse_core::power::model`], and joules.

use drowse_core::measure::Record;
use drowse_core::model::units::Time;
use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use super::watts;
use crate::joules::{self, Joules};
use crate::node_times::counted_nodes;
use crate::totals::{ClassTotals, Powers};

/// Returns powers, and energies where the run has a makespan; `running` is the mean running share of the ranks.
pub fn columns(system: &System, record: &Record, totals: &ClassTotals, joules: &Joules, running: Option<f64>) -> Row {
    let mut row = Row::new();
    let powers = Powers::of(system, totals);
    let model = &system.model;
    let ports = system.ports();
    let Some(makespan) = record.makespan.map(Time::seconds) else {
        row.push(cases::ENERGY_W_PORTS, powers.port);
        row.push(cases::ENERGY_W_NET, model.w_net(powers.port, ports));
        push_joules(&mut row, system, record, joules);
        return row;
    };
    // Without a rank's run time there are no nodes' figures, and the network's do not depend on it.
    let energy = model.energy(powers.port, ports, running.unwrap_or(0.0), makespan);
    row.push(cases::ENERGY_W_PORTS, energy.w_ports);
    row.push(cases::ENERGY_W_NET, energy.w_net);
    row.push(cases::ENERGY_E_NET, energy.e_net);
    let by_idle_node = |row: &mut Row, list: Column, values: &[f64]| {
        for (idle, &value) in model.idle_node.iter().zip(values).filter(|_| running.is_some()) {
            row.push(list.of(format!("{idle:?}")), value);
        }
    };
    by_idle_node(&mut row, cases::ENERGY_W_NODES, &energy.w_nodes);
    by_idle_node(&mut row, cases::ENERGY_W_CLUSTER, &energy.w_cluster);
    by_idle_node(&mut row, cases::ENERGY_E_CLUSTER, &energy.e_cluster);
    row.push(cases::ENERGY_LINKS_NODE, powers.node * makespan);
    row.push_some(cases::ENERGY_LINKS_SWITCH, powers.switch.map(|power| power * makespan));
    row.push(cases::ENERGY_LINKS_ALL, powers.all * makespan);
    push_joules(&mut row, system, record, joules);
    row.push(cases::ENERGY_EDP, powers.all * makespan * makespan);
    let edp_cluster: Vec<f64> = energy.e_cluster.iter().map(|energy| energy * makespan).collect();
    by_idle_node(&mut row, cases::ENERGY_EDP_CLUSTER, &edp_cluster);
    row
}

/// Adds energies in joules, and mean powers in watts.
fn push_joules(row: &mut Row, system: &System, record: &Record, joules: &Joules) {
    let parts = [
        (cases::ENERGY_LINKS_NODE_J, cases::POWER_LINKS_NODE_W, joules.of_nodes()),
        (cases::ENERGY_LINKS_SWITCH_J, cases::POWER_LINKS_SWITCH_W, joules.between_switches()),
        (cases::ENERGY_LINKS_ALL_J, cases::POWER_LINKS_ALL_W, Some(joules.links())),
        (cases::ENERGY_SWITCHES_J, cases::POWER_SWITCHES_W, Some(joules.switches)),
        (cases::ENERGY_NICS_J, cases::POWER_NICS_W, Some(joules.nics)),
        (cases::ENERGY_NETWORK_J, cases::POWER_NETWORK_W, Some(joules.network())),
        (cases::ENERGY_NODES_J, cases::POWER_NODES_W, joules.nodes),
        (cases::ENERGY_TOTAL_J, cases::POWER_TOTAL_W, joules.total()),
    ];
    parts.iter().for_each(|&(energy, _, part)| row.push_some(energy, part));
    row.push_some(cases::ENERGY_NODES_COUNTED, joules.nodes.map(|_| counted_nodes(system, record)));
    row.push(cases::ENERGY_WATTS, watts::described(system, |whose| &whose.name));
    let mean = |part: Option<f64>| joules::mean_power(part?, record.measured);
    parts.iter().for_each(|&(_, power, part)| row.push_some(power, mean(part)));
}
