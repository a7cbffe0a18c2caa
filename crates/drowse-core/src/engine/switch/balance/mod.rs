//! How a head chooses one of the outputs that routing permits, when it first could be sent: a file for each kind.
//!
//! The choice is made once at each switch and kept, so that nothing is added to what the allocator does at each edge. It
//! depends on the flow, the switch and what the switch has seen, and never on a number of threads.

mod flow_hash;
mod flowlet;
pub mod hash;
mod spray_queue;
mod spray_random;
mod spray_round_robin;

use crate::engine::partition::Partition;
use crate::model::balance::Balance;
use crate::model::config::Config;
use crate::routing::{Candidates, PortGroup};
use crate::topology::{Geometry, Network};

use super::layout::Layout;
use super::origin::Origin;
use super::rules::Rules;

/// An output that a packet may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its port, relative to the first of the switch.
    pub port: u16,
    /// The virtual channels that the packet may take there, one bit each.
    pub vcs: u8,
    /// Flits that it has sent and got no credit back for, and that wait for it; 0 where nobody asks.
    pub queued: u64,
}

/// The outputs among which a packet chooses; there is one at least.
#[derive(Clone, Copy, Debug)]
pub struct Outputs<'a> {
    /// All that routing permits.
    pub permitted: &'a [Output],
    /// Those of them over which packets are sprayed: that are on, where packets avoid those that sleep; else those that
    /// wake, else all.
    pub awake: &'a [Output],
}

/// A head that asks for an output.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// Its switch, as numbered in the whole network.
    pub switch: u32,
    /// Its switch, as numbered in the partition.
    pub here: u32,
    /// Its switch's first port, as numbered in the partition.
    pub first: u32,
    /// Where it comes from.
    pub origin: Origin,
    /// When it asks.
    pub now: u64,
}

/// A kind.
trait Choose: Sized {
    /// It needs to know how much is queued for each output.
    const SEES_QUEUES: bool = false;
    /// Prepares it for a partition, if it is what the switches do.
    fn new(config: &Config, partition: &Partition) -> Option<Self>;

    /// Returns whether packets avoid outputs that sleep where `power.selection` says so. Otherwise a packet has its output
    /// whatever that does.
    fn sprays(&self) -> bool {
        true
    }

    /// Returns the output that a packet takes.
    fn choose(&mut self, asking: &Asking, outputs: Outputs<'_>) -> Output;
}

/// Makes the list of kinds.
macro_rules! kinds {
    ($($kind:ident: $choose:ty,)*) => {
        /// A kind, whichever it is.
        #[derive(Debug)]
        enum Kind {
            $($kind($choose),)*
        }

        impl Kind {
            fn new(config: &Config, partition: &Partition) -> Option<Self> {
                None$(.or_else(|| <$choose as Choose>::new(config, partition).map(Kind::$kind)))*
            }

            fn sees_queues(&self) -> bool {
                match self { $(Kind::$kind(_) => <$choose as Choose>::SEES_QUEUES,)* }
            }

            fn sprays(&self) -> bool {
                match self { $(Kind::$kind(kind) => kind.sprays(),)* }
            }

            fn choose(&mut self, asking: &Asking, outputs: Outputs<'_>) -> Output {
                match self { $(Kind::$kind(kind) => kind.choose(asking, outputs),)* }
            }
        }
    };
}

kinds! {
    FlowHash: flow_hash::FlowHash,
    Flowlet: flowlet::Flowlets,
    SprayRandom: spray_random::SprayRandom,
    SprayRoundRobin: spray_round_robin::RoundRobin,
    SprayQueue: spray_queue::SprayQueue,
}

/// How the heads of a shard choose, and what they have chosen.
#[derive(Debug)]
pub struct Balancer {
    kind: Kind,
    /// How much is queued for an output counts.
    pub(super) sees_queues: bool,
    /// Packets avoid outputs that sleep, and one that waits for an output that is on may wake another.
    pub(super) avoids_sleep: bool,
    /// The escape stays open to all packets beside what they have chosen: without it they could wait in a circle.
    pub(super) keeps_escape: bool,
    /// The output that the head of each queue has chosen, if it [has](super::buffers::Queue::BALANCED).
    pub(super) chosen: Vec<u16>,
    /// What is chosen among; kept for its room.
    pub(super) scratch: Scratch,
}

/// Lists that are filled for each choice.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) found: Box<Candidates>,
    pub(super) permitted: Vec<Output>,
    pub(super) awake: Vec<Output>,
}

impl Balancer {
    /// Prepares a partition, unless its heads look at all outputs again at each edge.
    pub fn new(
        network: &Network,
        config: &Config,
        partition: &Partition,
        layout: &Layout,
        rules: &Rules<'_>,
    ) -> Option<Self> {
        let kind = Kind::new(config, partition)?;
        Some(Balancer {
            sees_queues: kind.sees_queues(),
            avoids_sleep: kind.sprays() && rules.may_sleep && rules.choice.sleep_aware(),
            keeps_escape: matches!(network.geometry, Geometry::Grid(_)),
            chosen: vec![0; (partition.ports() as usize) << layout.queue_bits],
            scratch: Scratch::default(),
            kind,
        })
    }

    /// Chooses an output.
    pub(super) fn choose(&mut self, asking: &Asking) -> Output {
        let Scratch { permitted, awake, .. } = &self.scratch;
        self.kind.choose(asking, Outputs { permitted, awake })
    }
}

/// Leaves a packet the output that it has chosen, and the escape where that stays open.
pub(super) fn narrow(port: u16, keeps_escape: bool, candidates: &mut Candidates) {
    let groups = candidates.adaptive().iter().chain(std::iter::once(&candidates.escape));
    let of_port = groups.copied().find(|group| group.outputs().contains(&port));
    let Some(PortGroup { vcs, .. }) = of_port else { return };
    let chosen = PortGroup { first: port, count: 1, vcs };
    if keeps_escape && candidates.adaptive_len > 0 {
        (candidates.adaptive[0], candidates.adaptive_len) = (chosen, 1);
    } else {
        candidates.set_only(chosen);
    }
}

/// Returns whether a configuration asks for a kind without parameters.
fn asked(config: &Config, balance: Balance) -> Option<()> {
    (config.switch.balance == balance).then_some(())
}
