//! The JSON Schema of experiment files, made from the structs of keys of all sections.
//!
//! The same structs read the file, so that the schema cannot know other keys than the program. From the schema come the
//! key reference ([`reference`]) and what errors say of a missing key ([`example`]).

mod defaults;
mod example;
mod plain;
mod reference;

use std::sync::LazyLock;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::preset;
use crate::sections::head::Head;
use crate::sections::search::SearchKeys;
use crate::sections::sweep::SweepKeys;
use crate::sections::{OneOrMany, cost, job, link, network, node, power, scheduler, switch, traffic};
pub(crate) use defaults::fill;
pub(crate) use example::example;
pub use reference::reference;

// Sections are read one by one, so that an error knows its place; only the schema has them together.
/// The keys of an experiment file.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Experiment of Drowse")]
#[expect(dead_code, reason = "only its schema is used")]
struct ExperimentKeys {
    #[serde(flatten)]
    head: Head,
    /// Named defaults, for all that the file does not write.
    #[schemars(extend("enum" = preset::names()))]
    preset: Option<String>,
    /// The network: its topology and routing.
    #[schemars(extend("examples" = [{ "kind": "torus", "dims": [4, 4] }]))]
    network: network::NetworkKeys,
    switch: Option<switch::Switch>,
    /// The links: one table `[link]` for all, or several `[[link]]`, each for a class of links. A table without class
    /// holds for the classes that do not write a key of their own.
    link: Option<OneOrMany<link::Link>>,
    node: Option<node::ComputeNode>,
    /// Sleeping links: which, when, and what they draw.
    power: Option<power::PowerKeys>,
    cost: Option<cost::Cost>,
    /// Application runs, each from a trace or by a communication graph. Several `[[job]]` run side by side.
    job: Option<OneOrMany<job::JobKeys>>,
    scheduler: Option<scheduler::SchedulerKeys>,
    traffic: Option<traffic::TrafficKeys>,
    sweep: Option<SweepKeys>,
    search: Option<SearchKeys>,
}

/// Returns the JSON Schema of experiment files, made once: sweeps of many cases need it for each.
pub(crate) fn shared() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(schema);
    &SCHEMA
}

/// Returns the JSON Schema of experiment files, each part in its place.
pub fn schema() -> Value {
    made(true)
}

/// Returns the JSON Schema of experiment files for other programs: parts that are in several places are under `$defs`.
pub fn published_schema() -> Value {
    made(false)
}

fn made(inline_subschemas: bool) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = inline_subschemas;
    let mut schema = settings.into_generator().into_root_schema_for::<ExperimentKeys>().to_value();
    plain::simplify(&mut schema);
    schema
}
