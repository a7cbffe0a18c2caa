//! The switches of a shard: their state, in parts with one subject each.
//!
//! Each file beside this one holds one thing that happens to a packet in a switch: it [arrives](super::arrival), its
//! [route](super::route) is decided, it [selects](super::select) an output, the [allocator](super::allocate)
//! arbitrates, and it is [granted](super::grant) or [blocked](super::block) until a [wakeup](super::wakeup).

use crate::engine::event::Events;
use crate::engine::link::links::Links;
use crate::engine::partition::Partition;
use crate::power::Policy;
use crate::topology::Network;

use super::at_once::AtOnce;
use super::availability::Availability;
use super::balance::Balancer;
use super::buffers::Buffers;
use super::dropper::Dropper;
use super::header::Headers;
use super::layout::Layout;
use super::marker::Marker;
use super::origin::Origins;
use super::outgoing::Outgoing;
use super::rules::Rules;
use super::served::Served;
use super::waiters::AllWaiters;
use super::wake_delay::WakeDelays;
use super::work::WorkList;

/// The switches of a shard with their links, and what is still to happen to them.
pub struct Switches<'a, P: Policy> {
    /// The network.
    pub network: &'a Network,
    /// The shard's share of it; all numbers of switches, ports, channels and nodes below are the partition's.
    pub partition: Partition,
    /// The event queue and the clock.
    pub events: Events,
    /// The channels.
    pub links: Links<'a, P>,
    /// How input queues are numbered.
    pub layout: Layout,
    /// The input queues and the packets in flight.
    pub buffers: Buffers,
    /// Whom the arbiters have served.
    pub served: Served,
    /// Where packets come from, if they remember it.
    pub origins: Origins,
    /// What they say, where nodes answer each other.
    pub headers: Headers,
    /// When they are marked, if they are.
    pub marking: Option<Box<Marker>>,
    /// What input ports hold, where they drop what they have no room for.
    pub dropper: Option<Box<Dropper>>,
    /// How heads choose among the outputs that routing permits, unless they look at all again at each edge.
    pub balancer: Option<Box<Balancer>>,
    /// By how much packets are later because links sleep.
    pub wake_delays: WakeDelays,
    /// What the allocators examine at this edge.
    pub work: WorkList,
    /// How packets and arbiters choose.
    pub rules: Rules<'a>,
    /// How many packets wait in which queue, and why.
    pub waiters: AllWaiters,
    /// Which outputs are available at the switch whose heads select.
    pub availability: Availability,
    /// Outputs that were woken at this edge and take no time to wake.
    pub at_once: AtOnce,
    /// What has left the switches at this edge.
    pub outgoing: Outgoing,
    /// Packets granted through a switch.
    pub hops: u64,
}
