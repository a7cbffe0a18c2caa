//! `flowlet`: as `flow-hash`, but after a gap in a flow the next packet draws an output for all that follow it (Vanini et
//! al. 2017, LetFlow).

use crate::engine::partition::Partition;
use crate::model::balance::Balance;
use crate::model::config::Config;

use super::hash::Hasher;
use super::spray_random::SprayRandom;
use super::{Asking, Choose, Output, Outputs};

/// Flowlets of a switch that are remembered, by the hash of their flow. A flow whose place another takes begins a new
/// flowlet.
const PLACES: usize = 1 << 10;

/// The latest flowlet in a place.
#[derive(Clone, Copy, Debug, Default)]
struct Flowlet {
    /// When its latest packet chose.
    seen: u64,
    flow: u32,
    /// The output that it has drawn; none where the flow goes by its own hash.
    port: Option<u16>,
}

/// The flowlets of a shard.
#[derive(Debug)]
pub(super) struct Flowlets {
    hasher: Hasher,
    /// In picoseconds; a flow that waits longer has a new flowlet.
    gap: u64,
    /// By switch, and by the hash of the flow.
    places: Vec<Flowlet>,
}

impl Choose for Flowlets {
    fn new(config: &Config, partition: &Partition) -> Option<Self> {
        let Balance::Flowlet(hash, gap) = config.switch.balance else { return None };
        let switches = partition.switches.count() as usize;
        let places = vec![Flowlet::default(); switches * PLACES];
        Some(Flowlets { hasher: Hasher::new(config.seed, hash), gap: gap.0, places })
    }

    fn sprays(&self) -> bool {
        // A flow without end is one flowlet.
        self.gap < u64::MAX
    }

    fn choose(&mut self, asking: &Asking, outputs: Outputs<'_>) -> Output {
        let flow = asking.origin.flow;
        let place = &mut self.places[asking.here as usize * PLACES + flow as usize % PLACES];
        let known = place.flow == flow && place.seen > 0;
        // A flow that has not been seen was seen at time 0, so that an endless gap leaves it to its hash.
        let idle = asking.now - if known { place.seen } else { 0 };
        let drawn = place.port.filter(|_| known);
        let before = || outputs.permitted.iter().copied().find(|output| Some(output.port) == drawn);
        let (output, port) = if idle >= self.gap {
            let output = self.hasher.pick(asking, SprayRandom::salt(asking), outputs.awake);
            (output, Some(output.port))
        } else {
            (before().unwrap_or_else(|| self.hasher.pick(asking, 0, outputs.permitted)), drawn)
        };
        *place = Flowlet { seen: asking.now, flow, port };
        output
    }
}
