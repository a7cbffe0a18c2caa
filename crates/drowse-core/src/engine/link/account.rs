//! The fields of a channel that packets seldom need: the account of its sleep, and what is noted beside it.

use crate::model::link_state::LinkState;

/// The fields of a channel that only its sleep uses.
#[derive(Clone, Debug)]
pub struct Account<S> {
    /// Residencies are complete up to here; since the run began, the channel was last woken here.
    pub(super) settled: u64,
    /// When the last waking started; before it, the channel was still entering.
    pub(super) wake_from: u64,
    /// The state as which the time before that counts.
    pub(super) enters_as: LinkState,
    /// Time in the states entering, shallow, deep and waking; that in further states is apart.
    pub(super) asleep: [u64; 4],
    /// Time that messages have waited for the channel to wake.
    pub(super) lost: u64,
    /// The policy's memory.
    pub policy: S,
}

impl<S> Account<S> {
    /// Creates the account of a channel that has been on from the start.
    pub fn new(policy: S) -> Self {
        Account { settled: 0, wake_from: 0, enters_as: LinkState::Entering, asleep: [0; 4], lost: 0, policy }
    }
}

/// How a channel coalesces packets.
#[derive(Clone, Copy, Debug)]
pub struct Coalescing {
    /// When the first packet requested the channel.
    pub since: u64,
    /// Coalescing goes on.
    pub(super) active: bool,
}

impl Coalescing {
    /// No packet waits or has waited.
    pub const NOTHING: Coalescing = Coalescing { since: u64::MAX, active: false };
}

/// A notification of a channel for the runtime system: a packet has woken it, or it has been idle for long.
#[derive(Clone, Copy, Debug)]
pub struct LinkNotification {
    pub channel: usize,
    pub at: u64,
    /// Since when it has been idle; `None` where a packet has woken it.
    pub idle_since: Option<u64>,
}
