//! `spray-round-robin`: packets of a switch take the outputs of a port group in turn, whatever their flow. Each round
//! begins at an output that is drawn, so that switches do not walk in step. Any number of packets is spread over the
//! outputs to within one.

use crate::engine::partition::Partition;
use crate::model::balance::Balance;
use crate::model::config::Config;
use crate::model::rng::{self, Purpose};

use super::{Asking, Choose, Output, Outputs, asked};

/// The turns of a shard.
#[derive(Debug)]
pub(super) struct RoundRobin {
    seed: u64,
    /// Packets that have chosen among outputs of which a port is the first.
    counts: Vec<u64>,
}

impl Choose for RoundRobin {
    fn new(config: &Config, partition: &Partition) -> Option<Self> {
        asked(config, Balance::SprayRoundRobin)?;
        Some(RoundRobin { seed: config.seed, counts: vec![0; partition.ports() as usize] })
    }

    fn choose(&mut self, asking: &Asking, outputs: Outputs<'_>) -> Output {
        let first = outputs.permitted.first().map_or(0, |output| output.port);
        let count = &mut self.counts[asking.first as usize + usize::from(first)];
        let of = outputs.awake.len() as u64;
        let (round, turn) = (*count / of, *count % of);
        *count += 1;
        let entity = rng::entity_seed(self.seed, Purpose::Balancing, asking.switch);
        let begin = rng::draw_of(entity ^ u64::from(first) << 32, round);
        outputs.awake[((begin % of + turn) % of) as usize]
    }
}
