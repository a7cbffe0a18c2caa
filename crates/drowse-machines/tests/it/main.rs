//! Random machines: what they consist of, and some of them.

mod complete;
mod hundred;
mod shrunk;
