//! `job.app`: an application: iterations of a program, or of several, one after the other.

use std::borrow::Cow;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::SendMode;
use drowse_core::workload::programs::{Computing, Distribution, Given, Phase, Work};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::computing;
use super::kind_schema::{MARK, with_kind};
use super::programs::{KINDS, Kind};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// An application, resolved.
pub struct App {
    /// The kind of its first phase, as it is written.
    pub kind: &'static str,
    pub phases: Vec<Phase>,
}

/// An application: in each iteration, ranks compute, and then send each other messages.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used: keys are read one by one")]
struct CommonKeys {
    /// How many times the ranks do it. Default: 1; for programs of the NAS Parallel Benchmarks with `order = "program"` as
    /// many as their class says, for `hpcg` 50.
    #[schemars(range(min = 1))]
    iterations: Option<u32>,
    /// Time that each rank computes in an iteration.
    #[schemars(extend("default" = "0 ns"))]
    compute: Option<Time>,
    /// How much ranks differ in what they compute, in all iterations alike: a share of `compute`.
    #[schemars(extend("default" = 0.0), range(min = 0, max = 1))]
    imbalance: Option<f64>,
    /// How much the iterations of a rank differ in what it computes: a share of `compute`.
    #[schemars(extend("default" = 0.0), range(min = 0, max = 1))]
    jitter: Option<f64>,
    /// How imbalance and jitter are drawn, from the seed of the job.
    #[schemars(extend("default" = "uniform"))]
    distribution: Option<Distribution>,
    /// How sends complete, as MPI's four kinds of sends. Default: `standard` in phases; in the order of a program `ready`,
    /// since most send before they receive, but for the NAS Parallel Benchmarks, `hpcg`, `lulesh` and `sweep3d`.
    mode: Option<SendMode>,
}

/// The keys of an application.
pub struct AppKeys;

impl JsonSchema for AppKeys {
    fn schema_name() -> Cow<'static, str> {
        "App".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<Value> = KINDS.iter().map(|kind| of_kind(kind, generator)).collect();
        let mut schema = CommonKeys::json_schema(generator);
        schema.insert("oneOf".into(), kinds.into());
        schema.insert("unevaluatedProperties".into(), json!(false));
        schema.insert(MARK.into(), "program".into());
        schema
    }
}

/// Returns the schema of a kind of application.
pub fn of_kind(kind: &Kind, generator: &mut SchemaGenerator) -> Value {
    let mut keys = (kind.schema)(generator);
    with_kind(&mut keys, kind.word);
    keys.remove("additionalProperties");
    keys.insert("description".into(), kind.about.into());
    keys.to_value()
}

/// Reads the table, or a list of them; what is random is drawn from the seed.
pub fn resolve(node: Node<'_>, kinds: &[Kind], keys: &Keys, seed: u64) -> Result<App, Diagnostic> {
    let path = node.path.clone();
    let mut app: Option<App> = None;
    for node in node.items() {
        let path = node.path.clone();
        let (kind, phases) = phases(node, kinds, keys, seed)?;
        let app = app.get_or_insert_with(|| App { kind: kind.word, phases: Vec::new() });
        app.phases.extend(phases);
        let mut ranks = app.phases.iter().map(|phase| phase.work.ranks());
        let Some(first) = ranks.next() else {
            return Err(keys.error(&path, format!("`{path}` has nothing to run"), "name another program"));
        };
        if let Some(last) = ranks.find(|&ranks| ranks != first) {
            let message = format!("`{path}` has {last} ranks, but the first has {first}");
            return Err(keys.error(&path, message, "all must have the same number: they are run by the same ranks"));
        }
    }
    app.ok_or_else(|| keys.error(&path, "the list of applications is empty", "write one, or several in a row"))
}

/// Reads the table of an application: one phase, or the parts of a program.
fn phases<'k>(
    mut node: Node<'_>,
    kinds: &'k [Kind],
    keys: &Keys,
    seed: u64,
) -> Result<(&'k Kind, Vec<Phase>), Diagnostic> {
    let path = node.path.clone();
    let kind = Kind::take(&mut node, kinds, keys)?;
    let iterations = node.take("iterations").map(|node| node.read(keys)).transpose()?;
    let iterations = super::in_range(iterations, u32::MAX, keys, &join(&path, "iterations"))?;
    let written: Option<Time> = node.take("compute").map(|node| node.read(keys)).transpose()?;
    let compute = super::repeated(keys, &join(&path, "compute"), written.unwrap_or(Time::ZERO))?;
    let compute = computing::resolve(&mut node, compute, keys, seed)?;
    let mode: Option<SendMode> = node.take("mode").map(|node| node.read(keys)).transpose()?;
    let phase = |(work, iterations): (Work, u32)| {
        let compute = Computing { time: work.time().unwrap_or(compute.time), ..compute };
        Phase { iterations, compute, mode: mode.unwrap_or(work.mode()), work }
    };
    let parts = (kind.read)(node, Given { iterations, seed }, keys)?;
    if written.is_some() && parts.iter().any(|(work, _)| work.time().is_some()) {
        let key = join(&path, "compute");
        let message = format!("`{key}` is known twice: it follows from `flops_per_second`, too");
        return Err(keys.error(&key, message, "leave out one of both"));
    }
    Ok((kind, parts.into_iter().map(phase).collect()))
}
