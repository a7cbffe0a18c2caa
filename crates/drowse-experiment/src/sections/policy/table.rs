//! `kind = "table"`: stall timers of each channel or class, from a file.

use drowse_core::power::ClassPolicy;
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use super::timer_table;
use crate::diagnostic::Diagnostic;

/// Each channel has stall timers of its own, from a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// CSV file with the columns `class` or `channel`, `shallow` and `deep`; relative to the experiment file.
    #[schemars(extend("examples" = ["timers.csv"]))]
    file: String,
}

impl PolicyKeys for Table {
    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        let file = place.keys.source().resolve(&self.file);
        Ok(ClassPolicy::Table(timer_table::read(&file, &place.at("file"), place.keys, class.network)?))
    }
}
