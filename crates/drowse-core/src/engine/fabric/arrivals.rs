//! In which order the packets of each pair of nodes come, and, where nodes take them in sequence, the packets that have
//! come too early.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::engine::switch::origin::Came;
use crate::engine::switch::outgoing::Ejected;
use crate::measure::Reordering;
use crate::model::balance::Order;
use crate::model::config::Config;
use crate::model::units::Time;
use crate::topology::{Geometry, Network};

/// What has come to the nodes of a shard.
#[derive(Debug)]
pub struct Arrivals {
    /// Nodes take packets in sequence.
    holds: bool,
    /// By the port of the node that receives and the node that has sent.
    pairs: FxHashMap<(u32, u32), Pair>,
    /// What may be delivered of a list; kept for its room.
    ready: Vec<Ejected>,
    /// Packets that wait for others before them.
    held: u64,
    /// What has been counted.
    pub counted: Reordering,
}

/// What has come from one node to another.
#[derive(Debug, Default)]
struct Pair {
    /// The lowest number that has not come.
    next: u64,
    /// One more than the highest number that has come.
    end: u64,
    /// What has come after it.
    early: BTreeMap<u64, Ejected>,
}

impl Arrivals {
    /// Prepares for a configuration, if somebody asks.
    pub fn new(network: &Network, config: &Config) -> Option<Box<Self>> {
        let counts = config.counts_packets() && !matches!(network.geometry, Geometry::Ideal(_));
        counts.then(|| {
            Box::new(Arrivals {
                holds: config.node.order == Order::InSequence,
                pairs: FxHashMap::default(),
                ready: Vec::new(),
                held: 0,
                counted: Reordering::default(),
            })
        })
    }

    /// Returns the number of packets that have come and wait for others.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Takes in packets that have come, in the order in which they did, and leaves those that are delivered: where nodes
    /// take packets in sequence, all that now follow without a gap.
    pub fn take_in(&mut self, ejected: &mut Vec<Ejected>, came: &mut Vec<Came>) {
        self.ready.clear();
        for (packet, came) in ejected.drain(..).zip(came.drain(..)) {
            self.arrive(packet, came);
        }
        std::mem::swap(ejected, &mut self.ready);
    }

    fn arrive(&mut self, packet: Ejected, Came { origin, port, .. }: Came) {
        let pair = self.pairs.entry((port, origin.node)).or_default();
        self.counted.packets += u64::from(origin.number < pair.end);
        pair.end = pair.end.max(origin.number + 1);
        if origin.number > pair.next {
            pair.early.insert(origin.number, packet);
            if self.holds {
                self.held += 1;
            } else {
                self.ready.push(packet);
            }
        } else {
            self.ready.push(packet);
            pair.next += 1;
            while let Some(early) = pair.early.remove(&pair.next) {
                pair.next += 1;
                if self.holds {
                    self.held -= 1;
                    self.counted.held += 1;
                    self.counted.hold_time += Time(packet.at - early.at);
                    self.ready.push(released(early, packet));
                }
            }
        }
        // The highest number is one below `end`, and that of the next packet where none is missing.
        self.counted.most = self.counted.most.max((pair.end - 1).saturating_sub(pair.next));
    }
}

/// Returns a packet that is delivered with the one that it has waited for. Without sleep it would have been delivered when
/// both had come.
fn released(early: Ejected, last: Ejected) -> Ejected {
    let later = last.at - early.at;
    Ejected { at: last.at, wake_delay: last.wake_delay.min(early.wake_delay + later), ..early }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::switch::header::Header;
    use crate::engine::switch::origin::Origin;

    /// Takes in packets of one pair by number, one a nanosecond; returns what is delivered, each with its time, and what
    /// is counted.
    fn deliver(order: Order, numbers: &[u64]) -> (Vec<(u32, u64)>, Arrivals) {
        let (holds, pairs) = (order == Order::InSequence, FxHashMap::default());
        let mut arrivals = Arrivals { holds, pairs, ready: Vec::new(), held: 0, counted: Reordering::default() };
        let mut delivered = Vec::new();
        for (at, &number) in (0..).zip(numbers) {
            let packet = Ejected { message: number as u32, first: false, flits: 1, at: at * 1_000, wake_delay: 0 };
            let mut ejected = vec![packet];
            let origin = Origin { flow: 7, node: 3, number };
            arrivals.take_in(&mut ejected, &mut vec![Came { origin, port: 9, header: Header::default() }]);
            delivered.extend(ejected.iter().map(|packet| (packet.message, packet.at / 1_000)));
        }
        (delivered, arrivals)
    }

    /// By hand: 1 comes behind 3, and 4 behind 5; when 3 has come and 1 has not, it is two ahead.
    #[test]
    fn by_hand() {
        let numbers = [0, 2, 3, 1, 5, 4];
        let (delivered, arrivals) = deliver(Order::Counted, &numbers);
        assert_eq!(delivered, [(0, 0), (2, 1), (3, 2), (1, 3), (5, 4), (4, 5)]);
        assert_eq!((arrivals.counted.packets, arrivals.counted.most, arrivals.counted.held), (2, 2, 0));
        let (delivered, arrivals) = deliver(Order::InSequence, &numbers);
        assert_eq!(delivered, [(0, 0), (1, 3), (2, 3), (3, 3), (4, 5), (5, 5)]);
        let Reordering { packets, most, held, hold_time } = arrivals.counted;
        // Packet 2 waits for 2 ns, 3 and 5 for 1 ns each.
        assert_eq!((packets, most, held, hold_time), (2, 2, 3, Time::from_ns(4)));
        assert_eq!(arrivals.held(), 0);
        assert_eq!(deliver(Order::InSequence, &[1, 2]).1.held(), 2);
    }

    /// A packet that waits for one that links have made late is late as far as it waited for that.
    #[test]
    fn wake_delay_of_what_is_released() {
        let packet = |at, wake_delay| Ejected { message: 0, first: false, flits: 1, at, wake_delay };
        // Without sleep the last would have come at 70, the early one at 50: the later of both counts.
        assert_eq!(released(packet(50, 0), packet(100, 30)).wake_delay, 30);
        assert_eq!(released(packet(50, 0), packet(100, 80)).wake_delay, 50);
        assert_eq!(released(packet(50, 10), packet(100, 80)).wake_delay, 60);
    }
}
