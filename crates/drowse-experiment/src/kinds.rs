//! What experiments may name beside the kinds that are known here: networks, routings, policies, programs, collectives,
//! patterns, and formats of networks and traces of other crates.

use std::fmt;
use std::sync::{Arc, LazyLock};

use drowse_core::power::ClassPolicy;
use drowse_core::topology::{OwnRouting, TableRouting, TopologyKeys};
use drowse_core::workload::own_algorithms::{CollectiveAlgorithm, OwnAlgorithm};
use drowse_core::workload::programs::ProgramKeys;
use drowse_fabric::OtherFormat as OtherNetworkFormat;
use drowse_traces::OtherFormat;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::diagnostic::Diagnostic;
use super::keys::LazySchema;
use super::lists::Lists;
use super::schema;
use super::sections::network;
use super::sections::pattern::{self, PatternKeys};
use super::sections::policy::{self, Class, Place, PolicyKeys};
use super::sections::programs;

/// The kinds of networks, routings, policies, programs, collectives, patterns and files that an experiment may name. Those of other crates are added to
/// those that are known here; their keys are read, checked and documented alike.
#[derive(Clone)]
pub struct Kinds {
    pub(super) lists: Arc<Lists>,
    pub(super) schema: LazySchema,
}

impl fmt::Debug for Kinds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let networks: Vec<&str> = self.lists.networks.kinds.iter().map(|kind| kind.word).collect();
        formatter.debug_struct("Kinds").field("networks", &networks).finish_non_exhaustive()
    }
}

impl Default for Kinds {
    /// Returns the kinds that are known here.
    fn default() -> Self {
        static BUILT_IN: LazyLock<Kinds> = LazyLock::new(|| Kinds::of(Lists::built_in()));
        BUILT_IN.clone()
    }
}

impl Kinds {
    /// Adds a kind of network (`network.kind`).
    #[must_use]
    pub fn network<K: TopologyKeys + JsonSchema + 'static>(self) -> Self {
        self.with(|lists| lists.networks.kinds.push(network::Kind::of::<K>()))
    }

    /// Adds a routing of any network (`network.routing`).
    #[must_use]
    pub fn routing<R: TableRouting>(self) -> Self {
        self.with(|lists| lists.networks.routings.push(OwnRouting::of::<R>()))
    }

    /// Adds a format of networks (`network.file`), which is recognised by content.
    #[must_use]
    pub fn network_format(self, format: OtherNetworkFormat) -> Self {
        self.with(|lists| lists.networks.formats.push(format))
    }

    /// Adds a kind of policy (`power.policy.kind`) under its word.
    #[must_use]
    pub fn policy<K: PolicyKeys + DeserializeOwned + JsonSchema + 'static>(self, word: &'static str) -> Self {
        self.with(|lists| lists.policies.push(policy::Kind::of::<K>(word)))
    }

    /// Adds a kind of policy under its word, whose policy `make` makes of its keys and of what it has beside them.
    #[must_use]
    pub fn policy_by<K, M>(self, word: &'static str, make: M) -> Self
    where
        K: fmt::Debug + DeserializeOwned + JsonSchema + Send + Sync + 'static,
        M: Fn(&K, &Place<'_>, &Class<'_>) -> Result<ClassPolicy, Diagnostic> + Send + Sync + 'static,
    {
        self.with(|lists| lists.policies.push(policy::Kind::made_by(word, make)))
    }

    /// Adds a kind of program (`job.app.kind`).
    #[must_use]
    pub fn program<K: ProgramKeys + JsonSchema + 'static>(self) -> Self {
        self.with(|lists| lists.programs.push(programs::Kind::of::<K>()))
    }

    /// Adds an algorithm of a collective operation (`job.collectives`).
    #[must_use]
    pub fn collective<A: CollectiveAlgorithm>(self) -> Self {
        self.with(|lists| lists.algorithms.push(OwnAlgorithm::of::<A>()))
    }

    /// Adds a kind of pattern (`traffic.pattern`).
    #[must_use]
    pub fn pattern<K: PatternKeys + JsonSchema + 'static>(self) -> Self {
        self.with(|lists| lists.patterns.push(pattern::Added::of::<K>()))
    }

    /// Adds a format of traces (`job.format`), which is recognised by content, too.
    #[must_use]
    pub fn format(self, format: OtherFormat) -> Self {
        self.with(|lists| lists.formats = lists.formats.with(format))
    }

    /// Returns the JSON Schema of experiment files, each part in its place.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Returns the JSON Schema of experiment files for other programs: parts that are in several places are under `$defs`.
    pub fn published_schema(&self) -> Value {
        schema::made(&self.lists, false)
    }

    /// Returns the key reference in Markdown.
    pub fn reference(&self) -> String {
        schema::reference(&self.schema)
    }

    fn with(self, add: impl FnOnce(&mut Lists)) -> Self {
        let mut lists = Lists::clone(&self.lists);
        add(&mut lists);
        Kinds::of(lists)
    }

    fn of(lists: Lists) -> Self {
        let lists = Arc::new(lists);
        let of_schema = Arc::clone(&lists);
        let make: Box<dyn FnOnce() -> Value + Send + Sync> = Box::new(move || schema::made(&of_schema, true));
        Kinds { lists, schema: Arc::new(LazyLock::new(make)) }
    }
}
