//! Networks and workloads described without simulation: [`network::describe`] counts and measures a network,
//! [`draw::Drawing`] draws it, [`deadlock::check`] proves its routing free of deadlock, [`sound::row`] follows the tables of
//! a fabric that stands somewhere, and [`usage::count`] finds the channels that a workload uses. [`palette`] is what
//! colours mean.

pub mod deadlock;
pub mod draw;
pub mod network;
pub mod palette;
pub mod sound;
pub mod usage;
