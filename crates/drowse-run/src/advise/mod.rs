//! Advice for an operator: which links of a machine may sleep, by its network and its job log.
//!
//! Months of messages cannot be simulated. So [`windows`] chooses short parts of the log, the busiest and some that are
//! drawn, and [`plan`] writes the experiment that asks flows for every policy in each of them: a sweep like any other.

pub mod machine;
pub mod plan;
pub mod programs;
pub mod windows;
