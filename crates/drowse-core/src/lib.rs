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
//! use drowse_core::topology::{PerDimension, Topology, Torus};
//! use drowse_core::workload::Workload;
//! use drowse_core::workload::programs::{Application, Phase, Phased, Stencil};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let network = Torus::new(vec![4, 4], PerDimension::All(1), 1).build()?;
//! let mut config = Config::new(&network);
//! config.classes[1..].iter_mut().for_each(|class| class.states = Some(SleepStates::default()));
//! let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(50)));
//! let stencil = Phased(Stencil::new(vec![4, 4], true, 64 << 10)?);
//! let program = Application::new(vec![Phase::new(stencil, 10, Time::from_us(200))])?;
//! let record = run(&network, &config, &policy, Workload::application(program, &network)?)??;
//! let power = link_power(&record, &network, &config);
//! let joules = power * f64::from(network.channels()) * record.measured.seconds();
//! println!("{}, and {joules:.3} J if a channel that is on takes 1 W", record.measured);
//! # assert!((0.1..0.9).contains(&power));
//! # Ok(())
//! # }
//! ```
//!
//! The flow of data: a [`topology::TopologySpec`] is built into a [`topology::Network`] (flat, immutable tables); with
//! a [`model::config::Config`], a [`power::Policy`] and a [`workload::Workload`] it makes an [`engine::Simulation`],
//! whose run yields a [`measure::Record`]; the [`power::model::PowerModel`] turns residencies into power and energy.
//!
//! Where to go on, each with an example:
//!
//! - Networks: [`topology`], any [`Graph`](topology::Graph), one of your own by [`Topology`](topology::Topology), one
//!   with [`Faults`](topology::Faults); distances by [`search`](topology::search()).
//! - Routes: [`routing`], a packet's path by [`walk`](routing::walk::walk), freedom from deadlock by
//!   [`check`](routing::dependencies::check); which channels a program uses by [`Account`](usage::Account).
//! - Policies: one of your own by [`SleepPolicy`](power::SleepPolicy), fixed timers by
//!   [`StallTimer`](power::StallTimer).
//! - Power: [`SleepStates`](power::SleepStates), the course of an idle period by [`Timeline`](power::Timeline), when
//!   sleep pays by [`IdleEnergy`](power::IdleEnergy), the cluster by [`PowerModel`](power::model::PowerModel), watts by
//!   [`ClassWatts`](power::watts::ClassWatts).
//! - Programs: one by hand by [`OperationSource`](workload::operation::OperationSource), one step by step by
//!   [`Program`](workload::programs::Program), iterations by [`Phase`](workload::programs::Phase),
//!   collectives by [`expand`](workload::collectives::expand) and their
//!   [`Algorithms`](workload::algorithms::Algorithms), open-loop [`Traffic`](workload::traffic::Traffic) in
//!   [`Pattern`](workload::traffic::Pattern)s.
//! - Runs: parameters by [`Config`](model::config::Config), step by step by [`Simulation`](engine::Simulation), what
//!   channels do by [`ProbeOptions`](measure::ProbeOptions). Quantities are read by [`model::units`].

pub mod engine;
pub mod limits;
pub mod measure;
pub mod model;
pub mod power;
pub mod routing;
pub mod topology;
pub mod usage;
pub mod workload;
