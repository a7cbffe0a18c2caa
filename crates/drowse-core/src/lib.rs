//! The pure core of Drowse: it turns a network, a workload and a link power policy into a record of what happened.
//!
//! Nothing here reads files, clocks or the environment, prints, or starts threads; two simulations can live in one
//! process. A [`engine::Simulation`] is a pure function of its inputs and seed: the same on every machine.
//!
//! The flow of data: a [`topology::TopologySpec`] is built into a [`topology::Network`] (flat, immutable tables); with
//! a [`model::config::Config`], a [`power::Policy`] and a [`workload::Workload`] it makes an [`engine::Simulation`],
//! whose run yields a [`measure::Record`]; the [`power::model::PowerModel`] turns residencies into power and energy.

pub mod engine;
pub mod limits;
pub mod measure;
pub mod model;
pub mod power;
pub mod routing;
pub mod topology;
pub mod usage;
pub mod workload;
