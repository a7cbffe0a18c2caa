//! Open-loop traffic beside jobs: what else the network carries while they run.

use crate::model::units::Time;

use super::{Count, Lengths, Pattern, Traffic};

/// Parameters of open-loop traffic beside jobs. It begins with the run and ends with it.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackgroundNodes {
    /// All nodes, those of jobs included.
    All,
    /// Nodes without a rank send to each other.
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
            measure: Time::LONGEST,
            drain: false,
        }
    }
}
