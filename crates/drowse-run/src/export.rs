//! Writes the tables of a run into a folder, and the manifest: what made them.
//!
//! With a baseline, each table holds the rows of both cases; `case_id` tells them apart.

use std::iter;
use std::path::Path;

use drowse_tables::schema::{CASES, CHANNELS, ENGINE, JOBS, RANKS, SWITCHES, Schema};
use drowse_tables::{Row, csv};

use crate::channel_tables::{channel_rows, switch_rows};
use crate::files::{ExportError, ResultFiles};
use crate::manifest::{self, RunManifest};
use crate::outcome::Outcome;
use crate::probe_tables;
use crate::rank_tables::rank_rows;

/// Writes all tables and the manifest into a folder that was prepared; those of an earlier run are replaced.
///
/// ```
/// use drowse_experiment::case_of;
/// use drowse_run::{export, files, request::RunRequest};
/// use drowse_tables::csv;
/// use drowse_tables::schema::{RANKS, ranks};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let out = folder.path().join("results");
/// let text = r#"
///     network = { kind = "ideal", nodes = 4, latency = "2 us" }
///     job = { app = { kind = "stencil", dims = [4], bytes = "1 KiB", compute = "10 us", iterations = 100 } }
/// "#;
/// let case = case_of(text)?;
/// let outcomes = RunRequest::new(&case).run()?;
/// files::prepare(&out)?;
/// export::write(&out, &outcomes.all())?;
/// let rows = csv::read(&RANKS, std::fs::File::open(out.join(RANKS.file))?)?;
/// // Four ranks, each of which sends to its two neighbours in each iteration.
/// let messages: Vec<_> = rows.iter().map(|row| row.number(ranks::MESSAGES)).collect();
/// assert_eq!(messages, [Some(200.0); 4]);
/// # Ok(())
/// # }
/// ```
pub fn write(folder: &Path, outcomes: &[&Outcome]) -> Result<(), ExportError> {
    let mut files = ResultFiles::begin(folder)?;
    tables(&mut files, outcomes)?;
    files.finish()
}

/// Returns the rows of a table of a case, as they are written; none where the table is none of a run, or was not recorded.
pub fn rows<'o>(schema: &Schema, outcome: &'o Outcome) -> Box<dyn Iterator<Item = Row> + 'o> {
    match schema.file {
        file if file == CASES.file => Box::new(iter::once(outcome.case_row())),
        file if file == ENGINE.file => Box::new(iter::once(outcome.summary.engine_row())),
        file if file == CHANNELS.file => Box::new(channel_rows(outcome)),
        file if file == SWITCHES.file => Box::new(switch_rows(outcome)),
        file if file == JOBS.file => Box::new(outcome.job_rows().into_iter()),
        file if file == RANKS.file => Box::new(rank_rows(outcome)),
        file => match probe_tables::TABLES.iter().find(|table| table.schema.file == file) {
            Some(table) if (table.wanted)(&outcome.wanted) => (table.rows)(outcome),
            _ => Box::new(iter::empty()),
        },
    }
}

/// Writes all tables and the manifest among other files.
pub fn tables(files: &mut ResultFiles<'_>, outcomes: &[&Outcome]) -> Result<(), ExportError> {
    let rows: Vec<Row> = outcomes.iter().map(|outcome| outcome.case_row()).collect();
    let engine: Vec<Row> = outcomes.iter().map(|outcome| outcome.summary.engine_row()).collect();
    files.write(CASES.file, |file| Ok(csv::write(&CASES, &rows, file)?))?;
    files.write(ENGINE.file, |file| Ok(csv::write(&ENGINE, &engine, file)?))?;
    let of_channels = || outcomes.iter().flat_map(|outcome| channel_rows(outcome));
    files.write(CHANNELS.file, |file| Ok(csv::write_long(&CHANNELS, of_channels(), file)?))?;
    let of_switches = || outcomes.iter().flat_map(|outcome| switch_rows(outcome));
    files.write(SWITCHES.file, |file| Ok(csv::write_long(&SWITCHES, of_switches(), file)?))?;
    let jobs = || outcomes.iter().flat_map(|outcome| outcome.job_rows());
    files.write(JOBS.file, |file| Ok(csv::write_long(&JOBS, jobs(), file)?))?;
    let of_ranks = || outcomes.iter().flat_map(|outcome| rank_rows(outcome));
    files.write(RANKS.file, |file| Ok(csv::write_long(&RANKS, of_ranks(), file)?))?;
    probe_tables::write(files, outcomes)?;
    files.write_json(manifest::FILE, &RunManifest::of(outcomes))
}
