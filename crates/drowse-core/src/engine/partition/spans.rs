//! Numbers of a network that a partition has: spans of consecutive ones, numbered from 0 on within the partition.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Some spans of consecutive numbers, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spans {
    /// How many numbers there are.
    count: u32,
    /// By how much those of the first span are larger in the whole network.
    ahead: u32,
    /// The later spans; usually there are none.
    later: Box<[Later]>,
}

/// A span after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Later {
    /// Its first number in the partition.
    from: u32,
    /// By how much its numbers are larger in the whole network.
    ahead: u32,
}

impl Spans {
    /// Takes the spans of some ranges, which are in order; those that touch become one.
    pub fn new(ranges: impl IntoIterator<Item = Range<u32>>) -> Self {
        let (mut spans, mut later) = (Spans::default(), Vec::new());
        let mut last = None;
        for range in ranges.into_iter().filter(|range| !range.is_empty()) {
            let (from, ahead) = (spans.count, range.start - spans.count);
            match last {
                None => spans.ahead = ahead,
                Some(last) if last == ahead => {}
                Some(_) => later.push(Later { from, ahead }),
            }
            last = Some(ahead);
            spans.count += range.end - range.start;
        }
        spans.later = later.into();
        spans
    }

    /// Takes one range.
    pub fn one(range: Range<u32>) -> Self {
        Self::new(std::iter::once(range))
    }

    /// Returns how many numbers there are.
    #[inline]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the number in the whole network of one of the partition.
    #[inline]
    pub fn whole(&self, number: u32) -> u32 {
        number + self.ahead_after(self.later.partition_point(|later| later.from <= number))
    }

    /// Returns the number in the partition of one of the whole network that it has.
    #[inline]
    pub fn here(&self, number: u32) -> u32 {
        number.wrapping_sub(self.ahead_after(self.later.partition_point(|later| later.from + later.ahead <= number)))
    }

    /// Returns by how much the numbers of a span are larger in the whole network.
    #[inline]
    fn ahead_after(&self, span: usize) -> u32 {
        if span == 0 { self.ahead } else { self.later[span - 1].ahead }
    }

    /// Returns the number in the partition of one of the whole network; `None` for one that it does not have.
    pub fn local(&self, number: u32) -> Option<u32> {
        let here = self.here(number);
        (here < self.count && self.whole(here) == number).then_some(here)
    }

    /// Returns whether it has a number of the whole network.
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        self.local(number).is_some()
    }

    /// Returns the spans, as numbered in the whole network.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u32>> {
        let starts = std::iter::once(Later { from: 0, ahead: self.ahead }).chain(self.later.iter().copied());
        let ends = self.later.iter().map(|later| later.from).chain([self.count]);
        starts.zip(ends).map(|(Later { from, ahead }, end)| from + ahead..end + ahead)
    }

    /// Returns all numbers, as in the whole network.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.ranges().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans() -> impl Strategy<Value = Vec<Range<u32>>> {
        prop::collection::vec((0u32..4, 0u32..4), 0..6).prop_map(|all| {
            let mut end = 0;
            let range = |(gap, length)| {
                let start = end + gap;
                end = start + length;
                start..end
            };
            all.into_iter().map(range).collect()
        })
    }

    proptest! {
        /// As a list of all numbers would have it.
        #[test]
        fn numbers_of_some_ranges(ranges in spans()) {
            let spans = Spans::new(ranges.clone());
            let all: Vec<u32> = ranges.into_iter().flatten().collect();
            prop_assert_eq!(spans.iter().collect::<Vec<_>>(), all.clone());
            prop_assert_eq!(spans.count() as usize, all.len());
            for number in 0..50 {
                let place = all.iter().position(|&other| other == number).map(|place| place as u32);
                prop_assert_eq!((spans.local(number), spans.contains(number)), (place, place.is_some()));
                place.into_iter().for_each(|place| assert_eq!(spans.whole(place), number));
            }
        }
    }
}
