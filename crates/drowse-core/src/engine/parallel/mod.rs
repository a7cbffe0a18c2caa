//! Shards that advance side by side: what they send each other, and how far they may be apart.

mod answering;
pub mod commander;
mod delivery;
pub mod ending;
mod extrapolating;
pub mod mailbox;
pub mod moving;
mod over_time;
pub mod restarting;
pub mod scheduling;
pub mod shard;
pub mod tally;
mod wakes;
pub mod window;
