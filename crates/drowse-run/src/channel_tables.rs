//! The tables of what channels and switches did: `channels.csv` and `switches.csv`.

use drowse_core::measure::ChannelRecord;
use drowse_core::model::config::ClassModel;
use drowse_core::model::ids::ChannelId;
use drowse_core::power::{LinkState, PerState};
use drowse_core::topology::{End, Network};
use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::{Column, channels, switches};

use crate::ends::{end_name, source};
use crate::figures::links::{shown, utilisation};
use crate::joules;
use crate::outcome::Outcome;
use crate::totals::Totals;

/// Time in each state, in the order of [`LinkState::ALL`].
const TIMES: PerState<Column> = [
    channels::ON_PS,
    channels::ENTERING_PS,
    channels::SHALLOW_PS,
    channels::DEEP_PS,
    channels::WAKING_PS,
    channels::THIRD_PS,
    channels::FOURTH_PS,
    channels::FIFTH_PS,
    channels::SIXTH_PS,
];

/// The columns of an end: its kind, switch, port and node.
type EndColumns = [Column; 4];

const FROM: EndColumns = [channels::FROM_KIND, channels::FROM_SWITCH, channels::FROM_PORT, channels::FROM_NODE];
const TO: EndColumns = [channels::TO_KIND, channels::TO_SWITCH, channels::TO_PORT, channels::TO_NODE];

/// Returns the rows of all channels of a case.
pub fn channel_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let system = &outcome.case.system;
    let network = &*system.network;
    let sleeps = system.config.classes.iter().map(ClassModel::sleep_states).max().unwrap_or(0);
    outcome.record.channels.iter().enumerate().map(move |(index, channel)| {
        let id = ChannelId(index as u32);
        let class = usize::from(network.channel_class(id));
        let (from, to) = (source(network, id), network.target(id));
        let totals = of_channel(channel);
        let mut row = Row::new();
        row.push(channels::CASE_ID, outcome.case_id());
        row.push(channels::CHANNEL, id.0);
        row.push(channels::FROM, end_name(network, from));
        row.push(channels::TO, end_name(network, to));
        row.push(channels::CLASS, network.classes[class].as_str());
        for (state, column) in LinkState::ALL.into_iter().zip(TIMES).filter(|&(state, _)| shown(state, sleeps)) {
            row.push(column, channel.time_in(state).0);
        }
        row.push(channels::WAKES, channel.wakes);
        row.push(channels::DELAYED_MESSAGES, channel.delayed_messages);
        row.push(channels::TIME_LOST_PS, channel.time_lost.0);
        row.push(channels::PACKETS, channel.packets);
        row.push(channels::FLITS, channel.flits);
        push_end(&mut row, FROM, network, from);
        push_end(&mut row, TO, network, to);
        row.push_some(channels::FROM_NAME, system.topology.called(network, from));
        row.push_some(channels::TO_NAME, system.topology.called(network, to));
        row.push(channels::BYTES, bytes(system, channel.flits));
        row.push_some(channels::UTILISATION, utilisation(system, class, &totals));
        row.push(channels::ENERGY_J, joules::of_channel(system, id, &totals));
        row
    })
}

/// Adds the columns of an end; those of the other kind stay empty.
fn push_end(row: &mut Row, [kind, switch, port, node]: EndColumns, network: &Network, end: End) {
    match end {
        End::Node(number) => {
            row.push(kind, "node");
            row.push(node, number.0);
        }
        End::Port(id) => {
            let number = network.port_switch(id.index());
            row.push(kind, "switch");
            row.push(switch, number);
            row.push(port, id.0 - network.first_port[number as usize]);
        }
    }
}

/// Returns the rows of all switches of a case.
pub fn switch_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let system = &outcome.case.system;
    let ports = system.network.first_port.windows(2).map(|ports| ports[0] as usize..ports[1] as usize);
    ports.zip(joules::switch_watts(system)).enumerate().map(move |(switch, (ports, watts))| {
        let (mut sum, mut capacity, mut energy) = (Totals::default(), 0.0, 0.0);
        for port in ports.clone() {
            let class = usize::from(system.network.port_class[port]);
            let totals = of_channel(&outcome.record.channels[port]);
            sum.add(&outcome.record.channels[port]);
            capacity += system.config.classes[class].bandwidth.0 as f64 * outcome.record.measured.seconds();
            energy += joules::of_channel(system, ChannelId(port as u32), &totals);
        }
        let used = joules::bits(system, sum.flits) as f64 / capacity;
        let mut row = Row::new();
        row.push(switches::CASE_ID, outcome.case_id());
        row.push(switches::SWITCH, switch as u64);
        row.push(switches::PORTS, ports.len() as u64);
        row.push(switches::PACKETS, sum.packets);
        row.push(switches::BYTES, bytes(system, sum.flits));
        row.push_some(switches::UTILISATION, (capacity > 0.0).then_some(used));
        row.push(switches::WAKES, sum.wakes);
        row.push(switches::DELAYED_MESSAGES, sum.delayed_messages);
        row.push(switches::ENERGY_J, watts * outcome.record.measured.seconds());
        row.push(switches::LINKS_ENERGY_J, energy);
        row
    })
}

fn of_channel(channel: &ChannelRecord) -> Totals {
    let mut totals = Totals::default();
    totals.add(channel);
    totals
}

fn bytes(system: &System, flits: u64) -> u64 {
    flits * system.config.switch.flit.0
}
