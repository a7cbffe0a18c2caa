//! What nodes have told each other of packets.

use serde::{Deserialize, Serialize};

use crate::model::units::Time;

/// What the transport has done; over all pairs of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransportRecord {
    /// Packets of data that have come.
    pub data: u64,
    /// How many of them were marked.
    pub marked: u64,
    /// Acknowledgements that were sent.
    pub acks: u64,
    /// Notifications of marked packets that were sent.
    pub notifications: u64,
    /// Credits and requests for credit that were sent.
    pub credits: u64,
    /// Round trips that were measured.
    pub round_trips: u64,
    /// Their sum, with the time in which links woke.
    pub round_trip_sum: Time,
    /// The longest.
    pub round_trip_most: Time,
    /// By how much they were longer because links woke, in all.
    pub waking: Time,
    /// How often a sender slowed down.
    pub cuts: u64,
    /// Switches drop packets that they have no room for.
    pub lossy: bool,
    /// Packets that switches have dropped.
    pub dropped: u64,
    /// Packets whose data switches have cut off.
    pub trimmed: u64,
    /// Packets that were sent again.
    pub resent: u64,
    /// Packets that came though they had come before, or that came too early for a receiver that takes them in sequence.
    pub superfluous: u64,
    /// Packets for which nothing had come in time.
    pub timeouts: u64,
    /// When the last acknowledgement had come to its sender.
    pub last_ack: Time,
}

impl TransportRecord {
    /// Nothing has been sent.
    pub const NOTHING: Self = TransportRecord {
        data: 0,
        marked: 0,
        acks: 0,
        notifications: 0,
        credits: 0,
        round_trips: 0,
        round_trip_sum: Time::ZERO,
        round_trip_most: Time::ZERO,
        waking: Time::ZERO,
        cuts: 0,
        lossy: false,
        dropped: 0,
        trimmed: 0,
        resent: 0,
        superfluous: 0,
        timeouts: 0,
        last_ack: Time::ZERO,
    };

    /// Adds what others have counted.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        TransportRecord {
            data: self.data + other.data,
            marked: self.marked + other.marked,
            acks: self.acks + other.acks,
            notifications: self.notifications + other.notifications,
            credits: self.credits + other.credits,
            round_trips: self.round_trips + other.round_trips,
            round_trip_sum: self.round_trip_sum + other.round_trip_sum,
            round_trip_most: self.round_trip_most.max(other.round_trip_most),
            waking: self.waking + other.waking,
            cuts: self.cuts + other.cuts,
            lossy: self.lossy || other.lossy,
            dropped: self.dropped + other.dropped,
            trimmed: self.trimmed + other.trimmed,
            resent: self.resent + other.resent,
            superfluous: self.superfluous + other.superfluous,
            timeouts: self.timeouts + other.timeouts,
            last_ack: self.last_ack.max(other.last_ack),
        }
    }
}
