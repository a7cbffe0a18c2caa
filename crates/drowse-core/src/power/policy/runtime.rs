//! Whether the runtime system commands channels, and by which rules.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::model::units::{Bytes, Time};

pub use crate::model::runtime_mode::Mode;

/// The rules of the runtime system (`power.policy`, `kind = "runtime"`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How far it goes.
    pub mode: Mode,
    /// Iterations that it learns from.
    pub learn: NonZeroU32,
    /// Time between the last use of a channel and its going off, and between its being on and its first use, in a
    /// schedule.
    pub margin: Time,
    /// What a call of it costs a rank, and how long it takes (20 us in the paper, without the switches' own time).
    pub overhead: Time,
    /// How much longer iterations may get before the policy is turned down, in billionths.
    pub slowdown_billionths: u64,
    /// How long the messages are by which nodes notify the switches on their routes, before unused channels go off;
    /// `None` where these are only counted.
    pub notification: Option<Bytes>,
    /// How nodes learn that all of these have come.
    pub detection: Detect,
    /// Iterations from one load balancing to the next, where a job learns anew; `None` where it does so as soon as its
    /// pattern changes.
    pub balancing: Option<NonZeroU32>,
}

impl Rules {
    /// Returns whether loads are balanced before an iteration.
    pub fn balances_before(&self, iteration: u32) -> bool {
        self.balancing.is_some_and(|every| iteration.is_multiple_of(every.get()))
    }
}

/// How nodes learn that all notifications have come (`power.policy.detection`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Detect {
    /// They know, at no cost.
    #[default]
    Free,
    /// By termination detection: counts go up a binary tree of nodes, until all that have been sent have come; then that
    /// goes down. Messages are as long as notifications.
    Tree,
}

/// Puts channels under the control of the runtime system.
pub trait RuntimePolicy {
    /// Returns the rules by which the runtime system commands the channels of a class, the same for all classes that it
    /// commands; `None` for a class that it does not.
    fn runtime_rules(&self, class: u8) -> Option<Rules> {
        let _ = class;
        None
    }
}
