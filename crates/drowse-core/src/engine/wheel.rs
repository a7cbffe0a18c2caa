//! The event queue: a bucket wheel for the near future, a heap for what lies beyond.
//!
//! A bucket holds what falls into one clock period: bucket `e` is for times after edge `e - 1` up to edge `e`. Putting is
//! O(1) near, O(log n) beyond the wheel; finding the next bucket skips empty ones 64 at a time, so idle time is free.
//! Within a bucket, arrivals of one channel keep their order; node events are put in order by the one who takes them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::nodes::NodeEvent;

/// Wakes a switch's allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alarm {
    /// The switch.
    pub switch: u32,
    /// Which input or output port, relative to the switch's first.
    pub local: u16,
    /// Virtual channel, for [`AlarmKind::Packet`].
    pub vc: u8,
    /// Why.
    pub kind: AlarmKind,
}

/// Why an allocator is woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlarmKind {
    /// Requests lost an arbitration at the edge before.
    Retry,
    /// A packet has waited so long that it may request another sleeping output.
    Packet,
    /// The other end of a port's link has woken its channel, and both sleep together.
    Peer,
    /// Both ends of a port's trunk have been heard. What comes at one edge for trunks is heeded in this order.
    Decide,
    /// The other end of a port's trunk wants one more port on.
    More,
    /// The other end of a port's trunk wants one port fewer on.
    Fewer,
    /// The lanes of a port that have gone on carry something from now on.
    Wider,
    /// The window of a port's trunk is over.
    Window,
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
    /// Switches whose allocator must look for another reason.
    pub alarms: Vec<Alarm>,
    /// Events of NICs and ranks, in no order.
    pub nodes: Vec<NodeEvent>,
    /// Nodes that make an open-loop message at the bucket's edge, in no order.
    pub sources: Vec<u32>,
}

impl Bucket {
    /// Gives the number of events at switches.
    pub fn at_switches(&self) -> usize {
        self.arrivals.len() + self.inputs.len() + self.outputs.len() + self.alarms.len()
    }
}

/// Something beyond the wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Far {
    Arrival(u32),
    Input(u32),
    Output(u32),
    Alarm(Alarm),
    Node(NodeEvent),
}

/// The event queue.
#[derive(Debug)]
pub struct Wheel {
    /// The buckets; those that hold nothing are not there.
    slots: Vec<Option<Box<Bucket>>>,
    /// Empty buckets with the room that they have grown to; the last used, which are still in the cache, are used first.
    #[expect(clippy::vec_box, reason = "boxes move between here and the slots")]
    spare: Vec<Box<Bucket>>,
    /// One bit per bucket that is not empty.
    occupied: Vec<u64>,
    mask: u64,
    /// The bucket that was taken last; everything put is later or in it.
    now: u64,
    far: BinaryHeap<Reverse<(u64, u64, Far)>>,
    far_sequence: u64,
    /// Nodes that make a message beyond the wheel: at small loads all, so that theirs is a heap of small entries.
    far_sources: BinaryHeap<Reverse<(u64, u32)>>,
    /// Arrivals and alarms that have been put and not yet taken.
    at_switches: usize,
}

impl Wheel {
    /// Makes a wheel that holds at least `span` buckets ahead, within reason.
    pub fn new(span: u64) -> Self {
        let size = span.clamp(512, 4096).next_power_of_two();
        Wheel {
            slots: (0..size).map(|_| None).collect(),
            spare: Vec::new(),
            occupied: vec![0; size as usize / 64],
            mask: size - 1,
            now: 0,
            far: BinaryHeap::new(),
            far_sequence: 0,
            far_sources: BinaryHeap::new(),
            at_switches: 0,
        }
    }

    /// Puts a packet's arrival.
    #[inline]
    pub fn put_arrival(&mut self, bucket: u64, packet: u32) {
        self.at_switches += 1;
        match self.near(bucket) {
            Some(near) => near.arrivals.push(packet),
            None => self.put_far(bucket, Far::Arrival(packet)),
        }
    }

    /// Puts the arrivals of some packets, after all that have been put into the bucket.
    pub fn put_arrivals(&mut self, bucket: u64, packets: &mut Vec<u32>) {
        self.at_switches += packets.len();
        match self.near(bucket) {
            Some(near) => near.arrivals.append(packets),
            None => packets.drain(..).for_each(|packet| self.put_far(bucket, Far::Arrival(packet))),
        }
    }

    /// Puts the time at which a read port has sent its packet.
    #[inline]
    pub fn put_input(&mut self, bucket: u64, reader: u32) {
        self.at_switches += 1;
        match self.near(bucket) {
            Some(near) => near.inputs.push(reader),
            None => self.put_far(bucket, Far::Input(reader)),
        }
    }

    /// Puts the time at which an output port may have become available.
    #[inline]
    pub fn put_output(&mut self, bucket: u64, port: u32) {
        self.at_switches += 1;
        match self.near(bucket) {
            Some(near) => near.outputs.push(port),
            None => self.put_far(bucket, Far::Output(port)),
        }
    }

    /// Puts an alarm.
    #[inline]
    pub fn put_alarm(&mut self, bucket: u64, alarm: Alarm) {
        self.at_switches += 1;
        match self.near(bucket) {
            Some(near) => near.alarms.push(alarm),
            None => self.put_far(bucket, Far::Alarm(alarm)),
        }
    }

    /// Puts a node event.
    #[inline]
    pub fn put_node(&mut self, bucket: u64, event: NodeEvent) {
        match self.near(bucket) {
            Some(near) => near.nodes.push(event),
            None => self.put_far(bucket, Far::Node(event)),
        }
    }

    /// Puts a node that makes a message at the edge at which a later bucket than the current one ends.
    #[inline]
    pub fn put_source(&mut self, bucket: u64, node: u32) {
        match self.near(bucket) {
            Some(near) => near.sources.push(node),
            None => self.far_sources.push(Reverse((bucket, node))),
        }
    }

    /// Gives the number of the next bucket that holds something.
    pub fn next(&self) -> Option<u64> {
        let far = self.far.peek().map_or(u64::MAX, |Reverse((bucket, ..))| *bucket);
        let source = self.far_sources.peek().map_or(u64::MAX, |Reverse((bucket, _))| *bucket);
        let near = self.next_near().unwrap_or(u64::MAX);
        Some(near.min(far).min(source)).filter(|&next| next < u64::MAX)
    }

    /// Tells whether nothing is to happen at switches, whatever happens at nodes.
    pub fn switches_rest(&self) -> bool {
        self.at_switches == 0
    }

    /// Moves to a bucket and takes it out; it is to be [given back](Self::give_back) empty.
    pub fn take(&mut self, bucket: u64) -> Box<Bucket> {
        self.now = bucket;
        let slot = (bucket & self.mask) as usize;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        let mut taken = self.slots[slot].take().or_else(|| self.spare.pop()).unwrap_or_default();
        while self.far_sources.peek().is_some_and(|Reverse((b, _))| *b == bucket) {
            taken.sources.extend(self.far_sources.pop().map(|Reverse((_, node))| node));
        }
        if self.far.peek().is_some_and(|Reverse((b, ..))| *b == bucket) {
            self.take_far(bucket, &mut taken);
        }
        self.at_switches -= taken.at_switches();
        taken
    }

    /// Keeps a bucket that has been emptied, to be used again.
    pub fn give_back(&mut self, bucket: Box<Bucket>) {
        debug_assert!(bucket.at_switches() == 0 && bucket.nodes.is_empty() && bucket.sources.is_empty());
        self.spare.push(bucket);
    }

    /// Takes the arrivals that have been put into the current bucket since it was taken, by NICs close to their switch.
    pub fn take_late_arrivals(&mut self, into: &mut Vec<u32>) {
        let slot = (self.now & self.mask) as usize;
        if let Some(mut late) = self.slots[slot].take() {
            self.occupied[slot / 64] &= !(1 << (slot % 64));
            self.at_switches -= late.arrivals.len();
            into.append(&mut late.arrivals);
            debug_assert!(late.at_switches() == 0, "an alarm for the present edge would be missed");
            self.give_back(late);
        }
    }

    /// Takes a node event that has been put into the current bucket since it was taken.
    #[inline]
    pub fn take_late_node(&mut self) -> Option<NodeEvent> {
        let slot = (self.now & self.mask) as usize;
        self.slots[slot].as_mut()?.nodes.pop()
    }

    /// Far events of one channel come before near ones of the same bucket: they were put earlier.
    fn take_far(&mut self, bucket: u64, into: &mut Bucket) {
        let mut arrivals = Vec::new();
        while let Some(&Reverse((b, _, event))) = self.far.peek() {
            if b != bucket {
                break;
            }
            self.far.pop();
            match event {
                Far::Arrival(packet) => arrivals.push(packet),
                Far::Input(reader) => into.inputs.push(reader),
                Far::Output(port) => into.outputs.push(port),
                Far::Alarm(alarm) => into.alarms.push(alarm),
                Far::Node(event) => into.nodes.push(event),
            }
        }
        if !arrivals.is_empty() {
            arrivals.append(&mut into.arrivals);
            into.arrivals = arrivals;
        }
    }

    #[inline]
    fn near(&mut self, bucket: u64) -> Option<&mut Bucket> {
        debug_assert!(bucket >= self.now, "bucket {bucket} lies before {}", self.now);
        if bucket - self.now > self.mask {
            return None;
        }
        let slot = (bucket & self.mask) as usize;
        let Wheel { slots, spare, occupied, .. } = self;
        Some(slots[slot].get_or_insert_with(|| {
            occupied[slot / 64] |= 1 << (slot % 64);
            spare.pop().unwrap_or_default()
        }))
    }

    #[cold]
    fn put_far(&mut self, bucket: u64, event: Far) {
        self.far_sequence += 1;
        self.far.push(Reverse((bucket, self.far_sequence, event)));
    }

    fn next_near(&self) -> Option<u64> {
        let words = self.occupied.len();
        let start = (self.now & self.mask) as usize;
        // Their number is a power of two. The first word is looked at twice: from the current slot on, and at the end up to it.
        for step in 0..=words {
            let word = (start / 64 + step) & (words - 1);
            let mut bits = self.occupied[word];
            if step == 0 {
                bits &= !0 << (start % 64);
            } else if step == words {
                bits &= !(!0 << (start % 64));
            }
            if bits != 0 {
                let slot = (word * 64) as u64 + u64::from(bits.trailing_zeros());
                return Some(self.now + (slot.wrapping_sub(start as u64) & self.mask));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::rng::{Purpose, Stream};

    /// The wheel against a sorted map: the same packets come out of the same buckets, near and far.
    #[test]
    fn equals_a_sorted_map() {
        let mut stream = Stream::new(3, Purpose::Traffic, 0);
        let mut wheel = Wheel::new(64);
        let mut shadow: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        let mut now = 0;
        for packet in 0..50_000u32 {
            let span = if packet % 50 == 0 { 5_000 } else { 60 };
            let bucket = now + 1 + u64::from(stream.below(span));
            wheel.put_arrival(bucket, packet);
            shadow.entry(bucket).or_default().push(packet);
            if packet % 3 == 0 {
                let next = wheel.next().unwrap();
                assert_eq!(Some(&next), shadow.keys().next());
                let mut taken = wheel.take(next);
                now = next;
                let mut expected = shadow.remove(&next).unwrap();
                taken.arrivals.sort_unstable();
                expected.sort_unstable();
                assert_eq!(taken.arrivals, expected);
                taken.arrivals.clear();
                wheel.give_back(taken);
            }
        }
    }
}
