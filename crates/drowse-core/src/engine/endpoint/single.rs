//! Messages of open-loop traffic that are a single packet: what remains to be known of one while its packet is on its
//! way. Most packets of open-loop traffic are such, and there are many of them.

use serde::{Deserialize, Serialize};

use super::message::{Message, Purpose};
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

impl Single {
    /// Takes it from a message, if that is one; `packet` is the length of a packet in bytes.
    #[inline]
    pub fn of(message: &Message, packet: u64) -> Option<Self> {
        let &Message { created, bytes, measured, .. } = message;
        if message.purpose != Purpose::Load || bytes > packet {
            return None;
        }
        Some(Single { created, bytes: u32::try_from(bytes).ok()?, measured })
    }
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
