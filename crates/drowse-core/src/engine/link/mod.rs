//! One direction of a link: when it is free, its credits, how it sleeps, and the account of it. Knows no switch.

pub mod channel;
pub mod class;
pub mod command;
pub mod lanes;
pub mod sleep;
pub mod snapshot;
pub mod waiting;
