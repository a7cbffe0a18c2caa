//! Routing: which outputs and virtual channels a packet may take next.
//!
//! A geometry's answers are in the file that bears its name; `routed` lists the questions, and
//! `dispatch` asks them. Dragonflies,
//! `HyperX` and graphs share what [`low_diameter`] knows of non-minimal routes.
//!
//! A network has several routings, the usual one first. A configuration names one, and has virtual channels for it:
//!
//! ```
//! use drowse_core::model::config::{Config, SwitchModel, VirtualChannels};
//! use drowse_core::routing::{RoutingKind, kinds};
//! use drowse_core::topology::{PerDimension, TopologySpec, Torus};
//!
//! let network = TopologySpec::Torus(Torus::new(vec![4, 4], PerDimension::All(1), 1)).build()?;
//! assert_eq!(kinds(&network.geometry), [RoutingKind::Adaptive, RoutingKind::DimensionOrder]);
//!
//! let usual = Config::new(&network);
//! assert_eq!((usual.routing, usual.switch.vcs.total()), (RoutingKind::Adaptive, 2 + 2));
//! // Dimension order needs no adaptive virtual channels: the buffer is divided among the two escape ones.
//! let routing = RoutingKind::DimensionOrder;
//! let switch = SwitchModel::with(VirtualChannels::usual(&network, routing));
//! assert_eq!(u64::from(switch.buffer_flits) * switch.flit.0, SwitchModel::BUFFER.0 / 2);
//! let config = Config { routing, switch, ..usual };
//! # assert_eq!(config.switch.vcs.total(), 2);
//! # Ok::<(), drowse_core::topology::NetworkError>(())
//! ```

mod candidates;
mod deadlock_rule;
mod decision;
pub mod dependencies;
mod destination;
mod dispatch;
mod graph;
pub mod grid;
mod groups;
mod hyperx;
mod ideal;
pub mod levels;
pub mod low_diameter;
mod permitted;
mod port_group;
pub mod route;
mod routed;
mod router;
mod vcs;
pub mod walk;

pub use crate::model::routing_kind::RoutingKind;
pub use candidates::Candidates;
pub use destination::Destination;
pub(crate) use dispatch::has_single_route;
pub use dispatch::{crossing, kinds, needed_vcs, ring};
pub(crate) use permitted::Permitted;
pub use port_group::PortGroup;
pub use routed::NO_RING;
pub use router::Router;
pub(crate) use vcs::HopVcs;
pub use vcs::{GridVcs, NeededVcs};
