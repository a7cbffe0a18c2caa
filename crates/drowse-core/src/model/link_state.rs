//! What the transceiver of a channel does.

/// One value for each state of a channel, indexed by [`LinkState`].
pub type PerState<T> = [T; LinkState::COUNT];

/// What a channel's transceiver does; the order is that of all tables and arrays of residencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LinkState {
    /// Ready to send, at full power.
    On,
    /// Going to sleep, or from one sleep state to a deeper one; cannot send.
    Entering,
    /// In shallow sleep (fast wake): the first sleep state of a class.
    Shallow,
    /// In deep sleep (low-power idle): the second.
    Deep,
    /// Waking; cannot send.
    Waking,
    /// In the third sleep state, for classes that list more than two.
    Third,
    /// In the fourth.
    Fourth,
    /// In the fifth.
    Fifth,
    /// In the sixth.
    Sixth,
}

impl LinkState {
    /// The number of states.
    pub const COUNT: usize = 9;

    /// All states, in table order.
    pub const ALL: PerState<LinkState> = [
        LinkState::On,
        LinkState::Entering,
        LinkState::Shallow,
        LinkState::Deep,
        LinkState::Waking,
        LinkState::Third,
        LinkState::Fourth,
        LinkState::Fifth,
        LinkState::Sixth,
    ];

    /// The sleep states, lightest first.
    pub const SLEEPS: [LinkState; 6] =
        [LinkState::Shallow, LinkState::Deep, LinkState::Third, LinkState::Fourth, LinkState::Fifth, LinkState::Sixth];

    /// The sleep states beyond deep sleep, lightest first.
    pub const FURTHER: [LinkState; 4] = [LinkState::Third, LinkState::Fourth, LinkState::Fifth, LinkState::Sixth];

    /// Returns the place of a sleep state among [`LinkState::SLEEPS`]; `None` for a state that is no sleep.
    pub const fn sleep_place(self) -> Option<usize> {
        match self {
            LinkState::On | LinkState::Entering | LinkState::Waking => None,
            LinkState::Shallow => Some(0),
            LinkState::Deep => Some(1),
            LinkState::Third => Some(2),
            LinkState::Fourth => Some(3),
            LinkState::Fifth => Some(4),
            LinkState::Sixth => Some(5),
        }
    }

    /// Returns the state's name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            LinkState::On => "on",
            LinkState::Entering => "entering",
            LinkState::Shallow => "shallow",
            LinkState::Deep => "deep",
            LinkState::Waking => "waking",
            LinkState::Third => "third",
            LinkState::Fourth => "fourth",
            LinkState::Fifth => "fifth",
            LinkState::Sixth => "sixth",
        }
    }
}
