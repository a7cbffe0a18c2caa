//! The canonical form of a workload: what runs, where, and when.

use drowse_core::model::ids::NodeId;
use drowse_core::workload::programs::Phase;
use drowse_experiment::{Case, JobSpec, Program, WorkloadSpec};
use serde_json::{Value, json};

use super::fingerprint;
use crate::inputs::{Inputs, TraceFile};

/// Returns the canonical workload; `written` are the keys of the experiment in one spelling.
pub fn canonical(case: &Case, written: &Value, inputs: &Inputs) -> Value {
    let specs = match &case.workload {
        WorkloadSpec::Traffic(traffic) => return json!({ "traffic": traffic }),
        WorkloadSpec::Jobs(specs) => specs,
    };
    let mut traces = inputs.trace_files();
    let opened = inputs.ranks().zip(inputs.placements()).zip(inputs.speeds());
    let jobs = specs.iter().zip(opened).map(|(spec, ((ranks, placement), speeds))| {
        let program = match &spec.program {
            Program::Trace(_) => traces.next().map_or(Value::Null, |file| trace(file, spec.trace_format.as_deref())),
            Program::App(phases) => app(spec, phases, written),
            Program::Compute { ranks, time } => json!({ "compute": time, "ranks": ranks }),
            Program::Assumed { nodes, cores, time, division } => json!({
                "assumed": time,
                "nodes": nodes,
                "cores": cores,
                "sending_ppm": division.sending_ppm,
                "exchanges": division.exchanges,
            }),
        };
        let speeds = speeds.map(|speeds| fingerprint(speeds.iter().map(|speed| speed.to_bits())));
        job(spec, &program, ranks, placement, speeds.as_ref())
    });
    let jobs: Vec<Value> = jobs.collect();
    json!({ "jobs": jobs, "scheduler": case.scheduler, "background": case.background })
}

/// Returns a job. Its file's path, and how its ranks are placed, give way to what is found there and where they are.
fn job(job: &JobSpec, program: &Value, ranks: u32, placement: &[NodeId], speeds: Option<&Value>) -> Value {
    let JobSpec {
        name,
        compute,
        collectives,
        repeat,
        start,
        estimate,
        time,
        log,
        program: _,
        ranks: _,
        placement: _,
        machine: _,
        path: _,
        trace_format: _,
        formats: _,
    } = job;
    let mut job = json!({
        "name": name,
        "program": program,
        "nodes": fingerprint(placement.iter().map(|node| u64::from(node.0))),
        "ranks": ranks,
        "speeds": speeds,
        "compute": compute,
        "collectives": collectives,
        "repeat": repeat,
        "start": start,
        "estimate": estimate,
        "time": time,
    });
    // Jobs that are written have none.
    if let (Some(log), Value::Object(keys)) = (log, &mut job) {
        keys.insert("log".into(), json!(log));
    }
    job
}

fn trace(TraceFile { name, bytes, fingerprint }: &TraceFile, format: Option<&str>) -> Value {
    json!({ "name": name, "bytes": bytes, "content": fingerprint, "format": format })
}

/// Returns an application: the tables that are written, how often each phase is iterated, and the seed of random ones.
fn app(job: &JobSpec, phases: &[Phase], written: &Value) -> Value {
    let table = match (&written["job"], job.path.rsplit_once('.')) {
        (Value::Array(jobs), Some((_, number))) => number.parse().ok().and_then(|index: usize| jobs.get(index)),
        (table, _) => Some(table),
    };
    let table = table.unwrap_or(&Value::Null);
    let mut tables = match &table["app"] {
        Value::Array(tables) => tables.clone(),
        table => vec![table.clone()],
    };
    // Where none are written, their number follows from the program.
    tables.iter_mut().filter_map(Value::as_object_mut).for_each(|keys| _ = keys.remove("iterations"));
    let iterations: Vec<u32> = phases.iter().map(|phase| phase.iterations).collect();
    json!({ "app": tables, "iterations": iterations, "seed": table["seed"] })
}
