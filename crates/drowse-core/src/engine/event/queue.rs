//! The event queue: a bucket wheel for the near future, heaps for what lies beyond.
//!
//! A bucket holds what falls into one clock period: bucket `e` is for times after edge `e - 1` up to edge `e`. Putting
//! is O(1) near, O(log n) beyond the wheel; finding the next bucket skips empty ones 64 at a time, so idle time is
//! free. Within a bucket, arrivals of one channel keep their order; node events are put in order by the one who takes
//! them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::engine::event::node::NodeEvent;
use crate::engine::event::sources::Sources;

/// Makes a switch's allocator, or what controls its links, act at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wakeup {
    /// The switch.
    pub switch: u32,
    /// Which input or output port, relative to the switch's first.
    pub local: u16,
    /// Virtual channel, for [`WakeupKind::Packet`]; how many ports, for [`WakeupKind::More`] and [`WakeupKind::Fewer`].
    pub vc: u8,
    /// Why.
    pub kind: WakeupKind,
}

/// Why a wakeup was scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WakeupKind {
    /// Requests lost an arbitration at the edge before.
    Retry,
    /// A packet has waited so long that it may request another sleeping output.
    Packet,
    /// The other end of a port's link has woken its channel, and both sleep together.
    Peer,
    /// Both ends of a port's trunk are known. Control acts on the wakeups of an edge in the order of these variants.
    Decide,
    /// The lanes of a port that have gone on carry something from now on.
    Wider,
    /// The governor of a cap has commanded how many ports of a port's trunk are on.
    Level,
    /// The window of a port's trunk is over.
    Window,
    /// The other end of a port's trunk wants more ports on.
    More,
    /// The other end of a port's trunk wants fewer ports on.
    Fewer,
}

/// What a bucket holds.
#[derive(Debug, Default)]
pub struct Bucket {
    /// Packets whose head reaches an input queue.
    pub arrivals: Vec<u32>,
    /// Read ports of input ports that have sent their packet.
    pub inputs: Vec<u32>,
    /// Output ports that may have become available.
    pub outputs: Vec<u32>,
    /// Wakeups for other reasons.
    pub wakeups: Vec<Wakeup>,
    /// Events of NICs and ranks, in no order.
    pub nodes: Vec<NodeEvent>,
    /// Nodes of the partition that generate an open-loop message at the bucket's edge, in no order.
    pub sources: Vec<u32>,
}

impl Bucket {
    /// Returns the number of events at switches.
    pub fn at_switches(&self) -> usize {
        self.arrivals.len() + self.inputs.len() + self.outputs.len() + self.wakeups.len()
    }

    #[inline(always)]
    fn push(&mut self, event: Event) {
        match event {
            Event::Arrival(packet) => self.arrivals.push(packet),
            Event::ReadPort(reader) => self.inputs.push(reader),
            Event::Output(port) => self.outputs.push(port),
            Event::Wakeup(wakeup) => self.wakeups.push(wakeup),
            Event::Node(event) => self.nodes.push(event),
        }
    }

    /// Returns whether something is to happen at nodes.
    pub fn is_for_nodes(&self) -> bool {
        !self.nodes.is_empty() || !self.sources.is_empty()
    }
}

/// Something that a bucket may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Arrival(u32),
    ReadPort(u32),
    Output(u32),
    Wakeup(Wakeup),
    Node(NodeEvent),
}

/// The event queue.
#[derive(Debug)]
pub struct EventQueue {
    /// The buckets; those that hold nothing are not there.
    slots: Vec<Option<Box<Bucket>>>,
    /// Empty buckets with the room that they have grown to; the last used, which are still in the cache, are used
    /// first.
    #[expect(clippy::vec_box, reason = "boxes move between here and the slots")]
    spare: Vec<Box<Bucket>>,
    /// One bit per bucket that is there, and one per word of these bits that is not 0: at most 64.
    occupied: Vec<u64>,
    occupied_words: u64,
    mask: u64,
    /// The bucket that was taken last; everything put is later or in it.
    now: u64,
    far: BinaryHeap<Reverse<(u64, u64, Event)>>,
    far_sequence: u64,
    /// The bucket beyond the wheel that each output port was put into last, as far as ports have been.
    far_outputs: Vec<u64>,
    /// Nodes that generate a message beyond the wheel.
    far_sources: Sources,
    /// The first bucket beyond the wheel that holds something.
    next_far: u64,
    /// Arrivals and wakeups that are still in the queue.
    at_switches: usize,
}

impl EventQueue {
    /// Creates a queue whose wheel holds at least `span` buckets, within limits.
    pub fn new(span: u64) -> Self {
        let size = span.clamp(512, 4096).next_power_of_two();
        EventQueue {
            slots: (0..size).map(|_| None).collect(),
            spare: Vec::new(),
            occupied: vec![0; size as usize / 64],
            occupied_words: 0,
            mask: size - 1,
            now: 0,
            far: BinaryHeap::new(),
            far_sequence: 0,
            far_outputs: Vec::new(),
            far_sources: Sources::new(0),
            next_far: u64::MAX,
            at_switches: 0,
        }
    }

    /// Prepares for `nodes` nodes that generate messages.
    pub fn expect_sources(&mut self, nodes: usize) {
        self.far_sources = Sources::new(nodes);
    }

    /// Puts a packet's arrival.
    #[inline]
    pub fn put_arrival(&mut self, bucket: u64, packet: u32) {
        self.at_switches += 1;
        self.put(bucket, Event::Arrival(packet));
    }

    /// Puts the arrivals of some packets, after all that have been put into the bucket.
    #[inline]
    pub fn put_arrivals(&mut self, bucket: u64, packets: &mut Vec<u32>) {
        self.at_switches += packets.len();
        match self.near(bucket) {
            Some(near) if near.arrivals.is_empty() => std::mem::swap(&mut near.arrivals, packets),
            Some(near) => near.arrivals.append(packets),
            None => packets.drain(..).for_each(|packet| self.put_far(bucket, Event::Arrival(packet))),
        }
    }

    /// Puts the time at which a read port has sent its packet.
    #[inline]
    pub fn put_input(&mut self, bucket: u64, reader: u32) {
        self.at_switches += 1;
        self.put(bucket, Event::ReadPort(reader));
    }

    /// Puts the time at which an output port may have become available.
    #[inline]
    pub fn put_output(&mut self, bucket: u64, port: u32) {
        match self.near(bucket) {
            Some(near) => near.outputs.push(port),
            None => return self.put_far_output(bucket, port),
        }
        self.at_switches += 1;
    }

    /// Schedules a wakeup.
    #[inline]
    pub fn put_wakeup(&mut self, bucket: u64, wakeup: Wakeup) {
        self.at_switches += 1;
        self.put(bucket, Event::Wakeup(wakeup));
    }

    /// Puts a node event.
    #[inline]
    pub fn put_node(&mut self, bucket: u64, event: NodeEvent) {
        self.put(bucket, Event::Node(event));
    }

    /// Puts a node that makes a message at the edge at which a later bucket than the current one ends.
    #[inline]
    pub fn put_source(&mut self, bucket: u64, node: u32) {
        match self.near(bucket) {
            Some(near) => near.sources.push(node),
            None => self.put_far_source(bucket, node),
        }
    }

    /// Returns the number of the next bucket that holds something.
    #[inline]
    pub fn next(&self) -> Option<u64> {
        let near = self.next_near().unwrap_or(u64::MAX);
        Some(near.min(self.next_far)).filter(|&next| next < u64::MAX)
    }

    /// Returns whether nothing is to happen at switches, whatever happens at nodes.
    pub fn switches_rest(&self) -> bool {
        self.at_switches == 0
    }

    /// Moves to a bucket and takes it out; it is to be [given back](Self::give_back) empty.
    #[inline]
    pub fn take(&mut self, bucket: u64) -> Box<Bucket> {
        self.now = bucket;
        let near = self.take_slot();
        let mut taken = near.or_else(|| self.spare.pop()).unwrap_or_default();
        if bucket == self.next_far {
            self.take_far(bucket, &mut taken);
        }
        self.at_switches -= taken.at_switches();
        taken
    }

    /// Takes what is in the slot of the current bucket.
    #[inline]
    fn take_slot(&mut self) -> Option<Box<Bucket>> {
        let slot = (self.now & self.mask) as usize;
        let word = &mut self.occupied[slot / 64];
        *word &= !(1 << (slot % 64));
        self.occupied_words &= !(u64::from(*word == 0) << (slot / 64));
        self.slots[slot].take()
    }

    /// Keeps a bucket that has been emptied, to be used again.
    #[inline]
    pub fn give_back(&mut self, bucket: Box<Bucket>) {
        debug_assert!(bucket.at_switches() == 0 && !bucket.is_for_nodes());
        self.spare.push(bucket);
    }

    /// Takes the arrivals that have been put into the current bucket since it was taken, by NICs close to their switch.
    #[inline]
    pub fn take_added_arrivals(&mut self, into: &mut Vec<u32>) {
        if let Some(mut added) = self.take_slot() {
            self.at_switches -= added.arrivals.len();
            into.append(&mut added.arrivals);
            debug_assert!(added.at_switches() == 0, "a wakeup for the present edge would be missed");
            self.give_back(added);
        }
    }

    /// Takes a node event that has been put into the current bucket since it was taken.
    #[inline]
    pub fn take_added_node(&mut self) -> Option<NodeEvent> {
        let slot = (self.now & self.mask) as usize;
        self.slots[slot].as_mut()?.nodes.pop()
    }

    /// Takes what lies beyond the wheel for a bucket. Far events of one channel come before near ones of the same
    /// bucket: they were scheduled earlier.
    #[cold]
    fn take_far(&mut self, bucket: u64, into: &mut Bucket) {
        if self.far_sources.first() == bucket {
            self.take_far_sources(bucket, into);
        }
        let mut arrivals = Vec::new();
        while let Some(&Reverse((b, _, event))) = self.far.peek() {
            if b != bucket {
                break;
            }
            self.far.pop();
            match event {
                Event::Arrival(packet) => arrivals.push(packet),
                event => into.push(event),
            }
        }
        if !arrivals.is_empty() {
            arrivals.append(&mut into.arrivals);
            into.arrivals = arrivals;
        }
        let far = self.far.peek().map_or(u64::MAX, |Reverse((bucket, ..))| *bucket);
        self.next_far = far.min(self.far_sources.first());
    }

    fn take_far_sources(&mut self, bucket: u64, into: &mut Bucket) {
        let mut entry = self.far_sources.take_first();
        while let Some((due, node)) = entry {
            entry = self.far_sources.behind(node);
            if due == bucket {
                into.sources.push(node);
            } else {
                self.put_source(due, node);
            }
        }
    }

    #[inline(always)]
    fn near(&mut self, bucket: u64) -> Option<&mut Bucket> {
        debug_assert!(bucket >= self.now, "bucket {bucket} lies before {}", self.now);
        if bucket - self.now > self.mask {
            return None;
        }
        let slot = (bucket & self.mask) as usize;
        let EventQueue { slots, spare, occupied, occupied_words, .. } = self;
        Some(slots[slot].get_or_insert_with(|| {
            occupied[slot / 64] |= 1 << (slot % 64);
            *occupied_words |= 1 << (slot / 64);
            spare.pop().unwrap_or_default()
        }))
    }

    // Inlined, so that what kind of event it is costs nothing.
    #[inline(always)]
    fn put(&mut self, bucket: u64, event: Event) {
        match self.near(bucket) {
            Some(near) => near.push(event),
            None => self.put_far(bucket, event),
        }
    }

    #[cold]
    fn put_far(&mut self, bucket: u64, event: Event) {
        self.far_sequence += 1;
        self.far.push(Reverse((bucket, self.far_sequence, event)));
        self.next_far = self.next_far.min(bucket);
    }

    /// Puts an output port, unless it is there: packets that look at each edge for another output of a switch whose
    /// links wake would fill the heap with the end of the same wake.
    #[cold]
    fn put_far_output(&mut self, bucket: u64, port: u32) {
        let port_index = port as usize;
        if port_index >= self.far_outputs.len() {
            self.far_outputs.resize(port_index + 1, 0);
        }
        if self.far_outputs[port_index] != bucket {
            self.far_outputs[port_index] = bucket;
            self.at_switches += 1;
            self.put_far(bucket, Event::Output(port));
        }
    }

    #[cold]
    fn put_far_source(&mut self, bucket: u64, node: u32) {
        self.far_sources.put(bucket, node);
        self.next_far = self.next_far.min(bucket);
    }

    /// Returns the next bucket that is there: in the rest of the current one's word, else in the next word, and around.
    #[inline]
    fn next_near(&self) -> Option<u64> {
        let start = (self.now & self.mask) as usize;
        let rest = self.occupied[start / 64] >> (start % 64);
        if rest != 0 {
            return Some(self.now + u64::from(rest.trailing_zeros()));
        }
        if self.occupied_words == 0 {
            return None;
        }
        let later = self.occupied_words & (!1 << (start / 64));
        let word = if later != 0 { later } else { self.occupied_words }.trailing_zeros();
        let slot = word * 64 + self.occupied[word as usize].trailing_zeros();
        Some(self.now + (u64::from(slot).wrapping_sub(start as u64) & self.mask))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::rng::{Purpose, Stream};

    /// An output port whose wake ends beyond the wheel is put into it once, however often it is wanted between, and
    /// again for another time.
    #[test]
    fn far_outputs_are_put_once() {
        let mut wheel = EventQueue::new(512);
        for edge in 1..100 {
            wheel.put_output(edge, 3);
            wheel.put_output(10_000, 3);
            wheel.put_output(10_000, 4);
            let mut near = wheel.take(edge);
            assert_eq!(near.outputs, [3]);
            near.outputs.clear();
            wheel.give_back(near);
        }
        wheel.put_output(20_000, 3);
        for expected in [vec![3, 4], vec![3]] {
            let next = wheel.next().expect("a far bucket");
            let mut far = wheel.take(next);
            assert_eq!(far.outputs, expected);
            far.outputs.clear();
            wheel.give_back(far);
        }
        assert!(wheel.next().is_none() && wheel.switches_rest());
    }

    /// The wheel against sorted maps: the same packets and nodes come out of the same buckets, near and far, and no
    /// bucket is empty.
    #[test]
    fn equals_sorted_maps() {
        for span in [64, 4_096] {
            let mut stream = Stream::new(3, Purpose::Traffic, 0);
            let mut wheel = EventQueue::new(span);
            wheel.expect_sources(20);
            let mut packets: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            let mut nodes: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            let later = |stream: &mut Stream, now| {
                let span = [60, 5_000, 200_000][stream.below(3) as usize];
                now + 1 + u64::from(stream.below(span))
            };
            for node in 0..20 {
                let bucket = later(&mut stream, 0);
                wheel.put_source(bucket, node);
                nodes.entry(bucket).or_default().push(node);
            }
            let mut now = 0;
            for packet in 0..50_000u32 {
                if stream.below(4) > 0 {
                    let bucket = later(&mut stream, now);
                    wheel.put_arrival(bucket, packet);
                    packets.entry(bucket).or_default().push(packet);
                }
                now = *packets.keys().take(1).chain(nodes.keys().take(1)).min().unwrap();
                assert_eq!(wheel.next(), Some(now));
                let mut taken = wheel.take(now);
                taken.arrivals.sort_unstable();
                taken.sources.sort_unstable();
                let mut sources = nodes.remove(&now).unwrap_or_default();
                sources.sort_unstable();
                assert_eq!(taken.arrivals, packets.remove(&now).unwrap_or_default());
                assert_eq!(taken.sources, sources);
                for node in sources {
                    let bucket = later(&mut stream, now);
                    wheel.put_source(bucket, node);
                    nodes.entry(bucket).or_default().push(node);
                }
                taken.arrivals.clear();
                taken.sources.clear();
                wheel.give_back(taken);
            }
        }
    }
}
