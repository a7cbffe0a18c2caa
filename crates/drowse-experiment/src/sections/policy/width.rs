//! `kind = "width"`: links narrow.

use drowse_core::model::units::Time;
use drowse_core::power::{self, ClassPolicy};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::kind::{Class, Place, PolicyKeys};
use super::thresholds::Thresholds;
use crate::diagnostic::Diagnostic;

/// The sending switch halves and doubles the lanes of a link by their utilisation in a window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Width {
    /// Number of lanes of a link. The default is that of the 4X links of Andújar et al. 2019, section 1.
    #[schemars(extend("default" = 4), extend("enum" = [2, 4, 8, 16]))]
    lanes: Option<u8>,
    /// Length of a window; 100 ns to 1 s.
    #[schemars(extend("default" = "10 us"))]
    window: Option<Time>,
    /// Utilisation of the lanes that are on above which their number doubles.
    #[schemars(extend("default" = 0.65), range(min = 0, max = 1))]
    on: Option<f64>,
    /// Utilisation below which half of the lanes go off; below half of `on`.
    #[schemars(extend("default" = 0.25), range(min = 0, max = 1))]
    off: Option<f64>,
    /// The lanes also double where waiting packets would keep each lane that is on busy for longer than this.
    /// Default: the time to wake from deep sleep.
    #[schemars(extend("examples" = ["4.48 us"]))]
    backlog: Option<Time>,
    /// Refused: a key of `kind = "trunk"`.
    #[schemars(skip)]
    alpha: Option<IgnoredAny>,
}

/// Lanes where nothing is written.
const LANES: u8 = 4;

impl Width {
    fn thresholds(&self) -> Thresholds {
        let Width { window, on, off, backlog, lanes: _, alpha: _ } = *self;
        Thresholds { window, on, off, alpha: None, backlog, steps: None }
    }

    fn lanes(&self) -> u8 {
        self.lanes.unwrap_or(LANES)
    }
}

impl PolicyKeys for Width {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        if self.alpha.is_some() {
            let message = "lanes are halved, whatever their number";
            return Err(place.error("alpha", message, "write off = 0.25, below half of `on`"));
        }
        let lanes = self.lanes();
        if !(lanes.is_power_of_two() && (2..=16).contains(&lanes)) {
            let message = format!("`{}` = {lanes} is out of range", place.at("lanes"));
            return Err(place.error("lanes", message, "write 2, 4, 8 or 16"));
        }
        self.thresholds().checked(place).map(|_| ())
    }

    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        if class.index == 0 {
            let message = "the links of nodes do not narrow";
            let help = "write power.channels = \"switch\", or another policy for [[power.class]] class = \"node\"";
            return Err(place.keys.error(place.path, message, help));
        }
        let thresholds = self.thresholds().checked(place)?.policy(&class.states);
        Ok(ClassPolicy::Width(power::Width { lanes: self.lanes(), thresholds }))
    }
}
