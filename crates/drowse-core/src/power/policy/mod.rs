//! The traits of a link power policy: one for sleep, and a small one for each other thing that a policy may do.
//!
//! The simulation is generic over [`Policy`], so that no decision costs a virtual call. A policy that only decides when
//! channels sleep implements [`SleepPolicy`], and [`sleep_only!`](crate::sleep_only) implements the rest.

mod cap;
mod coalescing;
mod governor;
mod hindsight;
mod runtime;
mod sleep;
mod trunk;
mod width;

pub use cap::CapRules;
pub use coalescing::{CoalescingLimits, CoalescingPolicy};
pub use governor::{GovernedPolicy, GovernorRules};
pub use hindsight::HindsightPolicy;
pub use runtime::{Detect, Mode, Rules, RuntimePolicy};
pub use sleep::{FurtherTimers, Idle, SleepPolicy, Timers, Wake};
pub use trunk::{Change, TrunkPolicy, TrunkWindow};
pub use width::WidthPolicy;

/// All that a simulation asks of a link power policy; every type that has the seven traits is one.
pub trait Policy:
    SleepPolicy + CoalescingPolicy + TrunkPolicy + WidthPolicy + RuntimePolicy + GovernedPolicy + HindsightPolicy
{
}

impl<P> Policy for P where
    P: SleepPolicy + CoalescingPolicy + TrunkPolicy + WidthPolicy + RuntimePolicy + GovernedPolicy + HindsightPolicy
{
}

/// Turns types that implement [`SleepPolicy`](crate::power::SleepPolicy) into whole policies, which do nothing but
/// sleep.
///
/// ```
/// use drowse_core::model::{ids::ChannelId, units::Time};
/// use drowse_core::power::{SleepPolicy, Timers};
///
/// /// Enters deep sleep after 10 us.
/// struct TenMicroseconds;
///
/// impl SleepPolicy for TenMicroseconds {
///     type State = ();
///
///     fn start(&self, _channel: ChannelId, _class: u8) {}
///
///     fn timers(&self, _class: u8, _state: &()) -> Timers {
///         Timers { shallow: Time::NEVER, deep: Time::from_us(10) }
///     }
/// }
///
/// drowse_core::sleep_only!(TenMicroseconds);
/// ```
#[macro_export]
macro_rules! sleep_only {
    ($($policy:ty),+ $(,)?) => {
        $(
            impl $crate::power::CoalescingPolicy for $policy {}
            impl $crate::power::TrunkPolicy for $policy {}
            impl $crate::power::WidthPolicy for $policy {}
            impl $crate::power::RuntimePolicy for $policy {}
            impl $crate::power::GovernedPolicy for $policy {}
            impl $crate::power::HindsightPolicy for $policy {}
        )+
    };
}
