//! `kind = "table"`: stall timers of each channel or class, from a file.

use drowse_core::model::ids::ChannelId;
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
        let timers = timer_table::read(&file, &place.at("file"), place.keys, class.network)?;
        let channels = (0..class.network.channels()).map(ChannelId);
        let own = channels.filter(|&id| usize::from(class.network.channel_class(id)) == class.index);
        own.map(|id| timers.of(id)).try_for_each(|timers| class.fit(timers)).map_err(|message| {
            let help = "leave one of the two empty in the file, or write two states in states.list";
            place.error("file", format!("some link has {message}"), help)
        })?;
        Ok(ClassPolicy::Table(timers))
    }
}
