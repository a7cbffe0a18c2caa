//! The NAS Parallel Benchmarks (versions 3.1 to 3.4, MPI): all messages of an iteration at once, or their calls of MPI in
//! order, from `MPI_Init` to `MPI_Finalize`. A test compares both with traces.
//!
//! In its order a program sets up, does one time step that is not counted where the original does, iterates, and
//! verifies. Each is a part of its own, so that only the iterations are marked and repeated.

mod benchmark;
mod cg;
mod class;
mod ep;
mod ft;
mod is;
mod lu;
mod mg;
mod multipartition;

pub use benchmark::{Npb, NpbKeys, Part};
pub use cg::Cg;
pub use class::Class;
pub use ep::Ep;
pub use ft::Ft;
pub use is::Is;
pub use lu::Lu;
pub use mg::Mg;
pub use multipartition::{Bt, Multipartition, Solver, Sp};

#[cfg(test)]
mod tests;
