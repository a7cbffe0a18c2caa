//! What a kind of policy consists of in an experiment file: its keys, their checks, and the policy that they make.

use std::fmt::Debug;
use std::sync::Arc;

use drowse_core::model::sleep_state::SleepStates;
use drowse_core::power::ClassPolicy;
use drowse_core::topology::Network;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// The keys of a policy beside `kind`. Those of another crate return what `drowse_run::own_policy` makes of its policy.
pub trait PolicyKeys: Debug + Send + Sync {
    /// Checks each key by itself, before the network is known.
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        let _ = place;
        Ok(())
    }

    /// Returns the policy of a class.
    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic>;

    /// Returns whether channels never sleep; then they need no states, and cost nothing.
    fn never_sleeps(&self) -> bool {
        false
    }
}

/// The table of a policy, for errors.
pub struct Place<'k> {
    /// Its path, such as `power.policy`.
    pub path: &'k str,
    /// Where the keys of the experiment were written.
    pub keys: &'k Keys,
}

impl Place<'_> {
    /// Returns the path of one of its keys.
    pub fn at(&self, key: &str) -> String {
        join(self.path, key)
    }

    /// Makes an error at one of its keys.
    pub fn error(&self, key: &str, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        self.keys.error(&self.at(key), message, help)
    }
}

/// The class of links that a policy is for (`PolicyClass` to other crates).
pub struct Class<'n> {
    /// Its index among the network's classes; class 0 is `node` in every network.
    pub index: usize,
    /// The sleep states of its links.
    pub states: SleepStates,
    /// The network.
    pub network: &'n Network,
    /// Number of channels that may sleep on the longest minimal route.
    pub hops: u32,
}

/// Reads the keys of a policy.
type Read = fn(Node<'_>, &Keys) -> Result<Arc<dyn PolicyKeys>, Diagnostic>;

/// A kind of policy in the registry.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The word that selects it.
    pub word: &'static str,
    /// Reads its keys.
    pub read: Read,
    /// Returns the schema of its keys.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Kind {
    /// Registers the keys of a kind under its word.
    pub const fn of<K: PolicyKeys + DeserializeOwned + JsonSchema + 'static>(word: &'static str) -> Self {
        Kind { word, read: read::<K>, schema: K::json_schema }
    }
}

fn read<K: PolicyKeys + DeserializeOwned + 'static>(
    node: Node<'_>,
    keys: &Keys,
) -> Result<Arc<dyn PolicyKeys>, Diagnostic> {
    Ok(Arc::new(node.read::<K>(keys)?))
}
