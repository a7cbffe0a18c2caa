//! Where messages begin and end: ranks and open-loop sources. What carries the messages is known by [`fabric::Fabric`] alone.

mod account;
pub mod again;
mod computing;
mod count_operations;
mod critical_path;
pub mod fabric;
mod ids;
pub mod job;
mod large_send;
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
mod recording;
mod report_wake_delays;
pub mod reporter;
mod results;
pub mod single;
mod stop;
pub mod trail;
pub mod wake_delay_reports;
