//! The simulation: buckets of the event queue are taken one after the other, each ending at a clock edge.
//!
//! In a bucket, what happens at nodes comes first, in the order of time; then the heads that have reached input queues
//! by the edge; then the allocators that have something to examine. A hop costs one arrival and, where a packet must
//! wait, a wakeup; tails, free times, credits and power states are arithmetic.
//!
//! The network is divided into partitions, each simulated by a shard. Shards advance by windows and exchange messages
//! between two windows. Global actions take place between windows, at times that do not depend on the partitions. Here
//! the shards take turns; a caller with several threads lets them advance side by side ([`Simulation::lend`]).
//!
//! Folders, from the bottom up; each imports only from those before it, and all from `slab`: `event` (clock, event
//! queue), `partition` (a share of the network), `extrapolation` (which iterations are not simulated), `endpoint` (ranks
//! and open-loop sources, which know what carries their messages by an interface), `link` (one direction of a link: credits, sleep, accounts), `switch` (input queues and the
//! allocator), `fabric` (what carries messages: NICs, switches and links, flows, or the ideal network), `control` (trunks, paired
//! channels, the runtime system's commands), `audit` (laws that are checked after every bucket of a test), `parallel`
//! (shards, mailboxes, windows), then the simulation itself.

mod audit;
mod balance_setup;
mod cap_setup;
mod control;
mod deadlock;
mod endpoint;
mod event;
mod extrapolation;
mod extrapolation_setup;
mod fabric;
mod flow_setup;
mod link;
mod parallel;
mod partition;
mod record;
mod recordings;
mod saturation;
mod setup;
mod setup_error;
mod share;
mod simulation;
mod slab;
mod standing;
mod switch;
mod too_long;
mod transport;
mod transport_setup;
mod usual;

pub use control::bundles::all as bundles;
pub use deadlock::{Deadlock, Standstill};
pub use parallel::mailbox::Mailbox;
pub use parallel::shard::Shard;
pub use parallel::window::{Coordinator, Report, Step, Window};
pub use setup_error::SetupError;
pub use share::Share;
pub use simulation::{Failure, OnePartition, Progress, Simulation, check, run, window_cycles};
pub use standing::Standing;
pub use too_long::{Longest, TooLong};
