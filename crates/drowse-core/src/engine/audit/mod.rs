//! Checks laws after every bucket of a run in audit mode, which tests use. A violation is a defect of ours, so it
//! panics.

mod credits;
mod routes;

use std::sync::Arc;

use crate::model::config::Config;
use crate::power::Policy;
use crate::routing::dependencies::{self, DependencyGraph};
use crate::topology::Network;

use super::switch::switches::Switches;
use routes::Routes;

/// Proofs for larger networks would take longer than the tests.
const MOST_SWITCHES: u32 = 100;

/// Checks a partition after every bucket. Packets are counted over all partitions, residencies when they are read.
#[derive(Debug)]
pub struct Audit {
    capacity: u16,
    routes: Routes,
}

impl Audit {
    /// Starts before anything has happened; `graph` is what the proof of the routing rests on, where there is one.
    pub fn new(config: &Config, graph: Option<Arc<DependencyGraph>>) -> Self {
        Audit { capacity: config.switch.buffer_flits, routes: Routes::new(graph) }
    }

    /// Checks everything.
    ///
    /// # Panics
    ///
    /// Panics when credits and occupancy differ from capacity, when a packet is on a virtual channel of another hop or
    /// begins a second non-minimal route, and when it takes, waits for or keeps an output that routing or the proven
    /// channel dependency graph does not permit.
    pub fn check<P: Policy>(&mut self, switches: &Switches<P>) {
        credits::check(switches, self.capacity);
        self.routes.check(switches);
    }
}

/// Returns the channel dependency graph of a routing that is proven free of deadlock.
pub fn dependency_graph(network: &Network, config: &Config) -> Option<Arc<DependencyGraph>> {
    let graph = (network.switches() <= MOST_SWITCHES).then(|| dependencies::graph(network, config));
    graph.flatten().map(Arc::new)
}
