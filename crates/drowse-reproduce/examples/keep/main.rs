//! Keeps what a page of the book needs of its sweep, in docs/data.
//!
//! `cargo run --release -p drowse-reproduce --example keep -- networks_policies FOLDER` reads the folder that
//! `drowse sweep examples/networks-policies.toml --out FOLDER` has written, `keep -- training_links FOLDER` that of
//! `examples/training-links.toml`, `keep -- bounded FOLDER` that of `examples/bounded-networks.toml`,
//! `keep -- bounded_others FOLDER` that of `examples/bounded-others.toml`,
//! `keep -- congestion_sleep FOLDER` that of `examples/congestion-sleep.toml`, and `keep -- flows_error FOLDER` that of
//! `examples/flows-error.toml`. The same bytes each time.

mod bounded;
mod congestion;
mod flows_error;
mod networks_policies;
mod networks_policies_names;
mod training;

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use drowse_tables::Row;
use drowse_tables::csv;
use drowse_tables::schema::{CASES, Column, cases};

/// What is kept of a study.
struct Study {
    /// The file in docs/data, without its ending.
    name: &'static str,
    /// Headings of a case's names.
    headings: &'static [&'static str],
    /// Names a case by what the sweep has set.
    names: fn(&Set<'_>) -> Result<Names, Box<dyn Error>>,
    /// Those of the first name come in this order, and otherwise in that of the sweep.
    order: &'static [&'static str],
    /// The columns that are kept behind the names.
    columns: &'static [Column],
}

/// What the sweep has set in a case, by the paths of keys.
type Set<'a> = dyn Fn(&str) -> String + 'a;
/// The names of a case.
type Names = Vec<&'static str>;

const STUDIES: [Study; 6] =
    [congestion::STUDY, networks_policies::STUDY, training::STUDY, bounded::STUDY, bounded::OTHERS, flows_error::STUDY];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(name), Some(folder)) = (words.next(), words.next()) else {
        return Err("give a study and the folder of its sweep, such as: networks_policies networks".into());
    };
    let study = STUDIES.iter().find(|study| study.name == name);
    let study = study.ok_or_else(|| format!("there is no study {name}, but {:?}", STUDIES.map(|study| study.name)))?;
    let rows = csv::read(&CASES, File::open(Path::new(&folder).join(CASES.file))?)?;
    // Baselines follow from the ratios of their cases.
    let of_sweep = rows.iter().filter(|row| row.get(cases::BASELINE).is_none());
    let mut kept = of_sweep.map(|row| kept(study, row)).collect::<Result<Vec<_>, _>>()?;
    kept.sort_by_key(|cells| study.order.iter().position(|name| *name == cells[0]));
    let header = study.headings.iter().copied().chain(study.columns.iter().map(|column| column.name));
    let mut text = header.collect::<Vec<_>>().join(",") + "\n";
    kept.iter().for_each(|cells| text.extend([&cells.join(","), "\n"]));
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/data/{name}.csv")), text)?;
    Ok(())
}

/// Returns what is kept of a case: its names, and figures of nine digits.
fn kept(study: &Study, row: &Row) -> Result<Vec<String>, Box<dyn Error>> {
    let names = (study.names)(&|key| row.text(cases::SET.of(key)))?;
    let mut cells: Vec<String> = names.iter().copied().map(str::to_owned).collect();
    for &column in study.columns {
        let number = row.number(column).ok_or_else(|| format!("{names:?} has no {}", column.name))?;
        let rounded: f64 = format!("{number:.8e}").parse()?;
        cells.push(rounded.to_string());
    }
    Ok(cells)
}
