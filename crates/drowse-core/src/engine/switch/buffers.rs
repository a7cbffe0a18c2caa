//! The input buffers of a shard's switches: packets, the queues that they wait in, and the read ports that these share.

use crate::engine::event::NONE;
use crate::engine::partition::Partition;

use super::layout::Layout;
use super::packet::PacketSlab;

/// A read port of an input port; queue `v` uses read port `v` modulo their number.
#[derive(Clone, Copy, Debug)]
pub struct ReadPort {
    /// When the last bit of the packet that it sends has left.
    pub busy_until: u64,
    /// The switch.
    pub switch: u32,
    /// The bit of the input port's first queue in the masks of its switch.
    pub first_bit: u16,
    /// Virtual channels whose head packet is examined once the port is free.
    pub pending: u8,
    /// How many grants the first read port of an input port has counted, or where a round-robin arbiter looks first among
    /// virtual channels; and [`ReadPort::WAKEUP`].
    arbiter: u8,
}

impl ReadPort {
    /// A wakeup for the end of `busy_until` is in the event queue.
    const WAKEUP: u8 = 0x80;

    /// Returns what the arbiter remembers.
    #[inline]
    pub fn arbiter(&self) -> u8 {
        self.arbiter & !Self::WAKEUP
    }

    /// Lets the arbiter remember something, in seven bits.
    #[inline]
    pub fn set_arbiter(&mut self, remembers: u8) {
        self.arbiter = self.arbiter & Self::WAKEUP | remembers;
    }

    /// Counts a grant, and returns the count. One that is [full](ReadPort::is_full) must be lowered then.
    #[inline]
    pub fn count_grant(&mut self) -> u8 {
        self.arbiter = self.arbiter.wrapping_add(1);
        self.arbiter()
    }

    /// Returns whether no more grants can be counted.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.arbiter() == 0x7F
    }

    /// Notes that a wakeup is in the event queue, and returns whether one was before.
    #[inline]
    pub fn set_wakeup(&mut self) -> bool {
        let before = self.arbiter & Self::WAKEUP != 0;
        self.arbiter |= Self::WAKEUP;
        before
    }

    /// Notes that no wakeup is in the event queue.
    #[inline]
    pub fn clear_wakeup(&mut self) {
        self.arbiter &= !Self::WAKEUP;
    }
}

/// The input queue of one virtual channel, and what is known of its head packet.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// The first packet.
    pub head: u32,
    /// The last packet.
    pub tail: u32,
    /// Where the arbiter of its head looks first among outputs and virtual channels.
    pub next_output: u16,
    /// Some of the bits below; they describe the head and are cleared with it.
    pub flags: u8,
    /// What its input port had counted at its last grant.
    pub served: u8,
}

impl Queue {
    /// Waits for outputs: their masks of waiting inputs have the queue's bit.
    pub const BLOCKED: u8 = 1;
    /// Found none of its outputs on, or ignored that one sleeps.
    pub const DELAYED: u8 = 2;
    /// Has decided on its route at this switch, where it had to.
    pub const DECIDED: u8 = 4;
    /// Waits for a sleeping output since a time that is noted.
    pub const WAITS: u8 = 8;
    /// Has found no output before, so that it compares its wait with a wake no more.
    pub const COMPARED: u8 = 16;
    /// Is marked as waiting for all of its outputs.
    pub const WAITS_FOR_ALL: u8 = 32;
    /// Its permitted outputs are [kept](super::availability::Availability).
    pub const KEPT: u8 = 64;
    /// Has [chosen](super::balance::Balancer) its output at this switch.
    pub const BALANCED: u8 = 128;

    const EMPTY: Queue = Queue { head: NONE, tail: NONE, next_output: 0, flags: 0, served: 0 };

    /// Returns whether a flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// All input buffers of a shard.
#[derive(Debug)]
pub struct Buffers {
    /// The packets in flight.
    pub packets: PacketSlab,
    /// The read ports of all input ports.
    pub read_ports: Vec<ReadPort>,
    /// The input queues, in the order of [`Layout`].
    pub queues: Vec<Queue>,
    /// What the arbiter of each read port remembers, as [`ReadPort::arbiter`] where virtual channels have one queue each;
    /// empty there.
    pub next_queue: Vec<u16>,
    /// The output and virtual channel that the head of each queue has chosen although the output slept; it keeps the
    /// choice until that output is on. Empty where the choice takes sleep into account.
    pub chosen: Vec<Option<(u16, u8)>>,
    /// Since when the head of each queue waits for a sleeping output, if it [does](Queue::WAITS); empty where no
    /// channel sleeps.
    pub waits_since: Vec<u64>,
    /// Queues that a packet joined behind a head at this edge, where channels wait for several packets before they
    /// wake.
    pub came_behind: Vec<u32>,
}

impl Buffers {
    /// Creates empty buffers; `may_sleep` and `ignores_sleep` tell which of the optional tables are needed.
    pub fn new(partition: &Partition, layout: &Layout, may_sleep: bool, ignores_sleep: bool) -> Self {
        let queues = (partition.ports() as usize) << layout.queue_bits;
        let read_ports = idle_read_ports(partition, layout);
        Buffers {
            packets: PacketSlab::default(),
            queues: vec![Queue::EMPTY; queues],
            next_queue: vec![0; if layout.by_output() { read_ports.len() } else { 0 }],
            read_ports,
            chosen: vec![None; if ignores_sleep { queues } else { 0 }],
            waits_since: vec![0; if may_sleep { queues } else { 0 }],
            came_behind: Vec::new(),
        }
    }

    /// Returns the packets of a queue, the first one first.
    pub fn in_queue(&self, place: u32) -> impl Iterator<Item = u32> {
        let first = self.queues[place as usize].head;
        std::iter::successors(Some(first).filter(|&id| id != NONE), |&id| {
            Some(self.packets[id].next).filter(|&next| next != NONE)
        })
    }
}

fn idle_read_ports(partition: &Partition, layout: &Layout) -> Vec<ReadPort> {
    let mut ports = Vec::with_capacity(partition.ports() as usize * layout.speedup);
    for (switch, first_ports) in (0..).zip(partition.first_port.windows(2)) {
        for local in 0..first_ports[1] - first_ports[0] {
            let first_bit = (local as u16) << layout.queue_bits;
            let idle = ReadPort { busy_until: 0, switch, first_bit, pending: 0, arbiter: 0 };
            ports.extend(std::iter::repeat_n(idle, layout.speedup));
        }
    }
    ports
}
