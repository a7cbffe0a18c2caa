//! Timelines as files: what ranks and links did over a part of a run, and the messages between ranks.
//!
//! `Scene` gathers what all formats show: `paraver` writes it for Paraver, `perfetto` as a Chrome trace, which Perfetto
//! opens, `table` as `spans.csv`.

mod options;
mod paraver;
mod perfetto;
mod scene;
mod table;

use std::io::{self, Write};

use drowse_tables::csv;
use drowse_tables::schema::SPANS;

use crate::files::{ExportError, ResultFiles};
use crate::outcome::Outcome;

pub use options::{NotThere, TimelineOptions, parse_numbers, parse_window};
use scene::Scene;

/// How a timeline is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineFormat {
    /// Paraver: `.prv`, and its names in `.pcf` and `.row`.
    Paraver,
    /// The Trace Event Format of Chrome, which Perfetto opens.
    Perfetto,
    /// A result table, of the case and its baseline.
    Table,
}

impl TimelineFormat {
    /// Returns a format by its word on the command line.
    pub fn named(word: &str) -> Option<Self> {
        let words = [("prv", Self::Paraver), ("perfetto", Self::Perfetto), ("table", Self::Table)];
        words.into_iter().find_map(|(known, format)| (known == word).then_some(format))
    }
}

/// Writes the timelines of a case and its baseline; says what they leave out, if anything.
pub fn write(
    files: &mut ResultFiles<'_>,
    formats: &[TimelineFormat],
    outcomes: &[&Outcome],
) -> Result<Vec<String>, ExportError> {
    let named = outcomes.iter().zip(["timeline", "timeline-baseline"]);
    let scenes: Vec<(&str, Scene)> =
        named.filter_map(|(outcome, name)| Scene::new(outcome).map(|scene| (name, scene))).collect();
    for (name, scene) in &scenes {
        if formats.contains(&TimelineFormat::Paraver) {
            file(files, &format!("{name}.prv"), |to| paraver::records(scene, to))?;
            file(files, &format!("{name}.pcf"), paraver::names_of_states)?;
            file(files, &format!("{name}.row"), |to| paraver::names_of_rows(scene, to))?;
        }
        if formats.contains(&TimelineFormat::Perfetto) {
            file(files, &format!("{name}.perfetto.json"), |to| perfetto::write(scene, to))?;
        }
    }
    if formats.contains(&TimelineFormat::Table) {
        let rows = scenes.iter().flat_map(|(_, scene)| table::rows(scene));
        files.write(SPANS.file, |file| Ok(csv::write_long(&SPANS, rows, file)?))?;
    } else {
        files.without(SPANS.file);
    }
    Ok(scenes.iter().filter_map(|(name, scene)| scene.note().map(|note| format!("{name}: {note}"))).collect())
}

fn file(
    files: &mut ResultFiles<'_>,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), ExportError> {
    files.write(name, |to| write(to).map_err(|error| ExportError::Io { path: name.to_owned(), error }))
}
