//! The runtime system as one sequential machine: it handles notifications in order and returns commands.
//!
//! It does not look into the simulation. Its decisions depend only on the notifications, in the order of simulated
//! time.

use super::detection::{Detection, Message};
use super::iterations::Begun;
use super::job::Job;
use super::notification::{Command, CommandKind, Notification, NotificationKind, Says, Telling};
use super::routes::Routes;
use super::schedule::{self, Care, Gap, Rest, Schedule};
use crate::measure::runtime::{JobRecord, RuntimeRecord};
use crate::model::config::Config;
use crate::model::ids::{ChannelId, NodeId};
use crate::model::sleep_state::SleepStates;
use crate::model::units::Time;
use crate::power::policy::{Detect, Mode, Rules};
use crate::topology::Network;

/// The runtime system.
#[derive(Debug)]
pub struct RuntimeSystem<'a> {
    network: &'a Network,
    routes: Routes<'a>,
    rules: Rules,
    /// The time that a command takes.
    delay: Time,
    /// By link class: the margins of its channels, if they are commanded.
    classes: Vec<Option<Care>>,
    /// By rank: its job and node, and the number of iterations that it has begun.
    ranks: Vec<Member>,
    jobs: Vec<Job>,
    /// By channel.
    channels: Vec<Known>,
    /// By switch: its first node, if it has one; empty where no messages are sent.
    first_nodes: Vec<Option<NodeId>>,
    /// How far it goes now.
    mode: Mode,
    commands: Vec<Command>,
    record: RuntimeRecord,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    job: u32,
    node: NodeId,
    begun: u32,
}

/// What is known of a channel.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Number of jobs that know their pattern and may use it.
    users: u32,
    /// When it has been commanded off for good, and not been woken since.
    off: Option<Time>,
}

impl<'a> RuntimeSystem<'a> {
    /// Prepares to command the channels of the classes that have rules, which are the same for all. Jobs are given as
    /// the nodes of their ranks. Returns `None` where there are no rules.
    pub fn new(
        network: &'a Network,
        config: &Config,
        rules: impl Fn(u8) -> Option<Rules>,
        jobs: &[Vec<NodeId>],
    ) -> Option<Self> {
        let of_class =
            |class: u8| config.classes[usize::from(class)].states.and_then(|states| Some((states, rules(class)?)));
        let (_, rules) = (0..config.classes.len() as u8).find_map(of_class).filter(|_| network.channels() > 0)?;
        let hop = config.classes.iter().map(|class| class.hop).max().unwrap_or_default();
        let delay = rules.overhead.saturating_add(hop);
        let care = |(states, rules): (SleepStates, Rules)| Care {
            enter: states.deep.enter,
            wake: states.deep.wake,
            margin: rules.margin,
            delay,
            overhead: rules.overhead,
        };
        let classes = (0..config.classes.len() as u8).map(|class| of_class(class).map(care)).collect();
        let members =
            (0..).zip(jobs).flat_map(|(job, nodes)| nodes.iter().map(move |&node| Member { job, node, begun: 0 }));
        Some(RuntimeSystem {
            network,
            routes: Routes::new(network, config),
            rules,
            delay,
            classes,
            ranks: members.collect(),
            jobs: jobs.iter().map(|ranks| Job::new(ranks, &rules)).collect(),
            channels: vec![Known::default(); network.channels() as usize],
            first_nodes: if rules.notification.is_some() { first_nodes(network) } else { Vec::new() },
            mode: rules.mode,
            commands: Vec::new(),
            record: RuntimeRecord::default(),
        })
    }

    /// Returns the least time that a command takes: the software's overhead and the longest hop.
    pub fn delay(&self) -> Time {
        self.delay
    }

    /// Returns its rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Handles notifications and returns the commands that follow. All notifications up to the time of the latest are
    /// among them; their order does not matter.
    pub fn notify(&mut self, notifications: &mut Vec<Notification>) -> std::vec::Drain<'_, Command> {
        notifications.sort_unstable();
        for Notification { at, what } in notifications.drain(..) {
            match what {
                NotificationKind::Pair { job, iteration, from, to } => self.handle_pair(at, job, iteration, (from, to)),
                NotificationKind::Gap { channel, since } => self.handle_gap(Gap { channel, since, until: at }),
                NotificationKind::Woken { channel } => {
                    self.record.woken += 1;
                    let off = &mut self.channels[channel.index()].off;
                    *off = off.filter(|&off| at < off);
                }
                NotificationKind::Iteration { rank, number } => self.handle_iteration(at, rank, number),
                NotificationKind::Finished { rank } => {
                    let Member { job, begun, .. } = self.ranks[rank as usize];
                    let completed: Vec<Begun> = self.jobs[job as usize].iterations.finish(begun, at).collect();
                    completed.into_iter().for_each(|iteration| self.all_have_begun(job, iteration));
                }
                NotificationKind::Notified(telling) => self.handle_notified(at, telling),
                // These are for governors.
                NotificationKind::WakeDelay { .. } | NotificationKind::Moved { .. } | NotificationKind::Load { .. } => {
                }
            }
        }
        self.commands.drain(..)
    }

    /// Returns whether all ranks of all jobs have ended.
    pub fn is_over(&self) -> bool {
        self.jobs.iter().all(|job| job.iterations.are_over())
    }

    /// Returns what it has done.
    pub fn record(&self) -> RuntimeRecord {
        let of_job = |job: &Job| JobRecord { iterations: job.iterations.seen(), after: job.times.all, ..job.record };
        let commanded = || self.commanded_channels();
        RuntimeRecord {
            jobs: self.jobs.iter().map(of_job).collect(),
            commanded: commanded().count() as u32,
            marked: commanded().filter(|channel| self.channels[channel.index()].users > 0).count() as u32,
            ..self.record.clone()
        }
    }

    fn commanded_channels(&self) -> impl Iterator<Item = ChannelId> {
        let all = (0..self.network.channels()).map(ChannelId);
        all.filter(|&channel| self.classes[usize::from(self.network.channel_class(channel))].is_some())
    }

    fn command(&mut self, at: Time, what: CommandKind) {
        self.commands.push(Command { at, what });
    }

    fn handle_pair(&mut self, at: Time, job: u32, iteration: u32, pair: (NodeId, NodeId)) {
        let known = &mut self.jobs[job as usize];
        // Between two load balancings, a new pair is a surprise: its packets wake what they need.
        if known.add_pair(iteration, pair) && self.rules.balancing.is_none() {
            self.learn_anew(at, job);
        }
    }

    /// Lets a job learn anew from the first iteration that no rank has begun yet.
    fn learn_anew(&mut self, at: Time, job: u32) {
        if self.mode != Mode::On {
            let first = self.jobs[job as usize].learn_anew(&self.rules);
            let at = at.saturating_add(self.delay);
            self.command(at, CommandKind::Learn { job, first });
        }
    }

    fn handle_gap(&mut self, gap: Gap) {
        for job in &mut self.jobs {
            if job.wants_gaps() {
                job.gaps.push(gap);
            }
        }
    }

    fn handle_iteration(&mut self, at: Time, rank: u32, number: u32) {
        let Member { job, node, begun } = &mut self.ranks[rank as usize];
        *begun = number + 1;
        let (job, node) = (*job, *node);
        let known = &mut self.jobs[job as usize];
        if let Some(place) = known.place(node) {
            known.notes.begin(place, number, at);
            for Rest { channel, off, on } in known.schedule.begin(place, number) {
                // The times at which another job uses the channel are not known.
                if self.channels[channel.index()].users == 1 {
                    let command = |after, on| Command {
                        at: at.saturating_add(after),
                        what: CommandKind::Channel { channel, on },
                    };
                    self.commands.extend([command(off, false), command(on, true)]);
                }
            }
        }
        let is_first = number == known.iterations.seen();
        let completed = known.iterations.begin(number, at);
        // No rank has begun the next iteration, before which loads are balanced.
        if is_first && known.learns_from.is_none() && self.rules.balances_before(number + 1) {
            self.learn_anew(at, job);
        }
        if let Some(completed) = completed {
            self.all_have_begun(job, completed);
        }
    }

    /// Acts when all ranks of a job have begun an iteration.
    fn all_have_begun(&mut self, job: u32, begun: Begun) {
        let known = &mut self.jobs[job as usize];
        let latest = known.times.begin(begun);
        if known.has_learned_by(begun, &self.rules) {
            self.mark(job, begun.last);
            if self.jobs[job as usize].notifying == 0 {
                self.command_unused(begun.last);
            }
        } else if known.schedules_at.take_if(|at| *at == begun.number).is_some() {
            self.make_schedule(job, begun);
        } else if latest.is_some_and(|latest| latest.exceeds(known.record.learned, self.rules.slowdown_billionths)) {
            self.turn_down(begun.last);
        }
    }

    /// Turns off what is not used once all switches on a job's routes have been notified, and all nodes know of it.
    fn handle_notified(&mut self, at: Time, telling: Telling) {
        let Telling { job, round, from, to, says } = telling;
        let known = &mut self.jobs[job as usize];
        known.notifying -= u64::from(says == Says::Used);
        let is_over = match &mut known.detection {
            None => says == Says::Used && known.notifying == 0,
            // What is left of an earlier round says nothing of this one.
            Some(_) if round != known.rounds => false,
            Some(detection) => {
                let mut messages = Vec::new();
                let is_over = detection.hear((from, to, says), &mut messages);
                self.send(at, job, messages);
                is_over
            }
        };
        if is_over {
            self.command_unused(at);
        }
    }

    /// Lets nodes of a job send messages, each after a call of the software.
    fn send(&mut self, at: Time, job: u32, messages: Vec<Message>) {
        let Some(bytes) = self.rules.notification else { return };
        let known = &mut self.jobs[job as usize];
        let (at, round) = (at.saturating_add(self.delay), known.rounds);
        for (from, to, says) in messages {
            match says {
                Says::Used => known.notifying += 1,
                _ => known.record.detecting += 1,
            }
            let telling = Telling { job, round, from, to, says };
            self.commands.push(Command { at, what: CommandKind::Notify { telling, bytes } });
        }
    }

    /// Notifies the switches of a job's routes, and begins to detect when all of these messages have come.
    fn notify_switches(&mut self, at: Time, job: u32, mut messages: Vec<Message>) {
        let known = &mut self.jobs[job as usize];
        known.rounds += 1;
        known.detection = None;
        if self.rules.detection == Detect::Tree && !messages.is_empty() {
            let mut nodes = known.nodes.clone();
            nodes.extend(messages.iter().map(|&(_, to, _)| to));
            nodes.sort_unstable();
            nodes.dedup();
            let mut detection = Detection::new(nodes, messages.len() as u64);
            detection.begin(&mut messages);
            known.detection = Some(detection);
        }
        self.send(at, job, messages);
    }

    /// Computes the routes of a job's pairs and marks the channels that they cross (steps 1 to 5 of the algorithm).
    fn mark(&mut self, job: u32, at: Time) {
        let known = &mut self.jobs[job as usize];
        known.channels.iter().for_each(|channel| self.channels[channel.index()].users -= 1);
        let network = self.network;
        let mut crossed: Vec<(ChannelId, u32)> = Vec::new();
        let mut messages: Vec<Message> = Vec::new();
        let pairs: Vec<(NodeId, NodeId)> = known.pairs.iter().copied().collect();
        for of_source in pairs.chunk_by(|a, b| a.0 == b.0) {
            let source = of_source[0].0;
            let mut channels: Vec<ChannelId> = Vec::new();
            for &(from, to) in of_source {
                self.routes.between(from, to, |channel| channels.push(channel));
            }
            channels.sort_unstable();
            channels.dedup();
            let of_ports = channels.iter().filter(|channel| channel.0 < network.ports());
            let mut switches: Vec<u32> = of_ports.map(|channel| network.port_switch(channel.index())).collect();
            switches.sort_unstable();
            switches.dedup();
            let own = network.node_switch(source).0;
            switches.retain(|&switch| switch != own);
            known.record.notifications += switches.len() as u64;
            if self.rules.notification.is_some() {
                let notified = switches.iter().filter_map(|&switch| self.first_nodes[switch as usize]);
                messages.extend(notified.map(|to| (source, to, Says::Used)));
            }
            let place = known.place(source).unwrap_or_default() as u32;
            crossed.extend(channels.into_iter().map(|channel| (channel, place)));
        }
        crossed.sort_unstable();
        let by_channel = || crossed.chunk_by(|a, b| a.0 == b.0);
        known.channels = by_channel().map(|users| users[0].0).collect();
        let users = |users: &[(ChannelId, u32)]| users.iter().map(|user| user.1).collect();
        known.users = if self.rules.mode == Mode::Scheduled { by_channel().map(users).collect() } else { Vec::new() };
        known.channels.iter().for_each(|channel| self.channels[channel.index()].users += 1);
        self.notify_switches(at, job, messages);
    }

    /// Turns off the channels that no job is known to use, and turns on those that are off and used (step 6).
    fn command_unused(&mut self, at: Time) {
        let at = at.saturating_add(self.delay);
        if self.mode != Mode::On {
            let commanded: Vec<ChannelId> = self.commanded_channels().collect();
            for channel in commanded {
                let on = self.channels[channel.index()].users > 0;
                self.turn(channel, on, at);
            }
        }
        self.measure_from(at);
    }

    /// Commands a channel, unless it has been commanded so before.
    fn turn(&mut self, channel: ChannelId, on: bool, at: Time) {
        let known = &mut self.channels[channel.index()];
        if known.off.is_none() != on {
            known.off = (!on).then_some(at);
            self.command(at, CommandKind::Channel { channel, on });
        }
    }

    /// Measures the length of iterations from a time on, unless there is nothing left to turn down.
    fn measure_from(&mut self, at: Time) {
        let since = if self.mode == Mode::On { Time::NEVER } else { at };
        self.jobs.iter_mut().filter(|job| job.has_learned()).for_each(|job| job.times.restart(since));
    }

    /// Creates the schedule of a job, for the iterations that no rank has begun yet.
    fn make_schedule(&mut self, job: u32, begun: Begun) {
        let known = &mut self.jobs[job as usize];
        let mut gaps = std::mem::take(&mut known.gaps);
        gaps.sort_unstable();
        let mut rests = Vec::new();
        for (&channel, users) in known.channels.iter().zip(&known.users) {
            let Some(care) = self.classes[usize::from(self.network.channel_class(channel))] else { continue };
            let from = gaps.partition_point(|gap| gap.channel < channel);
            let to = gaps.partition_point(|gap| gap.channel <= channel);
            let begins = known.notes.begins_of(users);
            rests.extend(schedule::rest(channel, &gaps[from..to], &begins, care).map(|rest| (rest, &users[..])));
        }
        if rests.is_empty() || self.mode != Mode::Scheduled {
            return;
        }
        let first = known.iterations.seen();
        known.schedule = Schedule::new(known.nodes.len(), first, rests);
        let at = begun.last.saturating_add(self.delay);
        self.command(at, CommandKind::Schedule { job, from: Some(first) });
        self.measure_from(at);
    }

    /// Turns the policy down, because iterations have become slower (the paper's feedback loop).
    fn turn_down(&mut self, at: Time) {
        self.mode = self.mode.lower();
        self.record.turned_down.push((at, self.mode));
        let at = at.saturating_add(self.delay);
        for (job, known) in (0..).zip(&mut self.jobs) {
            known.schedule = Schedule::default();
            self.commands.push(Command { at, what: CommandKind::Schedule { job, from: None } });
        }
        if self.mode == Mode::On {
            let commanded: Vec<ChannelId> = self.commanded_channels().collect();
            commanded.into_iter().for_each(|channel| self.turn(channel, true, at));
        }
        self.measure_from(at);
    }
}

/// Returns the first node of each switch that has one.
fn first_nodes(network: &Network) -> Vec<Option<NodeId>> {
    let mut first = vec![None; network.switches() as usize];
    for node in (0..network.nodes).rev().map(NodeId) {
        first[network.node_switch(node).index()] = Some(node);
    }
    first
}
