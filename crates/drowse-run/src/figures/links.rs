//! Link states, wakes, and messages that waited for them: over the channels that may sleep, and by link class.

use drowse_core::model::units::Time;
use drowse_core::power::{LinkState, PerState};
use drowse_experiment::System;
use drowse_tables::schema::{Column, cases};
use drowse_tables::{Name, Row};

use crate::joules::{self, Joules, mean_power};
use crate::totals::{ClassTotals, Totals};

/// Shares of channel time, in the order of [`LinkState::ALL`].
const FRACTIONS: PerState<Column> = [
    cases::LINKS_ON_FRACTION,
    cases::LINKS_ENTERING_FRACTION,
    cases::LINKS_SHALLOW_FRACTION,
    cases::LINKS_DEEP_FRACTION,
    cases::LINKS_WAKING_FRACTION,
    cases::LINKS_THIRD_FRACTION,
    cases::LINKS_FOURTH_FRACTION,
    cases::LINKS_FIFTH_FRACTION,
    cases::LINKS_SIXTH_FRACTION,
];
/// Shares of channel time of one link class, in the order of [`LinkState::ALL`].
const CLASS_FRACTIONS: PerState<Column> = [
    cases::LINKS_BY_CLASS_ON_FRACTION,
    cases::LINKS_BY_CLASS_ENTERING_FRACTION,
    cases::LINKS_BY_CLASS_SHALLOW_FRACTION,
    cases::LINKS_BY_CLASS_DEEP_FRACTION,
    cases::LINKS_BY_CLASS_WAKING_FRACTION,
    cases::LINKS_BY_CLASS_THIRD_FRACTION,
    cases::LINKS_BY_CLASS_FOURTH_FRACTION,
    cases::LINKS_BY_CLASS_FIFTH_FRACTION,
    cases::LINKS_BY_CLASS_SIXTH_FRACTION,
];
/// Wakes, delayed messages and the time that these waited.
const WAKES: [Column; 3] = [cases::LINKS_WAKES, cases::LINKS_DELAYED_MESSAGES, cases::LINKS_TIME_LOST_S];
/// Wakes of one link class, delayed messages and the time that these waited.
const CLASS_WAKES: [Column; 3] =
    [cases::LINKS_BY_CLASS_WAKES, cases::LINKS_BY_CLASS_DELAYED_MESSAGES, cases::LINKS_BY_CLASS_TIME_LOST_S];

/// Returns what the channels did.
pub fn columns(system: &System, totals: &ClassTotals, measured: Time, joules: &Joules) -> Row {
    let mut row = Row::new();
    let sleeping = totals.sum(|class| system.channels.contains(class));
    let sleeps = |class: usize| system.config.classes[class].sleep_states();
    let most = (0..system.config.classes.len()).map(sleeps).max().unwrap_or(0);
    push_fractions(&mut row, FRACTIONS.map(Name::from), &sleeping, most);
    for (class, (name, totals)) in system.network.classes.iter().zip(&totals.0).enumerate() {
        push_fractions(&mut row, CLASS_FRACTIONS.map(|column| column.of(name)), totals, sleeps(class));
        push_wakes(&mut row, CLASS_WAKES.map(|column| column.of(name)), totals);
        row.push_some(cases::LINKS_BY_CLASS_UTILISATION.of(name), utilisation(system, class, totals));
        let energy = joules.classes[class];
        row.push_some(cases::LINKS_BY_CLASS_ENERGY_J.of(name), energy);
        let power = energy.and_then(|joules| mean_power(joules, measured));
        row.push_some(cases::LINKS_BY_CLASS_POWER_W.of(name), power);
    }
    push_wakes(&mut row, WAKES.map(Name::from), &sleeping);
    let per_message = |messages: u64| sleeping.time_lost as f64 / messages as f64 / 1e3;
    let messages = Some(sleeping.delayed_messages).filter(|&messages| messages > 0);
    row.push_some(cases::LINKS_TIME_LOST_PER_MESSAGE_NS, messages.map(per_message));
    row.push(cases::LINKS_BOUNDED_BY_ORACLE, !system.policy.holds_messages_back());
    row
}

/// Returns whether a state has a column where links have so many sleep states; all have those of two.
pub fn shown(state: LinkState, sleep_states: usize) -> bool {
    state.sleep_place().is_none_or(|place| place < sleep_states.max(2))
}

/// Adds the share of each state, of as many sleep states as there are. A run of no time has no shares of it, and neither
/// has a class without channels.
fn push_fractions(row: &mut Row, names: PerState<Name>, totals: &Totals, sleep_states: usize) {
    let time: u128 = totals.residency.iter().sum();
    if time == 0 {
        return;
    }
    for (state, name) in LinkState::ALL.into_iter().zip(names).filter(|&(state, _)| shown(state, sleep_states)) {
        row.push(name, totals.residency[state as usize] as f64 / time as f64);
    }
}

fn push_wakes(row: &mut Row, [wakes, delayed, lost]: [Name; 3], totals: &Totals) {
    row.push(wakes, totals.wakes);
    row.push(delayed, totals.delayed_messages);
    row.push(lost, totals.time_lost as f64 / 1e12);
}

/// Returns the mean share of the bandwidth of some channels of a class that was used; `None` without channels or time.
pub fn utilisation(system: &System, class: usize, totals: &Totals) -> Option<f64> {
    let seconds = totals.residency.iter().sum::<u128>() as f64 / 1e12;
    let capacity = system.config.classes[class].bandwidth.0 as f64 * seconds;
    (capacity > 0.0).then(|| joules::bits(system, totals.flits) as f64 / capacity)
}
