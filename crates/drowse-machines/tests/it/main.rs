//! Random machines: what they consist of, and some of them.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing to unwrap has failed")]

mod complete;
mod hundred;
mod shrunk;
