//! Wakes of links for which messages of ranks waited: which link, when, for how long, and for which message.
//!
//! Recorded on request; nothing in the run changes. Only the first packet of a message counts, at each link that it
//! woke or that woke for another one; what waits behind it, or for its credits, is not told.

use super::critical_messages::{Cause, Leg, legs};
use crate::model::timers::Timers;
use crate::model::units::Time;

/// How many waits each channel keeps; others are counted.
pub const MOST: usize = 1_024;

/// Names a message in the whole simulation: its sending node, and its number there.
pub type MessageName = (u32, u32);

/// No message that is told: of open-loop traffic, or where nodes answer each other.
const UNNAMED: MessageName = (u32::MAX, 0);

/// A wait of a message for a link that wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// The channel, as numbered in the whole network.
    pub channel: u32,
    /// When the channel was on.
    pub awake: Time,
    /// How long the message waited for that.
    pub waited: Time,
    /// Since when the channel had idled when it was woken.
    pub idle_since: Time,
    /// The policy's timers in that idle period.
    pub timers: Timers,
    /// The message.
    pub message: MessageName,
}

/// A message of a rank that came later because links woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayedMessage {
    /// Its name.
    pub name: MessageName,
    /// The sender, in the whole simulation.
    pub from_rank: u32,
    /// The receiver.
    pub to_rank: u32,
    /// Its size; that of the data for one that asks or answers.
    pub bytes: u64,
    /// It asks, or answers, and carries no data.
    pub is_control: bool,
    /// When it was handed to its NIC.
    pub sent: Time,
    /// When it had come.
    pub came: Time,
    /// By how much it was delayed in all.
    pub delayed: Time,
}

/// The most causes that are kept of a run.
pub const MOST_CAUSES: usize = 1 << 22;

/// What led to moments of ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CauseLog {
    /// What ended waits.
    pub causes: Vec<Cause>,
    /// How many there were, also where not all were kept.
    pub count: usize,
    /// Messages that were delayed because links woke.
    pub delayed: Vec<DelayedMessage>,
}

impl CauseLog {
    /// Adds what has ended a wait.
    pub(crate) fn add(&mut self, cause: Cause) {
        self.count += 1;
        if self.count <= MOST_CAUSES {
            self.causes.push(cause);
        }
    }
}

/// What was recorded of wakes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wakes {
    /// By channel, each in order of time.
    pub wakes: Vec<Wake>,
    /// Waits that were not kept.
    pub left_out: u64,
    /// What led to moments of ranks: messages by their names, causes by rank and activity, in order of time.
    pub causes: CauseLog,
}

impl Wakes {
    /// Joins what the shards have recorded, in an order that does not depend on them.
    pub(crate) fn joined(all: impl IntoIterator<Item = Wakes>) -> Wakes {
        let mut joined = all.into_iter().fold(Wakes::default(), |mut joined, mut other| {
            joined.wakes.append(&mut other.wakes);
            joined.causes.delayed.append(&mut other.causes.delayed);
            joined.causes.causes.append(&mut other.causes.causes);
            joined.causes.count += other.causes.count;
            joined.left_out += other.left_out;
            joined
        });
        joined.wakes.sort_by_key(|wake| (wake.channel, wake.awake, wake.message));
        joined.causes.delayed.sort_by_key(|message| message.name);
        // Of equal times, in the order in which they came.
        joined.causes.causes.sort_by_key(|cause| (cause.rank, cause.activity, cause.at));
        joined
    }

    /// Returns the message that waited for a wake; `None` where it has not come, or is of open-loop traffic.
    pub fn message(&self, wake: &Wake) -> Option<&DelayedMessage> {
        let delayed = &self.causes.delayed;
        let place = delayed.binary_search_by_key(&wake.message, |message| message.name).ok()?;
        Some(&delayed[place])
    }

    /// Returns the legs of the critical path to the end of a rank, the last first; `None` where there are too many causes
    /// to follow it.
    pub fn path(&self, rank: u32, end: Time) -> Option<Vec<Leg>> {
        let CauseLog { causes, count, .. } = &self.causes;
        (*count <= MOST_CAUSES).then(|| legs(causes, rank, end))
    }

    /// Returns whether a wait was on a leg of the critical path: the message that waited went between its two ranks then.
    /// Messages of the same two ranks that were under way together are not told apart.
    pub fn is_on(&self, wake: &Wake, legs: &[Leg]) -> bool {
        let Some(message) = self.message(wake) else { return false };
        let ends = [message.from_rank, message.to_rank];
        legs.iter().any(|leg| {
            let between = leg.partner.is_some_and(|partner| ends == [partner, leg.rank] || ends == [leg.rank, partner]);
            between && message.sent >= leg.sent && wake.awake <= leg.at
        })
    }
}

/// Records the wakes of the channels of a shard.
#[derive(Clone, Debug, Default)]
pub struct WakeLog {
    /// By channel: since when it idled when it was last woken, and the timers then.
    woken: Vec<Option<(u64, Timers)>>,
    /// By channel: how many waits were kept.
    kept: Vec<usize>,
    wakes: Vec<Wake>,
    left_out: u64,
    /// The measured time is over.
    over: bool,
    /// The last waits, whose messages have numbers of the shard only: their places, and these numbers.
    unnamed: Vec<(usize, u32)>,
}

impl WakeLog {
    /// Begins anew.
    pub fn count_anew(&mut self) {
        self.wakes.clear();
        self.kept.clear();
        self.left_out = 0;
        self.unnamed.clear();
    }

    /// Ends: what happens from now on does not count.
    pub fn end(&mut self) {
        self.over = true;
    }

    /// Notes that a channel is woken that has idled since a time, under these timers.
    pub fn woken(&mut self, channel: usize, idle_since: u64, timers: Timers) {
        if channel >= self.woken.len() {
            self.woken.resize(channel + 1, None);
        }
        self.woken[channel] = Some((idle_since, timers));
    }

    /// Notes that a message has waited for a channel to wake. Who knows the message [names](WakeLog::name) it.
    pub fn waited(&mut self, channel: usize, awake: u64, waited: u64) {
        let Some(&Some((idle_since, timers))) = self.woken.get(channel) else { return };
        if waited == 0 || self.over {
            return;
        }
        if channel >= self.kept.len() {
            self.kept.resize(channel + 1, 0);
        }
        if self.kept[channel] == MOST {
            self.left_out += 1;
            return;
        }
        self.kept[channel] += 1;
        self.unnamed.push((self.wakes.len(), u32::MAX));
        let [awake, waited, idle_since] = [awake, waited, idle_since].map(Time);
        self.wakes.push(Wake { channel: channel as u32, awake, waited, idle_since, timers, message: UNNAMED });
    }

    /// Says the number of the message that has waited last, if its wait is kept and has none yet.
    pub fn number(&mut self, message: u32) {
        if let Some((_, number)) = self.unnamed.last_mut().filter(|(_, number)| *number == u32::MAX) {
            *number = message;
        }
    }

    /// Names the messages that have waited since the last call, by their numbers.
    pub fn name(&mut self, name: impl Fn(u32) -> Option<MessageName>) {
        for (place, message) in self.unnamed.drain(..).filter(|(_, message)| *message != u32::MAX) {
            self.wakes[place].message = name(message).unwrap_or(UNNAMED);
        }
    }

    /// Returns what was recorded, the channels as numbered in the whole network.
    pub fn take(&mut self, whole: impl Fn(u32) -> u32) -> Wakes {
        let mut wakes = std::mem::take(&mut self.wakes);
        wakes.iter_mut().for_each(|wake| wake.channel = whole(wake.channel));
        Wakes { wakes, left_out: self.left_out, ..Wakes::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A channel keeps its first waits; what is left out is counted.
    #[test]
    fn waits_beyond_the_most_are_counted() {
        let mut log = WakeLog::default();
        log.woken(3, 7, Timers::DEEP_AT_ONCE);
        (0..MOST as u64 + 5).for_each(|number| {
            log.waited(3, 100 + number, 9);
            log.number(number as u32);
            log.name(|message| Some((1, message)));
        });
        log.waited(2, 50, 9);
        log.waited(3, 50, 0);
        let wakes = log.take(|channel| channel + 10);
        assert_eq!((wakes.wakes.len(), wakes.left_out), (MOST, 5));
        let last = wakes.wakes[MOST - 1];
        assert_eq!((last.channel, last.message, last.idle_since), (13, (1, MOST as u32 - 1), Time(7)));
        log.count_anew();
        assert_eq!(log.take(|channel| channel), Wakes::default());
    }
}
