//! Watts against a power meter: readings of two switches, published by NetPowerBench (`tests/data/meter`).
//!
//! The readings are of whole chassis at the wall. A model has five kinds of terms: chassis, module plugged, port
//! enabled, link up, and joules of a bit and of a packet at each port that it crosses.

mod derive;
mod fit;
mod page;
mod readings;
mod snake;
