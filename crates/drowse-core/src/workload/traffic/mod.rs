//! Open-loop synthetic traffic: every node generates messages at a fixed mean rate, whatever the state of the network.

mod background;
mod lengths;
pub(in crate::workload) mod pattern;

pub use background::{Background, BackgroundNodes};
pub use lengths::{Length, Lengths};
pub use pattern::{Destinations, OtherPattern, Pattern, PatternError, Receivers, TrafficPattern};

use serde::{Deserialize, Serialize};

use crate::model::units::Time;

/// Parameters of open-loop traffic; times are multiples of the switch clock.
///
/// ```
/// use drowse_core::engine::run;
/// use drowse_core::model::{config::Config, units::Time};
/// use drowse_core::power::StallTimer;
/// use drowse_core::topology::{Full, TopologySpec};
/// use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
/// use drowse_core::workload::Workload;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let network = TopologySpec::Full(Full { switches: 4, nodes: 1 }).build()?;
/// let (warmup, measure) = (Time::from_us(16), Time::from_us(160));
/// let (pattern, packets, count) = (Pattern::Uniform, Lengths::packets(1), Count::Generated);
/// let traffic = Traffic { pattern, load: 0.3, packets, include_self: false, count, warmup, measure, drain: true };
/// let always_on = StallTimer::always_on(network.classes.len());
/// let record = run(&network, &Config::new(&network), &always_on, Workload::OpenLoop(traffic))??;
/// // Far from saturation, the network carries what is offered, but for chance.
/// let loads = record.open_loop.expect("open-loop traffic has loads");
/// assert!((loads.delivered_flits as f64 / loads.capacity_flits - 0.3).abs() < 0.03);
/// assert_eq!(record.packets_injected, record.packets_delivered);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Traffic {
    /// Whom a node sends to.
    pub pattern: Pattern,
    /// Offered load as a share of a node's injection bandwidth, in flits. In each clock cycle a node generates a
    /// message with the probability that gives this mean (Bernoulli). A node without a destination generates none.
    pub load: f64,
    /// The lengths of messages.
    pub packets: Lengths,
    /// A node may send to itself, through its switch.
    pub include_self: bool,
    /// Which packets count for latencies.
    pub count: Count,
    /// Time before the measured window.
    pub warmup: Time,
    /// Length of the measured window.
    pub measure: Time,
    /// After the window, keep sending until all packets generated in it are delivered, then drain the network.
    pub drain: bool,
}

/// Which packets count for latencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// Those generated in the window.
    Generated,
    /// Those delivered in the window.
    Delivered,
}
