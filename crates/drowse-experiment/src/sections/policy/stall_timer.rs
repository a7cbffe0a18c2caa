//! `kind = "stall-timer"`: channels sleep after fixed idle times.

use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, Timers};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// A channel sleeps after fixed idle times. At least one of the two must be written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StallTimer {
    /// Idle time after which the channel enters shallow sleep. Default: never.
    #[schemars(extend("examples" = ["1 us"]))]
    shallow: Option<Time>,
    /// Idle time after which the channel enters deep sleep; longer than `shallow`. Default: never.
    #[schemars(extend("examples" = ["50 us"]))]
    deep: Option<Time>,
}

impl StallTimer {
    fn timers(&self) -> Timers {
        timers(self.shallow, self.deep)
    }
}

impl PolicyKeys for StallTimer {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        let timers = self.timers();
        if timers == Timers::NEVER {
            let help = "write deep = \"50 us\", shallow = \"1 us\", or both; a policy that never sleeps is kind = \
                        \"always-on\"";
            return Err(place.keys.error(place.path, "a stall timer needs a time after which links sleep", help));
        }
        if let Some(message) = never_reached(timers) {
            let help = "both run from the start of the idle period: make shallow shorter";
            return Err(place.error("shallow", message, help));
        }
        Ok(())
    }

    fn policy(&self, _place: &Place<'_>, _class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::StallTimer(self.timers()))
    }
}

/// Returns the timers; one that is not written never expires.
pub(super) fn timers(shallow: Option<Time>, deep: Option<Time>) -> Timers {
    Timers { shallow: shallow.unwrap_or(Time::NEVER), deep: deep.unwrap_or(Time::NEVER) }
}

/// Returns what is wrong with timers of which one is never reached.
pub(super) fn never_reached(timers: Timers) -> Option<String> {
    let Timers { shallow, deep } = timers;
    (shallow != Time::NEVER && shallow >= deep)
        .then(|| format!("shallow sleep after {shallow} is never reached: deep sleep comes after {deep}"))
}
