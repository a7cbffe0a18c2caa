//! The canonical form of a workload: what runs, where, and when.

use drowse_core::model::ids::NodeId;
use drowse_core::workload::Traffic;
use drowse_core::workload::traffic::{Count, Length, Lengths};
use drowse_experiment::{Case, JobSpec, Program, WorkloadSpec};
use drowse_traces::ComputeModel;
use serde_json::{Value, json};

use super::fingerprint;
use crate::inputs::{Inputs, TraceFile};

/// Returns the canonical workload; `written` are the keys of the experiment in one spelling.
pub fn canonical(case: &Case, written: &Value, inputs: &Inputs) -> Value {
    match &case.workload {
        WorkloadSpec::Traffic(traffic) => json!({ "traffic": traffic_keys(traffic, &written["traffic"]) }),
        WorkloadSpec::Jobs(specs) => {
            let mut traces = inputs.trace_files();
            let jobs = specs.iter().zip(inputs.placements()).map(|(spec, placement)| {
                let program = match &spec.program {
                    Program::Trace(_) => {
                        json!({ "trace": traces.next().map(|file| trace(file, spec.trace_format.as_deref())) })
                    }
                    Program::App(_) => app(spec, written),
                };
                job(spec, &program, placement)
            });
            json!({ "jobs": jobs.collect::<Vec<_>>() })
        }
    }
}

/// Returns a job. Its file's path, and how its ranks are placed, give way to what is found there and where they are.
fn job(job: &JobSpec, program: &Value, placement: &[NodeId]) -> Value {
    let JobSpec { name, compute, repeat, start, program: _, ranks: _, placement: _, path: _, trace_format: _ } = job;
    let ComputeModel { flops_per_second, scale, drop_multiples } = compute;
    json!({
        "name": name,
        "program": program,
        "nodes": fingerprint(placement.iter().map(|node| u64::from(node.0))),
        "ranks": placement.len(),
        "compute": { "flops_per_second": flops_per_second.0, "scale": scale, "drop_multiples": drop_multiples },
        "repeat": repeat,
        "start_ps": start.0,
    })
}

fn trace(file: &TraceFile, format: Option<&str>) -> Value {
    let TraceFile { name, bytes, fingerprint } = file;
    match format {
        None => json!({ "name": name, "bytes": bytes, "content": fingerprint }),
        Some(format) => json!({ "name": name, "bytes": bytes, "content": fingerprint, "format": format }),
    }
}

/// Returns an application: the tables that are written, and the seed of random ones.
fn app(job: &JobSpec, written: &Value) -> Value {
    let table = match (&written["job"], job.path.rsplit_once('.')) {
        (Value::Array(jobs), Some((_, number))) => number.parse().ok().and_then(|index: usize| jobs.get(index)),
        (table, _) => Some(table),
    };
    let table = table.unwrap_or(&Value::Null);
    let phases = match &table["app"] {
        Value::Array(phases) => phases.clone(),
        phase => vec![phase.clone()],
    };
    json!({ "app": phases, "seed": table["seed"] })
}

fn traffic_keys(traffic: &Traffic, written: &Value) -> Value {
    let Traffic { pattern: _, load, packets, include_self, count, warmup, measure, drain } = traffic;
    let pattern = match &written["pattern"] {
        Value::String(word) => json!({ "kind": word }),
        table => table.clone(),
    };
    json!({
        "pattern": pattern,
        "load": load,
        "packets": match packets {
            Lengths::One(one) => json!({ "one": length(*one) }),
            Lengths::Two { short, long, share } => {
                json!({ "short": length(*short), "long": length(*long), "share": share })
            }
        },
        "include_self": include_self,
        "count": match count {
            Count::Generated => "generated",
            Count::Delivered => "delivered",
        },
        "warmup_ps": warmup.0,
        "measure_ps": measure.0,
        "drain": drain,
    })
}

fn length(length: Length) -> Value {
    match length {
        Length::Packets(packets) => json!({ "packets": packets }),
        Length::Bytes(bytes) => json!({ "bytes": bytes.0 }),
    }
}
