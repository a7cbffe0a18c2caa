//! `kind = "runtime"`: the runtime system commands links (Totoni et al. 2014).

use std::num::NonZeroU32;

use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::runtime::{Detect, Mode, Rules};
use drowse_core::power::{self, ClassPolicy};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;
use crate::sections::{amount, repeated};

/// The runtime system learns from a program's iterations which channels it uses, and turns the others off.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Runtime {
    /// How far the runtime system goes.
    #[schemars(extend("default" = "basic"))]
    mode: Option<Mode>,
    /// Number of iterations that it learns from.
    #[schemars(extend("default" = 2), range(min = 1, max = 1000))]
    learn: Option<u32>,
    /// Time between the last use of a channel and its going off, and between its being on and its first use; at
    /// most 1 s. Only used with `mode = "scheduled"`.
    #[schemars(extend("default" = "1 ms"))]
    margin: Option<Time>,
    /// Time that a call of the runtime system costs a rank; at most 1 s.
    #[schemars(extend("default" = "20 us"))]
    overhead: Option<Time>,
    /// Share by which iterations may get longer before the policy is turned down.
    #[schemars(extend("default" = 0.05), range(min = 0))]
    slowdown: Option<f64>,
    /// Length of the messages by which nodes notify the switches on their routes, each to the switch's first node; unused
    /// links go off once all have come. At most 1 MiB. Default: none, they are only counted.
    #[schemars(extend("examples" = ["64 B"]))]
    notification: Option<Bytes>,
    /// How nodes learn that all of these messages have come. Only used with `notification`.
    #[serde(default)]
    #[schemars(extend("default" = "free"))]
    detection: Detect,
    /// Number of iterations from one load balancing to the next. A job learns anew there, and only there; a new pair of
    /// nodes in between wakes the links that it needs. Default: a job learns anew as soon as nodes send to others.
    #[schemars(extend("examples" = [1000]), range(min = 1))]
    balancing: Option<u32>,
}

/// The paper's conservative margin.
const MARGIN: Time = Time::from_us(1_000);
/// The paper's overhead of a call.
const OVERHEAD: Time = Time::from_us(20);
/// One iteration may differ from the others, as the first often does; two make that unlikely.
const LEARN: u32 = 2;
/// More iterations teach nothing new, and take memory.
const MOST: u32 = 1_000;
/// It holds the number of a node, and perhaps some of its links.
const LONGEST_NOTIFICATION: Bytes = Bytes(1 << 20);
/// Share by which iterations may get longer.
const SLOWDOWN: f64 = 0.05;

impl Runtime {
    #[expect(clippy::cast_sign_loss, reason = "an amount is not negative, and the cast stops at the most")]
    fn rules(&self, place: &Place<'_>) -> Result<Rules, Diagnostic> {
        let time =
            |key: &str, time: Option<Time>, usual: Time| repeated(place.keys, &place.at(key), time.unwrap_or(usual));
        let learn = self.learn.unwrap_or(LEARN);
        let Some(learn) = NonZeroU32::new(learn).filter(|learn| learn.get() <= MOST) else {
            let message = format!("`{}` = {learn} is out of range", place.at("learn"));
            return Err(place.error(
                "learn",
                message,
                "write the number of iterations that are learned from, 1 to 1000",
            ));
        };
        let slowdown = amount(place.keys, &place.at("slowdown"), self.slowdown.unwrap_or(SLOWDOWN))?;
        let notification = self.notification;
        if let Some(bytes) = notification.filter(|bytes| *bytes > LONGEST_NOTIFICATION) {
            let message = format!("a notification of {} B is too long", bytes.0);
            return Err(place.error("notification", message, "write at most \"1 MiB\"; \"64 B\" hold any"));
        }
        if self.detection == Detect::Tree && notification.is_none() {
            return Err(place.error(
                "detection",
                "notifications that are only counted need no detection",
                "give the length of the messages, `notification = \"64 B\"`",
            ));
        }
        let balancing = match self.balancing.map(NonZeroU32::new) {
            Some(None) => {
                let message = format!("`{}` = 0 is out of range", place.at("balancing"));
                return Err(place.error("balancing", message, "write the number of iterations between, at least 1"));
            }
            every => every.flatten(),
        };
        Ok(Rules {
            notification,
            detection: self.detection,
            balancing,
            mode: self.mode.unwrap_or(Mode::Basic),
            learn,
            margin: time("margin", self.margin, MARGIN)?,
            overhead: time("overhead", self.overhead, OVERHEAD)?,
            slowdown_billionths: (slowdown * 1e9).round() as u64,
        })
    }
}

impl PolicyKeys for Runtime {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        self.rules(place).map(|_| ())
    }

    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        Ok(ClassPolicy::Runtime(power::Runtime::new(self.rules(place)?, &class.states)))
    }
}
