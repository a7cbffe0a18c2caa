//! The kinds of things that an experiment may name, by where it names them.

use drowse_traces::Formats;
use schemars::SchemaGenerator;
use serde_json::Value;

use super::sections::{app, network, pattern, policy, programs};

/// The kinds, in the order in which they are told.
#[derive(Clone)]
pub(super) struct Lists {
    pub networks: Vec<network::Kind>,
    pub policies: Vec<policy::Kind>,
    pub programs: Vec<programs::Kind>,
    /// Those of other crates alone: those that are known here are words of one type.
    pub patterns: Vec<pattern::Added>,
    /// The formats of traces.
    pub formats: Formats,
}

impl Lists {
    /// Returns the kinds that are known here.
    pub fn built_in() -> Self {
        Lists {
            networks: network::KINDS.to_vec(),
            policies: policy::KINDS.to_vec(),
            programs: programs::KINDS.to_vec(),
            patterns: Vec::new(),
            formats: Formats::default(),
        }
    }

    /// Returns the schemas of the kinds that were added to a list, by its mark.
    pub fn added(&self, list: &str, generator: &mut SchemaGenerator) -> Vec<Value> {
        match list {
            "network" => {
                self.networks[network::KINDS.len()..].iter().map(|kind| network::of_kind(kind, generator)).collect()
            }
            "policy" => self.policies[policy::KINDS.len()..]
                .iter()
                .map(|kind| policy::schema::of_kind(kind, generator))
                .collect(),
            "program" => {
                self.programs[programs::KINDS.len()..].iter().map(|kind| app::of_kind(kind, generator)).collect()
            }
            "pattern" => self.patterns.iter().flat_map(|kind| kind.schemas(generator)).collect(),
            _ => Vec::new(),
        }
    }
}
