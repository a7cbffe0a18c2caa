//! The kinds of things that an experiment may name, by where it names them.

use drowse_core::workload::own_algorithms::{Called, OwnAlgorithm};
use drowse_traces::Formats;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::sections::{app, network, pattern, policy, programs};

/// The kinds, in the order in which they are told.
#[derive(Clone)]
pub(super) struct Lists {
    pub networks: network::Known,
    pub policies: Vec<policy::Kind>,
    pub programs: Vec<programs::Kind>,
    /// Those of other crates alone: those that are known here are words of one type.
    pub patterns: Vec<pattern::Added>,
    /// Algorithms of collective operations of other crates.
    pub algorithms: Vec<OwnAlgorithm>,
    /// The formats of traces.
    pub formats: Formats,
}

impl Lists {
    /// Returns the kinds that are known here.
    pub fn built_in() -> Self {
        Lists {
            networks: network::Known::built_in(),
            policies: policy::KINDS.to_vec(),
            programs: programs::KINDS.to_vec(),
            patterns: Vec::new(),
            algorithms: Vec::new(),
            formats: Formats::default(),
        }
    }

    /// Returns the schemas of the kinds that were added to a list, by its mark.
    pub fn added(&self, list: &str, generator: &mut SchemaGenerator) -> Vec<Value> {
        match list {
            "network" => self.networks.added_kinds(generator),
            "routing" => self.networks.added_routings(),
            "policy" => self.policies[policy::KINDS.len()..]
                .iter()
                .map(|kind| policy::schema::of_kind(kind, generator))
                .collect(),
            "program" => {
                self.programs[programs::KINDS.len()..].iter().map(|kind| app::of_kind(kind, generator)).collect()
            }
            "pattern" => self.patterns.iter().flat_map(|kind| kind.schemas(generator)).collect(),
            operation => self.algorithms_of(operation),
        }
    }

    /// Returns the schemas of the algorithms that were added for a collective operation, by its key.
    fn algorithms_of(&self, operation: &str) -> Vec<Value> {
        let all = self.algorithms.iter().filter(|algorithm| algorithm.operation.key() == operation);
        let word = |algorithm: &OwnAlgorithm| json!({ "description": algorithm.about, "type": "string", "const": algorithm.word });
        all.map(word).collect()
    }

    /// Returns the marks of all lists.
    pub fn marks() -> impl Iterator<Item = &'static str> {
        ["network", "routing", "policy", "program", "pattern"].into_iter().chain(Called::ALL.map(Called::key))
    }
}
