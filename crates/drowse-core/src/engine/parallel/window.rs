//! Windows: how far shards may advance without messages from each other, and what is global between two windows.
//!
//! A window begins with the first bucket in which anything can happen and is as long as the lookahead, so that idle
//! time costs no window. Where two halves of the shards [take turns](Coordinator::alternate), it is up to twice as long.
//! Decisions here depend on the simulation only, neither on the partitions nor on the threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::config::Config;
use crate::model::ids::{ChannelId, PortId};
use crate::model::units::Time;
use crate::power::cap::CapGovernor;
use crate::power::governor::GovernorRecord;
use crate::power::runtime::{Command, CommandKind, Notification, Rules, RuntimeRecord};
use crate::topology::{End, Network};
use crate::workload::Traffic;
use crate::workload::scheduler::{Scheduler, Start};
use crate::workload::traffic::Lengths;

use crate::engine::control::runtime::Commands;
use crate::engine::endpoint::again::Restart;
use crate::engine::endpoint::job::RunningJob;
use crate::engine::endpoint::open_loop::Counts;
use crate::engine::endpoint::rank_end::RankEnd;
use crate::engine::event::outstanding::Group;
use crate::engine::link::class::Class;
use crate::engine::parallel::commander::Commander;
use crate::engine::parallel::ending::{self, Ending};
use crate::engine::parallel::restarting::Restarting;
use crate::engine::parallel::scheduling::Scheduling;
use crate::engine::partition::Owners;

/// Clock cycles between two checks whether open-loop traffic has been drained.
const CONTROL_CYCLES: u64 = 1_024;
/// How many times the length of warm-up and window the drain may take before the run is ended as not drained.
pub const PATIENCE: u64 = 10;
/// Buckets after which a single shard, which need not wait for others, reports its progress; earlier after many events.
const ALONE: u64 = 1_024;

/// What a shard, or several together, report between two windows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// By half, the first bucket in which something can happen; [`u64::MAX`] when nothing can any more. All shards are of
    /// the first half unless they [take turns](Coordinator::alternate).
    pub next: [u64; 2],
    /// Events handled so far.
    pub events: u64,
    /// What has been counted of open-loop traffic.
    pub counts: Counts,
    /// A rank's operations could not be had.
    pub failed: bool,
    /// Packets are in flight, in queues or between them.
    pub busy: bool,
    /// Some packet or credit is between queues, or an allocator will examine blocked packets.
    pub moves: bool,
    /// Notifications for the runtime system.
    pub notifications: Vec<Notification>,
    /// What is still to happen to ranks, by group of jobs, where somebody asks.
    pub outstanding: Vec<i64>,
    /// Ranks that have ended, where somebody asks.
    pub ends: Vec<RankEnd>,
    /// Packets injected, delivered, and in flight; counted only in audit mode.
    pub audited: [u64; 3],
}

impl Report {
    /// The report of no shard.
    pub const NOTHING: Report = Report {
        next: [u64::MAX; 2],
        events: 0,
        counts: Counts::NOTHING,
        failed: false,
        busy: false,
        moves: false,
        notifications: Vec::new(),
        outstanding: Vec::new(),
        ends: Vec::new(),
        audited: [0; 3],
    };

    /// Joins the reports of different shards; the order of joining does not matter.
    #[must_use]
    pub fn plus(self, mut other: Report) -> Report {
        let [a, b] = [self.audited, other.audited];
        let [mine, theirs] = [self.next, other.next];
        let mut notifications = self.notifications;
        notifications.append(&mut other.notifications);
        let mut ends = self.ends;
        ends.append(&mut other.ends);
        Report {
            next: [mine[0].min(theirs[0]), mine[1].min(theirs[1])],
            events: self.events + other.events,
            counts: self.counts.plus(other.counts),
            failed: self.failed || other.failed,
            busy: self.busy || other.busy,
            moves: self.moves || other.moves,
            notifications,
            outstanding: sums(self.outstanding, &other.outstanding),
            ends,
            audited: [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
        }
    }
}

/// Adds up counts; there may be none of either.
fn sums(mut counts: Vec<i64>, others: &[i64]) -> Vec<i64> {
    counts.resize(counts.len().max(others.len()), 0);
    counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
    counts
}

/// The next stretch of time for every shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// By half, the first bucket after it.
    pub ends: [u64; 2],
    /// So many events in all, at which a shard stops within it if there is no other.
    pub until: u64,
    /// Open-loop traffic has ended.
    pub stop_traffic: bool,
    /// Commands of the runtime system, before the window begins.
    pub commands: Option<Commands>,
    /// Jobs that start in the window or after it.
    pub starts: Option<Arc<[Start]>>,
    /// Jobs that start again in the window or after it.
    pub restarts: Option<Arc<[Restart]>>,
}

/// What happens after a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Every shard advances by this window.
    Advance(Window),
    /// So many events have been handled as were asked for.
    Pause,
    /// The run is over.
    End,
}

/// Who advances in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turns {
    /// All shards.
    All,
    /// Those of one half.
    Halves,
}

/// Decides the windows of a run.
#[derive(Debug)]
pub struct Coordinator<'a> {
    /// Buckets of a window.
    lookahead: u64,
    clock: u64,
    /// Open-loop traffic: when its measured window ends, and whether it is drained then.
    traffic: Option<(u64, bool)>,
    /// The next bucket before which open-loop traffic is checked.
    control: u64,
    /// Open-loop traffic has ended.
    stopped: bool,
    /// It was ended before it was drained.
    gave_up: bool,
    /// The last bucket of simulated time.
    last: u64,
    /// Something was to happen after it.
    too_long: bool,
    /// The latest beginning of a window.
    now: u64,
    /// Who commands links, if anybody does.
    commander: Option<Commander<'a>>,
    /// The commands, by the edges at which they take effect.
    commands: BTreeMap<u64, Vec<CommandKind>>,
    /// The scheduler of jobs, if there is one.
    scheduling: Option<Scheduling>,
    /// The end of a run that would go on without end beside its jobs.
    ending: Option<Ending>,
    /// The jobs that start again until then.
    restarting: Restarting,
    /// Ranks wait that nothing can help.
    stuck: Option<Group>,
    /// Who advances in a window.
    turns: Turns,
}

impl<'a> Coordinator<'a> {
    /// Prepares a run whose shards may be `lookahead` buckets apart.
    pub fn new(config: &Config, traffic: Option<&Traffic>, lookahead: u64, commander: Option<Commander<'a>>) -> Self {
        let clock = config.switch.clock.0;
        // What follows from something takes effect after the window in which that happens.
        let patience = commander.as_ref().map_or(u64::MAX, |commander| commander.delay().0 / clock);
        let lookahead = lookahead.min(patience).max(1);
        let traffic = traffic.map(|traffic| ((traffic.warmup + traffic.measure).0, traffic.drain));
        Coordinator {
            lookahead: if config.audit { 1 } else { lookahead },
            clock,
            traffic,
            control: traffic.map_or(u64::MAX, |(end, _)| end.div_ceil(clock)),
            stopped: false,
            gave_up: false,
            last: Time::END.0.div_ceil(clock),
            too_long: false,
            now: 0,
            commander,
            commands: BTreeMap::new(),
            scheduling: None,
            ending: None,
            restarting: Restarting::default(),
            stuck: None,
            turns: Turns::All,
        }
    }

    /// Lets a scheduler start the jobs of the run.
    #[must_use]
    pub fn scheduled(mut self, scheduler: Scheduler) -> Self {
        let scheduling = Scheduling::new(scheduler, Time(self.clock));
        self.lookahead = self.lookahead.min(scheduling.patience()).max(1);
        self.scheduling = Some(scheduling);
        self
    }

    /// Ends the run when the ranks of all jobs have that do not start again, whatever goes on beside them.
    #[must_use]
    pub fn ended_by(mut self, jobs: &[RunningJob]) -> Self {
        let ranks = jobs.iter().filter(|job| !job.is_again()).map(|job| u64::from(job.ranks)).sum();
        self.ending = Some(Ending::new(ranks, Time(self.clock)));
        self.restarting = Restarting::new(jobs, Time(self.clock));
        self.lookahead = self.lookahead.min(ending::CYCLES);
        self.control = CONTROL_CYCLES;
        self
    }

    /// Lets two halves of the shards take turns, between which alone effects cross: a window is of one half then, and up to
    /// two lookaheads long. Returns whether it does: of programs, the earliest trouble counts, and what else acts between
    /// two windows is to find all shards at the same time.
    pub fn alternate(&mut self) -> bool {
        let may = self.traffic.is_some() && self.commander.is_none();
        if may {
            self.turns = Turns::Halves;
        }
        may
    }

    /// Returns whether the run ends with its ranks, whatever goes on beside them.
    pub fn ends_with_ranks(&self) -> bool {
        self.ending.is_some()
    }

    /// Returns when a run has ended that would go on without end beside its jobs.
    pub fn end(&self) -> Option<Time> {
        self.ending.as_ref().and_then(Ending::end)
    }

    /// Returns whether nodes go on making open-loop traffic.
    pub fn generates(&self) -> bool {
        self.ending.is_some() || (self.traffic.is_some() && !self.stopped)
    }

    /// Decides what comes next, from the reports of all shards; pauses when `until` events have been handled.
    ///
    /// # Panics
    ///
    /// Panics when packets are lost in a run that is audited: that is a defect of ours.
    pub fn decide(&mut self, mut all: Report, until: u64) -> Step {
        let [injected, delivered, in_flight] = all.audited;
        assert_eq!(injected, delivered + in_flight, "packets injected = delivered + in flight");
        self.notify(&mut all.notifications);
        let mut next = all.next[0].min(all.next[1]);
        if let Some(scheduling) = &mut self.scheduling {
            scheduling.note(&all.ends);
            next = scheduling.decide(next);
        }
        if self.ending.is_some() {
            self.note(&all.ends);
            next = next.min(self.restarting.next());
            if self.is_over(&all, next) {
                return Step::End;
            }
        }
        if next == u64::MAX || all.failed || self.gave_up {
            return Step::End;
        }
        self.too_long = next > self.last;
        if self.too_long {
            return Step::End;
        }
        self.now = next;
        if all.events >= until {
            return Step::Pause;
        }
        if next >= self.control {
            // Nodes go on making messages, but no packet can move any more.
            if all.busy && !all.moves {
                return Step::End;
            }
            self.look_at_traffic(&all, next);
            if self.gave_up {
                return Step::End;
            }
        }
        // A command for an edge takes effect before the bucket after it, in which perhaps nothing else happens.
        let due = |commands: &BTreeMap<u64, Vec<CommandKind>>| commands.keys().next().map_or(u64::MAX, |edge| edge + 1);
        let begin = next.min(due(&self.commands));
        let first = self.commands.first_entry().filter(|first| first.key() + 1 == begin);
        let commands = first.map(|first| Commands { edge: *first.key(), list: first.remove().into() });
        let last = self.ending.as_ref().and_then(Ending::last_bucket).unwrap_or(u64::MAX).min(self.last);
        let most = self.control.min(due(&self.commands)).min(last + 1);
        let ends = match self.turns {
            Turns::All => [begin.saturating_add(self.lookahead); 2],
            Turns::Halves => self.ends_of_halves(all.next),
        };
        let ends = ends.map(|end| end.min(most));
        let starts = self.scheduling.as_mut().and_then(Scheduling::take_starts);
        let restarts = self.restarting.take();
        Step::Advance(Window { ends, until, stop_traffic: self.stopped, commands, starts, restarts })
    }

    /// Returns the ends of the windows of both halves: the one that is behind advances, to where an effect of the other
    /// may come, or one of its own by way of the other.
    fn ends_of_halves(&self, next: [u64; 2]) -> [u64; 2] {
        let behind = usize::from(next[1] < next[0]);
        let from_other = next[1 - behind].saturating_add(self.lookahead);
        let and_back = next[behind].saturating_add(self.lookahead.saturating_mul(2));
        let mut ends = [0; 2];
        ends[behind] = from_other.min(and_back);
        ends
    }

    /// Notes ranks that have ended, where something would go on without end beside them.
    fn note(&mut self, ends: &[RankEnd]) {
        for end in ends {
            if !self.restarting.note(end) {
                self.ending.iter_mut().for_each(|ending| ending.note(end));
            }
        }
    }

    /// Returns whether a run is over that would go on without end beside its jobs: their last rank has ended, or ranks wait
    /// and nothing is left that one of them could wait for.
    fn is_over(&mut self, all: &Report, next: u64) -> bool {
        if let Some(last) = self.ending.as_ref().and_then(Ending::last_bucket) {
            self.gave_up = next > last;
            return self.gave_up;
        }
        let rests = all.outstanding.first() == Some(&0) && self.scheduling.as_ref().is_none_or(Scheduling::is_idle);
        self.stuck = if rests { Some(Group::ENDING) } else { self.restarting.stuck(&all.outstanding) };
        self.stuck.is_some()
    }

    /// Returns the jobs whose ranks wait that nothing can help, while something goes on beside them.
    pub fn stuck(&self) -> Option<Group> {
        self.stuck
    }

    /// Returns how many repetitions of a job had ended when the run was over; `None` of a job that does not start again.
    pub fn repetitions(&self, job: usize) -> Option<u64> {
        self.restarting.whole(job, self.ending.as_ref()?.last()?)
    }

    /// Passes notifications to who commands links, and takes the commands.
    fn notify(&mut self, events: &mut Vec<Notification>) {
        let Some(commander) = &mut self.commander else { return };
        for Command { at, what: order } in commander.notify(events) {
            // What lies beyond all time never takes effect.
            if at.0 < u64::MAX - self.clock {
                self.commands.entry(at.0.div_ceil(self.clock)).or_default().push(order);
            }
        }
        if commander.is_over() {
            self.commands.clear();
        }
    }

    /// Returns the rules of the runtime system, if there is one.
    pub fn rules(&self) -> Option<Rules> {
        self.commander.as_ref().and_then(Commander::rules)
    }

    /// Takes the scheduler of jobs out, if there is one.
    pub fn into_scheduling(self) -> Option<Scheduling> {
        self.scheduling
    }

    /// Returns the scheduler of jobs, if there is one.
    pub fn scheduling(&self) -> Option<&Scheduling> {
        self.scheduling.as_ref()
    }

    /// Returns what the runtime system has done, if there is one.
    pub fn runtime(&self) -> Option<RuntimeRecord> {
        self.commander.as_ref().and_then(Commander::runtime)
    }

    /// Returns what the governor has done, if there is one.
    pub fn governor(&self) -> Option<GovernorRecord> {
        self.commander.as_ref().and_then(Commander::governor)
    }

    /// Returns the governor of a cap, if there is one.
    pub(crate) fn cap(&self) -> Option<&CapGovernor> {
        self.commander.as_ref().and_then(Commander::cap)
    }

    /// Decides whether open-loop traffic goes on. That is done at multiples of some cycles, so that it does not matter
    /// when exactly the next event is, which may depend on the partitions.
    fn look_at_traffic(&mut self, all: &Report, next: u64) {
        let boundary = self.control.max(next - next % CONTROL_CYCLES);
        let next = boundary + CONTROL_CYCLES - boundary % CONTROL_CYCLES;
        let Some((end, drain)) = self.traffic else {
            self.control = next;
            return;
        };
        let drained = all.counts.outstanding() == 0;
        let overdue = boundary.saturating_mul(self.clock) > end.saturating_mul(PATIENCE + 1);
        self.gave_up = !drain || (overdue && !drained);
        self.stopped = drained || self.gave_up;
        self.control = if self.stopped { u64::MAX } else { next };
    }

    /// Returns whether open-loop traffic was ended before it was drained.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Returns whether the run was ended at the end of simulated time, with something left to happen.
    pub fn too_long(&self) -> bool {
        self.too_long
    }

    /// Returns the simulated time reached.
    pub fn now(&self) -> Time {
        Time(self.now.saturating_mul(self.clock))
    }
}

/// Returns the lookahead: how many buckets partitions may be apart, because no effect crosses between them sooner.
///
/// Only channels between switches of different partitions matter. At an edge, a packet may be granted that takes a hop,
/// or one whose credit takes the wire's latency once its last bit has left, by a channel of any class. All are seen at
/// the first edge at or after their time. That a channel sleeps delays packets and credits, and never hastens them.
pub fn lookahead(
    network: &Network,
    config: &Config,
    classes: &[Class],
    owners: &Owners,
    traffic: Option<&Traffic>,
) -> u64 {
    if owners.partitions() <= 1 {
        return ALONE;
    }
    let flits = shortest_packet(config, traffic);
    // A channel that carries fractions of a picosecond over may be ahead by one. A crossbar may be faster than links.
    let speedup = config.switch.output_queues().map_or(1, |queues| u64::from(queues.speedup));
    let leaves = |class: &Class| (class.duration_ceil(flits) / speedup).saturating_sub(1);
    let shortest = classes.iter().map(leaves).min().unwrap_or(0);
    let mut crossed = vec![false; classes.len()];
    for port in 0..network.ports() {
        if crosses(network, owners, port) {
            crossed[usize::from(network.channel_class(ChannelId(port)))] = true;
        }
    }
    // The other end of a paired link learns of a wake a latency later.
    let wake = |class: &Class| if config.sleep.both { class.latency } else { u64::MAX };
    let reach = |(class, _): (&Class, &bool)| class.hop.min(class.latency + shortest).min(wake(class));
    let nearest = classes.iter().zip(&crossed).filter(|(_, crossed)| **crossed).map(reach).min();
    nearest.map_or(ALONE, |time| time.div_ceil(config.switch.clock.0).max(1))
}

/// Returns whether the channel of a port leads to another partition.
fn crosses(network: &Network, owners: &Owners, port: u32) -> bool {
    match network.target(ChannelId(port)) {
        End::Port(PortId(to)) => owners.of(to) != owners.of(port),
        End::Node(_) => false,
    }
}

/// Returns the flits of the shortest packet that there can be: the last of a message, which is as long as it must be.
fn shortest_packet(config: &Config, traffic: Option<&Traffic>) -> u16 {
    let whole = config.switch.packet_flits;
    let last = |flits: u64| (flits - 1) % u64::from(whole) + 1;
    let flits = match traffic.map(|traffic| traffic.packets) {
        None if config.switch.padding => u64::from(whole),
        None => 1,
        Some(Lengths::One(length)) => last(length.flits(&config.switch)),
        Some(Lengths::Two { short, long, .. }) => {
            last(short.flits(&config.switch)).min(last(long.flits(&config.switch)))
        }
    };
    let answer = config.transport.map_or(u64::MAX, |transport| config.switch.message_flits(transport.ack.0));
    flits.min(answer) as u16
}
