//! `kind = "cap"`: the network stays under a power.

use drowse_core::model::units::Time;
use drowse_core::power::{self, CapRules, ClassPolicy};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;
use crate::sections::limit::Limit;
use crate::sections::{billionths, repeated, share};

/// Switches and links draw no more than a cap: a governor turns parallel links, or lanes, off and on at the end of
/// windows. Of each bundle of parallel links one is always on, or one lane of each link.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cap {
    /// What switches and links may draw: a power, or a share of what they draw at most with all links on.
    #[schemars(extend("examples" = ["12 kW"]), extend("x-hint" = "for four fifths of what all draw: 0.8"))]
    cap: Limit,
    /// Length of a window, at whose end the power is divided anew; 100 ns to 1 s.
    #[schemars(extend("default" = "100 us"))]
    window: Option<Time>,
    /// Time from the end of a window until switches obey: a report to the governor and its command; from a clock cycle to
    /// the length of a window.
    #[schemars(extend("default" = "5 us"))]
    reaction: Option<Time>,
    /// Share of a window for which each port of a bundle is to be busy: it asks for as many as its load keeps busy for so
    /// long.
    #[schemars(extend("default" = 0.65), range(min = 0, max = 1))]
    on: Option<f64>,
    /// Lanes of each link, which are halved and doubled: 2, 4, 8 or 16. Default: none, and whole ports of parallel links go
    /// off.
    #[schemars(extend("examples" = [4]), extend("enum" = [2, 4, 8, 16]))]
    lanes: Option<u8>,
}

/// Long against the times that links take, short against what programs do.
const WINDOW: Time = Time::from_us(100);
/// Some packets; shorter windows only take long to simulate.
const SHORTEST_WINDOW: Time = Time::from_ns(100);
/// Twice the way through a large network, and some for the programs at its ends.
const REACTION: Time = Time::from_us(5);
/// As for trunks that shed ports.
const ON: f64 = 0.65;

impl Cap {
    /// Checks all keys; what the cap leaves to divide follows from the watts of the network.
    fn rules(&self, place: &Place<'_>) -> Result<CapRules, Diagnostic> {
        let time = |key: &str, time: Time| repeated(place.keys, &place.at(key), time);
        let window = time("window", self.window.unwrap_or(WINDOW))?;
        if window < SHORTEST_WINDOW {
            let message = format!("a window of {window} is too short to tell a load");
            return Err(place.error("window", message, "write at least \"100 ns\"; usual is \"100 us\""));
        }
        let reaction = time("reaction", self.reaction.unwrap_or(REACTION.min(window)))?;
        if reaction > window {
            let message = format!("the reaction takes {reaction}, and a window only {window}");
            return Err(place.error("reaction", message, "write a time of at most a window"));
        }
        let on = share(place.keys, &place.at("on"), self.on.unwrap_or(ON)).map(billionths)?;
        if on == 0 {
            let message = "with `on` = 0, every load would ask for all ports";
            return Err(place.error("on", message, "write a share above 0, such as 0.65"));
        }
        let lanes = self.lanes.unwrap_or(1);
        if self.lanes.is_some() && !(lanes.is_power_of_two() && (2..=16).contains(&lanes)) {
            let message = format!("`{}` = {lanes} is out of range", place.at("lanes"));
            return Err(place.error("lanes", message, "write 2, 4, 8 or 16, or leave it out"));
        }
        self.cap.check(place.keys, &place.at("cap"))?;
        Ok(CapRules { window, reaction, on, cap: 0, spare: 0, port: 0, lanes })
    }
}

impl PolicyKeys for Cap {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        self.rules(place).map(|_| ())
    }

    fn policy(&self, place: &Place<'_>, _class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::Cap(power::Cap { rules: self.rules(place)? }))
    }

    fn cap(&self) -> Option<Limit> {
        Some(self.cap)
    }
}
