//! The tables of a sweep, written from its stored cases in two passes: which columns there are, then the rows.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use drowse_tables::Row;
use drowse_tables::csv::{Header, Table};
use drowse_tables::schema::{CASES, ENGINE, FAILED, JOBS, STATISTICS, cases, failed};

use super::baselines::{self, Baselines};
use super::case_list::{CaseList, Entry};
use super::statistics::Statistics;
use super::store::{Cells, MOST_CELLS, Outcome, Store};
use super::{Report, Wanted};
use crate::files::{ExportError, NewFile, ResultFiles};
use crate::identity::{BUILD, VERSION};
use crate::manifest::{self, SweepManifest};
use crate::{host, parquet};

/// Warnings that are shown; all are in the table.
const MOST_WARNINGS: usize = 3;

/// The findings of the first pass over the cases.
struct Survey {
    /// Cases that could not finish.
    pub failed: u64,
    /// The first error, if a case could not finish.
    pub first_error: Option<String>,
    /// Cases with warnings.
    pub warned: u64,
    /// The first of their warnings, each once.
    pub warnings: Vec<String>,
    /// The rows of the first cases to be shown.
    pub first: Vec<Row>,
    /// Means over seeds, where there are several.
    pub statistics: Option<Statistics>,
    /// All rows of the first cases, which are not read again.
    kept: Vec<Rows>,
    headers: Headers,
}

/// The columns of the tables.
struct Headers {
    cases: Header<'static>,
    engine: Header<'static>,
    jobs: Header<'static>,
    failed: Header<'static>,
}

/// The rows of a case: in `cases.csv`, `engine.csv` and `jobs.csv`, or in `failed.csv`.
pub(super) enum Rows {
    Finished { case: Row, engine: Row, jobs: Vec<Row> },
    Failed { row: Row, error: String },
}

/// Writes all tables of a sweep whose cases are stored, and what else is wanted.
pub fn make(list: &CaseList, folder: &Path, store: &Store, wanted: &Wanted<'_>) -> Result<Report, ExportError> {
    let shown = wanted.rows;
    let entries = list.entries();
    let mut reader = Reader::new(list, store).named(&entries);
    let survey = survey(list, &entries, &mut reader, shown)?;
    let mut files = ResultFiles::begin(folder)?;
    write(list, &mut files, &entries, &mut reader, &survey)?;
    let paths = files.paths();
    if let Some((clock, threads, file)) = wanted.host {
        clock.stop(threads, &[file]).write(&mut files)?;
    } else {
        files.keep(host::FILE)?;
    }
    parquet::write(&mut files, wanted.parquet)?;
    files.finish()?;
    let points = survey.statistics.iter().flat_map(Statistics::rows).take(shown).collect();
    let points_count = survey.statistics.as_ref().map_or(0, Statistics::count) as u64;
    let Survey { failed, first_error, warned, warnings, first, .. } = survey;
    Ok(Report {
        cases: list.ids.len() as u64,
        baselines: list.others.len() as u64,
        ran: 0,
        copied: None,
        failed,
        warned,
        warnings,
        first,
        points,
        points_count,
        first_error,
        numbers: Vec::new(),
        damaged: store.damaged(),
        files: paths,
    })
}

/// Reads all cases, and keeps the rows of the first `shown` ones.
fn survey(list: &CaseList, entries: &[Entry], reader: &mut Reader<'_>, shown: usize) -> Result<Survey, ExportError> {
    let mut survey = Survey::new(Statistics::of(list));
    let mut cells = 0;
    for &entry in entries {
        let rows = reader.rows(entry)?;
        let row = match &rows {
            Rows::Finished { case, engine, jobs } => {
                survey.headers.cases.add(case);
                survey.headers.engine.add(engine);
                jobs.iter().for_each(|job| survey.headers.jobs.add(job));
                survey.note_warnings(case);
                survey.statistics.iter_mut().for_each(|statistics| statistics.add(case));
                case
            }
            Rows::Failed { row, error } => {
                survey.headers.failed.add(row);
                survey.statistics.iter_mut().for_each(|statistics| statistics.add_failed(row));
                survey.failed += 1;
                survey.first_error.get_or_insert_with(|| error.clone());
                row
            }
        };
        if survey.first.len() < shown {
            survey.first.push(row.clone());
        }
        cells += rows.cells();
        if cells <= MOST_CELLS {
            survey.kept.push(rows);
        }
    }
    Ok(survey)
}

/// Writes all tables, in a second pass, and the manifest.
fn write(
    list: &CaseList,
    files: &mut ResultFiles<'_>,
    entries: &[Entry],
    reader: &mut Reader<'_>,
    survey: &Survey,
) -> Result<(), ExportError> {
    let headers = &survey.headers;
    let begin = |header: &Header<'_>| -> Result<Table<NewFile>, ExportError> {
        Ok(header.begin(files.create(header.file())?)?)
    };
    let (mut finished, mut engine) = (begin(&headers.cases)?, begin(&headers.engine)?);
    let (mut jobs, mut failures) = (begin(&headers.jobs)?, begin(&headers.failed)?);
    let mut seen = HashSet::new();
    for (number, &entry) in entries.iter().enumerate() {
        // Cases of one id are one run, which the machine has paid for once.
        let is_new = seen.insert(list.id(entry));
        let read;
        let rows = if let Some(rows) = survey.kept.get(number) {
            rows
        } else {
            read = reader.rows(entry)?;
            &read
        };
        match rows {
            Rows::Finished { case, engine: run, jobs: ran } => {
                finished.add(case)?;
                ran.iter().try_for_each(|job| jobs.add(job))?;
                if is_new {
                    engine.add(run)?;
                }
            }
            Rows::Failed { row, .. } => failures.add(row)?,
        }
    }
    for (name, table) in [(CASES.file, finished), (ENGINE.file, engine), (JOBS.file, jobs)] {
        files.add(name, table.finish()?);
    }
    if survey.failed > 0 {
        files.add(FAILED.file, failures.finish()?);
    } else {
        files.without(FAILED.file);
    }
    write_statistics(files, survey)?;
    files.write_json(manifest::FILE, &describe(list))
}

/// Writes the means over seeds where there are several.
fn write_statistics(files: &mut ResultFiles<'_>, survey: &Survey) -> Result<(), ExportError> {
    let Some(statistics) = &survey.statistics else {
        files.without(STATISTICS.file);
        return Ok(());
    };
    let mut header = Header::new(&STATISTICS);
    statistics.rows().for_each(|row| header.add(&row));
    let mut table = header.begin(files.create(STATISTICS.file)?)?;
    statistics.rows().try_for_each(|row| table.add(&row))?;
    files.add(STATISTICS.file, table.finish()?);
    Ok(())
}

impl Survey {
    /// Creates one that has seen no case.
    fn new(statistics: Option<Statistics>) -> Self {
        let headers = Headers {
            cases: Header::new(&CASES),
            engine: Header::new(&ENGINE),
            jobs: Header::new(&JOBS),
            failed: Header::new(&FAILED),
        };
        Survey {
            failed: 0,
            first_error: None,
            warned: 0,
            warnings: Vec::new(),
            first: Vec::new(),
            statistics,
            kept: Vec::new(),
            headers,
        }
    }

    /// Notes the warnings of a case.
    fn note_warnings(&mut self, case: &Row) {
        let mut warnings = case.all(cases::WARNINGS).map(|(_, warning)| warning.to_string()).peekable();
        self.warned += u64::from(warnings.peek().is_some());
        for warning in warnings {
            if self.warnings.len() < MOST_WARNINGS && !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}

/// Makes the rows of cases from what is stored.
pub(super) struct Reader<'a> {
    list: &'a CaseList,
    store: &'a Store,
    baselines: Baselines,
    /// The names of the list's entries; of none where they are not wanted.
    names: HashMap<Entry, String>,
}

impl<'a> Reader<'a> {
    /// Reads cases of a list.
    pub(super) fn new(list: &'a CaseList, store: &'a Store) -> Self {
        Reader { list, store, baselines: Baselines::default(), names: HashMap::new() }
    }

    /// Has the names of all entries in the rows.
    fn named(mut self, entries: &[Entry]) -> Self {
        self.names = entries.iter().copied().zip(self.list.names(entries)).collect();
        self
    }

    /// Returns the rows of a case, compared with its baseline where there is one.
    pub(super) fn rows(&mut self, entry: Entry) -> Result<Rows, ExportError> {
        let id = self.list.id(entry);
        let against = match entry {
            Entry::Case(number) => self.list.baselines.get(number),
            Entry::Other(number) => Some(&self.list.others[number].against),
        };
        // Before the case is taken: it may be its own baseline.
        let baseline = against.map(|against| self.baselines.get(self.store, &against.id)).transpose()?;
        let name = self.names.get(&entry).map(String::as_str);
        let mut rows = Rows::of(self.list, entry, name, self.store.take(id)?);
        if let (Rows::Finished { case, jobs, .. }, Some((against, baseline))) = (&mut rows, against.zip(baseline)) {
            baselines::compare(against, baseline, case, jobs);
        }
        Ok(rows)
    }
}

impl Rows {
    /// Makes the rows of a case; each has the values of the sweep in front.
    fn of(list: &CaseList, entry: Entry, name: Option<&str>, outcome: Outcome) -> Self {
        let mut set = Row::new();
        for (path, value) in list.set.keys().zip(list.point(entry)) {
            set.push(cases::SET.of(path.as_str()), value.as_str());
        }
        let mut told = Row::new();
        told.push_some(cases::NAME, name);
        told.append(set.clone());
        told.push_some(cases::BASELINE, matches!(entry, Entry::Other(_)).then_some(true));
        let labelled = |mut row: Row, cells: Cells| {
            cells.append_to(&mut row);
            row
        };
        match outcome {
            Outcome::Finished { case, engine, jobs } => {
                let jobs = jobs.into_iter().map(|job| labelled(set.clone(), job)).collect();
                Rows::Finished { case: labelled(told, case), engine: labelled(set, engine), jobs }
            }
            Outcome::Failed(error) => {
                let mut row = told;
                row.push(failed::ERROR, error.as_str());
                row.push(failed::CASE_ID, list.id(entry));
                Rows::Failed { row, error }
            }
        }
    }

    /// Returns the number of cells of all rows.
    fn cells(&self) -> usize {
        let count = |row: &Row| row.iter().count();
        match self {
            Rows::Finished { case, engine, jobs } => {
                count(case) + count(engine) + jobs.iter().map(count).sum::<usize>()
            }
            Rows::Failed { row, .. } => count(row),
        }
    }
}

/// Describes what was run, so that it can be run again.
fn describe(list: &CaseList) -> SweepManifest {
    SweepManifest {
        version: VERSION.into(),
        build: BUILD.into(),
        cases: list.ids.len() as u64,
        set: list.set.clone(),
        experiment: list.experiment.clone(),
        traces: list.traces.clone(),
        searched: list.searched,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cells of the case, one of the engine, and of two jobs one and three.
    #[test]
    fn cells_of_all_rows_count() {
        let row = |cells: usize| {
            let mut row = Row::new();
            (0..cells).for_each(|index| row.push(cases::WARNINGS.of(index), "text"));
            row
        };
        assert_eq!(Rows::Finished { case: row(2), engine: row(1), jobs: vec![row(1), row(3)] }.cells(), 7);
        assert_eq!(Rows::Finished { case: row(3), engine: row(2), jobs: Vec::new() }.cells(), 5);
        assert_eq!(Rows::Failed { row: row(2), error: String::new() }.cells(), 2);
    }

    /// Cases with warnings count, however many each has; the first three that differ are shown.
    #[test]
    fn warnings_that_are_shown() {
        let mut survey = Survey::new(None);
        for warnings in [&[][..], &["a"], &["a", "b"], &["c", "d"], &["e"]] {
            let mut row = Row::new();
            (0..).zip(warnings).for_each(|(index, &warning)| row.push(cases::WARNINGS.of(index), warning));
            survey.note_warnings(&row);
        }
        assert_eq!(survey.warned, 4);
        assert_eq!(survey.warnings, ["a", "b", "c"]);
    }
}
