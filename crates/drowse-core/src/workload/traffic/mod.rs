//! Open-loop synthetic traffic: every node sends messages at a fixed mean rate, whatever the network does.

mod lengths;
mod pattern;

pub use lengths::{Length, Lengths};
pub use pattern::{Destinations, Pattern, PatternError};

use crate::model::units::Time;

/// Parameters of open-loop traffic; times are multiples of the switch clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// Whom a node sends to.
    pub pattern: Pattern,
    /// Offered load as a share of a node's injection bandwidth, in flits; each clock cycle a message comes with the
    /// probability that gives this mean (Bernoulli). A node that has nobody to send to makes none.
    pub load: f64,
    /// How long messages are.
    pub packets: Lengths,
    /// A node may send to itself, through its switch.
    pub include_self: bool,
    /// Which packets count for latencies.
    pub count: Count,
    /// Time before the measured window.
    pub warmup: Time,
    /// Length of the measured window.
    pub measure: Time,
    /// After the window: go on sending until all packets generated in it are delivered, then let the network run empty.
    pub drain: bool,
}

/// Which packets count for latencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Those generated in the window (BookSim's way; exact above saturation too).
    Generated,
    /// Those delivered in the window (CAMINOS's way).
    Delivered,
}
