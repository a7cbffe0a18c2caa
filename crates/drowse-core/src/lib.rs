//! The pure core of Drowse: it turns a network, a workload and a link power policy into a record of what happened.
//!
//! Nothing here reads files, clocks or the environment, prints, or starts threads; two simulations can live in one
//! process. A [`engine::Simulation`] is a pure function of its inputs and seed: the same on every machine.
//!
//! A network, a policy and a program make a simulation:
//!
//! ```
//! use drowse_core::engine::run;
//! use drowse_core::model::config::Config;
//! use drowse_core::model::sleep_state::SleepStates;
//! use drowse_core::model::units::Time;
//! use drowse_core::power::{StallTimer, link_power};
//! use drowse_core::topology::{PerDimension, TopologySpec, Torus};
//! use drowse_core::workload::Workload;
//! use drowse_core::workload::application::{Application, Phase};
//! use drowse_core::workload::graph::{Graph, Stencil};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let network = TopologySpec::Torus(Torus::new(vec![4, 4], PerDimension::All(1), 1)).build()?;
//! let mut config = Config::new(&network);
//! config.classes[1..].iter_mut().for_each(|class| class.states = Some(SleepStates::default()));
//! let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(50)));
//! let stencil = Graph::Stencil(Stencil::new(vec![4, 4], true, 64 << 10)?);
//! let program = Application::new(vec![Phase::new(stencil, 100, Time::from_us(200))])?;
//! let record = run(&network, &config, &policy, Workload::application(program, &network)?)??;
//! let power = link_power(&record, &network, &config);
//! println!("{} with links at {:.0} % of their full power", record.measured, 100.0 * power);
//! # assert!((0.1..0.9).contains(&power));
//! # Ok(())
//! # }
//! ```
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
