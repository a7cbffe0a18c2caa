//! All jobs that run: who shares channels with whom, and which iterations are left out.

use rustc_hash::FxHashMap;

use super::compare::end_sample;
use super::counts::Counts;
use super::group::Group;
use super::job::{Hold, Running, Sampled, State};
use super::ratio::Ratio;
use crate::measure::ExtrapolationRecord;
use crate::model::extrapolate::Extrapolate;
use crate::model::units::Time;

/// Stands for no job.
const NONE: u32 = u32::MAX;
/// Samples in a row that are not alike, after which twice as long ones are taken.
const UNLIKE: u32 = 4;
/// How many times as long samples are of jobs that meet: how they meet differs from one iteration to the next.
const LONGER: u32 = 8;
/// The most iterations of a sample.
const MOST: u32 = 1 << 20;
/// A job is not held any more that has not come to a mark for so many samples.
const PATIENCE: u64 = 4;

/// How the marks of a job are to be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Anew, in samples of so many marks, the first of which begins so many marks of the rank that is furthest later.
    Anew { job: u32, unit: u32, after: u32 },
    /// The next samples begin where the last ones ended.
    On { job: u32 },
}

/// The ranks of a job that were held go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Released {
    /// The job.
    pub job: u32,
    /// The iterations that it leaves out.
    pub iterations: u64,
    /// How much later ranks go on than they were held.
    pub by: Time,
}

/// The time at which a [job's state is looked at](Extrapolation::woken), unless it has changed until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// When.
    pub at: u64,
    /// The job.
    pub job: u32,
    /// Counts the changes of its state.
    pub version: u32,
}

/// All jobs that run, what they use, and what is to be done with their ranks.
#[derive(Debug)]
pub struct Extrapolation {
    rules: Extrapolate,
    /// By job, the number of its first rank.
    first_ranks: Vec<u32>,
    /// By channel: the job of a group that was the first to use it, or [`NONE`].
    owners: Vec<u32>,
    running: FxHashMap<u32, Running>,
    groups: FxHashMap<u32, Group>,
    /// Groups that there have been.
    made: u32,
    /// Jobs whose marks are to be followed, jobs to be held, and those whose ranks go on.
    pub follow: Vec<Follow>,
    /// See `follow`.
    pub hold: Vec<u32>,
    /// See `follow`.
    pub released: Vec<Released>,
    /// When states of jobs are to be looked at.
    pub wakes: Vec<Wake>,
    /// What has been extrapolated.
    pub record: ExtrapolationRecord,
}

impl Extrapolation {
    /// Begins before any job runs on so many channels; `first_ranks` are the numbers of the first ranks of all jobs.
    pub fn new(rules: Extrapolate, first_ranks: Vec<u32>, channels: usize) -> Self {
        Extrapolation {
            rules,
            first_ranks,
            owners: vec![NONE; channels],
            running: FxHashMap::default(),
            groups: FxHashMap::default(),
            made: 0,
            follow: Vec::new(),
            hold: Vec::new(),
            released: Vec::new(),
            wakes: Vec::new(),
            record: ExtrapolationRecord::default(),
        }
    }

    /// Returns the job of a rank.
    pub fn job_of(&self, rank: u32) -> u32 {
        self.first_ranks.partition_point(|&first| first <= rank) as u32 - 1
    }

    /// Notes that a job starts, whose iterations repeat after so many, or 0, and whose ranks are stopped at a time.
    pub fn started(&mut self, job: u32, every: u32, limit: u64) {
        let group = self.put(Group::of(job));
        self.running.insert(job, Running::new(group, every, limit));
        self.restart(group);
    }

    /// Notes at time `t` that the last rank of a job has ended.
    pub fn ended(&mut self, job: u32, t: u64, skip: impl FnMut(u32, u64, Counts)) {
        let Some(group) = self.running.get(&job).map(|running| running.group) else { return };
        self.release(group, t, skip);
        let Some(ended) = self.running.remove(&job) else { return };
        ended.channels.iter().for_each(|used| self.owners[used.channel as usize] = NONE);
        self.groups.remove(&ended.group);
    }

    /// Returns whether nothing is new about a job's use of a channel.
    #[inline]
    pub fn is_known(&self, channel: u32, job: u32) -> bool {
        self.owners[channel as usize] == job
    }

    /// Returns the groups that are held and are to be [released](Self::release) before a job uses a channel.
    pub fn meets(&self, channel: u32, job: u32) -> [Option<u32>; 2] {
        let groups = [job, self.owners[channel as usize]].map(|job| self.group_of(job));
        let [Some(own), Some(theirs)] = groups else { return [None; 2] };
        if own == theirs { [None; 2] } else { groups.map(|group| group.filter(|id| self.groups[id].is_held())) }
    }

    /// Notes that a job uses a channel, before it does; a function tells what channels have done up to a time.
    pub fn uses(&mut self, channel: u32, job: u32, counts: impl Fn(u32, u64) -> Counts) {
        let Some(own) = self.group_of(job) else { return };
        match self.group_of(self.owners[channel as usize]) {
            Some(theirs) if theirs != own => self.join(own, theirs),
            Some(_) => {}
            None => {
                self.owners[channel as usize] = job;
                let since = self.groups[&own].since;
                let base = since.map_or(Counts::default(), |since| counts(channel, since));
                self.running.get_mut(&job).into_iter().for_each(|running| running.takes(channel, base));
            }
        }
    }

    /// Returns the group of a job, if that runs.
    fn group_of(&self, job: u32) -> Option<u32> {
        self.running.get(&job).map(|running| running.group)
    }

    /// Notes at time `t` that all ranks of a job have come to the first mark of a sample.
    pub fn began(&mut self, job: u32, t: u64, counts: impl Fn(u32) -> Counts) {
        let Some(running) = self.running.get_mut(&job) else { return };
        running.began = true;
        let group = running.group;
        let members = &self.groups[&group].members;
        if members.iter().all(|member| self.running[member].began) {
            for member in members {
                let channels = self.running.get_mut(member).into_iter().flat_map(|running| &mut running.channels);
                channels.for_each(|used| used.base = counts(used.channel));
            }
            self.groups.get_mut(&group).into_iter().for_each(|group| group.since = Some(t));
        }
    }

    /// Notes at time `t` that all ranks of a job have ended a sample. Functions tell of jobs what it was, and what
    /// channels have done.
    pub fn sampled(&mut self, job: u32, t: u64, sampled: impl Fn(u32) -> Sampled, counts: impl Fn(u32) -> Counts) {
        let Some(running) = self.running.get_mut(&job).filter(|running| running.unit > 0) else { return };
        running.ended = true;
        let id = running.group;
        let Some(group) = self.groups.get_mut(&id) else { return };
        let ended = |member: &u32| self.running[member].ended;
        if group.since.is_none() || group.is_held() || !group.members.iter().all(ended) {
            return;
        }
        let difference = end_sample(group, &mut self.running, t, sampled, counts);
        match difference {
            Some(difference) if difference <= u64::from(self.rules.within_billionths) => {
                group.unlike = 0;
                if self.plan(id, t) {
                    self.record.difference_billionths = self.record.difference_billionths.max(difference);
                    return;
                }
            }
            Some(_) => group.unlike += 1,
            None => {}
        }
        self.sample_again(id);
    }

    /// Begins the next samples of the jobs of a group, where the last ones ended, or longer ones.
    fn sample_again(&mut self, id: u32) {
        let Some(group) = self.groups.get_mut(&id) else { return };
        if group.unlike >= UNLIKE {
            let members = group.members.clone();
            for member in members {
                let running = self.running.get_mut(&member);
                running.into_iter().for_each(|running| running.unit = running.unit.saturating_mul(2).min(MOST));
            }
            return self.restart_after(id, 0);
        }
        self.follow.extend(group.members.iter().map(|&job| Follow::On { job }));
    }

    /// Decides at time `t` whether the jobs of a group are held, whose samples are alike; asks the first one.
    fn plan(&mut self, id: u32, t: u64) -> bool {
        let Some(group) = self.groups.get_mut(&id) else { return false };
        let running = &self.running;
        let until = |member: &u32| {
            let running = &running[member];
            running.until(t, running.sample.map_or(0, |sampled| sampled.left))
        };
        group.until = group.members.iter().map(until).min().unwrap_or(t);
        // What is left out is to be longer than what holding costs: up to an iteration of each.
        if group.until.saturating_sub(t) < 2 * group.length {
            return false;
        }
        group.held.clone_from(&group.members);
        group.held.sort_by_key(|member| std::cmp::Reverse(running[member].unit_time()));
        self.ask(id, 0, t);
        true
    }

    /// Asks a job of a group to be held, by its place in the order.
    fn ask(&mut self, id: u32, place: usize, t: u64) {
        let Some(&job) = self.groups.get(&id).and_then(|group| group.held.get(place)) else { return };
        let Some(running) = self.running.get_mut(&job) else { return };
        running.enter(State::Asked { void: false });
        let at = t.saturating_add(PATIENCE * running.unit_time()).saturating_add(Time::from_us(1).0);
        self.wakes.push(Wake { at, job, version: running.version });
        self.hold.push(job);
    }

    /// Notes at time `t` that all ranks of a job are held, the first one since a time, and how many iterations it has
    /// left.
    pub fn held(&mut self, job: u32, from: u64, left: u64, t: u64, mut skip: impl FnMut(u32, u64, Counts)) {
        let Some(running) = self.running.get_mut(&job) else { return };
        let void = running.state == State::Asked { void: true };
        running.enter(State::Held(Hold { from, to: t, left }));
        let id = running.group;
        if void {
            self.release_job(job, t, &mut skip);
            return self.restart(id);
        }
        let held = &self.groups[&id].held;
        match held.iter().position(|member| *member == job) {
            Some(place) if place + 1 < held.len() => self.ask(id, place + 1, t),
            _ => self.wait(id, t, skip),
        }
    }

    /// Waits until the jobs of a group, all of which are held, are to go on.
    fn wait(&mut self, id: u32, t: u64, skip: impl FnMut(u32, u64, Counts)) {
        let group = &self.groups[&id];
        let end = |member: &u32| match self.running[member].state {
            State::Held(hold) => self.running[member].hold_ends(hold, group.until),
            _ => t,
        };
        let (at, job) = (group.members.iter().map(end).min().unwrap_or(t), group.members[0]);
        if at <= t {
            return self.release(id, t, skip);
        }
        self.record.intervals += 1;
        self.wakes.push(Wake { at, job, version: self.running[&job].version });
    }

    /// Looks at the state of a job at the time of a [`Wake`].
    pub fn woken(&mut self, job: u32, version: u32, t: u64, skip: impl FnMut(u32, u64, Counts)) {
        let Some(running) = self.running.get_mut(&job).filter(|running| running.version == version) else { return };
        let group = running.group;
        if matches!(running.state, State::Asked { .. }) {
            // Its ranks are too far apart, or one waits for what another does behind the mark.
            running.unit = 0;
            running.enter(State::Runs);
            self.released.push(Released { job, iterations: 0, by: Time::ZERO });
        }
        self.release(group, t, skip);
    }

    /// Lets the jobs of a group go on that are held, and finds anew who belongs together from time `t` on.
    pub fn release(&mut self, id: u32, t: u64, mut skip: impl FnMut(u32, u64, Counts)) {
        let Some(group) = self.groups.remove(&id) else { return };
        for job in group.members {
            let own = self.put(Group::of(job));
            let Some(running) = self.running.get_mut(&job) else { continue };
            running.group = own;
            if matches!(running.state, State::Asked { .. }) {
                running.state = State::Asked { void: true };
                continue;
            }
            self.release_job(job, t, &mut skip);
            self.restart(own);
        }
    }

    /// Lets a job go on, if it is held, and its channels with it; forgets what channels it uses.
    fn release_job(&mut self, job: u32, t: u64, skip: &mut impl FnMut(u32, u64, Counts)) {
        let Some(running) = self.running.get_mut(&job) else { return };
        if let State::Held(hold) = running.state {
            let (iterations, takes) = running.skips(hold, t);
            running.enter(State::Runs);
            for used in &running.channels {
                let done = used.sample.unwrap_or_default().times(Ratio::new(takes, running.length));
                skip(used.channel, takes, done);
            }
            self.released.push(Released { job, iterations, by: Time(takes) });
            if takes > 0 {
                *self.record.skipped.entry(job).or_default() += takes;
            }
        }
        for used in std::mem::take(&mut running.channels) {
            self.owners[used.channel as usize] = NONE;
        }
    }

    /// Makes one group of two, which have come to share a channel.
    fn join(&mut self, one: u32, other: u32) {
        let (Some(one), Some(other)) = (self.groups.remove(&one), self.groups.remove(&other)) else { return };
        let joined = one.with(other);
        let members = joined.members.clone();
        let id = self.put(joined);
        for member in members {
            self.running.get_mut(&member).into_iter().for_each(|running| running.group = id);
        }
        self.restart(id);
    }

    fn put(&mut self, group: Group) -> u32 {
        self.made += 1;
        self.groups.insert(self.made, group);
        self.made
    }

    /// Begins to sample the jobs of a group anew, after some iterations of each.
    fn restart(&mut self, id: u32) {
        self.restart_after(id, self.rules.after);
    }

    fn restart_after(&mut self, id: u32, after: u32) {
        let Some(group) = self.groups.get_mut(&id) else { return };
        (group.since, group.unlike) = (None, 0);
        let times = if group.members.len() > 1 { LONGER } else { 1 };
        for job in &group.members {
            let Some(running) = self.running.get_mut(job) else { continue };
            if running.state != State::Runs {
                continue;
            }
            running.forget();
            if running.unit > 0 {
                self.follow.push(Follow::Anew { job: *job, unit: running.unit.saturating_mul(times), after });
            }
        }
    }
}
