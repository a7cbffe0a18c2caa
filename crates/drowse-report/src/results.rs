//! A folder of results: what `drowse run --out` and `drowse sweep --out` have written.

use std::path::{Path, PathBuf};

use drowse_tables::schema::{CASES, CHANNELS, FAILED, IDLE_PERIODS, JOBS, MESSAGE_SIZES, RANKS, SPANS, WAITING};

use crate::error::ReportError;
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
    /// A row a class of message sizes.
    pub message_sizes: Option<Table>,
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
        let cases = Table::read(folder, &CASES)?;
        let cases = cases.ok_or_else(|| ReportError::wrong(folder, format!("holds no cases.csv; {help}")))?;
        let failed = Table::read(folder, &FAILED)?.map_or(0, |table| table.len());
        if cases.len() == 0 {
            let none = if failed > 0 { "no case has finished; failed.csv says why" } else { "cases.csv has no rows" };
            return Err(ReportError::wrong(folder, format!("{none}; {help}")));
        }
        let cases = cases.over_seeds(&CASES);
        Ok(Results {
            folder: folder.to_owned(),
            manifest: Manifest::read(folder)?,
            cases,
            channels: Table::read(folder, &CHANNELS)?,
            jobs: Table::read(folder, &JOBS)?,
            ranks: Table::read(folder, &RANKS)?,
            idle_periods: Table::read(folder, &IDLE_PERIODS)?,
            waiting: Table::read(folder, &WAITING)?,
            message_sizes: Table::read(folder, &MESSAGE_SIZES)?,
            spans: Table::read(folder, &SPANS)?,
            failed,
        })
    }

    /// Returns the title of the experiment, or else the name of the folder.
    pub fn title(&self) -> String {
        let name = || self.folder.file_name().unwrap_or(self.folder.as_os_str()).to_string_lossy().into_owned();
        self.manifest.title().unwrap_or_else(name)
    }
}
