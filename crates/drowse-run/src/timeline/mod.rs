//! Timelines as files: what ranks and links did over a part of a run, and the messages between ranks.
//!
//! `Scene` gathers what all formats show: `paraver` writes it for Paraver, `perfetto` as a Chrome trace, which Perfetto
//! opens, `table` as `spans.csv`.

mod paraver;
mod perfetto;
mod scene;
mod table;

use std::io::{self, Write};
use std::ops::Range;

use drowse_core::measure::timeline::{Excerpt, Selection};
use drowse_core::model::units::Time;
use drowse_experiment::{Case, WorkloadSpec};
use drowse_tables::csv;
use drowse_tables::schema::SPANS;

use crate::files::{ExportError, ResultFiles};
use crate::inputs::Inputs;
use crate::outcome::Outcome;

use scene::Scene;

/// The fewest records that are kept of a rank or channel, however many there are.
const FEWEST: usize = 16;

/// What a timeline shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineOptions {
    /// Its window of simulated time.
    pub window: Range<Time>,
    /// Whom it shows.
    pub selection: Selection,
    /// The most records that it has: states of ranks and links, and messages.
    pub limit: usize,
}

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

impl TimelineOptions {
    /// Shares the records among the ranks and channels that a case has.
    pub(crate) fn excerpt(&self, case: &Case, inputs: &Inputs) -> Excerpt {
        let specs: &[_] = match &case.workload {
            WorkloadSpec::Jobs(specs) => specs,
            WorkloadSpec::Traffic(_) => &[],
        };
        let has_rank = |job: &str, rank: &u32| self.selection.has_rank(job, *rank);
        let of_job = |(job, ranks): (&str, u32)| (0..ranks).filter(|rank| has_rank(job, rank)).count();
        let ranks: usize = specs.iter().map(|spec| spec.name.as_str()).zip(inputs.ranks()).map(of_job).sum();
        let channels = case.system.network.channels();
        let channels = (0..channels).filter(|&channel| self.selection.has_channel(channel)).count();
        // A rank keeps states and messages.
        let kinds = 2 * ranks.min(1) + channels.min(1);
        let share = self.limit / kinds.max(1);
        Excerpt {
            window: self.window.clone(),
            selection: self.selection.clone(),
            most_of_rank: (share / ranks.max(1)).max(FEWEST),
            most_of_channel: (share / channels.max(1)).max(FEWEST),
        }
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
