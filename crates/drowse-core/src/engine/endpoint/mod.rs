//! Where messages begin and end: NICs, ranks, and open-loop sources.

mod account;
pub mod job;
pub mod message;
pub mod nic;
pub mod open_loop;
pub mod rank;
pub mod rank_end;
pub mod ranks;
pub mod reporter;
