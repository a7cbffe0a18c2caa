//! Checks laws during a run in audit mode, which tests use. A violation is a defect of ours, so it
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

/// Channels of a partition for each bucket without a look at all of them: an audit takes a few times as long as the run
/// then, however large the network is.
const CHANNELS_PER_BUCKET: u32 = 16;

/// Checks a partition: packets that move after every bucket; what lasts, which are credits and who waits for which
/// output, after so many buckets that it costs no more. A credit that is lost stays lost. Packets are counted over all
/// partitions, residencies when they are read.
#[derive(Debug)]
pub struct Audit {
    /// Of a virtual channel of an input, and of an output.
    capacities: [u16; 2],
    routes: Routes,
    /// Buckets since all channels were looked at.
    buckets: u32,
}

impl Audit {
    /// Starts before anything has happened; `graph` is what the proof of the routing rests on, where there is one.
    pub fn new(config: &Config, graph: Option<Arc<DependencyGraph>>) -> Self {
        let outputs = config.switch.output_queues().map_or(0, |queues| queues.room_flits);
        Audit { capacities: [config.switch.buffer_flits, outputs], routes: Routes::new(graph), buckets: 0 }
    }

    /// Checks what is to be checked after this bucket.
    ///
    /// # Panics
    ///
    /// Panics when credits and occupancy differ from capacity, when a packet is on a virtual channel of another hop or
    /// begins a second non-minimal route, and when it takes, waits for or keeps an output that routing or the proven
    /// channel dependency graph does not permit.
    pub fn check<P: Policy>(&mut self, switches: &Switches<P>) {
        self.routes.follow_all(switches);
        self.buckets += 1;
        if self.buckets.saturating_mul(CHANNELS_PER_BUCKET) >= switches.partition.channels() {
            self.buckets = 0;
            credits::check(switches, self.capacities);
            self.routes.check_heads(switches);
        }
    }
}

/// Returns the channel dependency graph of a routing that is proven free of deadlock.
pub fn dependency_graph(network: &Network, config: &Config) -> Option<Arc<DependencyGraph>> {
    let graph = (network.switches() <= MOST_SWITCHES).then(|| dependencies::graph(network, config));
    graph.flatten().map(Arc::new)
}
