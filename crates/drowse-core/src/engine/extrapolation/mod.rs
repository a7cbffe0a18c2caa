//! Extrapolation: iterations of jobs that are like those before are not simulated.
//!
//! Jobs that use one channel are a group; they disturb each other, and no other job disturbs them. In each iteration
//! there is a mark at every rank. From mark to mark, a sample says how long the iterations of a job took, and what its
//! channels did meanwhile. When two samples of all jobs of a group are alike, each job is held at a mark, the one of
//! the longest iterations first. It goes on a whole number of iterations later, as if it had gone through them: what
//! its ranks and channels have counted grows by so many samples, and what they remember of times moves by as much.
//! Nothing else moves, so that all jobs, the scheduler and the limits of jobs go by one clock.
//!
//! A group is released before one of its jobs ends, or when another job comes to one of its channels. Who belongs
//! together is found out anew then.
//!
//! This folder decides. It knows numbers of jobs and channels; what ranks and channels do, its callers tell.

mod compare;
mod counts;
mod group;
mod job;
mod jobs;
mod ratio;
#[cfg(test)]
mod tests;

pub use counts::Counts;
pub use job::{Pace, Sampled};
pub use jobs::{Extrapolation, Follow, Released, Wake};
pub use ratio::Ratio;
