//! The JSON Schema of experiment files, made from the structs of keys of all sections.
//!
//! The same structs read the file, so that the schema cannot know other keys than the program. From the schema come the
//! key reference ([`reference`]) and what errors say of a missing key.

mod added;
mod plain;
mod reference;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::lists::Lists;
use crate::preset;
use crate::sections::head::Head;
use crate::sections::search::SearchKeys;
use crate::sections::sweep::SweepKeys;
use crate::sections::{
    OneOrMany, cost, job, link, network, node, power, scheduler, simulation, switch, traffic, transport,
};
use added::Added;
pub(super) use reference::reference;

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
    transport: Option<transport::TransportKeys>,
    /// Sleeping links: which, when, and what they draw.
    power: Option<power::PowerKeys>,
    cost: Option<cost::CostKeys>,
    /// Application runs, each from a trace or a generated program. Several `[[job]]` run side by side.
    job: Option<OneOrMany<job::JobKeys>>,
    scheduler: Option<scheduler::SchedulerKeys>,
    traffic: Option<traffic::TrafficKeys>,
    simulation: Option<simulation::SimulationKeys>,
    sweep: Option<SweepKeys>,
    search: Option<SearchKeys>,
}

/// Makes the JSON Schema of experiment files, each part in its place or under `$defs`.
pub(super) fn made(lists: &Lists, inline_subschemas: bool) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = inline_subschemas;
    let mut generator = settings.into_generator();
    let added = Added::of(lists, &mut generator);
    let mut schema = generator.into_root_schema_for::<ExperimentKeys>().to_value();
    added.put(&mut schema);
    plain::simplify(&mut schema);
    schema
}
