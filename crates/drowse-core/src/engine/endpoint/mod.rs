//! Where messages begin and end: ranks and open-loop sources. What carries the messages is known by [`fabric::Fabric`] alone.

mod account;
pub mod again;
pub mod fabric;
pub mod job;
mod large_send;
pub mod late_reports;
mod lateness;
mod load;
mod log;
pub mod message;
pub mod open_loop;
mod operations;
mod overheads;
mod processor;
pub mod rank;
pub mod rank_end;
pub mod ranks;
pub mod reporter;
mod results;
pub mod single;
mod stop;
pub mod trail;
