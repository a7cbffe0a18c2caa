//! `spray-queue`: a packet takes the output for which the least is queued when it heads its own queue, and keeps to it.
//! Among equals it draws.

use crate::engine::partition::Partition;
use crate::model::balance::{Balance, Hash};
use crate::model::config::Config;

use super::hash::Hasher;
use super::spray_random::SprayRandom;
use super::{Asking, Choose, Output, Outputs, asked};

/// Draws among the shortest queues.
#[derive(Debug)]
pub(super) struct SprayQueue(Hasher);

impl Choose for SprayQueue {
    const SEES_QUEUES: bool = true;

    fn new(config: &Config, _: &Partition) -> Option<Self> {
        asked(config, Balance::SprayQueue)?;
        Some(SprayQueue(Hasher::new(config.seed, Hash::default())))
    }

    fn choose(&mut self, asking: &Asking, outputs: Outputs<'_>) -> Output {
        let of = outputs.awake;
        let Asking { switch, origin, .. } = *asking;
        let begin = self.0.hash(switch, origin.flow, SprayRandom::salt(asking), of.len());
        let in_turn = of[begin..].iter().chain(&of[..begin]);
        // The first of those with the least.
        in_turn.min_by_key(|output| output.queued).copied().unwrap_or(of[begin])
    }
}
