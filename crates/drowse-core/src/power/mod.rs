//! Link power: the policies that decide when a channel sleeps, and the models of power and cost.
//!
//! A policy sees one channel's idle periods and messages, and nothing else. At the end of each period it may learn, and
//! for the next it returns two stall timers. Both run from the start of the idle period (last bit sent, nothing
//! waiting) to the next request. Channels may also be commanded off and on: as the ports of a trunk, by what the switch
//! has measured in a window, by the runtime system, or by a governor. The simulation is generic over the policy, so that a user's own
//! costs no virtual call.
//!
//! From the bottom up: [`policy`] (the traits), the policies in [`sleep`], [`trunk`], [`width`], [`runtime`],
//! [`governor`] and [`cap`], their registry [`ClassPolicy`], and [`ByClass`] and [`Probe`], which are made of policies.

mod by_class;
pub mod cap;
mod class_policy;
pub mod cost;
pub mod governor;
pub mod investment;
mod links;
pub mod model;
mod node_watts;
mod other;
pub mod parts;
pub mod policy;
mod probe;
pub mod rate;
pub mod runtime;
pub mod sleep;
pub mod standby;
pub mod trunk;
pub mod watts;
pub mod width;
mod with_other;

pub use by_class::ByClass;
pub use cap::Cap;
pub use class_policy::ClassPolicy;
pub use governor::Bounded;
pub use links::link_power;
pub use other::Other;
pub use policy::{
    CapRules, Change, CoalescingLimits, CoalescingPolicy, FurtherTimers, GovernedPolicy, GovernorRules,
    HindsightPolicy, Idle, Policy, RuntimePolicy, SleepPolicy, Timers, TrunkPolicy, TrunkWindow, Wake, WidthPolicy,
};
pub use probe::{Probe, Probed};
pub use runtime::Runtime;
pub use sleep::*;
pub use standby::Standby;
pub use trunk::Trunk;
pub use width::Width;
pub use with_other::{Remembered, WithOther};

pub use crate::model::link_state::{LinkState, PerState};
pub use crate::model::sleep_state::{Deepen, FurtherStates, SleepState, SleepStates};
