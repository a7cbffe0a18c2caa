//! Applications without a trace: iterations of communication graphs and of chained programs.
//!
//! Each phase repeats one piece of work. In an iteration of a graph, a rank computes, posts all receives, starts all
//! sends, and waits for all of them (Totoni et al. 2014, sections 5 and 6). In an iteration of a chained program it
//! takes its steps in order ([`super::chains`]). Iterations are marked. There is no barrier: only the receives order
//! the ranks. Operations are computed from the number of the rank when it needs them, block by block.

mod computing;
mod exchange;
mod iterate;
mod phase;

pub use computing::{Computing, Distribution, Share};
pub use iterate::Iterate;
pub use phase::{Application, Excess, Phase, TooMuch, Work};

#[cfg(test)]
mod tests;
