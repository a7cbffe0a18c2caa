//! Times that a channel skips because they are extrapolated.

use crate::engine::extrapolation::{Counts, Extrapolation};
use crate::model::units::Time;
use crate::power::Policy;

use super::channel::Channel;
use super::links::Links;

impl<P: Policy> Links<'_, P> {
    /// Returns what a channel has done up to time `t`, what it has skipped not included. Nothing is changed.
    pub fn counts_at(&self, channel: usize, t: u64) -> Counts {
        let hot = &self.hot[channel];
        let mut counts = Counts {
            wakes: hot.wakes.into(),
            delayed: hot.delayed_messages.into(),
            packets: hot.packets,
            flits: hot.flits,
            ..Counts::default()
        };
        let Some(account) = self.accounts.get(channel) else { return counts };
        counts.lost = account.lost;
        counts.asleep = self.asleep(channel);
        if hot.has(Channel::SLEEPS) && t > account.settled {
            let residency = self.residency_until(channel, t);
            counts.asleep.iter_mut().zip(&residency[1..]).for_each(|(sum, time)| *sum += time);
        }
        counts
    }

    /// Notes that a job uses a channel at time `t`, of which more is new than that.
    #[cold]
    pub fn uses(&mut self, jobs: &mut Extrapolation, channel: u32, job: u32, t: u64) {
        for group in jobs.meets(channel, job).into_iter().flatten() {
            jobs.release(group, t, |channel, by, done| self.skip(channel as usize, by, done));
        }
        jobs.uses(channel, job, |channel, t| self.counts_at(channel as usize, t));
    }

    /// Lets a channel that is not in use skip a time in which it does so much: what it remembers of times moves on.
    pub fn skip(&mut self, channel: usize, by: u64, done: Counts) {
        if self.skipped.is_empty() {
            self.skipped.resize(self.hot.len(), Counts::default());
        }
        let skipped = &mut self.skipped[channel];
        *skipped = skipped.plus(done);
        let hot = &mut self.hot[channel];
        hot.free_at += by;
        hot.awake_at += by;
        for at in [&mut hot.idle_since, &mut hot.sleep_at] {
            *at = at.saturating_add(by);
        }
        let class = hot.class;
        if let Some(account) = self.accounts.get_mut(channel) {
            account.settled += by;
            account.wake_from += by;
            self.policy.skipped(class, &mut account.policy, Time(by));
        }
    }

    /// Returns what a channel has done in the times that it has skipped.
    pub fn skipped(&self, channel: usize) -> Counts {
        self.skipped.get(channel).copied().unwrap_or_default()
    }

    /// Returns the packets that nodes and switches have sent in the times that channels have skipped, whose numbers
    /// begin with those of `ports` ports.
    pub fn packets_skipped(&self, ports: usize) -> [u64; 2] {
        let (switches, nodes) = self.skipped.split_at(ports.min(self.skipped.len()));
        [nodes, switches].map(|channels| channels.iter().map(|skipped| skipped.packets).sum())
    }
}
