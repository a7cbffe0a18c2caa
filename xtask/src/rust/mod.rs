//! Rust as tidy reads it: tokens, and the modules of a crate with what they define and import. Nothing is expanded.

pub mod modules;
pub mod scan;
pub mod tokens;
