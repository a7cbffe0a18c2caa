//! Policies that decide when a channel sleeps, one file each, and the course of an idle period.
//!
//! [`bounded`] holds the policies that keep a bound on delay, with what they are made of.

pub mod bounded;
mod coalescing;
mod idle_energy;
mod link_timers;
mod oracle;
mod predictive;
mod random_timer;
mod stall_timer;
mod timeline;

pub use bounded::*;
pub use coalescing::Coalescing;
pub use idle_energy::IdleEnergy;
pub use link_timers::LinkTimers;
pub use oracle::Oracle;
pub use predictive::Predictive;
pub use random_timer::RandomTimer;
pub use stall_timer::{StallTimer, StallTimers};
pub use timeline::Timeline;
