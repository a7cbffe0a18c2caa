//! Keeps what the study of networks and policies needs of its sweep, in docs/data/networks_policies.csv.
//!
//! `cargo run --release -p drowse-reproduce --example keep -- networks` reads the folder that
//! `drowse sweep examples/networks-policies.toml --out networks` has written. The same bytes each time.

mod networks_policies_names;

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use drowse_tables::Row;
use drowse_tables::csv;
use drowse_tables::schema::{CASES, Column, cases};

use networks_policies_names::{APPLICATIONS, names};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data/networks_policies.csv");
/// The columns that are kept, behind the names of application, network and policy.
const COLUMNS: [Column; 7] = [
    cases::MAKESPAN_S,
    cases::RELATIVE_MAKESPAN,
    cases::ENERGY_NETWORK_J,
    cases::RELATIVE_NETWORK_J,
    cases::ENERGY_TOTAL_J,
    cases::RELATIVE_TOTAL_J,
    cases::PATH_WAKING_FRACTION,
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("give the folder of the sweep, such as networks")?;
    let rows = csv::read(&CASES, File::open(Path::new(&folder).join(CASES.file))?)?;
    let mut kept = rows.iter().map(kept).collect::<Result<Vec<_>, _>>()?;
    // All cases of an application side by side, otherwise in the order of the sweep.
    kept.sort_by_key(|cells| APPLICATIONS.iter().position(|name| *name == cells[0]));
    let header = ["application", "network", "policy"].into_iter().chain(COLUMNS.map(|column| column.name));
    let mut text = header.collect::<Vec<_>>().join(",") + "\n";
    kept.iter().for_each(|cells| text.extend([&cells.join(","), "\n"]));
    fs::write(KEPT, text)?;
    Ok(())
}

/// Returns what is kept of a case: its names, and figures of nine digits.
fn kept(row: &Row) -> Result<Vec<String>, Box<dyn Error>> {
    let set = |key: &str| row.text(cases::SET.of(key));
    let names = names(&set("job"), &set("network"), &set("power.policy"))?;
    let mut cells = names.map(str::to_owned).to_vec();
    for column in COLUMNS {
        let number = row.number(column).ok_or_else(|| format!("{names:?} has no {}", column.name))?;
        let rounded: f64 = format!("{number:.8e}").parse()?;
        cells.push(rounded.to_string());
    }
    Ok(cells)
}
