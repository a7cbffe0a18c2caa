//! What the transceiver of a channel does.

/// What a channel's transceiver does; the order is that of all tables and arrays of residencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum LinkState {
    /// Ready to send, at full power.
    On,
    /// Going to sleep: full power, cannot send.
    Entering,
    /// In shallow sleep (fast wake).
    Shallow,
    /// In deep sleep (low-power idle).
    Deep,
    /// Waking: full power, cannot send.
    Waking,
}

impl LinkState {
    /// All states, in table order.
    pub const ALL: [LinkState; 5] =
        [LinkState::On, LinkState::Entering, LinkState::Shallow, LinkState::Deep, LinkState::Waking];

    /// Returns the state's name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            LinkState::On => "on",
            LinkState::Entering => "entering",
            LinkState::Shallow => "shallow",
            LinkState::Deep => "deep",
            LinkState::Waking => "waking",
        }
    }
}
