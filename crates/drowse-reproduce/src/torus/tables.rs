//! All runs as tables.

use std::path::{Path, PathBuf};

use drowse_run::files::{self, ExportError};
use drowse_tables::schema::{Schema, TORUS_LOADS, TORUS_PROGRAMS, TORUS_SETS, cases, torus as columns};
use drowse_tables::{Row, csv};

use super::case::{Case, Work};
use super::program::TASKS;
use super::results::{Results, ports_on};
use super::sets;

/// Writes the tables into a folder, and returns their paths.
pub fn write(folder: &Path, results: &Results) -> Result<Vec<PathBuf>, ExportError> {
    files::prepare(folder)?;
    let programs: Vec<Row> = results.0.iter().filter_map(|run| program(run, results)).collect();
    let loads: Vec<Row> = results.0.iter().filter_map(load).collect();
    let sets: Vec<Row> = sets::rows(results).collect();
    let write = |(schema, rows): (&'static Schema, Vec<Row>)| {
        files::write_file(folder, schema.file, |file| Ok(csv::write_long(schema, rows.into_iter(), file)?))?;
        Ok(folder.join(schema.file))
    };
    [(&TORUS_PROGRAMS, programs), (&TORUS_SETS, sets), (&TORUS_LOADS, loads)].into_iter().map(write).collect()
}

fn program(run: &(Case, Row), results: &Results) -> Option<Row> {
    let (case, kept) = run;
    let (name, computes, copies) = match &case.work {
        Work::Program { program, computes, copies } => (program.name.to_owned(), *computes, *copies),
        Work::Generated(program) => (program.title(), program.computes, TASKS / case.torus.nodes()),
        Work::Faster { program, percent } => (format!("{} ({percent} % of the computing)", program.name), true, 1),
        Work::Set(_) | Work::Uniform { .. } => return None,
    };
    let mut row = network(case);
    row.push(columns::PROGRAM, name);
    row.push(columns::COMPUTES, computes);
    row.push(columns::COPIES, copies);
    row.copy(columns::MAKESPAN_S, kept);
    row.copy(columns::RUNNING_FRACTION, kept);
    row.push_some(columns::RELATIVE_MAKESPAN, results.relative(run, cases::MAKESPAN_S));
    row.push_some(columns::RELATIVE_E_NET, results.relative(run, cases::ENERGY_E_NET));
    row.push_some(columns::RELATIVE_E_CLUSTER, results.relative(run, cases::ENERGY_E_CLUSTER.of("0.5")));
    power(&mut row, run);
    Some(row)
}

fn load(run: &(Case, Row)) -> Option<Row> {
    let (case, kept) = run;
    let Work::Uniform { .. } = case.work else { return None };
    let mut row = network(case);
    for column in [columns::OFFERED, columns::ACCEPTED, columns::LATENCY_MEAN_NS, columns::LATENCY_P99_NS] {
        row.copy(column, kept);
    }
    power(&mut row, run);
    Some(row)
}

fn network(case: &Case) -> Row {
    let mut row = Row::new();
    row.push(columns::NETWORK, case.torus.name);
    row.push(columns::NODES, case.torus.nodes());
    row.push(columns::SAVING, case.saving);
    row
}

fn power(row: &mut Row, run: &(Case, Row)) {
    row.copy(columns::W_NET, &run.1);
    row.push_some(columns::PORTS_ON, ports_on(run));
}
