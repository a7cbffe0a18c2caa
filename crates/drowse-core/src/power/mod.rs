//! Link power: sleep states, the policies that decide when a channel sleeps, and the power model.
//!
//! A policy sees one channel's idle periods and messages, and nothing else: at the end of each period it may learn, and for the
//! next it gives two stall timers. Both run from the start of the idle period (last bit sent, nothing waiting) and end at the
//! next request. Channels may also be commanded off and on: as the ports of a trunk, by what the switch has seen of that in a
//! window. The simulation is generic over the policy, so a user's own costs no virtual call.

pub mod bins;
pub mod bound;
pub mod by_class;
pub mod coalescing;
pub mod correction;
pub mod cost;
pub mod dynamic_fastwake;
pub mod learning;
pub mod link_timers;
pub mod model;
pub mod observed;
pub mod oracle;
pub mod pairs;
pub mod perfbound;
pub mod runtime;
pub mod stall_timer;
pub mod timeline;
pub mod trunk;
pub mod width;

pub use bound::{Bound, Split};
pub use by_class::{ByClass, ClassPolicy};
pub use coalescing::Coalescing;
pub use dynamic_fastwake::DynamicFastwake;
pub use learning::Learning;
pub use link_timers::LinkTimers;
pub use observed::Observed;
pub use oracle::Oracle;
pub use perfbound::PerfBound;
pub use runtime::Runtime;
pub use stall_timer::StallTimer;
pub use timeline::Wake;
pub use trunk::{Change, Trunk, TrunkWindow};
pub use width::Width;

pub use crate::model::link_state::LinkState;
pub use crate::model::sleep_state::{Deepen, SleepState, SleepStates};

use crate::model::ids::ChannelId;
use crate::model::units::Time;

/// How long a channel idles before it starts to enter each state; [`Time::NEVER`] for a state that is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timers {
    /// Stall-to-shallow.
    pub shallow: Time,
    /// Stall-to-deep.
    pub deep: Time,
}

impl Timers {
    /// Stays on for ever.
    pub const NEVER: Timers = Timers { shallow: Time::NEVER, deep: Time::NEVER };
}

/// What wakes a channel that sleeps while packets are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gathering {
    /// So many packets wait.
    pub frames: u32,
    /// The first of them has waited so long.
    pub timeout: Time,
}

/// An idle period of a channel that is over: from the last bit sent, with nothing waiting, to the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    /// When it began.
    pub since: Time,
    /// When it ended: somebody asked for the channel, or the run was over.
    pub until: Time,
    /// How the channel wakes; `None` where it was on.
    pub wake: Option<Wake>,
}

impl Idle {
    /// Returns how long it lasted; waking comes after it.
    pub fn length(&self) -> Time {
        self.until.saturating_sub(self.since)
    }
}

/// Decides when channels sleep.
///
/// It is told only what the sender of a channel knows: its idle periods, and the messages that it sends.
pub trait Policy: Sync {
    /// What the policy remembers of one channel.
    type State: Clone + Send;

    /// It wants to be told of the idle periods of all channels, those included that may not sleep, which must then have
    /// [`Timers::NEVER`].
    const WATCHES: bool = false;

    /// Returns whether it wants to be told of messages ([`Policy::message`]); the simulation finds out their hops only then.
    #[inline]
    fn counts_messages(&self) -> bool {
        false
    }

    /// Returns how long idle periods are at least that matter to it; of shorter ones it is told only where they end in sleep.
    #[inline]
    fn shortest_idle(&self) -> Time {
        Time::ZERO
    }

    /// Returns what it remembers of a channel at the start of a run.
    fn start(&self, channel: ChannelId, class: u8) -> Self::State;

    /// Returns whether channels of a class may ever sleep, or be accounted as if they had: where none may, the simulation keeps no
    /// account of it.
    fn may_sleep(&self, class: u8) -> bool {
        let _ = class;
        true
    }

    /// Returns the stall timers of the idle period that starts now on a channel of `class`.
    ///
    /// They depend on the idle periods that have ended, and change only when one ends: the simulation asks several times.
    fn timers(&self, class: u8, state: &Self::State) -> Timers;

    /// Learns that an idle period has ended by a request.
    #[inline]
    fn idle_ended(&self, class: u8, state: &mut Self::State, idle: Idle) {
        let _ = (class, state, idle);
    }

    /// Learns that a message has begun to cross the channel; on its minimal route so many channels may sleep, this one included.
    #[inline]
    fn message(&self, class: u8, state: &mut Self::State, hops: u8) {
        let _ = (class, state, hops);
    }

    /// Learns that the run, or its measured time, is over in an idle period; nothing comes after it.
    #[inline]
    fn run_ended(&self, class: u8, state: &mut Self::State, idle: Idle) {
        let _ = (class, state, idle);
    }

    /// Returns the sleep in which a channel had better spent an idle period that is over, had it known its length, and waking in
    /// time for what comes after it, if anything does.
    ///
    /// A policy that answers lets channels stay on and be accounted as if they had slept; see [`Oracle`].
    #[inline]
    fn hindsight(&self, class: u8, idle: Time, wakes: bool) -> Option<LinkState> {
        let _ = (class, idle, wakes);
        None
    }

    /// Returns what wakes a channel that sleeps; `None` for the first request.
    #[inline]
    fn gathering(&self, class: u8) -> Option<Gathering> {
        let _ = class;
        None
    }

    /// Returns how long the windows are after which the switch that sends on the trunks of a class decides how many of their ports
    /// are on ([`Policy::resize`]); `None` where ports are not governed so. The links of nodes never are.
    ///
    /// A port that is off is not offered to packets, and none wakes it. The first port of each trunk is always on.
    fn trunk_window(&self, class: u8) -> Option<Time> {
        let _ = class;
        None
    }

    /// Decides on a trunk of a class that has more than one port, and none that is going on or off.
    fn resize(&self, class: u8, seen: &TrunkWindow) -> Change {
        let _ = (class, seen);
        Change::None
    }

    /// Returns into how many lanes the links of a class are divided, a power of two of at most 16: where there are several,
    /// [`Policy::resize`] is about the lanes of each link, which are doubled and halved, and not about the ports of a trunk.
    fn lanes(&self, class: u8) -> u8 {
        let _ = class;
        1
    }

    /// Returns the rules by which the runtime system commands the channels of a class, the same for all that it commands; `None`
    /// for those that it does not.
    fn directed(&self, class: u8) -> Option<runtime::Rules> {
        let _ = class;
        None
    }

    /// Learns that a channel is commanded off, so that its timers are 0 from now on, or on, so that they never run out.
    fn commanded(&self, class: u8, state: &mut Self::State, on: bool) {
        let _ = (class, state, on);
    }
}
