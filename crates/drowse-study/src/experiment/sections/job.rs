//! `[[job]]`: application runs, each from a trace.

use std::path::Path;

use drowse_core::units::{FlopRate, Time};
use drowse_traces::ComputeModel;
use serde::Deserialize;

use crate::experiment::case::{JobSpec, PlacementSpec};
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::keys::{Keys, join};
use crate::experiment::node::Node;
use crate::experiment::quantity::{Flops, Quantity};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    name: Option<String>,
    trace: String,
    ranks: Option<u32>,
    placement: Option<String>,
    compute: Option<Compute>,
    start: Option<Quantity<Time>>,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Compute {
    flops_per_second: Option<Quantity<FlopRate>>,
    scale: Option<f64>,
    drop_multiples: Option<Quantity<Flops>>,
}

/// Reads all jobs; no file is opened.
pub fn resolve(node: Node<'_>, keys: &Keys) -> Result<Vec<JobSpec>, Diagnostic> {
    let jobs: Vec<JobSpec> = node.items().into_iter().map(|node| job(node, keys)).collect::<Result<_, _>>()?;
    if jobs.is_empty() {
        return Err(keys.error("job", "the list of jobs is empty", "write at least one [[job]] table"));
    }
    Ok(jobs)
}

fn job(node: Node<'_>, keys: &Keys) -> Result<JobSpec, Diagnostic> {
    let path = node.path.clone();
    let raw: Job = node.read(keys)?;
    let trace = keys.source().resolve(&raw.trace);
    let file_name = Path::new(&raw.trace).file_name().unwrap_or_default().to_string_lossy();
    let placement = match raw.placement.as_deref() {
        None | Some("linear") => PlacementSpec::Linear,
        Some(file) => PlacementSpec::File(keys.source().resolve(file)),
    };
    Ok(JobSpec {
        name: raw.name.filter(|name| !name.is_empty()).unwrap_or_else(|| file_name.into_owned()),
        trace,
        ranks: raw.ranks,
        placement,
        compute: compute_model(raw.compute.unwrap_or_default(), keys, &join(&path, "compute"))?,
        start: raw.start.map_or(Time::ZERO, |start| start.0),
        path,
    })
}

fn compute_model(raw: Compute, keys: &Keys, path: &str) -> Result<ComputeModel, Diagnostic> {
    let scale = raw.scale.unwrap_or(1.0);
    if !scale.is_finite() || scale < 0.0 {
        let path = join(path, "scale");
        return Err(keys.error(&path, format!("`{path}` = {scale} is out of range"), "write a number of 0.0 or more"));
    }
    Ok(ComputeModel {
        flops_per_second: raw.flops_per_second.map_or(FlopRate(10_000_000_000), |rate| rate.0),
        scale,
        drop_multiples: raw.drop_multiples.map(|flops| flops.0.0),
    })
}
