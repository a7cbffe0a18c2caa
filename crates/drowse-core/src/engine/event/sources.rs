//! When nodes generate their next open-loop message, where that lies beyond the wheel: at small loads, for nearly all
//! nodes.
//!
//! A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the shortest path problem", 1990) of at most
//! one entry for each node: entries are kept by the highest bit in which they differ from the least that was taken
//! last, so that those of a lower bit come before those of a higher. Taking the least distributes the entries of its
//! bit among lower ones; each moves a few times, whatever the number of nodes.

use crate::engine::event::NONE;

/// Nodes by the bucket of the wheel in which they generate their next message.
#[derive(Debug)]
pub struct Sources {
    /// By node: its bucket, and the next node of its list.
    due: Vec<u64>,
    next: Vec<u32>,
    /// By the highest bit in which its entries differ from `last`.
    lists: [List; 64],
    /// One bit for each list that is not empty.
    occupied: u64,
    /// The least bucket that was taken last.
    last: u64,
}

#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    /// The first bucket of its entries.
    least: u64,
}

impl List {
    const EMPTY: List = List { first: NONE, least: u64::MAX };
}

impl Sources {
    /// Creates a heap without entries for `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Sources { due: vec![0; nodes], next: vec![0; nodes], lists: [List::EMPTY; 64], occupied: 0, last: 0 }
    }

    /// Returns the first bucket of all entries; [`u64::MAX`] without any.
    #[inline]
    pub fn first(&self) -> u64 {
        self.lists.get(self.occupied.trailing_zeros() as usize).map_or(u64::MAX, |list| list.least)
    }

    /// Adds a node, which has no entry yet, for a later bucket than the first that was taken last.
    pub fn put(&mut self, bucket: u64, node: u32) {
        let bit = (bucket ^ self.last).ilog2();
        let list = &mut self.lists[bit as usize];
        self.due[node as usize] = bucket;
        self.next[node as usize] = std::mem::replace(&mut list.first, node);
        list.least = list.least.min(bucket);
        self.occupied |= 1 << bit;
    }

    /// Takes out a list of entries that begins with this one, and has all of the first bucket among those
    /// [behind](Self::behind) it. The others are to be put again where they are not taken.
    pub fn take_first(&mut self) -> Option<(u64, u32)> {
        let list = self.lists.get_mut(self.occupied.trailing_zeros() as usize)?;
        let List { first, least } = std::mem::replace(list, List::EMPTY);
        self.occupied &= self.occupied - 1;
        self.last = least;
        self.entry(first)
    }

    /// Returns the next entry of a list that has been taken, where this one has not been put again yet.
    pub fn behind(&self, node: u32) -> Option<(u64, u32)> {
        self.entry(self.next[node as usize])
    }

    fn entry(&self, node: u32) -> Option<(u64, u32)> {
        (node != NONE).then(|| (self.due[node as usize], node))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::rng::{Purpose, Stream};

    /// Against a sorted set: nothing is lost, nothing comes too late, and what is left has the right first bucket.
    #[test]
    fn equals_a_sorted_set() {
        let mut stream = Stream::new(3, Purpose::Traffic, 0);
        let mut calendar = Sources::new(300);
        let mut shadow: BTreeSet<(u64, u32)> = BTreeSet::new();
        let later = |now: u64, stream: &mut Stream| {
            let bits = stream.below(40);
            now + 1 + (u64::from(stream.below(1 << 20)) << bits >> 20)
        };
        for node in 0..300 {
            let bucket = later(0, &mut stream);
            calendar.put(bucket, node);
            shadow.insert((bucket, node));
        }
        for _ in 0..20_000 {
            let first = calendar.first();
            assert_eq!(Some(first), shadow.first().map(|&(bucket, _)| bucket));
            let mut entry = calendar.take_first();
            let mut taken = Vec::new();
            while let Some((bucket, node)) = entry {
                entry = calendar.behind(node);
                if bucket == first {
                    taken.push(node);
                } else {
                    calendar.put(bucket, node);
                }
            }
            assert!(taken.iter().all(|&node| shadow.remove(&(first, node))), "{taken:?}");
            assert!(shadow.first().is_none_or(|&(bucket, _)| bucket > first));
            for node in taken {
                let bucket = later(first, &mut stream);
                calendar.put(bucket, node);
                shadow.insert((bucket, node));
            }
        }
    }
}
