//! The canonical form of a workload: what runs, where, and when.

use drowse_core::model::ids::NodeId;
use drowse_core::workload::Traffic;
use drowse_core::workload::algorithms::{
    Algorithms, Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter,
    Rules as CollectiveRules, Scatter,
};
use drowse_core::workload::scheduler::{Allocation, Kind, Rules};
use drowse_core::workload::traffic::{Background, BackgroundNodes, Count, Length, Lengths};
use drowse_experiment::{Case, JobSpec, Program, Repeat, WorkloadSpec};
use drowse_traces::ComputeModel;
use serde_json::{Map, Value, json};

use super::fingerprint;
use crate::inputs::{Inputs, TraceFile};

/// Returns the canonical workload; `written` are the keys of the experiment in one spelling.
pub fn canonical(case: &Case, written: &Value, inputs: &Inputs) -> Value {
    match &case.workload {
        WorkloadSpec::Traffic(traffic) => json!({ "traffic": traffic_keys(traffic, &written["traffic"]) }),
        WorkloadSpec::Jobs(specs) => {
            let mut traces = inputs.trace_files();
            let opened = inputs.ranks().zip(inputs.placements()).zip(inputs.speeds());
            let jobs = specs.iter().zip(opened).map(|(spec, ((ranks, placement), speeds))| {
                let program = match &spec.program {
                    Program::Trace(_) => {
                        json!({ "trace": traces.next().map(|file| trace(file, spec.trace_format.as_deref())) })
                    }
                    Program::App(_) => app(spec, written),
                };
                let mut keys = job(spec, &program, ranks, placement);
                if let Some(speeds) = speeds {
                    keys["speeds"] = fingerprint(speeds.iter().map(|speed| speed.to_bits()));
                }
                keys
            });
            let mut workload = json!({ "jobs": jobs.collect::<Vec<_>>() });
            if let Some(rules) = &case.scheduler {
                workload["scheduler"] = scheduler(rules);
            }
            // Only where there is some, so that ids without stay.
            if let Some(traffic) = &case.background {
                workload["background"] = background(traffic, &written["traffic"]);
            }
            workload
        }
    }
}

/// Returns how often a job runs its program.
fn runs(repeat: Repeat) -> Value {
    match repeat {
        Repeat::Times(times) => times.into(),
        Repeat::UntilOthersEnd => "until-others-end".into(),
    }
}

/// Returns a job. Its file's path, and how its ranks are placed, give way to what is found there and where they are.
fn job(job: &JobSpec, program: &Value, ranks: u32, placement: &[NodeId]) -> Value {
    let JobSpec {
        name,
        compute,
        collectives,
        repeat,
        start,
        estimate,
        time,
        program: _,
        ranks: _,
        placement: _,
        machine: _,
        path: _,
        trace_format: _,
    } = job;
    let ComputeModel { flops_per_second, scale, drop_multiples, wait_multiples } = compute;
    let mut keys = json!({
        "name": name,
        "program": program,
        "nodes": fingerprint(placement.iter().map(|node| u64::from(node.0))),
        "ranks": ranks,
        "compute": { "flops_per_second": flops_per_second.0, "scale": scale, "drop_multiples": drop_multiples },
        "repeat": runs(*repeat),
        "start_ps": start.0,
    });
    if let Some(estimate) = estimate {
        keys["estimate_ps"] = estimate.0.into();
    }
    // Without it, as it was written before there was such a key, so that ids stay.
    if let Some(time) = time {
        keys["part_ps"] = json!([time.start.0, time.end.0]);
    }
    // Likewise.
    if let Some(multiples) = wait_multiples {
        keys["compute"]["wait_multiples"] = json!(multiples);
    }
    // Likewise.
    if *collectives != Algorithms::default() {
        keys["collectives"] = named(collectives);
    }
    keys
}

/// Returns a scheduler.
fn scheduler(rules: &Rules) -> Value {
    let Rules { kind, allocation, whole_nodes, delay, seed } = rules;
    json!({
        "kind": match kind {
            Kind::FirstComeFirstServed => "first-come-first-served",
            Kind::EasyBackfilling => "easy-backfilling",
            Kind::RandomSelectable => "random-selectable",
            Kind::Alone => "alone",
        },
        "allocation": match allocation {
            Allocation::Linear => "linear".into(),
            Allocation::RoundRobin => "round-robin".into(),
            Allocation::Random => "random".into(),
            Allocation::RandomNodes => "random-nodes".into(),
            Allocation::Contiguous => "contiguous".into(),
            Allocation::Grouped(groups) => fingerprint(groups.iter().map(|&group| u64::from(group))),
        },
        "whole_nodes": whole_nodes,
        "delay_ps": delay.0,
        "seed": seed,
    })
}

/// Returns the algorithms that are named, and the rules for what is not.
fn named(algorithms: &Algorithms) -> Value {
    let Algorithms {
        rules,
        barrier,
        bcast,
        reduce,
        allreduce,
        gather,
        scatter,
        allgather,
        alltoall,
        alltoallv,
        reduce_scatter,
        segment,
        channels,
    } = *algorithms;
    let mut keys = json!({
        "barrier": barrier.map(Barrier::word),
        "bcast": bcast.map(Bcast::word),
        "reduce": reduce.map(Reduce::word),
        "allreduce": allreduce.map(Allreduce::word),
        "gather": gather.map(Gather::word),
        "scatter": scatter.map(Scatter::word),
        "allgather": allgather.map(Allgather::word),
        "alltoall": alltoall.map(Alltoall::word),
        "reduce_scatter": reduce_scatter.map(ReduceScatter::word),
        "segment_bytes": segment,
    });
    // What is younger is written where it is used only, so that ids stay.
    if let Some(named) = alltoallv {
        keys["alltoallv"] = named.word().into();
    }
    if let Some(channels) = channels {
        keys["channels"] = channels.into();
    }
    if rules == CollectiveRules::OpenMpi41 {
        keys["rules"] = "4.1".into();
    }
    keys
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
    let mut phases = match &table["app"] {
        Value::Array(phases) => phases.clone(),
        phase => vec![phase.clone()],
    };
    phases.iter_mut().filter_map(Value::as_object_mut).for_each(as_before);
    json!({ "app": phases, "seed": table["seed"] })
}

/// Leaves a phase as it was written before there were some keys, where these are at their defaults, so that ids stay.
fn as_before(phase: &mut Map<String, Value>) {
    let mut defaults = vec![
        ("imbalance", json!(0)),
        ("jitter", json!(0)),
        ("distribution", json!("uniform")),
        ("order", json!("at-once")),
    ];
    if phase.get("kind") == Some(&json!("mesh")) {
        defaults.push(("periodic", json!(false)));
    }
    phase.retain(|key, value| !defaults.iter().any(|(known, default)| key == known && value == default));
    // A program with an order has as many iterations as its class says.
    if !phase.contains_key("order") {
        phase.entry("iterations").or_insert(json!(1));
    }
}

fn traffic_keys(traffic: &Traffic, written: &Value) -> Value {
    let Traffic { pattern: _, load, packets, include_self, count, warmup, measure, drain } = traffic;
    json!({
        "pattern": pattern(written),
        "load": load,
        "packets": lengths(*packets),
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

/// Returns open-loop traffic beside jobs.
fn background(background: &Background, written: &Value) -> Value {
    let Background { pattern: _, load, packets, include_self, nodes } = background;
    json!({
        "pattern": pattern(written),
        "load": load,
        "packets": lengths(*packets),
        "include_self": include_self,
        "nodes": match nodes {
            BackgroundNodes::All => "all",
            BackgroundNodes::Free => "free",
        },
    })
}

fn pattern(written: &Value) -> Value {
    match &written["pattern"] {
        Value::String(word) => json!({ "kind": word }),
        table => table.clone(),
    }
}

fn lengths(lengths: Lengths) -> Value {
    match lengths {
        Lengths::One(one) => json!({ "one": length(one) }),
        Lengths::Two { short, long, share } => {
            json!({ "short": length(short), "long": length(long), "share": share })
        }
    }
}

fn length(length: Length) -> Value {
    match length {
        Length::Packets(packets) => json!({ "packets": packets }),
        Length::Bytes(bytes) => json!({ "bytes": bytes.0 }),
    }
}
