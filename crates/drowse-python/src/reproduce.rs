//! The numbers of papers beside ours.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use drowse_experiment::machine::cores;
use drowse_reproduce::{MOST_SEEDS, Options, Paper, Weights};
use drowse_run::files;
use drowse_run::files::folder::Over;
use drowse_tables::schema::REPRODUCTION;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::tables::Table;
use crate::worker::{Said, supervise};

/// Compares the numbers of a paper, or of all, with ours; returns the rows, and what is a defect.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is an option of the command")]
pub fn reproduce<'py>(
    py: Python<'py>,
    paper: &str,
    quick: bool,
    traces: Option<PathBuf>,
    out: Option<PathBuf>,
    weights: Option<&str>,
    seeds: Option<u32>,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Table, Option<String>)> {
    let papers = papers(paper)?;
    refuse(&papers, weights.is_some(), seeds)?;
    let weights = weights.map(|text| text.parse::<Weights>().map_err(|why| wrong("weights", &why))).transpose()?;
    supervise(py, progress, |cancel, said: &Said<f64>| {
        let folders: Vec<Option<PathBuf>> =
            papers.iter().map(|paper| folder(out.as_deref(), *paper, &papers)).collect();
        // All of them before the first simulation, which may take hours.
        for folder in folders.iter().flatten() {
            files::folder::refuse(folder, &Over::default()).and_then(|()| files::prepare(folder))?;
            files::refuse_runs(folder)?;
        }
        let (mut rows, mut defect) = (Vec::new(), None);
        for (number, (paper, folder)) in papers.iter().zip(&folders).enumerate() {
            let options = Options {
                quick,
                traces: traces.as_deref(),
                out: folder.as_deref(),
                seeds: seeds.and_then(NonZeroU32::new),
                threads: threads.unwrap_or_else(cores).max(1),
                weights: weights.unwrap_or_default(),
                cancel: Some(cancel),
            };
            let tell = |done: drowse_reproduce::Progress| {
                let share = done.done as f64 / done.total.max(1) as f64;
                said.say((number as f64 + share) / papers.len() as f64);
            };
            let found = paper.reproduce(&options, &tell)?;
            defect = defect.or_else(|| found.defect());
            rows.extend(found.rows);
        }
        Ok::<_, Raised>((Table::wide(&REPRODUCTION, &rows)?, defect))
    })
}

/// Returns the papers of a name.
fn papers(name: &str) -> Result<Vec<Paper>, Raised> {
    if name == "all" {
        return Ok(Paper::ALL.to_vec());
    }
    let names = Paper::ALL.map(Paper::name).join(", ");
    let none = || Raised::input(format!("error: `{name}` is no paper\nhelp: give one of {names}, or all"));
    Paper::named(name).map(|paper| vec![paper]).ok_or_else(none)
}

/// Refuses options that a single paper does not have.
fn refuse(papers: &[Paper], has_weights: bool, seeds: Option<u32>) -> Result<(), Raised> {
    if seeds.is_some_and(|seeds| !(1..=MOST_SEEDS).contains(&seeds)) {
        return Err(wrong("seeds", &format!("give 1 to {MOST_SEEDS}")));
    }
    let [paper] = papers else { return Ok(()) };
    let refused = |what| Raised::input(format!("error: {what}; `{}` has none\nhelp: leave it out", paper.name()));
    if has_weights && !paper.has_weights() {
        return Err(refused("`weights` are those of the workloads of `thin-trees`"));
    }
    if seeds.is_some() && !paper.has_seeds() {
        return Err(refused("`seeds` are those of cases that draw, of `torus` and `thin-trees`"));
    }
    Ok(())
}

/// Returns the folder of a paper; of all papers, each has a folder of its name.
fn folder(out: Option<&Path>, paper: Paper, papers: &[Paper]) -> Option<PathBuf> {
    let out = out?;
    Some(if papers.len() > 1 { out.join(paper.name()) } else { out.to_owned() })
}

fn wrong(name: &str, why: &str) -> Raised {
    Raised::input(format!("error: {name}: {why}"))
}
