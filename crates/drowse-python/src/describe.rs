//! Networks and link usage, described: nothing is simulated. And results that are made again.

use std::path::PathBuf;
use std::sync::Arc;

use drowse_describe::usage::{self, Options};
use drowse_describe::{deadlock, draw, network};
use drowse_run::inputs::Traces;
use drowse_run::rerun::{self, Again, Verdict};
use drowse_run::sweep::Watch;
use drowse_run::threads::Threads;
use drowse_tables::json;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::experiment::Written;
use crate::own::{self, Own, Raises};
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

/// Draws the network of an experiment as SVG.
#[pyfunction]
pub fn draw_network(py: Python<'_>, experiment: Written) -> PyResult<String> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let diagram = draw::diagram(&experiment.read(cancel)?.system()?);
        Ok::<_, Raised>(draw::svg(&diagram.map_err(|error| Raised::input(format!("error: {error}")))?))
    })
}

/// Counts which links the programs of an experiment use, as JSON.
#[pyfunction]
pub fn count_usage(py: Python<'_>, experiment: Written) -> PyResult<String> {
    supervise(py, None, |cancel, _: &Said<u64>| {
        let case = experiment.read(cancel)?.case()?;
        let counted = usage::count(&case, &Traces::default())?;
        Ok::<_, Raised>(json::from_row(&usage::row(&counted, &case, &Options::default())?).to_string())
    })
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
