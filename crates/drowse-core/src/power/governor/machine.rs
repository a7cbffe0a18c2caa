//! The governor as one sequential machine: it handles reports in order of time and returns commands.

use std::collections::{BTreeMap, BTreeSet};

use crate::measure::GovernorRecord;
use crate::model::units::Time;
use crate::power::policy::GovernorRules;
use crate::power::runtime::{Command, CommandKind, Notification, NotificationKind};

/// What channels may lose first, as a part of the bound. The longest idle periods are worth most, so it is better to begin
/// with few: of 1/32 to 16 times the bound, 1/32 to 1/8 saved most (docs/bounded.md).
const FIRST_PART: u32 = 16;
/// The largest share that a channel may lose. More would save nothing: a period ends in sleep or does not.
const MOST: u32 = 500_000_000;
/// What part of the bound may be lost; the rest is kept for what lateness does not show: a late packet meets others than it
/// would have met. Without it, FT, which exchanges all with all, lost up to 1.2 times the bound (docs/bounded.md).
const SPENT: (u128, u128) = (7, 8);
/// How long a larger share waits for the last change.
const PAUSE: Time = Time::from_us(100);
const BILLION: u128 = 1_000_000_000;

/// Allows channels to sleep.
#[derive(Debug)]
pub struct Governor {
    rules: GovernorRules,
    /// The job of each rank, and how late it is while it runs.
    ranks: Vec<(u32, Option<Time>)>,
    jobs: Vec<Job>,
    running: BTreeSet<u32>,
    /// Ranks that have not ended.
    left: usize,
    /// The share that channels may lose, and when that was commanded.
    allowed: u32,
    changed: Time,
    commands: Vec<Command>,
    record: GovernorRecord,
}

/// A job that runs, or will.
#[derive(Clone, Debug, Default)]
struct Job {
    begin: Option<Time>,
    /// How many ranks are late by how much.
    wake_delay: BTreeMap<Time, u32>,
}

impl Governor {
    /// Prepares for jobs of so many ranks; all channels are on.
    pub fn new(rules: GovernorRules, jobs: impl Iterator<Item = usize>) -> Self {
        let ranks: Vec<_> = (0..).zip(jobs).flat_map(|(job, ranks)| (0..ranks).map(move |_| (job, None))).collect();
        let jobs = ranks.last().map_or(0, |&(job, _)| job as usize + 1);
        Governor {
            rules,
            left: ranks.len(),
            ranks,
            jobs: vec![Job::default(); jobs],
            running: BTreeSet::new(),
            allowed: 0,
            changed: Time::ZERO,
            commands: Vec::new(),
            record: GovernorRecord::default(),
        }
    }

    /// Returns how long it takes from a report until channels obey.
    pub fn delay(&self) -> Time {
        self.rules.reaction
    }

    /// Handles reports, and returns the commands that follow from them.
    pub fn notify(&mut self, notifications: &mut Vec<Notification>) -> std::vec::Drain<'_, Command> {
        notifications.sort_unstable();
        for Notification { at, what } in notifications.drain(..) {
            match what {
                NotificationKind::WakeDelay { rank, wake_delay } => self.set(at, rank, Some(wake_delay)),
                NotificationKind::Finished { rank } => self.set(at, rank, None),
                _ => continue,
            }
            self.decide(at);
        }
        self.commands.drain(..)
    }

    /// Returns whether all ranks have ended.
    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Returns what it has done.
    pub fn record(&self) -> GovernorRecord {
        self.record
    }

    /// Notes by how much a rank is late; `None` where it has ended.
    fn set(&mut self, at: Time, rank: u32, wake_delay: Option<Time>) {
        let (number, before) = &mut self.ranks[rank as usize];
        let (number, before) = (*number, std::mem::replace(before, wake_delay));
        let job = &mut self.jobs[number as usize];
        job.begin.get_or_insert(at);
        if let Some(before) = before
            && let Some(ranks) = job.wake_delay.get_mut(&before)
        {
            *ranks -= 1;
            if *ranks == 0 {
                job.wake_delay.remove(&before);
            }
        }
        if let Some(wake_delay) = wake_delay {
            *job.wake_delay.entry(wake_delay).or_default() += 1;
            self.record.reports += 1;
            self.record.latest = self.record.latest.max(wake_delay);
        } else {
            self.left -= 1;
        }
        if job.wake_delay.is_empty() {
            self.running.remove(&number)
        } else {
            self.running.insert(number)
        };
    }

    /// Commands another share, if that follows from what is known.
    fn decide(&mut self, at: Time) {
        let of_jobs = self.running.iter().map(|&job| self.jobs[job as usize].share(at, &self.rules));
        let share = of_jobs.min().unwrap_or(MOST);
        let waits = share > self.allowed && at < self.changed.saturating_add(PAUSE);
        if share == self.allowed || waits {
            return;
        }
        let obeyed = at.saturating_add(self.rules.reaction);
        let mut command = |what| self.commands.push(Command { at: obeyed, what });
        command(CommandKind::Allow { billionths: share });
        if (share == 0) != (self.allowed == 0) {
            command(CommandKind::All { on: share == 0 });
        }
        self.record.commands += 1;
        self.record.turned_on += u64::from(share == 0);
        (self.allowed, self.changed) = (share, at);
    }
}

impl Job {
    /// Returns what channels may lose, by what is left of what the program may: a part of the bound where no more than the
    /// reserve is left, twice as much for each doubling; nothing where less is left.
    fn share(&self, at: Time, rules: &GovernorRules) -> u32 {
        let wake_delay = self.wake_delay.last_key_value().map_or(Time::ZERO, |(&wake_delay, _)| wake_delay);
        let passed = at.saturating_sub(self.begin.unwrap_or(at)).saturating_sub(wake_delay);
        let may = u128::from(passed.0) * u128::from(rules.bound_billionths) * SPENT.0 / (SPENT.1 * BILLION);
        let left = may.saturating_sub(u128::from(wake_delay.0));
        let Some(doublings) = (left / u128::from(rules.reserve.0.max(1))).checked_ilog2() else { return 0 };
        let first = (rules.bound_billionths / FIRST_PART).max(1);
        first.checked_mul(1 << doublings.min(31)).map_or(MOST, |share| share.min(MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: GovernorRules =
        GovernorRules { bound_billionths: 10_000_000, reaction: Time::from_us(5), reserve: Time::from_us(30) };

    fn wake_delay(at: u64, rank: u32, wake_delay: u64) -> Notification {
        Notification {
            at: Time::from_us(at),
            what: NotificationKind::WakeDelay { rank, wake_delay: Time::from_us(wake_delay) },
        }
    }

    fn told(governor: &mut Governor, what: Notification) -> Vec<(u64, CommandKind)> {
        governor.notify(&mut vec![what]).map(|command| (command.at.0 / 1_000_000, command.what)).collect()
    }

    /// Seven eighths of 1 % of 24 ms / 7 are 30 us, the reserve; of 48 ms / 7 twice that, of which 31 us are lost: what
    /// may be lost of the 6,827 us without them, less them, is under the reserve.
    #[test]
    fn what_is_left_is_allowed() {
        let mut governor = Governor::new(RULES, [2].into_iter());
        let allow = |billionths| CommandKind::Allow { billionths };
        assert_eq!(told(&mut governor, wake_delay(0, 0, 0)), []);
        assert_eq!(told(&mut governor, wake_delay(3_428, 1, 0)), []);
        let first = [(3_434, allow(625_000)), (3_434, CommandKind::All { on: false })];
        assert_eq!(told(&mut governor, wake_delay(3_429, 1, 0)), first);
        assert_eq!(told(&mut governor, wake_delay(6_858, 1, 0)), [(6_863, allow(1_250_000))]);
        let on = [(6_864, allow(0)), (6_864, CommandKind::All { on: true })];
        assert_eq!(told(&mut governor, wake_delay(6_859, 0, 31)), on);
        // The other rank has caught up.
        assert_eq!(told(&mut governor, wake_delay(7_158, 0, 2)).len(), 2);
    }

    #[test]
    fn a_program_that_has_ended_limits_nothing() {
        let mut governor = Governor::new(RULES, [1, 1].into_iter());
        let finished = |at, rank| Notification { at: Time::from_us(at), what: NotificationKind::Finished { rank } };
        assert_eq!(told(&mut governor, wake_delay(0, 0, 0)), []);
        assert_eq!(told(&mut governor, wake_delay(4_000, 1, 0)), [], "the second begins");
        assert_eq!(told(&mut governor, finished(4_500, 1))[0].1, CommandKind::Allow { billionths: 625_000 });
        assert!(!governor.is_over());
        assert_eq!(told(&mut governor, finished(5_000, 0))[0].1, CommandKind::Allow { billionths: MOST });
        assert!(governor.is_over());
    }
}
