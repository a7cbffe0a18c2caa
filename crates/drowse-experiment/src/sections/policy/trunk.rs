//! `kind = "trunk"`: trunks shed ports.

use drowse_core::model::units::Time;
use drowse_core::power::ClassPolicy;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::kind::{Class, Place, PolicyKeys};
use super::thresholds::Thresholds;
use crate::diagnostic::Diagnostic;

/// The sending switch turns ports of a trunk off and on by their utilisation in a window. Packets wake no port.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trunk {
    /// Length of a window; 100 ns to 1 s.
    #[schemars(extend("default" = "10 us"))]
    window: Option<Time>,
    /// Utilisation of the ports that are on above which one more goes on.
    #[schemars(extend("default" = 0.65), range(min = 0, max = 1))]
    on: Option<f64>,
    /// Utilisation below which one port goes off; below half of `on`.
    #[schemars(extend("default" = 0.25), range(min = 0, max = 1))]
    off: Option<f64>,
    /// Instead of `off`: share of the highest stable threshold, which depends on the number of ports on; below 1.
    /// Default: none, and `off` holds.
    #[schemars(extend("examples" = [0.9]), range(min = 0, max = 1))]
    alpha: Option<f64>,
    /// One more port also goes on where waiting packets would keep each port that is on busy for longer than this.
    /// Default: the time to wake from deep sleep.
    #[schemars(extend("examples" = ["4.48 us"]))]
    backlog: Option<Time>,
    /// Ports that go on or off at the end of a window at most: as many as would one after the other if the load stayed as
    /// it was; at least 1. Default: 1.
    #[schemars(extend("examples" = [4]), range(min = 1, max = 255))]
    steps: Option<u8>,
    /// Refused: a key of `kind = "width"`.
    #[schemars(skip)]
    lanes: Option<IgnoredAny>,
}

impl Trunk {
    fn thresholds(&self) -> Thresholds {
        let Trunk { window, on, off, alpha, backlog, steps, lanes: _ } = *self;
        Thresholds { window, on, off, alpha, backlog, steps }
    }
}

impl PolicyKeys for Trunk {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        if self.lanes.is_some() {
            let message = "a trunk has ports, and no lanes";
            return Err(place.error("lanes", message, "remove it, or write kind = \"width\""));
        }
        self.thresholds().checked(place).map(|_| ())
    }

    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::Trunk(self.thresholds().checked(place)?.policy(&class.states)))
    }
}
