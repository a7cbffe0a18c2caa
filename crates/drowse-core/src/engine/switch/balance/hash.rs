//! The hash by which flows and packets name outputs.

use crate::model::balance::{Hash, HashSeeds};
use crate::model::rng::{self, Purpose, mix};

use super::{Asking, Output};

/// Hashes flows by seeds.
#[derive(Clone, Copy, Debug)]
pub struct Hasher {
    seed: u64,
    seeds: HashSeeds,
}

impl Hasher {
    /// Creates one for the seed of a simulation.
    pub fn new(seed: u64, hash: Hash) -> Self {
        Hasher { seed, seeds: hash.seeds }
    }

    /// Returns the output of a packet by its flow and a number: 0 for the flow itself.
    pub(super) fn pick(&self, asking: &Asking, salt: u64, outputs: &[Output]) -> Output {
        outputs[self.hash(asking.switch, asking.origin.flow, salt, outputs.len())]
    }

    /// Returns which of so many outputs of a switch the hash of a flow and a number names, modulo how many they are.
    pub fn hash(&self, switch: u32, flow: u32, salt: u64, outputs: usize) -> usize {
        let entity = match self.seeds {
            HashSeeds::Own => switch,
            HashSeeds::Equal => u32::MAX,
        };
        let seed = rng::entity_seed(self.seed, Purpose::Balancing, entity);
        (mix(mix(seed ^ u64::from(flow)) ^ salt) % outputs as u64) as usize
    }
}
