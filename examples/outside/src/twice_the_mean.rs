//! `power.policy.kind = "twice-the-mean"`: a channel sleeps after twice the mean of its last idle periods, so that busy
//! channels stay on.

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, Idle, SleepPolicy, Timers};
use drowse_experiment::{Diagnostic, Place, PolicyClass, PolicyKeys};
use drowse_run::own_policy;
use schemars::JsonSchema;
use serde::Deserialize;

/// The word that selects it.
pub const KIND: &str = "twice-the-mean";

/// A channel enters deep sleep after twice the mean of its last idle periods.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwiceTheMeanKeys {
    /// The least idle time after which it sleeps.
    #[schemars(extend("examples" = ["20 us"]))]
    least: Time,
}

impl PolicyKeys for TwiceTheMeanKeys {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        if self.least > Time::ZERO {
            return Ok(());
        }
        Err(place.error("least", "`least` is zero: channels would sleep at once", "write least = \"20 us\""))
    }

    fn policy(&self, _place: &Place<'_>, _class: &PolicyClass<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(own_policy(KIND, TwiceTheMean(self.least)))
    }
}

/// Sleeps after twice the mean idle period, but not before this time.
#[derive(Clone, Copy, Debug)]
pub struct TwiceTheMean(pub Time);

impl SleepPolicy for TwiceTheMean {
    /// The mean so far; each idle period renews an eighth of it.
    type State = Time;

    fn start(&self, _channel: ChannelId, _class: u8) -> Time {
        Time::ZERO
    }

    fn timers(&self, _class: u8, mean: &Time) -> Timers {
        Timers { shallow: Time::NEVER, deep: Time(2 * mean.0).max(self.0) }
    }

    fn idle_ended(&self, _class: u8, mean: &mut Time, idle: Idle) {
        *mean = Time(mean.0 - mean.0 / 8 + idle.length().0 / 8);
    }
}

drowse_core::sleep_only!(TwiceTheMean);
