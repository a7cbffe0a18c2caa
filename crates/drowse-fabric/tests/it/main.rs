//! Tests of the formats of networks, from outside.

mod accelerators;
mod booksim;
mod formats;
mod htsim;
mod infiniband;
mod shapes;
mod simgrid;
mod slurm;
mod support;
