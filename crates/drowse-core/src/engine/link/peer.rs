//! The other channel of a link, where both sleep together.

/// Returns from when on a channel is idle: not before the other of its link is, where both sleep together.
#[inline]
pub(super) fn after_peer(peer_until: &[u64], channel: usize, since: u64) -> u64 {
    peer_until.get(channel).map_or(since, |&until| since.max(until))
}
