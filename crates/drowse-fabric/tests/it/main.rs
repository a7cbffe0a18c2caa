//! Tests of the formats of networks, from outside.

mod formats;
mod infiniband;
mod shapes;
mod slurm;
mod support;
