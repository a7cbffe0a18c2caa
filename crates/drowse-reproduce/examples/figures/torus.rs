//! Tori whose trunks shed ports: the tables of `drowse reproduce torus`, as they are kept in docs/data.

use std::error::Error;
use std::fmt::Write;
use std::fs::File;
use std::path::Path;

use drowse_tables::schema::{Column, REPRODUCTION, Schema, TORUS_LOADS, TORUS_PROGRAMS, reproduction, torus};
use drowse_tables::{Row, csv};

use crate::told;

/// The folder of the tables; the full reproduction has written them.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data");
/// The rows of the reproduction among them.
const COMPARISON: &str = "torus_reproduction.csv";

/// All that is drawn and told.
pub struct Study {
    comparison: Vec<Row>,
    programs: Vec<Row>,
    loads: Vec<Row>,
}

/// Reads the tables.
pub fn read() -> Result<Study, Box<dyn Error>> {
    let table = |schema: &Schema, file: &str| -> Result<Vec<Row>, Box<dyn Error>> {
        Ok(csv::read(schema, File::open(Path::new(TABLES).join(file))?)?)
    };
    Ok(Study {
        comparison: table(&REPRODUCTION, COMPARISON)?,
        programs: table(&TORUS_PROGRAMS, TORUS_PROGRAMS.file)?,
        loads: table(&TORUS_LOADS, TORUS_LOADS.file)?,
    })
}

impl Study {
    /// Returns a figure of a network under uniform traffic by the load, in percent.
    pub fn curve(&self, network: &str, saving: bool, figure: Column) -> Vec<(f64, f64)> {
        let chosen = |row: &&Row| row.text(torus::NETWORK) == network && row.text(torus::SAVING) == saving.to_string();
        let points = self.loads.iter().filter(chosen);
        points.filter_map(|row| Some((100.0 * row.number(torus::OFFERED)?, row.number(figure)?))).collect()
    }

    /// Writes the page.
    pub fn page(&self) -> Result<String, Box<dyn Error>> {
        let mut page = told::fill(include_str!("torus_text.md"), &self.comparison)?;
        page.push_str("\n## The paper's numbers\n\n| place | quantity | paper | ours | verdict | how |\n|---|---|---:|---:|---|---|\n");
        let chosen = |row: &&Row| {
            row.text(reproduction::PLACE).starts_with("Section 2.2")
                || row.text(reproduction::PLACE).starts_with("Section 4.1")
        };
        for row in self.comparison.iter().filter(chosen) {
            let cells = [
                row.text(reproduction::PLACE),
                row.text(reproduction::QUANTITY),
                shown(row, reproduction::THEIRS),
                shown(row, reproduction::OURS),
            ];
            let _ = writeln!(
                page,
                "| {} | {} | {} |",
                cells.join(" | "),
                row.text(reproduction::VERDICT),
                row.text(reproduction::REASON)
            );
        }
        page.push_str("\n## All programs\n\n");
        page.push_str("| program | | network | run time | E_net | E_cluster | Run_task | ports of a trunk on |\n|---|---|---|---:|---:|---:|---:|---:|\n");
        // Other choices of what is not printed have rows of their least and most.
        let shown_here = |row: &&Row| !is_reference(row) && !row.text(torus::PROGRAM).contains('(');
        for row in self.programs.iter().filter(shown_here) {
            let saving = row.text(torus::SAVING) == "true";
            let how = if row.text(torus::COMPUTES) == "true" {
                if row.text(torus::PROGRAM).contains("tasks") { "as generated" } else { "as traced" }.to_owned()
            } else {
                format!("alone, {} a node", row.text(torus::COPIES))
            };
            let name = format!("{}{}", row.text(torus::NETWORK), if saving { "-PS" } else { "" });
            let figures = [
                torus::RELATIVE_MAKESPAN,
                torus::RELATIVE_E_NET,
                torus::RELATIVE_E_CLUSTER,
                torus::RUNNING_FRACTION,
                torus::PORTS_ON,
            ];
            let cells = figures.map(|figure| shown(row, figure));
            let _ = writeln!(page, "| {} | {how} | {name} | {} |", row.text(torus::PROGRAM), cells.join(" | "));
        }
        Ok(page)
    }
}

fn is_reference(row: &Row) -> bool {
    row.text(torus::NETWORK).ends_with("-1X")
}

/// Shows a number with three decimals.
fn shown(row: &Row, name: Column) -> String {
    row.number(name).map_or_else(|| "-".to_owned(), |number| format!("{number:.3}"))
}
