//! Networks and link usage, described: nothing is simulated. And results that are made again.

use std::path::PathBuf;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_describe::draw::{Drawing, Parts};
use drowse_describe::usage::{self, Counted, Options};
use drowse_describe::{deadlock, network};
use drowse_experiment::Kinds;
use drowse_report::{Results, charts};
use drowse_run::cancel::Cancel;
use drowse_run::inputs::Traces;
use drowse_run::rerun::{self, Again, Verdict};
use drowse_run::sweep::Watch;
use drowse_run::threads::Threads;
use drowse_tables::json;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::experiment::Written;
use crate::own::{self, Own};
use crate::raises::Raises;
use crate::worker::{Said, supervise};

/// Describes the network of an experiment, as a text and as JSON; `prove` says whether its routing can deadlock.
#[pyfunction]
pub fn describe_network(py: Python<'_>, experiment: Written, prove: bool) -> PyResult<(String, String)> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let system = experiment.read(cancel)?.system()?;
        let mut row = network::describe(&system);
        let mut text = drowse::shown::network(&system.title, &row);
        if prove {
            let proof = deadlock::check(&system).map_err(|error| Raised::input(format!("error: {error}")))?;
            text = format!("{text}\n{}", drowse::shown::deadlock(&proof));
            row.append(proof);
        }
        Ok::<_, Raised>((text, json::from_row(&row).to_string()))
    })
}

/// Returns what each switch is called or where it is; an empty text where its number says all.
#[pyfunction]
pub fn switch_names(py: Python<'_>, experiment: Written) -> PyResult<Vec<String>> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let network = experiment.read(cancel)?.system()?.network;
        Ok::<_, Raised>((0..network.switches()).map(|switch| network.detail(switch)).collect())
    })
}

/// Draws the network of an experiment as SVG, its links coloured by a figure of a folder of results if one is given.
#[pyfunction]
pub fn draw_network(
    py: Python<'_>,
    experiment: Written,
    colour: Option<PathBuf>,
    by: Option<String>,
) -> PyResult<String> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let drawing = drawing(experiment, cancel)?;
        let Some(folder) = colour else { return Ok(drowse_picture::svg(&drawing.picture(None))) };
        let colours = charts::colours(&Results::read(&folder)?, drawing.diagram(), by.as_deref())?;
        Ok::<_, Raised>(drowse_picture::svg(&drawing.picture(Some(&colours))))
    })
}

/// Writes the network of an experiment for Graphviz.
#[pyfunction]
pub fn dot_network(py: Python<'_>, experiment: Written) -> PyResult<String> {
    supervise(py, None, |cancel, _: &Said<u64>| Ok::<_, Raised>(drawing(experiment, cancel)?.dot()))
}

fn drawing(experiment: Written, cancel: &Cancel) -> Result<Drawing, Raised> {
    let drawn = Drawing::of(&experiment.read(cancel)?.system()?, Parts::Fitting);
    drawn.map_err(|error| Raised::input(format!("error: {error}")))
}

/// Counts which links the programs of an experiment use, as JSON; writes its tables into a folder if one is given.
#[pyfunction]
pub fn count_usage(
    py: Python<'_>,
    experiment: Written,
    cables: bool,
    time: Option<&str>,
    delay: Option<&str>,
    out: Option<PathBuf>,
) -> PyResult<String> {
    let counted = if cables { Counted::Cables } else { Counted::Channels };
    let options = Options { counted, time: time_of("time", time)?, delay: time_of("delay", delay)? };
    supervise(py, None, |cancel, _: &Said<u64>| {
        let case = experiment.read(cancel)?.case()?;
        let counted = usage::count(&case, &Traces::default())?;
        let row = usage::row(&counted, &case, &options)?;
        if let Some(folder) = out {
            usage::write(&folder, &case.system.network, &counted, &row)?;
        }
        Ok::<_, Raised>(json::from_row(&row).to_string())
    })
}

/// Reads a time of an argument.
fn time_of(name: &str, text: Option<&str>) -> Result<Option<Time>, Raised> {
    let wrong = |error| Raised::input(format!("error: {name}: {error}"));
    text.map(|text| text.parse::<Time>().map_err(wrong)).transpose()
}

/// Returns the link states that have a name, as JSON.
#[pyfunction]
pub fn link_states() -> String {
    drowse::shown::link_states_json().to_string()
}

/// Returns the switches, modules and NICs whose power is published, as JSON.
#[pyfunction]
pub fn devices() -> String {
    drowse::shown::devices_json().to_string()
}

/// Returns the JSON Schema of experiments.
#[pyfunction]
pub fn schema() -> String {
    Kinds::default().published_schema().to_string()
}

/// Makes the results of a folder again in an empty one, and compares them: each file, and what differs first, if
/// something does; None for a file that was not compared.
#[pyfunction(name = "rerun")]
pub fn run_again(
    py: Python<'_>,
    folder: PathBuf,
    from: Option<PathBuf>,
    into: PathBuf,
    threads: Option<usize>,
    policies: Own,
) -> PyResult<Vec<(String, Option<String>)>> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let cases = threads.unwrap_or_else(drowse_experiment::machine::cores).max(1);
        let threads = threads.map_or_else(Threads::that_pay, Threads::exactly);
        let raises = Raises::stopping(cancel);
        let (kinds, from) = (&own::kinds(&Arc::new(policies), &raises), from.as_deref());
        let again = Again { folder: &folder, from, into: &into, threads, cases, kinds };
        let done = raises.or(rerun::rerun(again, &Watch { cancel: cancel.clone(), ..Watch::default() }))?;
        let files = done.files.into_iter().map(|compared| match compared.verdict {
            Verdict::Equal => (compared.file, Some(String::new())),
            Verdict::Differs(first) => (compared.file, Some(first)),
            Verdict::NotCompared(_) => (compared.file, None),
        });
        Ok::<_, Raised>(files.collect())
    })
}
