//! What a time consists of: how a rank spent its own, and the chain of causes that led to a moment.

use std::ops::Add;

use serde::{Deserialize, Serialize};

use super::timeline::RankState;
use crate::model::units::Time;

/// Adds up times; a program that computes for too long ends with an error, not with an overflow.
fn sum(times: [Time; 5]) -> Time {
    times.into_iter().fold(Time::ZERO, Time::saturating_add)
}

/// How a rank spent the time from its job's start to its own end; the parts sum to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankTimes {
    /// Computing what its program says.
    pub computing: Time,
    /// Busy with messages that it sent or had received.
    pub overhead: Time,
    /// Waiting until sends were complete, collectives apart.
    pub sending: Time,
    /// Waiting for messages, collectives apart.
    pub receiving: Time,
    /// Waiting in collective operations, or for those beside the program.
    pub collectives: Time,
    /// All waiting, the three above, by cause.
    pub waits: Waits,
}

/// What a rank waited for: a message, the answer of who is to receive one, or that one had left. The parts sum to the
/// time for which it waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waits {
    /// It had not been sent, and its partner computed or was busy with messages.
    pub partner_working: Time,
    /// It had not been sent, and its partner waited, too.
    pub partner_waiting: Time,
    /// It went through the network, or waited in it.
    pub network: Time,
    /// It went through the memory of a node.
    pub memory: Time,
    /// It was late because links woke, for itself or for what its sender had waited for.
    pub waking: Time,
}

/// How often a rank has called operations of one kind, and how it has spent its time in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationTimes {
    /// How often it has called them.
    pub calls: u64,
    /// How it has spent the time from the beginning to the end of all these calls.
    pub times: RankTimes,
}

impl RankTimes {
    /// Returns the sum.
    pub fn total(&self) -> Time {
        let RankTimes { computing, overhead, sending, receiving, collectives, waits: _ } = *self;
        sum([computing, overhead, sending, receiving, collectives])
    }

    /// Returns the time spent in a state.
    pub(crate) fn of(&mut self, state: RankState) -> &mut Time {
        match state {
            RankState::Computing => &mut self.computing,
            RankState::Overhead => &mut self.overhead,
            RankState::Sending => &mut self.sending,
            RankState::Receiving => &mut self.receiving,
            RankState::Collectives => &mut self.collectives,
        }
    }

    /// Returns the sums with other times.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.with(other, Time::saturating_add)
    }

    /// Returns what there is more than of earlier times.
    #[must_use]
    pub(crate) fn minus(self, earlier: Self) -> Self {
        self.with(earlier, Time::saturating_sub)
    }

    /// Returns times of which each is made by a function.
    #[must_use]
    pub(crate) fn each(self, of: impl Fn(Time) -> Time) -> Self {
        let Waits { partner_working, partner_waiting, network, memory, waking } = self.waits;
        let waits = Waits {
            partner_working: of(partner_working),
            partner_waiting: of(partner_waiting),
            network: of(network),
            memory: of(memory),
            waking: of(waking),
        };
        RankTimes {
            computing: of(self.computing),
            overhead: of(self.overhead),
            sending: of(self.sending),
            receiving: of(self.receiving),
            collectives: of(self.collectives),
            waits,
        }
    }

    fn with(self, other: Self, of: fn(Time, Time) -> Time) -> Self {
        RankTimes {
            computing: of(self.computing, other.computing),
            overhead: of(self.overhead, other.overhead),
            sending: of(self.sending, other.sending),
            receiving: of(self.receiving, other.receiving),
            collectives: of(self.collectives, other.collectives),
            waits: self.waits.with(other.waits, of),
        }
    }
}

impl Waits {
    /// Returns the sum.
    pub fn total(&self) -> Time {
        let Waits { partner_working, partner_waiting, network, memory, waking } = *self;
        sum([partner_working, partner_waiting, network, memory, waking])
    }

    /// Returns the sums with other waits.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.with(other, Time::saturating_add)
    }

    fn with(self, other: Self, of: fn(Time, Time) -> Time) -> Self {
        Waits {
            partner_working: of(self.partner_working, other.partner_working),
            partner_waiting: of(self.partner_waiting, other.partner_waiting),
            network: of(self.network, other.network),
            memory: of(self.memory, other.memory),
            waking: of(self.waking, other.waking),
        }
    }
}

/// The chain of causes that led to a moment of a job, a critical path: how much of the time from the job's start each
/// kind of cause took. A rank's moments follow from each other while it works; where it waited, what ended the wait is
/// the cause: a message, which follows from the moment at which it was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriticalPath {
    /// Ranks computed.
    pub computing: Time,
    /// Ranks were busy with messages that they sent or had received.
    pub overhead: Time,
    /// Messages went through the memory of a node.
    pub memory: Time,
    /// Messages went through the network, or waited in it, but for links that woke.
    pub network: Time,
    /// Messages were late because links woke: by their own waits, and by those behind packets and credits that were late.
    pub waking: Time,
}

/// How a message was carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    /// Through the memory of a node, not through the network.
    pub within_node: bool,
    /// By how much it came later because links woke.
    pub slept: Time,
}

impl CriticalPath {
    /// That to the job's start.
    pub const NOTHING: Self = CriticalPath {
        computing: Time::ZERO,
        overhead: Time::ZERO,
        memory: Time::ZERO,
        network: Time::ZERO,
        waking: Time::ZERO,
    };

    /// Returns the path followed by a message that takes some time.
    #[must_use]
    pub(crate) fn carried(self, time: Time, Carried { within_node, slept }: Carried) -> Self {
        let waking = if within_node { Time::ZERO } else { slept.min(time) };
        let rest = time.saturating_sub(waking);
        let (memory, network) = if within_node { (rest, Time::ZERO) } else { (Time::ZERO, rest) };
        let message = CriticalPath { memory, network, waking, ..CriticalPath::default() };
        self + message
    }

    /// Returns the time from the job's start.
    pub fn total(&self) -> Time {
        let CriticalPath { computing, overhead, memory, network, waking } = *self;
        sum([computing, overhead, memory, network, waking])
    }
}

impl Add for CriticalPath {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        CriticalPath {
            computing: self.computing.saturating_add(other.computing),
            overhead: self.overhead.saturating_add(other.overhead),
            memory: self.memory.saturating_add(other.memory),
            network: self.network.saturating_add(other.network),
            waking: self.waking.saturating_add(other.waking),
        }
    }
}
