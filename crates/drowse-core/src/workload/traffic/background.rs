//! Open-loop traffic beside jobs: what else the network carries while they run.

use serde::{Deserialize, Serialize};

use crate::model::units::Time;

use super::{Count, Lengths, Pattern, Traffic};

/// Parameters of open-loop traffic beside jobs. It begins with the run and ends with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Background {
    /// Whom a node sends to.
    pub pattern: Pattern,
    /// Offered load, as in [`Traffic::load`].
    pub load: f64,
    /// The lengths of messages.
    pub packets: Lengths,
    /// A node may send to itself, through its switch.
    pub include_self: bool,
    /// Which nodes have it.
    pub nodes: BackgroundNodes,
}

/// Which nodes have open-loop traffic beside jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BackgroundNodes {
    /// All, those of jobs included.
    All,
    /// Those without a rank of a job.
    Free,
}

impl Background {
    /// Returns it as open-loop traffic that is measured as long as there is time.
    pub fn traffic(&self) -> Traffic {
        Traffic {
            pattern: self.pattern.clone(),
            load: self.load,
            packets: self.packets,
            include_self: self.include_self,
            count: Count::Delivered,
            warmup: Time::ZERO,
            measure: Time::END,
            drain: false,
        }
    }
}
