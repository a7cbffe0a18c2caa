//! `spray-random`: each packet draws its output.

use crate::engine::partition::Partition;
use crate::model::balance::{Balance, Hash};
use crate::model::config::Config;

use super::hash::Hasher;
use super::{Asking, Choose, Output, Outputs, asked};

/// Draws by the hash of a packet, so that the order of packets does not matter.
#[derive(Debug)]
pub(super) struct SprayRandom(Hasher);

impl SprayRandom {
    /// Returns the number by which a packet draws; 0 is that of its flow.
    pub(super) fn salt(asking: &Asking) -> u64 {
        asking.origin.number.wrapping_add(1)
    }
}

impl Choose for SprayRandom {
    fn new(config: &Config, _: &Partition) -> Option<Self> {
        asked(config, Balance::SprayRandom)?;
        Some(SprayRandom(Hasher::new(config.seed, Hash::default())))
    }

    fn choose(&mut self, asking: &Asking, outputs: Outputs<'_>) -> Output {
        self.0.pick(asking, Self::salt(asking), outputs.awake)
    }
}
