//! All runs as tables.

use std::path::{Path, PathBuf};

use drowse_tables::schema::{Schema, TORUS_LOADS, TORUS_PROGRAMS};
use drowse_tables::{Row, csv};

use super::cases::{Case, Work};
use super::results::{Results, ports_on};
use drowse_run::export::{self, ExportError};

/// Writes the tables into a folder; gives their paths.
pub fn write(folder: &Path, results: &Results) -> Result<Vec<PathBuf>, ExportError> {
    export::prepare(folder)?;
    let programs: Vec<Row> = results.0.iter().filter_map(|run| program(run, results)).collect();
    let loads: Vec<Row> = results.0.iter().filter_map(load).collect();
    let write = |(schema, rows): (&'static Schema, Vec<Row>)| {
        export::write_file(folder, schema.file, |file| Ok(csv::write_long(schema, rows.into_iter(), file)?))?;
        Ok(folder.join(schema.file))
    };
    [(&TORUS_PROGRAMS, programs), (&TORUS_LOADS, loads)].into_iter().map(write).collect()
}

fn program(run: &(Case, Row), results: &Results) -> Option<Row> {
    let (case, kept) = run;
    let Work::Program { program, computes, copies } = case.work else { return None };
    let mut row = network(case);
    row.push("program", program.name);
    row.push("computes", computes);
    row.push("copies", copies);
    row.push_some("makespan_s", kept.number("makespan_s"));
    row.push_some("ranks.running_fraction", kept.number("ranks.running_fraction"));
    row.push_some("relative.makespan", results.relative(run, "makespan_s"));
    row.push_some("relative.e_net", results.relative(run, "energy.e_net"));
    row.push_some("relative.e_cluster", results.relative(run, "energy.e_cluster[0.5]"));
    power(&mut row, run);
    Some(row)
}

fn load(run: &(Case, Row)) -> Option<Row> {
    let (case, kept) = run;
    let Work::Uniform { .. } = case.work else { return None };
    let mut row = network(case);
    for name in ["load.offered", "load.accepted", "latency.packet.mean_ns", "latency.packet.p99_ns"] {
        row.push_some(name, kept.number(name));
    }
    power(&mut row, run);
    Some(row)
}

fn network(case: &Case) -> Row {
    let mut row = Row::new();
    row.push("network", case.torus.name);
    row.push("nodes", case.torus.nodes());
    row.push("saving", case.saving);
    row
}

fn power(row: &mut Row, run: &(Case, Row)) {
    row.push_some("energy.w_net", run.1.number("energy.w_net"));
    row.push_some("ports_on", ports_on(run));
}
