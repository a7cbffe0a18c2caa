//! `kind = "stall-timer"`: channels sleep after fixed idle times.

use drowse_core::model::units::Time;
use drowse_core::power::{self, ClassPolicy, Timers};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;

/// A channel sleeps after fixed idle times. At least one must be written: `timers`, or else `shallow` or `deep`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StallTimer {
    /// Idle time after which the channel enters shallow sleep. Default: never.
    #[schemars(extend("examples" = ["1 us"]))]
    shallow: Option<Time>,
    /// Idle time after which the channel enters deep sleep; longer than `shallow`. Default: never.
    #[schemars(extend("examples" = ["50 us"]))]
    deep: Option<Time>,
    /// Idle times after which the channel enters each state of `states.list`, in its order and each longer than the one
    /// before; states after the last are not used. Default: none.
    #[schemars(extend("examples" = [["10 us", "1 ms", "10 s"]]))]
    timers: Option<Vec<Time>>,
}

impl StallTimer {
    fn timers(&self) -> Timers {
        timers(self.shallow, self.deep)
    }

    /// Checks the list of timers.
    fn check_list(&self, place: &Place<'_>, list: &[Time]) -> Result<(), Diagnostic> {
        if self.timers() != Timers::NEVER {
            let message = "`timers` are those of all sleep states, `shallow` and `deep` those of the first two";
            return Err(place.error("timers", message, "write one or the other"));
        }
        if list.is_empty() {
            return Err(place.error("timers", "a list of no timers", "write a time for each state that is used"));
        }
        if let Some(at) = list.windows(2).position(|pair| pair[0] >= pair[1]) {
            let message = format!("a state after {} is never reached: the next comes after {}", list[at], list[at + 1]);
            let help = "all run from the start of the idle period: make each longer than the one before";
            return Err(place.error("timers", message, help));
        }
        Ok(())
    }
}

impl PolicyKeys for StallTimer {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        if let Some(list) = &self.timers {
            return self.check_list(place, list);
        }
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

    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        let Some(list) = &self.timers else {
            let one_each =
                |message: String| place.error("deep", message, "write `deep` alone, or two states in states.list");
            return class.fit(self.timers()).map(|()| ClassPolicy::StallTimer(self.timers())).map_err(one_each);
        };
        let (timers, states) = (list.len(), class.listed.names.len());
        let all = Some(list).filter(|_| timers <= states).and_then(|list| power::StallTimers::new(list));
        match all {
            None => {
                let message = format!("{timers} timers for {states} sleep states: {}", class.listed.names.join(", "));
                Err(place.error("timers", message, "write one for each state at most, or more states in states.list"))
            }
            Some(_) if timers <= 2 => {
                Ok(ClassPolicy::StallTimer(super::stall_timer::timers(list.first().copied(), list.get(1).copied())))
            }
            Some(all) => Ok(ClassPolicy::StallTimers(all)),
        }
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
