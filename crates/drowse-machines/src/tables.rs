//! Laws on the tables of a run, as they are read back from its folder: what tables say of parts sums to what they say of
//! the whole.

use std::fs::File;
use std::path::Path;

use drowse_experiment::System;
use drowse_run::outcome::Outcome;
use drowse_run::{export, files};
use drowse_tables::schema::{CASES, CHANNELS, Column, POWER, SWITCHES, Schema, cases, channels, power, switches};
use drowse_tables::{Row, csv};

use crate::finding::{Checked, Finding, holds};

/// The tables of a run.
#[derive(Clone)]
struct Tables {
    case: Row,
    channels: Vec<Row>,
    switches: Vec<Row>,
    power: Vec<Row>,
}

/// Writes all tables of a run into a folder, reads them and checks them.
pub fn check(run: &Outcome, folder: &Path) -> Checked {
    check_tables(run, &written(run, folder)?)
}

fn written(run: &Outcome, folder: &Path) -> Result<Tables, Finding> {
    let broken = |text: String| Finding { law: "tables are written and read", text };
    files::prepare(folder).map_err(|error| broken(error.to_string()))?;
    export::write(folder, &[run]).map_err(|error| broken(error.to_string()))?;
    let read = |schema: &Schema| {
        let file = File::open(folder.join(schema.file)).map_err(|error| broken(error.to_string()))?;
        csv::read(schema, file).map_err(|error| broken(format!("{}: {error}", schema.file)))
    };
    let case = read(&CASES)?.pop().ok_or_else(|| broken("no case".to_owned()))?;
    let power = if run.wanted.power.is_some() { read(&POWER)? } else { Vec::new() };
    Ok(Tables { case, channels: read(&CHANNELS)?, switches: read(&SWITCHES)?, power })
}

fn check_tables(run: &Outcome, tables: &Tables) -> Checked {
    check_joules(tables)?;
    check_power(tables)?;
    tables.channels.iter().try_for_each(|row| check_bytes(&run.case.system, run, row))
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// The joules of channels, switches, NICs and nodes sum to those of links, network and all.
fn check_joules(tables: &Tables) -> Checked {
    let Some(links) = tables.case.number(cases::ENERGY_LINKS_ALL_J) else { return Ok(()) };
    let figure = |column: Column| tables.case.number(column).unwrap_or_default();
    let sum = |rows: &[Row], column: Column| rows.iter().filter_map(|row| row.number(column)).sum::<f64>();
    let equal = |what: &str, whole: f64, parts: f64| {
        holds("the joules in tables sum to the case's", near(whole, parts), || {
            format!("{what}: {whole}, parts {parts}")
        })
    };
    let of_nodes: Vec<Row> =
        tables.channels.iter().filter(|row| row.text(channels::FROM_KIND) == "node").cloned().collect();
    let at_switches = sum(&tables.switches, switches::LINKS_ENERGY_J);
    equal("links, by channels", links, sum(&tables.channels, channels::ENERGY_J))?;
    equal("links, by switches and nodes", links, at_switches + sum(&of_nodes, channels::ENERGY_J))?;
    equal("switches", figure(cases::ENERGY_SWITCHES_J), sum(&tables.switches, switches::ENERGY_J))?;
    let network = links + figure(cases::ENERGY_SWITCHES_J) + figure(cases::ENERGY_NICS_J);
    equal("network", figure(cases::ENERGY_NETWORK_J), network)?;
    let Some(nodes) = tables.case.number(cases::ENERGY_NODES_J) else { return Ok(()) };
    equal("total", figure(cases::ENERGY_TOTAL_J), network + nodes)
}

/// The powers over time, times the lengths of their intervals, sum to the joules of the case.
fn check_power(tables: &Tables) -> Checked {
    if tables.power.is_empty() {
        return Ok(());
    }
    let energy = |part: &str| -> f64 {
        let of_part = tables.power.iter().filter(|row| row.text(power::PART) == part);
        let joules = |row: &Row| Some(row.number(power::WATTS)? * row.number(power::INTERVAL_PS)? / 1e12);
        of_part.filter_map(joules).sum()
    };
    for (part, column) in [
        ("links", cases::ENERGY_LINKS_ALL_J),
        ("switches", cases::ENERGY_SWITCHES_J),
        ("nics", cases::ENERGY_NICS_J),
        ("nodes", cases::ENERGY_NODES_J),
    ] {
        let Some(whole) = tables.case.number(column) else { continue };
        let sum = energy(part);
        holds("power over time integrates to energy", near(whole, sum), || format!("{part}: {whole}, sum {sum}"))?;
    }
    Ok(())
}

/// The utilisation of a channel, times its bandwidth and the measured time, is its bytes, which are those of its flits.
fn check_bytes(system: &System, run: &Outcome, row: &Row) -> Checked {
    let number = |column: Column| row.number(column).unwrap_or_default();
    let (bytes, flits) = (number(channels::BYTES), number(channels::FLITS));
    let name = row.text(channels::CLASS);
    let class = system.network.classes.iter().zip(&system.config.classes).find(|(class, _)| **class == name);
    let rate = class.map_or(0.0, |(_, class)| class.bandwidth.0 as f64 / 8.0);
    let carried = number(channels::UTILISATION) * rate * run.record.measured.seconds();
    let same = near(carried, bytes) && near(bytes, flits * system.config.switch.flit.0 as f64);
    holds("utilisation times capacity times time is each channel's bytes", same, || {
        format!("channel {}: {carried} B by its utilisation, {bytes} B, {flits} flits", row.text(channels::CHANNEL))
    })
}

#[cfg(test)]
mod tests {
    use drowse_tables::{Name, Value};

    use super::*;
    use crate::laws::tests::{JOB, ran};

    /// Returns a row with a millionth more in a column.
    fn more(row: &Row, column: Column) -> Row {
        let mut changed = Row::new();
        for (name, value) in row.iter() {
            let number = value.number().filter(|_| name == column.name);
            let value = number.map_or_else(|| value.clone(), |number| Value::from(number * (1.0 + 1e-6)));
            changed.push(Name::read(name.to_owned()), value);
        }
        changed
    }

    #[test]
    fn parts_that_do_not_sum_to_the_whole_are_found() {
        let run = ran(JOB);
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let tables = written(&run, folder.path()).unwrap_or_else(|f| panic!("{f:?}"));
        let broken = |tables: &Tables| check_tables(&run, tables).err().map(|finding| finding.law);
        assert_eq!(broken(&tables), None);
        let joules = Some("the joules in tables sum to the case's");
        for column in [
            cases::ENERGY_LINKS_ALL_J,
            cases::ENERGY_SWITCHES_J,
            cases::ENERGY_NICS_J,
            cases::ENERGY_NETWORK_J,
            cases::ENERGY_NODES_J,
            cases::ENERGY_TOTAL_J,
        ] {
            let changed = Tables { case: more(&tables.case, column), ..tables.clone() };
            assert_eq!(broken(&changed), joules, "{}", column.name);
        }
        for column in [switches::ENERGY_J, switches::LINKS_ENERGY_J] {
            let mut changed = tables.clone();
            changed.switches[0] = more(&changed.switches[0], column);
            assert_eq!(broken(&changed), joules, "{}", column.name);
        }
        let sent = tables.channels.iter().position(|row| row.number(channels::BYTES) > Some(0.0));
        let sent = sent.unwrap_or_else(|| panic!("nothing is sent"));
        let bytes = Some("utilisation times capacity times time is each channel's bytes");
        for (column, law) in [
            (channels::ENERGY_J, joules),
            (channels::UTILISATION, bytes),
            (channels::BYTES, bytes),
            (channels::FLITS, bytes),
        ] {
            let mut changed = tables.clone();
            changed.channels[sent] = more(&changed.channels[sent], column);
            assert_eq!(broken(&changed), law, "{}", column.name);
        }
    }
}
