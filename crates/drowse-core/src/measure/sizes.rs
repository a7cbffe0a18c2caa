//! Latencies of messages by size.

use serde::{Deserialize, Serialize};

use super::Histogram;
use crate::model::units::Time;

/// The messages of one class of sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeClass {
    /// The sum of their sizes.
    pub bytes: u128,
    /// Time from the hand-over of each to the NIC until its last bit; it also counts them.
    pub latency: Histogram,
}

/// Latencies of messages by classes of sizes: 0 B, 1 B, 2 to 3 B, and so on by powers of two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageSizes(Vec<SizeClass>);

impl MessageSizes {
    /// Adds a message.
    pub(crate) fn add(&mut self, bytes: u64, latency: Time) {
        let class = class(bytes);
        if class >= self.0.len() {
            self.0.resize(class + 1, SizeClass::default());
        }
        self.0[class].bytes += u128::from(bytes);
        self.0[class].latency.add(latency);
    }

    /// Adds the messages of another count.
    pub(crate) fn merge(&mut self, other: &MessageSizes) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), SizeClass::default());
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.bytes += theirs.bytes;
            mine.latency.merge(&theirs.latency);
        }
    }

    /// Returns the classes that have messages, with their smallest and largest size.
    pub fn classes(&self) -> impl Iterator<Item = ([u64; 2], &SizeClass)> {
        (0..).zip(&self.0).filter(|(_, class)| class.latency.count() > 0).map(|(number, class)| (sizes(number), class))
    }
}

/// Returns the class of a size.
fn class(bytes: u64) -> usize {
    (u64::BITS - bytes.leading_zeros()) as usize
}

/// Returns the smallest and the largest size of a class.
fn sizes(class: u32) -> [u64; 2] {
    let smallest = if class == 0 { 0 } else { 1 << (class - 1) };
    [smallest, smallest.max(1) - 1 + smallest]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_each_other_without_gaps() {
        assert_eq!((0..5).map(sizes).collect::<Vec<_>>(), [[0, 0], [1, 1], [2, 3], [4, 7], [8, 15]]);
        assert_eq!(sizes(64), [1 << 63, u64::MAX]);
        for bytes in (0..1_000).chain([u64::MAX / 2, u64::MAX / 2 + 1, u64::MAX]) {
            let [smallest, largest] = sizes(class(bytes) as u32);
            assert!((smallest..=largest).contains(&bytes), "{bytes}");
        }
    }
}
