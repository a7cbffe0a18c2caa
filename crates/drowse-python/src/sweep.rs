//! Sweeps in the store that the command has: run here, or in shares by other processes.

use std::fs::File;
use std::path::{Path, PathBuf};

use drowse_report::best::{self as answers, Question};
use drowse_report::{Results, Study, page};
use drowse_run::cancel::Cancel;
use drowse_run::host::Clock;
use drowse_run::parquet;
use drowse_run::sweep::shard::{self, Shard};
use drowse_run::sweep::{self, Progress, Wanted, Watch};
use drowse_tables::{Row, csv};
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::experiment::Written;
use crate::tables::{Table, of_name};
use crate::worker::{Said, supervise};

/// Returns the number of cases of an experiment, baselines not counted.
#[pyfunction]
pub fn case_count(experiment: Written) -> PyResult<u64> {
    Ok(experiment.read(&Cancel::default())?.sweep()?.cases())
}

/// Returns the keys that are varied, and the values of each case.
#[pyfunction]
pub fn points(experiment: Written) -> PyResult<(Vec<String>, Vec<Vec<String>>)> {
    let read = experiment.read(&Cancel::default())?;
    let sweep = read.sweep()?;
    Ok((sweep.paths(), (0..sweep.cases()).map(|number| sweep.point(number)).collect()))
}

/// Runs what is missing of a sweep in a folder, then writes the tables; `progress` is called with the share of the missing
/// cases that has been run.
#[pyfunction(name = "sweep")]
pub fn run<'py>(
    py: Python<'py>,
    experiment: Written,
    folder: PathBuf,
    threads: Option<usize>,
    most: u64,
    as_parquet: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    supervise(py, progress, |cancel, said: &Said<f64>| {
        parquet::check(as_parquet)?;
        let (clock, threads) = (Clock::start(), threads.unwrap_or_else(drowse_experiment::machine::cores).max(1));
        let path = experiment.path();
        let read = experiment.read(cancel)?;
        let sweep = read.sweep()?;
        if sweep.cases() > most {
            let count = sweep.cases();
            return Err(Raised::input(format!(
                "error: this sweep has {count} cases, and up to {most} are run\nhelp: cases={count} runs them all"
            )));
        }
        let tell = |progress| share(&progress).into_iter().for_each(|share| said.say(share));
        let watch = Watch { observer: &tell, cancel: cancel.clone() };
        let wanted = Wanted { rows: 0, parquet: as_parquet, host: Some((clock, threads, &path)) };
        read.raises.or(sweep::run(&sweep, &folder, threads, &wanted, &watch))?;
        Ok(())
    })
}

/// Returns the share of the missing cases that has been run, once there are some.
fn share(progress: &Progress) -> Option<f64> {
    let Progress::Running(running) = progress else { return None };
    let parts: f64 = running.shares.iter().flatten().sum();
    (running.missing > 0).then(|| ((running.ran as f64 + parts) / running.missing as f64).min(1.0))
}

/// Runs what is missing of one of so many shares of a sweep, beside other shares.
#[pyfunction(name = "shard")]
pub fn run_shard(
    py: Python<'_>,
    experiment: Written,
    folder: PathBuf,
    number: u64,
    of: u64,
    threads: usize,
) -> PyResult<()> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let read = experiment.read(cancel)?;
        let watch = Watch { cancel: cancel.clone(), ..Watch::default() };
        let sweep = read.sweep()?;
        read.raises.or(shard::run(&sweep, &folder, Shard { of, number }, threads.max(1), &watch))?;
        Ok::<_, Raised>(())
    })
}

/// Reads a table that a run or a sweep has written.
#[pyfunction]
pub fn read_table(py: Python<'_>, folder: PathBuf, name: &str) -> PyResult<Table> {
    let schema = of_name(name)?;
    let read = || {
        let path = folder.join(schema.file);
        let file = File::open(&path).map_err(|error| unreadable(&path, &error.to_string()))?;
        let rows: Vec<Row> = csv::read(schema, file).map_err(|error| unreadable(&path, &error.to_string()))?;
        Table::wide(schema, &rows)
    };
    Ok(py.detach(read)?)
}

fn unreadable(path: &Path, why: &str) -> Raised {
    Raised::input(format!("error: {}: cannot be read: {why}", path.display()))
}

/// Returns the best case of a folder of results, as a text and as JSON.
#[pyfunction]
pub fn best(
    py: Python<'_>,
    folder: PathBuf,
    minimize: &str,
    condition: Option<&str>,
    by: Vec<String>,
) -> PyResult<(String, String)> {
    let answer = py.detach(|| {
        let results = Results::read(&folder)?;
        let study = Study::new(&results);
        let question = Question { minimize, condition, by: &by };
        let found = answers::best(&results, &study, &question)?;
        let text = drowse::shown::answer(&study, &question, &found);
        Ok::<_, Raised>((text, drowse::shown::answer_json(&study, &found).to_string()))
    });
    Ok(answer?)
}

/// Returns a page of charts of a folder of results.
#[pyfunction]
pub fn report(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    let made = py.detach(|| Ok::<_, Raised>(page(&Results::read(&folder)?, None)?));
    Ok(made?)
}
