//! Output availability, cached: which outputs of a switch can take a packet at an edge.
//!
//! Heads that wait for the same outputs are examined together when one of these becomes free. Outputs do not change
//! while heads select, because grants come afterwards; only a wake changes one, and [clears](Availability::forget) the
//! cache. Most heads lose arbitration and are examined again, so their permitted outputs are cached, too.

use crate::engine::event::NONE;
use crate::engine::partition::Partition;
use crate::routing::Permitted;
use crate::topology::Network;

use super::buffers::Queue;
use super::layout::Layout;
use super::pointer::output_of;
use super::rules::{Rules, SelectionPath};

/// Which outputs are available at the switch whose heads select; sets of outputs have one bit each.
#[derive(Debug)]
pub struct Availability {
    /// Heads share what they look up: rules are [plain](super::rules::Rules::plain) and outputs are taken in order, or they
    /// are [drawn](super::rules::Rules::drawn), and all fit. To count credits for each head is as fast where packets take
    /// the output with the most and arbiters draw nothing.
    pub used: bool,
    pub(super) switch: u32,
    pub(super) edge: u64,
    /// The outputs that have been looked at.
    pub(super) known: u64,
    /// Those that are on.
    pub(super) on: u64,
    /// Those that wake, and need no more requests.
    pub(super) waking: u64,
    /// Those that their trunk has turned off: only it turns them on, as long as another output is on.
    pub(super) off: u64,
    /// Those that some head waits for since this edge: a wakeup is scheduled.
    pub(super) watched: u64,
    /// The virtual channels by which each can take a full packet at this edge, one bit each.
    pub vcs: [u8; Availability::MOST],
    /// The outputs that can take a full packet at this edge by some virtual channel.
    pub free_outputs: u64,
    /// All free outputs that the last head found, where it had been blocked on all of its outputs before and stays so;
    /// else all ones.
    pub found: u64,
    /// The permitted outputs of the head of each queue that has been [kept](Queue::KEPT); empty for large networks, and where
    /// these are one group.
    pub(super) kept: Vec<Permitted>,
}

impl Availability {
    /// Ports of the largest switch whose outputs fit.
    pub const MOST: usize = 64;

    /// Queues of the largest network in which permitted outputs are kept: they take 24 B each.
    const MOST_KEPT: usize = 1 << 16;

    /// Creates an empty set for the switches of a partition, which is all or part of a network.
    pub fn new(rules: &Rules<'_>, network: &Network, partition: &Partition, layout: &Layout) -> Self {
        let (radix, queues) = (network.radix() as usize, |ports: u32| (ports as usize) << layout.queue_bits);
        let by_order = rules.selection == SelectionPath::Several && !rules.choice.most_credits;
        let used =
            (by_order || rules.selection == SelectionPath::Random) && rules.places.is_empty() && radix <= Self::MOST;
        let used = used && !rules.balanced;
        let keeps = by_order && used && queues(network.ports()) <= Self::MOST_KEPT;
        Availability {
            used,
            switch: NONE,
            edge: 0,
            known: 0,
            on: 0,
            waking: 0,
            off: 0,
            watched: 0,
            vcs: [0; Self::MOST],
            free_outputs: 0,
            found: u64::MAX,
            kept: vec![Permitted::default(); if keeps { queues(partition.ports()) } else { 0 }],
        }
    }

    /// Returns the permitted outputs of the head of a queue, if they are kept.
    #[inline]
    pub fn kept(&self, queue: &Queue, place: u32) -> Option<Permitted> {
        queue.has(Queue::KEPT).then(|| self.kept[place as usize])
    }

    /// Forgets what is known of the outputs: one has been woken.
    pub fn forget(&mut self) {
        self.switch = NONE;
    }

    /// Returns those of some outputs that take a full packet by one of some virtual channels.
    #[inline]
    pub fn by_some_of(&self, outputs: u64, vcs: u8) -> u64 {
        let mut free_outputs = outputs & self.free_outputs;
        let mut left = free_outputs;
        while left != 0 {
            let output = left.trailing_zeros();
            left &= left - 1;
            free_outputs &= !(u64::from(self.vcs[output as usize] & vcs == 0) << output);
        }
        free_outputs
    }

    /// Returns the first output and virtual channel that take a full packet, from the pointer `start` on and around.
    #[inline]
    pub(super) fn first_of(&self, outputs: u64, vcs: u8, start: u16) -> Option<(u16, u8)> {
        let (at, from_vc) = output_of(start);
        let free_outputs = outputs & self.free_outputs;
        let mut left = free_outputs.rotate_right(u32::from(at));
        while left != 0 {
            let output = (left.trailing_zeros() as u16 + at) % Self::MOST as u16;
            left &= left - 1;
            let free = self.vcs[usize::from(output)] & vcs;
            let first = if output == at { free >> from_vc << from_vc } else { free };
            if first != 0 {
                return Some((output, first.trailing_zeros() as u8));
            }
        }
        // Of the output at which the pointer stands, the virtual channels before it come last.
        let at_pointer_is_free = free_outputs.checked_shr(u32::from(at)).is_some_and(|from| from & 1 != 0);
        let last = if at_pointer_is_free { self.vcs[usize::from(at)] & vcs } else { 0 };
        (last != 0).then(|| (at, last.trailing_zeros() as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::super::pointer::pointer;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The first free output is the one that a search of all outputs and virtual channels finds, in the order of the
        /// pointer.
        #[test]
        fn the_first_in_order(
            free in proptest::collection::vec(any::<u8>(), Availability::MOST),
            outputs: u64,
            vcs: u8,
            start in 0..=pointer(Availability::MOST as u16, 0),
        ) {
            let mut availability = Availability { used: true, switch: 0, edge: 0, known: u64::MAX, on: 0, waking: 0, off: 0, watched: 0,
                vcs: [0; Availability::MOST], free_outputs: 0, found: u64::MAX, kept: Vec::new() };
            availability.vcs.copy_from_slice(&free);
            availability.free_outputs = (0..).zip(&free).fold(0, |all, (output, &vcs)| all | u64::from(vcs != 0) << output);
            let places = (0..Availability::MOST as u16).flat_map(|output| (0..8).map(move |vc| (output, vc)));
            let can_be_had =
                |&(output, vc): &(u16, u8)| outputs >> output & 1 != 0 && free[usize::from(output)] & vcs & 1 << vc != 0;
            let first = places.filter(can_be_had).min_by_key(|&(output, vc)| pointer(output, vc).wrapping_sub(start));
            prop_assert_eq!(availability.first_of(outputs, vcs, start), first);
        }
    }
}
