//! Folders of results: searched for, counted, merged, drawn, and as tables for papers.

use std::path::{Path, PathBuf};

use drowse_experiment::machine::cores;
use drowse_report::best::{Question, best};
use drowse_report::{Language, Results, Study, charts, svg, text_table};
use drowse_run::host::Clock;
use drowse_run::parquet;
use drowse_run::sweep::{self, Progress, Wanted, Watch, merge, search};
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::experiment::Written;
use crate::worker::{Said, supervise};

/// Searches for the best case of a sweep in a folder, and runs what that needs; returns the answer as a text and as JSON.
#[pyfunction(name = "search")]
pub fn run_search(
    py: Python<'_>,
    experiment: Written,
    folder: PathBuf,
    threads: Option<usize>,
    most: u64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    supervise(py, progress, |cancel, said: &Said<u64>| {
        let (clock, threads) = (Clock::start(), threads.unwrap_or_else(cores).max(1));
        let path = experiment.path();
        let read = experiment.read(cancel)?;
        let sweep = read.sweep()?;
        if sweep.search.as_ref().is_some_and(|search| search.verified.is_some()) {
            let text =
                "error: `search.verify` is for the command\nhelp: run `drowse search`, or leave out search.verify";
            return Err(Raised::new("InputError", text));
        }
        // How many cases it will take is not known.
        let tell = |progress: Progress| {
            if let Progress::Running(running) = progress {
                said.say(running.ran);
            }
        };
        let watch = Watch { observer: &tell, cancel: cancel.clone() };
        let wanted = Wanted { host: Some((clock, threads, &path)), ..Wanted::default() };
        let found = read.raises.or(search::run(&sweep, &folder, threads, most, &wanted, &watch))?;
        let asked = sweep.search.as_ref().ok_or_else(|| Raised::fault("error: a search without a question has run"))?;
        if let Some(error) = found.report.first_error.as_ref().filter(|_| all_failed(&found)) {
            let folder = folder.join("failed.csv");
            return Err(Raised::new(
                "NotFinished",
                format!(
                    "error: no case could finish, the first because of: {error}\nhelp: all are listed in {}",
                    folder.display()
                ),
            ));
        }
        let results = Results::read(&folder)?;
        let (study, condition) = (Study::new(&results), asked.condition.as_deref());
        let question = Question { minimize: &asked.minimize, condition, by: &asked.by };
        let answer = best(&results, &study, &question)?;
        let text = drowse::shown::found(&study, &question, &answer, &found);
        Ok((text, drowse::shown::found_json(&study, &answer, &found).to_string()))
    })
}

fn all_failed(found: &search::Found) -> bool {
    found.report.failed == found.report.cases + found.report.baselines
}

/// Counts how many cases of a sweep are stored in folders, as a text and as JSON.
#[pyfunction]
pub fn sweep_status(folders: Vec<PathBuf>) -> PyResult<(String, String)> {
    let status = sweep::status::status(&folders).map_err(Raised::from)?;
    Ok((drowse::shown::status(&status), drowse::shown::status_json(&status).to_string()))
}

/// Merges the finished cases of folders of one sweep into one, and writes its tables.
#[pyfunction]
pub fn merge_folders(
    py: Python<'_>,
    folders: Vec<PathBuf>,
    into: PathBuf,
    threads: Option<usize>,
    as_parquet: bool,
) -> PyResult<()> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        parquet::check(as_parquet)?;
        let list = merge::common(&folders)?;
        let watch = Watch { cancel: cancel.clone(), ..Watch::default() };
        let wanted = Wanted { parquet: as_parquet, ..Wanted::default() };
        merge::merge(&list, &folders, &into, threads.unwrap_or_else(cores).max(1), &wanted, &watch)?;
        Ok::<_, Raised>(())
    })
}

/// Returns the kinds of charts for which a folder has data.
#[pyfunction]
pub fn chart_kinds(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<&'static str>> {
    let kinds = py.detach(|| {
        let results = read(&folder)?;
        Ok::<_, Raised>(charts::of(&results, &Study::new(&results)).iter().map(|chart| chart.kind).collect())
    });
    Ok(kinds?)
}

/// Draws a chart of a folder as SVG.
#[pyfunction]
pub fn draw_chart(py: Python<'_>, folder: PathBuf, kind: &str) -> PyResult<String> {
    let drawn = py.detach(|| {
        let results = read(&folder)?;
        let chart = charts::named(&results, &Study::new(&results), kind)?;
        Ok::<_, Raised>(svg(&chart))
    });
    Ok(drawn?)
}

/// Returns a chart of a folder as a specification of Vega-Lite with its data.
#[pyfunction]
pub fn chart_specification(py: Python<'_>, folder: PathBuf, kind: &str) -> PyResult<String> {
    let chart = py.detach(|| {
        let results = read(&folder)?;
        let chart = charts::named(&results, &Study::new(&results), kind)?;
        Ok::<_, Raised>(chart.whole().to_string())
    });
    Ok(chart?)
}

/// Returns the cases of a folder as a table for papers, in LaTeX or Markdown.
#[pyfunction]
pub fn paper_table(py: Python<'_>, folder: PathBuf, columns: Vec<String>, latex: bool) -> PyResult<String> {
    let language = if latex { Language::Latex } else { Language::Markdown };
    let table = py.detach(|| Ok::<_, Raised>(text_table(&read(&folder)?, &columns, language)?));
    Ok(table?)
}

fn read(folder: &Path) -> Result<Results, Raised> {
    Ok(Results::read(folder)?)
}
