//! Which messages are those of collectives, that receives of any tag must not take.
//!
//! Schedgen makes messages of collectives, with tags of their own. In MPI no receive takes these but that of the
//! collective. In a schedule, one of any tag would take what comes first, and a rank might wait for ever.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::graph::Does;

/// Schedgen's tags of collectives are above this.
const TAG: u32 = 1_000_000;

/// What a schedule has of both.
#[derive(Default)]
pub(super) struct Collectives {
    /// Receives of any tag.
    any: u64,
    /// Messages of collectives.
    messages: u64,
    /// The sum of the hashes of their sends, less that of receives that name sender and tag: zero if each has its own.
    balance: u64,
}

impl Collectives {
    /// Adds a statement of a rank.
    pub fn add(&mut self, rank: u32, does: Does) {
        match does {
            Does::Send { to, tag, .. } if is_of_collective(tag) => {
                self.messages += 1;
                self.balance = self.balance.wrapping_add(hash((rank, to, tag)));
            }
            Does::Receive { from: Some(from), tag: Some(tag) } if is_of_collective(tag) => {
                self.balance = self.balance.wrapping_sub(hash((from, rank, tag)));
            }
            Does::Receive { tag: None, .. } => self.any += 1,
            _ => {}
        }
    }

    /// Returns how many receives of any tag leave messages of collectives; none if these have no receives of their own.
    pub fn kept_apart(&self) -> u64 {
        if self.messages > 0 && self.balance == 0 { self.any } else { 0 }
    }
}

/// Returns whether a tag is that of a collective.
pub(super) fn is_of_collective(tag: u32) -> bool {
    tag > TAG
}

fn hash(message: (u32, u32, u32)) -> u64 {
    let mut hasher = FxHasher::default();
    message.hash(&mut hasher);
    // The hashes of two pairs of messages may have one sum: mixed, they have not.
    let hash = hasher.finish();
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ (hash >> 27)
}
