//! Messages of open-loop traffic that are a single packet: what remains to be known of one while its packet is on its
//! way. Most packets of open-loop traffic are such, and there are many of them.

use serde::{Deserialize, Serialize};

use crate::engine::slab::Slab;

/// A message of open-loop traffic whose only packet has left its NIC.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Single {
    /// When it was handed to the NIC.
    pub created: u64,
    /// Its size.
    pub bytes: u32,
    /// Counts in the latencies.
    pub measured: bool,
}

/// All such messages of a shard. Their numbers are marked, as packets name messages of both kinds.
#[derive(Debug, Default)]
pub struct Singles(Slab<Single>);

impl Singles {
    const MARK: u32 = 1 << 31;

    /// Adds one, and returns its number.
    #[inline]
    pub fn insert(&mut self, single: Single) -> u32 {
        self.0.insert(single) | Self::MARK
    }

    /// Removes one; `None` where the number is that of another message.
    #[inline]
    pub fn take(&mut self, id: u32) -> Option<Single> {
        if id & Self::MARK == 0 {
            return None;
        }
        let id = id & !Self::MARK;
        self.0.remove(id);
        Some(self.0[id])
    }
}
