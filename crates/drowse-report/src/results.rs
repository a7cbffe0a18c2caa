//! A folder of results: what `drowse run --out` and `drowse sweep --out` have written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use drowse_tables::schema::{
    CASES, CHANNELS, FAILED, IDLE_PERIODS, JOBS, MESSAGE_SIZES, POWER, RANKS, SPANS, Schema, WAIT_MATRIX, WAITING,
    WAITS, WAKES, cases,
};

use crate::error::ReportError;
use crate::files::Files;
use crate::manifest::Manifest;
use crate::table::Table;

/// The tables of a folder.
#[derive(Debug)]
pub struct Results {
    /// Where they are.
    pub folder: PathBuf,
    /// What made them.
    pub manifest: Manifest,
    /// A row a case, there is one at least; where a sweep has several seeds, a row for all cases that differ in these
    /// only.
    pub cases: Table,
    /// A row a channel.
    pub channels: Option<Table>,
    /// A row a job.
    pub jobs: Option<Table>,
    /// A row a rank.
    pub ranks: Option<Table>,
    /// A row a bin of each channel's idle periods.
    pub idle_periods: Option<Table>,
    /// A row a channel: what packets waited for.
    pub waiting: Option<Table>,
    /// A row a long wait of a rank.
    pub waits: Option<Table>,
    /// A row a wake for which a message waited.
    pub wakes: Option<Table>,
    /// A row a rank and a rank that it waited for.
    pub wait_matrix: Option<Table>,
    /// A row a class of message sizes.
    pub message_sizes: Option<Table>,
    /// A row a part and interval: what it draws.
    pub power: Option<Table>,
    /// A row a state of a rank or channel.
    pub spans: Option<Table>,
    /// Cases that have no result.
    pub failed: usize,
}

impl Results {
    /// Reads all tables that are there.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let help = "give a folder that `drowse run --out` or `drowse sweep --out` has written";
        if !folder.is_dir() {
            let reason = if folder.exists() { "is no folder" } else { "no such folder" };
            return Err(ReportError::wrong(folder, format!("{reason}; {help}")));
        }
        let files = Files::of(folder)?;
        let cases = Table::read(&files, &CASES)?;
        let cases = cases.ok_or_else(|| ReportError::wrong(folder, format!("holds no cases.csv; {help}")))?;
        let failed = Table::read(&files, &FAILED)?.map_or(0, |table| table.len());
        if cases.len() == 0 {
            let none = if failed > 0 { "no case has finished; failed.csv says why" } else { "cases.csv has no rows" };
            return Err(ReportError::wrong(folder, format!("{none}; {help}")));
        }
        let manifest = Manifest::read(&files)?;
        let ids = Ids::of(&cases, &manifest);
        ids.check(folder, &CASES, &cases)?;
        let other = |schema: &Schema| -> Result<Option<Table>, ReportError> {
            let table = Table::read(&files, schema)?;
            table.iter().try_for_each(|table| ids.check(folder, schema, table))?;
            Ok(table)
        };
        Ok(Results {
            folder: folder.to_owned(),
            manifest,
            channels: other(&CHANNELS)?,
            jobs: other(&JOBS)?,
            ranks: other(&RANKS)?,
            idle_periods: other(&IDLE_PERIODS)?,
            waiting: other(&WAITING)?,
            waits: other(&WAITS)?,
            wakes: other(&WAKES)?,
            wait_matrix: other(&WAIT_MATRIX)?,
            message_sizes: other(&MESSAGE_SIZES)?,
            power: other(&POWER)?,
            spans: other(&SPANS)?,
            cases: cases.over_seeds(&CASES),
            failed,
        })
    }

    /// Returns the cells of a column of the cases.
    pub fn cases_with<'a>(&'a self, column: &'a str) -> impl Iterator<Item = &'a str> {
        (0..self.cases.len()).map(move |row| self.cases.named(row, column))
    }

    /// Returns the title of the experiment, or else the name of the folder.
    pub fn title(&self) -> String {
        let name = || self.folder.file_name().unwrap_or(self.folder.as_os_str()).to_string_lossy().into_owned();
        self.manifest.title().unwrap_or_else(name)
    }
}

/// The ids of the cases that all tables of a folder are of.
struct Ids(HashSet<String>);

impl Ids {
    /// Returns those of the manifest of a run; where it lists none, those of the cases.
    fn of(cases: &Table, manifest: &Manifest) -> Self {
        let listed: HashSet<String> = manifest.cases.iter().map(|case| case.id.clone()).collect();
        if listed.is_empty() { Ids(ids(cases).map(str::to_owned).collect()) } else { Ids(listed) }
    }

    /// Refuses a table with rows of another run.
    fn check(&self, folder: &Path, schema: &Schema, table: &Table) -> Result<(), ReportError> {
        let Some(other) = ids(table).find(|id| !self.0.contains(*id)) else { return Ok(()) };
        let reason = format!("has case {other}, which is none of these results; run the experiment again");
        Err(ReportError::wrong(folder.join(schema.file), reason))
    }
}

/// Returns the ids in a table.
fn ids(table: &Table) -> impl Iterator<Item = &str> {
    let column = table.place(cases::CASE_ID.name);
    (0..table.len()).map(move |row| table.text(row, column)).filter(|id| !id.is_empty())
}
