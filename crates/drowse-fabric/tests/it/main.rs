//! Tests of the formats of networks, from outside.

mod accelerators;
mod booksim;
mod formats;
mod graphs;
mod htsim;
mod infiniband;
mod shapes;
mod infragraph;
mod nccl;
mod simgrid;
mod slurm;
mod support;
