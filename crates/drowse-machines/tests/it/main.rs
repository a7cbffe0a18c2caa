//! Random machines: what they consist of, and some of them.

mod complete;
mod found;
mod found_flows;
mod hundred;
mod monotone;
mod paths;
mod shrunk;
mod twin;
