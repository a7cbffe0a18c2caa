//! The keys of policies that keep a bound on delay, PerfBound and DynamicFastwake.

use std::num::{NonZeroU8, NonZeroU16};

use drowse_core::power::{self, Compared, Learning};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::Place;
use crate::diagnostic::Diagnostic;
use crate::sections::{billionths, share};

/// How a bound on delay is kept.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Bound {
    /// Share of the run time that messages may lose to waking.
    #[schemars(extend("examples" = [0.01]), extend("x-hint" = "for 1 % of time lost to waking"), range(min = 0, max = 1))]
    bound: f64,
    /// Split of the bound among the channels of a route.
    #[serde(default)]
    #[schemars(extend("default" = "ratio"))]
    split: Split,
    /// Whether the deep timer is corrected where it delays more or fewer messages than the bound allows.
    #[schemars(extend("default" = true))]
    correction: Option<bool>,
    /// Which delays the correction compares with the bound. Those of `perfbound` are all by deep sleep.
    /// Default: `"all-wakes"`.
    compares: Option<Compared>,
    /// Number of idle periods of 1 us or more after which a channel starts to learn afresh.
    #[schemars(extend("default" = 20_000))]
    refresh: Option<NonZeroU16>,
}

/// Split of a bound among the channels of a route.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Split {
    /// By the hops of the messages that have crossed a channel (PerfBoundRatio).
    #[default]
    Ratio,
    /// Equally among the channels of the longest route.
    Equal,
    /// Every channel may use the whole bound.
    Local,
}

impl Bound {
    /// Checks the keys.
    pub fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        share(place.keys, &place.at("bound"), self.bound).map(|_| ())
    }

    /// Returns how the bound is kept; the longest route has `hops` channels that may sleep.
    pub fn learning(&self, hops: u32) -> Learning {
        let split = match self.split {
            Split::Ratio => power::Split::Ratio,
            Split::Equal => power::Split::Equal { hops: NonZeroU8::new(hops.min(255) as u8).unwrap_or(NonZeroU8::MIN) },
            Split::Local => power::Split::Local,
        };
        Learning {
            bound: power::Bound { billionths: billionths(self.bound), split },
            refresh: self.refresh.unwrap_or(Learning::REFRESH),
            correction: self.correction.unwrap_or(true),
            compares: self.compares.unwrap_or_default(),
        }
    }
}
