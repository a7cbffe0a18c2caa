//! The receiving end of a connection: which messages its packets belong to, and when it answers.

use std::collections::VecDeque;

use super::sequence::Sequence;

/// A message that is expected, or of which packets have come.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// Its number in the slab.
    pub message: u32,
    /// The number of its first packet.
    pub first: u64,
    /// Its packets that have not come.
    pub left: u64,
}

/// What a node knows of another that sends to it.
#[derive(Debug, Default)]
pub struct Receiver {
    /// The node that answers, as numbered in the partition.
    pub node: u32,
    /// The node that sends, as numbered in the whole network.
    pub from: u32,
    /// The messages that are not complete, in the order of their packets.
    expected: VecDeque<Expected>,
    /// The number of the first packet of the next message.
    next_first: u64,
    /// Which packets have come, where some may be lost.
    pub sequence: Sequence,
    /// Bytes that have come.
    pub bytes: u64,
    /// Bytes that have come and are not acknowledged.
    pub since_ack: u64,
    /// The highest number of a packet whose sender waits for an acknowledgement.
    pub asked_to: u64,
    /// When it has last notified the sender of a marked packet.
    pub notified_at: Option<u64>,
    /// Bytes that the sender has had in all, and that it may send.
    pub wants: [u64; 2],
    /// It is among those that are granted credit in turn.
    pub in_turn: bool,
}

impl Receiver {
    /// Creates one to which nothing has come.
    pub fn new(node: u32, from: u32) -> Self {
        Receiver { node, from, ..Receiver::default() }
    }

    /// Expects a message of so many packets, after all that were expected before.
    pub fn expect(&mut self, message: u32, packets: u64) {
        self.expected.push_back(Expected { message, first: self.next_first, left: packets });
        self.next_first += packets;
    }

    /// Takes in a packet by its number: returns its message, and whether it is its first packet; `None` for one that nobody
    /// expects.
    pub fn take(&mut self, number: u64) -> Option<(u32, bool)> {
        let at = self.expected.partition_point(|expected| expected.first <= number).checked_sub(1)?;
        let expected = &mut self.expected[at];
        expected.left = expected.left.checked_sub(1)?;
        let found = (expected.message, expected.first == number);
        while self.expected.front().is_some_and(|expected| expected.left == 0) {
            self.expected.pop_front();
        }
        Some(found)
    }

    /// Returns the bytes that the sender has and may not send.
    pub fn lacks(&self) -> u64 {
        let [wants, allowed] = self.wants;
        wants.saturating_sub(allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets come in any order, and messages are complete in any.
    #[test]
    fn takes_in_any_order() {
        let mut receiver = Receiver::new(0, 1);
        receiver.expect(70, 3);
        receiver.expect(71, 1);
        receiver.expect(72, 2);
        let taken = [5, 3, 0, 2, 4, 1].map(|number| receiver.take(number));
        let all = [(72, false), (71, true), (70, true), (70, false), (72, true), (70, false)];
        assert_eq!(taken, all.map(Some));
        assert!(receiver.expected.is_empty());
        assert_eq!(receiver.take(6), None);
    }
}
