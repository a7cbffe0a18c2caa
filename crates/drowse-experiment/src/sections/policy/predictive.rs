//! `kind = "predictive"`: predicts idle periods from those before (Hwang and Wu 1997).

use drowse_core::model::units::Time;
use drowse_core::power::{self, ClassPolicy};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;
use crate::sections::{billionths, repeated, share};

/// A channel predicts its next idle period by a weighted average of those before, and enters at once the deepest sleep
/// state that pays.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Predictive {
    /// Weight of the last idle period; the last prediction has the rest.
    #[schemars(extend("default" = 0.5), range(min = 0, max = 1))]
    weight: Option<f64>,
    /// Idle time after which the channel enters deep sleep whatever the prediction; at most 1 s. Default: the idle time
    /// from which deep sleep saves energy.
    #[schemars(extend("examples" = ["20 us"]))]
    watchdog: Option<Time>,
}

/// Weight where nothing is written.
const WEIGHT: f64 = 0.5;

impl Predictive {
    fn weight(&self) -> f64 {
        self.weight.unwrap_or(WEIGHT)
    }

    fn watchdog(&self) -> Option<Time> {
        self.watchdog
    }
}

impl PolicyKeys for Predictive {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        share(place.keys, &place.at("weight"), self.weight())?;
        let watchdog = self.watchdog().map(|watchdog| repeated(place.keys, &place.at("watchdog"), watchdog));
        watchdog.transpose().map(|_| ())
    }

    fn policy(&self, _place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        let weight = billionths(self.weight());
        Ok(ClassPolicy::Predictive(power::Predictive::new(weight, self.watchdog(), class.states)))
    }
}
