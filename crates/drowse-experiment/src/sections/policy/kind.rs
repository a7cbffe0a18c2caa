//! What a kind of policy consists of in an experiment file: its keys, their checks, and the policy that they make.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use drowse_core::model::sleep_state::SleepStates;
use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, Timers};
use drowse_core::topology::{Geometry, Network};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::sections::limit::Limit;
use crate::sections::state_list::Listed;

/// The keys of a policy beside `kind`. Those of another crate return what `drowse_run::own_policy` makes of its policy.
pub trait PolicyKeys: Debug + Send + Sync {
    /// Checks each key by itself, before the network is known.
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        let _ = place;
        Ok(())
    }

    /// Returns the policy of a class.
    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic>;

    /// Returns the cap that the policy keeps, if it keeps one.
    fn cap(&self) -> Option<Limit> {
        None
    }

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
    /// What the states are called, and whether links are kept in them.
    pub listed: &'n Listed,
    /// The network.
    pub network: &'n Network,
    /// Number of channels that may sleep on the longest minimal route.
    pub hops: u32,
}

impl Class<'_> {
    /// Refuses the default states, which are those of Ethernet, for a policy that is not of Ethernet.
    pub(super) fn chosen(&self, place: &Place<'_>, why: &str, example: &str) -> Result<(), Diagnostic> {
        if self.listed.chosen || matches!(self.network.geometry, Geometry::Ideal(_)) {
            return Ok(());
        }
        let message = format!("{why}: this policy has no default states");
        let help = format!("choose them, such as {example}; `drowse states` lists what is published");
        Err(place.error("kind", message, help))
    }

    /// Refuses two timers where there is one sleep state, which links would enter twice.
    pub(super) fn fit(&self, timers: Timers) -> Result<(), String> {
        let two = timers.shallow != Time::NEVER && timers.deep != Time::NEVER;
        match self.listed.names.as_slice() {
            [only] if two => Err(format!("2 timers for 1 sleep state: {only}")),
            _ => Ok(()),
        }
    }
}

/// A kind of policy in the registry.
#[derive(Clone)]
pub struct Kind {
    /// The word that selects it.
    pub word: &'static str,
    /// Reads its keys.
    pub read: Read,
    /// Returns the schema of its keys.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// What the keys of a policy are read to.
type ReadKeys = Result<Arc<dyn PolicyKeys>, Diagnostic>;

/// Reads them with what it has beside.
type ReadWith = dyn Fn(Node<'_>, &Keys) -> ReadKeys + Send + Sync;

/// How the keys of a policy are read.
#[derive(Clone)]
pub enum Read {
    /// By a function that needs nothing else.
    Alone(fn(Node<'_>, &Keys) -> ReadKeys),
    /// With what the caller has beside them.
    With(Arc<ReadWith>),
}

impl Read {
    /// Reads the keys.
    pub fn keys(&self, node: Node<'_>, keys: &Keys) -> ReadKeys {
        match self {
            Read::Alone(read) => read(node, keys),
            Read::With(read) => read(node, keys),
        }
    }
}

impl Kind {
    /// Registers the keys of a kind under its word.
    pub const fn of<K: PolicyKeys + DeserializeOwned + JsonSchema + 'static>(word: &'static str) -> Self {
        Kind { word, read: Read::Alone(read::<K>), schema: K::json_schema }
    }

    /// Registers keys whose policy the caller makes.
    pub fn made_by<K, M>(word: &'static str, make: M) -> Self
    where
        K: Debug + DeserializeOwned + JsonSchema + Send + Sync + 'static,
        M: Fn(&K, &Place<'_>, &Class<'_>) -> Result<ClassPolicy, Diagnostic> + Send + Sync + 'static,
    {
        let make: Arc<Make<K>> = Arc::new(make);
        let read = move |node: Node<'_>, keys: &Keys| {
            let made = Made { keys: node.read::<K>(keys)?, make: Arc::clone(&make) };
            Ok(Arc::new(made) as Arc<dyn PolicyKeys>)
        };
        Kind { word, read: Read::With(Arc::new(read)), schema: K::json_schema }
    }
}

fn read<K: PolicyKeys + DeserializeOwned + 'static>(node: Node<'_>, keys: &Keys) -> ReadKeys {
    Ok(Arc::new(node.read::<K>(keys)?))
}

/// Makes the policy of a class from keys.
type Make<K> = dyn Fn(&K, &Place<'_>, &Class<'_>) -> Result<ClassPolicy, Diagnostic> + Send + Sync;

/// Keys whose policy the caller makes.
struct Made<K> {
    keys: K,
    make: Arc<Make<K>>,
}

impl<K: Debug> Debug for Made<K> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.keys.fmt(formatter)
    }
}

impl<K: Debug + Send + Sync> PolicyKeys for Made<K> {
    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        (self.make)(&self.keys, place, class)
    }
}
