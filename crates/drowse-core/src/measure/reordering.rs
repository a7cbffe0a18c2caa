//! In which order packets came, by pair of nodes.

use serde::{Deserialize, Serialize};

use crate::model::units::Time;

/// How far packets came out of the order in which one node sent them to another; over all pairs of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reordering {
    /// Packets that came after one that was sent later (RFC 4737, section 3.3).
    pub packets: u64,
    /// The most by which the highest number that had come was above the lowest that had not.
    pub most: u64,
    /// Packets that nodes held until those before them had come.
    pub held: u64,
    /// How long they held these, all together.
    pub hold_time: Time,
}

impl Reordering {
    /// Adds what others have counted.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Reordering {
            packets: self.packets + other.packets,
            most: self.most.max(other.most),
            held: self.held + other.held,
            hold_time: self.hold_time + other.hold_time,
        }
    }
}
