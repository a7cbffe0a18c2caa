//! Tests of the formats of networks, from outside.

mod formats;
mod infiniband;
mod shapes;
mod simgrid;
mod slurm;
mod support;
