//! Totoni et al. 2014: which links applications use, the bound of savings of section 5, and what its runtime system saves.
//!
//! The paper does not give its sizes. Those here are natural ones that give what it prints: MILC on 8^4 ranks; a machine of
//! 300 supernodes, or of as many nodes in a torus, with stencils over all of its 307,200 ranks. Whatever other numbers it has
//! are told beside ours, with why they may differ. Left out: what its figures show without a number.

mod other;
mod section_3;
mod section_5;
mod section_6;

use drowse_tables::Row;

use super::{Comparison, Observer, Theirs};
use drowse_describe::usage::Options;
use drowse_run::run::RunError;
use drowse_run::sweep::SweepError;

/// The experiment file; each number sets its own network and application in it.
const EXPERIMENT: &str = include_str!("experiment.toml");

/// MILC on 4,096 ranks, that is 128 nodes.
const MILC: &str = "{ kind = \"milc\", dims = [8, 8, 8, 8] }";
/// NPB MG on as many; its class only decides on sizes.
const MG: &str = "{ kind = \"mg\", class = \"C\", ranks = 4096 }";
/// NPB CG on as many.
const CG: &str = "{ kind = \"cg\", class = \"C\", ranks = 4096 }";

/// The stencils of 2, 3 and 4 dimensions over 307,200 ranks, that is 9,600 nodes or 300 supernodes.
const STENCILS: [(&str, &[u32]); 3] =
    [("2D-Stencil", &[512, 600]), ("3D-Stencil", &[64, 64, 75]), ("4D-Stencil", &[32, 32, 20, 15])];

/// Compares all numbers; a quick look leaves out what takes seconds.
pub fn reproduce(options: &super::Options<'_>, observer: Observer<'_>) -> Result<Vec<Comparison>, SweepError> {
    let quick = options.quick;
    let mut comparisons = Vec::new();
    section_3::compare(&mut comparisons)?;
    section_5::compare(&mut comparisons)?;
    other::compare(&mut comparisons, quick)?;
    other::tori(&mut comparisons)?;
    section_6::compare(&mut comparisons, options, observer)?;
    Ok(comparisons)
}

/// Counts what a network's channels carry, as `drowse usage` does.
fn usage(network: &str, app: &str, more: &[&str], options: &Options) -> Result<Row, RunError> {
    let mut overrides = vec![format!("network={network}"), format!("job.0.app={app}")];
    overrides.extend(more.iter().map(|&text| text.to_owned()));
    super::usage("runtime.toml", EXPERIMENT, &overrides, options)
}

/// Writes a PERCS network of some supernodes.
fn percs(supernodes: u32) -> String {
    format!("{{ kind = \"percs\", supernodes = {supernodes} }}")
}

/// Writes a torus with the paper's dimension order. A dimension of two switches has two cables, as every other has.
fn grid(dims: &[u32]) -> String {
    let keys = "rings_of_two = true, routing = \"dimension-order\", ties = \"direct\"";
    format!("{{ kind = \"torus\", dims = {dims:?}, {keys} }}")
}

/// Counts what a torus carries.
fn torus(dims: &[u32], app: &str) -> Result<Row, RunError> {
    usage(&grid(dims), app, &["switch.vcs={ escape = 2 }"], &Options::default())
}

/// Writes a stencil.
fn stencil(dims: &[u32]) -> String {
    format!("{{ kind = \"stencil\", dims = {dims:?}, periodic = true, bytes = \"8 KiB\" }}")
}

/// Returns the percentage of some links that is used.
fn used(row: &Row, links: &str) -> f64 {
    let count = |part: &str| row.number(&format!("{links}.{part}")).unwrap_or(f64::NAN);
    // Whole numbers first: 12 % is 12 exactly.
    100.0 * count("used") / count("total")
}

/// Returns the percentage that is not.
fn unused(row: &Row, links: &str) -> f64 {
    let count = |part: &str| row.number(&format!("{links}.{part}")).unwrap_or(f64::NAN);
    100.0 * (count("total") - count("used")) / count("total")
}

/// Compares a number that the paper has, but does not say all of.
fn found(
    place: impl Into<String>,
    quantity: impl Into<String>,
    (value, tolerance): (f64, f64),
    ours: Option<f64>,
    how: &'static str,
) -> Comparison {
    let theirs = Theirs::Found { value, tolerance };
    Comparison { place: place.into(), quantity: quantity.into(), unit: "%", theirs, ours, how: how.into() }
}

/// Returns a number of ours that the paper has not, or shows in a figure only.
fn own(place: impl Into<String>, quantity: impl Into<String>, ours: f64, how: &'static str) -> Comparison {
    let (place, quantity) = (place.into(), quantity.into());
    Comparison { place, quantity, unit: "%", theirs: Theirs::Nothing, ours: Some(ours), how: how.into() }
}
