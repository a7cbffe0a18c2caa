//! Tests of the formats of networks, from outside.

mod accelerators;
mod booksim;
mod formats;
mod graphs;
mod htsim;
mod infiniband;
mod infragraph;
mod nccl;
mod shapes;
mod shapes_of_groups;
mod simgrid;
mod slurm;
mod support;
mod write;
