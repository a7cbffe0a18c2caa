//! Routing: which outputs and virtual channels a packet may take next.
//!
//! A geometry's answers are in the file that bears its name; `routed` lists the questions and asks them. Dragonflies,
//! `HyperX` and graphs share what [`low_diameter`] knows of non-minimal routes.

mod candidates;
mod deadlock_rule;
mod decision;
pub mod dependencies;
mod destination;
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
pub use deadlock_rule::DeadlockRule;
pub use destination::Destination;
pub use permitted::Permitted;
pub use port_group::PortGroup;
pub use routed::{NO_RING, Routed, crossing, has_single_route, kinds, needed_vcs, ring};
pub use router::Router;
pub use vcs::{GridVcs, HopVcs, NeededVcs};
