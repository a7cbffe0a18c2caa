//! What energy costs and emits, of a run and of a year at its load, and what the parts of the machine cost.

use drowse_core::measure::Record;
use drowse_core::power::cost::{Spent, Tariff};
use drowse_core::power::rate::Rate;
use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases};

use super::band::Ends;
use crate::joules::{Joules, mean_power};

/// The columns of what is spent: kWh, money and CO2.
type Columns = [Column; 3];

const OF_RUN: Columns = [cases::COST_RUN_KWH, cases::COST_RUN, cases::COST_RUN_CARBON_G];
const NETWORK_OF_RUN: Columns =
    [cases::COST_RUN_NETWORK_KWH, cases::COST_RUN_NETWORK, cases::COST_RUN_NETWORK_CARBON_G];
const OF_YEAR: Columns = [cases::COST_YEAR_KWH, cases::COST_YEAR, cases::COST_YEAR_CARBON_KG];
const NETWORK_OF_YEAR: Columns =
    [cases::COST_YEAR_NETWORK_KWH, cases::COST_YEAR_NETWORK, cases::COST_YEAR_NETWORK_CARBON_KG];

/// Grams of a kilogram.
const GRAMS: f64 = 1_000.0;

/// Returns what a run and a year cost, where a section `cost` says how to know it.
pub fn columns(system: &System, record: &Record, joules: &Joules, ends: Option<&[Ends; 2]>) -> Row {
    let mut row = Row::new();
    let (tariff, investment) = (&system.tariff, &system.investment);
    if tariff.price.is_none() && tariff.carbon.is_none() && investment.is_none() {
        return row;
    }
    row.push(cases::COST_PUE, tariff.pue);
    let power = |joules: f64| mean_power(joules, record.measured);
    let run = |joules: f64| tariff.of_run(joules, record.measured);
    // The energy of a window of open-loop traffic is that of no run.
    let runs = record.makespan.is_some();
    let of_run = joules.total().filter(|_| runs).map(run);
    of_run.iter().for_each(|spent| push(&mut row, OF_RUN, spent, 1.0));
    let of_network = runs.then(|| run(joules.network()));
    of_network.iter().for_each(|spent| push(&mut row, NETWORK_OF_RUN, spent, 1.0));
    let year = |joules: Option<f64>| joules.and_then(power).map(|watts| tariff.of_year(watts));
    let (of_year, network_of_year) = (year(joules.total()), year(Some(joules.network())));
    of_year.iter().for_each(|spent| push(&mut row, OF_YEAR, spent, GRAMS));
    network_of_year.iter().for_each(|spent| push(&mut row, NETWORK_OF_YEAR, spent, GRAMS));
    if let Some(ends) = ends {
        row.append(limits(tariff, record, ends));
    }
    let seconds = record.measured.seconds();
    let whole = if runs {
        let bought = investment.as_ref().and_then(|investment| investment.price_of(seconds));
        sum(of_run.or(of_network).and_then(|spent| spent.money), bought)
    } else {
        let bought = investment.as_ref().and_then(drowse_core::power::investment::Investment::price_of_year);
        sum(network_of_year.and_then(|spent| spent.money), bought)
    };
    let of_machine = of_year.or(network_of_year);
    if let Some(investment) = investment {
        row.push_some(cases::COST_INVESTMENT, investment.price());
        row.push_some(cases::COST_INVESTMENT_YEAR, investment.price_of_year());
        row.push_some(cases::COST_INVESTMENT_CARBON_KG, investment.carbon_kg());
        row.push_some(
            cases::COST_OWNED_YEAR,
            sum(of_machine.and_then(|spent| spent.money), investment.price_of_year()),
        );
        let emitted = of_machine.and_then(|spent| spent.grams).map(|grams| grams / GRAMS);
        row.push_some(cases::COST_OWNED_YEAR_CARBON_KG, sum(emitted, investment.carbon_kg_of_year()));
    }
    row.push_some(cases::COST_WHOLE, whole);
    row
}

/// Returns the sum of what is known.
fn sum(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(|a, b| a + b)
}

fn push(row: &mut Row, [kwh, money, carbon]: Columns, spent: &Spent, grams: f64) {
    row.push(kwh, spent.kwh);
    row.push_some(money, spent.money);
    row.push_some(carbon, spent.grams.map(|emitted| emitted / grams));
}

/// Returns the money at the limits of powers; where a price is negative, more energy costs less.
fn limits(tariff: &Tariff, record: &Record, ends: &[Ends; 2]) -> Row {
    let mut row = Row::new();
    let joules = |end: &Ends| end.nodes.map_or(end.network, |[_, total]| total);
    let year = |end: &Ends| tariff.of_year(mean_power(joules(end), record.measured)?).money;
    let run = |end: &Ends| tariff.of_run(joules(end), record.measured).money.filter(|_| record.makespan.is_some());
    let both = |of: &dyn Fn(&Ends) -> Option<f64>| of(&ends[0]).zip(of(&ends[1])).map(|(a, b)| [a.min(b), a.max(b)]);
    for (limits, [low, high]) in [
        (both(&run), [cases::COST_RUN_LOW, cases::COST_RUN_HIGH]),
        (both(&year), [cases::COST_YEAR_LOW, cases::COST_YEAR_HIGH]),
    ] {
        row.push_some(low, limits.map(|[low, _]| low));
        row.push_some(high, limits.map(|[_, high]| high));
    }
    row
}

/// Warns of a run that a series does not cover.
pub fn warning(system: &System, record: &Record) -> Option<String> {
    let tariff = &system.tariff;
    let start = tariff.start?;
    let lacks =
        |rate: &Option<Rate>| rate.as_ref().is_some_and(|rate| rate.of_run(Some(start), record.measured).is_none());
    (record.makespan.is_some() && (lacks(&tariff.price) || lacks(&tariff.carbon))).then(|| {
        "the run goes on where a series of [cost] ends or has a gap: what it costs and emits is not known; a year is"
            .to_owned()
    })
}

/// Returns what a case saves of the power of its baseline, and in a year: for the same work, however long it takes. The
/// whole machine counts where its nodes are known, else the network.
pub fn saved(tariff: &Tariff, ours: &Row, theirs: &Row) -> Row {
    let mut row = Row::new();
    let Some([before, saved]) = saved_watts(ours, theirs) else { return row };
    row.push(cases::RELATIVE_BEFORE_W, before);
    row.push(cases::RELATIVE_SAVED_W, saved);
    let year = tariff.of_year(saved);
    row.push(cases::RELATIVE_SAVED_YEAR_KWH, year.kwh);
    row.push_some(cases::RELATIVE_SAVED_YEAR, year.money);
    row.push_some(cases::RELATIVE_SAVED_YEAR_CARBON_KG, year.grams.map(|grams| grams / GRAMS));
    row
}

/// Returns the mean power of the baseline, and by how much less that is with the energy of the case.
fn saved_watts(ours: &Row, theirs: &Row) -> Option<[f64; 2]> {
    let both = |column: Column| ours.number(column).zip(theirs.number(column));
    let Some(seconds) = theirs.number(cases::MAKESPAN_S) else {
        let (ours, theirs) = both(cases::POWER_NETWORK_W)?;
        return Some([theirs, theirs - ours]);
    };
    let (ours, theirs) = both(cases::ENERGY_TOTAL_J).filter(|_| seconds > 0.0)?;
    Some([theirs / seconds, (theirs - ours) / seconds])
}
