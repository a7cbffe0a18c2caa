//! The simulator from outside: closed forms, conservation laws, peers' curves.

mod closed_forms;
mod common;
mod energy;
mod peer_cases;
mod peers;
