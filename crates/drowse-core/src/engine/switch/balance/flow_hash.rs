//! `flow-hash`: all packets of a flow take one output, which the hash of the flow names (equal-cost multipath, ECMP;
//! RFC 2992). A link that sleeps is woken for its flows.

use crate::engine::partition::Partition;
use crate::model::balance::Balance;
use crate::model::config::Config;

use super::hash::Hasher;
use super::{Asking, Choose, Output, Outputs};

/// Hashes flows.
#[derive(Debug)]
pub(super) struct FlowHash(Hasher);

impl Choose for FlowHash {
    fn new(config: &Config, _: &Partition) -> Option<Self> {
        let Balance::FlowHash(hash) = config.switch.balance else { return None };
        Some(FlowHash(Hasher::new(config.seed, hash)))
    }

    fn sprays(&self) -> bool {
        false
    }

    fn choose(&mut self, asking: &Asking, outputs: Outputs<'_>) -> Output {
        self.0.pick(asking, 0, outputs.permitted)
    }
}
