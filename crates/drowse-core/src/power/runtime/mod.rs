//! The runtime system in command of the links (Totoni et al. 2014, sections 4 and 6).
//!
//! An iterative program repeats its communication. The runtime system (MPI, Charm++) observes a job for some
//! iterations. Every node keeps the list of nodes to which it sends, computes the routes, and notifies the switches on
//! them, which mark the channels that are used. Unused channels are turned off (`basic`). A packet that needs one
//! nevertheless wakes it, and it stays on until the next command. When a node sends to another that is not on its list,
//! the pattern has changed, and the job learns anew. With `scheduled`, used channels are also off between their last
//! use in one iteration and their first in the next. If iterations get slower, the policy is turned down.
//!
//! The [`RuntimeSystem`] is one sequential machine. It receives [`Notification`]s and returns [`Command`]s, which take
//! effect after the software's overhead and a hop. The messages by which nodes notify switches can be simulated: then
//! unused channels go off once all have come. Else they are only counted. So can those by which nodes learn that all have
//! come ([`Detection`]); else they know.
//!
//! A program whose objects migrate under a load balancer has a pattern from one load balancing to the next. With
//! `balancing`, a job learns anew there, and only there.

mod control;
mod detection;
mod iterations;
mod job;
mod notification;
mod routes;
mod schedule;
mod system;

pub use crate::measure::runtime::{JobRecord, Mean, RuntimeRecord};
pub use control::Runtime;
pub use detection::Detection;
pub use iterations::{Begun, IterationTimes, Iterations};
pub use job::Job;
pub use notification::{Command, CommandKind, Notification, NotificationKind, Says, Telling};
pub use routes::Routes;
pub use schedule::{Care, Gap, Notes, Rest, Schedule, rest};
pub use system::RuntimeSystem;

pub use super::policy::{Detect, Mode, Rules};
