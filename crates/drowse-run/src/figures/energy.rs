//! Powers and energies of ports, network and nodes, by the model of [`drowse_core::power::model`], and joules of links.

use drowse_core::measure::Record;
use drowse_core::model::units::Time;
use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use crate::totals::{ClassTotals, Joules, Powers};

/// Returns powers, and energies where the run has a makespan; `running` is the mean running share of the ranks.
pub fn columns(system: &System, record: &Record, totals: &ClassTotals, running: Option<f64>) -> Row {
    let mut row = Row::new();
    let powers = Powers::of(system, totals);
    let model = &system.model;
    let ports = system.ports();
    let Some(makespan) = record.makespan.map(Time::seconds) else {
        row.push(cases::ENERGY_W_PORTS, powers.port);
        row.push(cases::ENERGY_W_NET, model.w_net(powers.port, ports));
        push_joules(&mut row, &Joules::of(system, totals));
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
    push_joules(&mut row, &Joules::of(system, totals));
    row.push(cases::ENERGY_EDP, powers.all * makespan * makespan);
    let edp_cluster: Vec<f64> = energy.e_cluster.iter().map(|energy| energy * makespan).collect();
    by_idle_node(&mut row, cases::ENERGY_EDP_CLUSTER, &edp_cluster);
    row
}

fn push_joules(row: &mut Row, joules: &Joules) {
    row.push_some(cases::ENERGY_LINKS_NODE_J, joules.node);
    row.push_some(cases::ENERGY_LINKS_SWITCH_J, joules.switch);
    row.push_some(cases::ENERGY_LINKS_ALL_J, joules.all);
}
