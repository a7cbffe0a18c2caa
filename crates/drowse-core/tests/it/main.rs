//! The simulator from outside: closed forms, conservation laws, peers' curves.

mod closed_forms;
mod common;
