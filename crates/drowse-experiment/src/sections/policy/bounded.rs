//! `kind = "bounded"`: a governor keeps a bound on the run time of programs.

use drowse_core::model::units::Time;
use drowse_core::power::{self, ClassPolicy, GovernorRules};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;
use crate::sections::{billionths, repeated, share};

/// A governor lets channels enter deep sleep as long as no program runs longer than with all links on by more than a
/// bound.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bounded {
    /// Share of its time by which a program may run longer.
    #[schemars(extend("examples" = [0.01]), extend("x-hint" = "for 1 % more run time"), range(min = 0, max = 1))]
    bound: f64,
    /// Time from when a rank is late to when channels obey: a report to the governor and its command; from a clock cycle
    /// to 1 s.
    #[schemars(extend("default" = "5 us"))]
    reaction: Option<Time>,
}

/// Twice the way through a large network, and some for the programs at its ends.
const REACTION: Time = Time::from_us(5);

impl Bounded {
    fn reaction(&self, place: &Place<'_>) -> Result<Time, Diagnostic> {
        repeated(place.keys, &place.at("reaction"), self.reaction.unwrap_or(REACTION))
    }
}

impl PolicyKeys for Bounded {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        share(place.keys, &place.at("bound"), self.bound)?;
        self.reaction(place).map(|_| ())
    }

    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        let (reaction, wake) = (self.reaction(place)?, class.states.deep.wake);
        // What a message loses that wakes all channels of its route, which is told when it has come.
        let reserve = reaction.saturating_add(Time(wake.0.saturating_mul(u64::from(class.hops.max(1)))));
        let rules = GovernorRules { bound_billionths: billionths(self.bound), reaction, reserve };
        Ok(ClassPolicy::Bounded(power::Bounded { rules, wake }))
    }
}
