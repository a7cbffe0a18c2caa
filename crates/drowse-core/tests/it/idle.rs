//! A channel by itself: a policy driven by a list of idle periods, without a network.

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{FurtherTimers, Idle, LinkState, SleepPolicy, SleepStates, Timeline, Timers};

/// One idle period as it went.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The timers that it had.
    pub timers: Timers,
    pub idle: Idle,
}

impl Step {
    /// The time that the next message lost to waking.
    pub fn wakes(&self) -> u64 {
        self.idle.wake.map_or(0, |wake| wake.takes.0)
    }
}

/// Runs a channel through idle periods of these lengths. After each it wakes if it sleeps, and a message with `hops`
/// hops keeps it busy for `busy`.
pub fn drive<P: SleepPolicy>(
    policy: &P,
    states: SleepStates,
    lengths: impl IntoIterator<Item = u64>,
    (hops, busy): (u8, u64),
) -> Vec<Step> {
    let mut state = policy.start(ChannelId(0), 0);
    let mut now = 0;
    let mut step = |length: u64| {
        let timers = policy.timers(0, &state);
        let wake = Timeline::new(timers, FurtherTimers::NEVER, &states).wake(Time(length));
        let idle = Idle { since: Time(now), until: Time(now + length), wake };
        policy.idle_ended(0, &mut state, idle);
        policy.message(0, &mut state, hops);
        now += wake.map_or(length, |wake| wake.from.0 + wake.takes.0) + busy;
        Step { timers, idle }
    };
    lengths.into_iter().map(&mut step).collect()
}

/// The energy of an idle period and of the waking after it, in billionths of the power when on times picoseconds.
pub fn energy(step: &Step, states: SleepStates) -> u128 {
    let length = step.idle.length();
    let mut residency = [0; LinkState::COUNT];
    Timeline::new(step.timers, FurtherTimers::NEVER, &states).add_residency(Time::ZERO, length, &mut residency);
    let [shallow, deep] = [LinkState::Shallow, LinkState::Deep].map(|sleep| residency[sleep as usize]);
    let waking = step.idle.wake.map_or(0, |wake| wake.from.0 - length.0 + wake.takes.0);
    let parts = |time: u64, billionths: u64| u128::from(time) * u128::from(billionths);
    parts(length.0 - shallow - deep + waking, 1_000_000_000)
        + parts(shallow, states.shallow.power_billionths())
        + parts(deep, states.deep.power_billionths())
}
