//! A run: its shards take turns, or are lent to a caller that has threads for them.

use std::collections::HashSet;
use std::sync::Arc;

use crate::measure::Record;
use crate::measure::series::IntervalLength;
use crate::model::config::Config;
use crate::model::ids::NodeId;
use crate::model::units::Time;
use crate::power::Policy;
use crate::power::cap::CapGovernor;
use crate::power::governor::Governor;
use crate::power::runtime::RuntimeSystem;
use crate::topology::{Geometry, Network};
use crate::workload::operation::SourceError;
use crate::workload::traffic::{Background, BackgroundNodes};
use crate::workload::{Job, Traffic, Workload};

use super::audit::{self, Audit};
use super::control::bundles;
use super::deadlock::{self, Deadlock};
use super::endpoint::job::RunningJob;
use super::endpoint::open_loop::{Capacity, OpenLoop};
use super::endpoint::rank::Rank;
use super::endpoint::ranks::Ranks;
use super::extrapolation_setup;
use super::fabric::flow::Flows;
use super::fabric::nic::Nics;
use super::parallel::commander::Commander;
use super::parallel::mailbox::Mailboxes;
use super::parallel::shard::{Shard, Sources};
use super::parallel::window::{self, Coordinator, Report, Step};
use super::partition::{self, Partition, Spans};
use super::record::{self, Finished};
use super::saturation::Unloaded;
use super::setup;
use super::setup_error::SetupError;
use super::share::{self, Share};
use super::standing::Standing;
use super::switch::switches::Switches;
use super::too_long::TooLong;
use crate::engine::fabric::arrivals::Arrivals;
use crate::engine::partition::Owners;

/// Why a run could not end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Nothing can happen any more, but ranks or packets wait.
    #[error("{0}")]
    Deadlock(Deadlock),
    /// The same, of shards in several processes, which do not know who waits for whom.
    #[error("deadlock at {at}: {packets} packets and {ranks} ranks wait; a run in one process says for whom")]
    Standstill {
        /// When the last event was.
        at: Time,
        /// Packets in flight.
        packets: u64,
        /// Ranks that have not finished.
        ranks: u64,
    },
    /// Something is left to happen after the end of simulated time.
    #[error("{0}")]
    TooLong(TooLong),
    /// A rank's operations could not be had, or make no sense.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// Whether there is more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The simulated time reached so far.
    Running(Time),
    /// All is done; call [`Simulation::into_record`].
    Done,
}

/// One run: a pure function of its inputs.
///
/// ```
/// use drowse_core::engine::{Progress, Simulation};
/// use drowse_core::model::{config::Config, units::Time};
/// use drowse_core::power::StallTimer;
/// use drowse_core::topology::{Full, TopologySpec};
/// use drowse_core::workload::{Workload, programs::{AllToAll, Application, Phase, Phased}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let network = TopologySpec::Full(Full { switches: 8, nodes: 1 }).build()?;
/// let program = Application::new(vec![Phase::new(Phased(AllToAll::new(8, 1 << 10)?), 20, Time::from_us(50))])?;
/// let workload = Workload::application(program, &network)?;
/// let (config, policy) = (Config::new(&network), StallTimer::always_on(network.classes.len()));
/// let mut simulation = Simulation::new(&network, &config, &policy, workload)?;
/// let mut before = Time::ZERO;
/// // Some events at a time: simulated time never goes back.
/// while let Progress::Running(now) = simulation.advance(100)? {
///     assert!(now >= before);
///     before = now;
/// }
/// let record = simulation.into_record();
/// // Each of 8 ranks sends to 7 others, and 1 KiB makes 8 packets of 128 bytes.
/// assert_eq!(record.packets_delivered, 20 * 8 * 7 * 8);
/// assert!(record.makespan > Some(Time::from_us(20 * 50)));
/// # Ok(())
/// # }
/// ```
pub struct Simulation<'a, P: Policy> {
    network: &'a Network,
    pub(super) shards: Vec<Shard<'a, P>>,
    coordinator: Coordinator<'a>,
    jobs: Arc<[RunningJob]>,
    /// Open-loop traffic, and the nodes that have it, if not all do.
    traffic: Option<(Traffic, Option<Vec<u32>>)>,
    /// What the injection channels of these could carry.
    capacity: Capacity,
    /// What its messages take in an idle network.
    unloaded: Option<Unloaded>,
    /// The intervals in which is recorded what is done over time, if it is.
    pub(super) over_time: Option<IntervalLength>,
}

/// One partition of a run, whose other partitions are simulated elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnePartition {
    /// Which, counted from 0.
    pub number: usize,
    /// How many there are in all.
    pub count: usize,
}

impl<'a, P: Policy> Simulation<'a, P> {
    /// Prepares a run; checks that the parameters fit each other and the network.
    pub fn new(network: &'a Network, config: &Config, policy: &'a P, workload: Workload) -> Result<Self, SetupError> {
        Self::in_partitions(network, config, policy, workload, 1)
    }

    /// Prepares a run in at most `partitions` partitions; the record does not depend on their number.
    pub fn in_partitions(
        network: &'a Network,
        config: &Config,
        policy: &'a P,
        workload: Workload,
        partitions: usize,
    ) -> Result<Self, SetupError> {
        Self::prepare(network, config, policy, workload, partitions, None)
    }

    /// Prepares one partition of a run whose other partitions are simulated by other processes. It has no
    /// shard where there are fewer partitions.
    ///
    /// All processes must do as [`Simulation::lend`] says, each with its own coordinator, and tell each other what their
    /// shards report and leave for others. At the end they join how they [stand](Simulation::standing) and what they have
    /// [measured](Simulation::take_shares).
    pub fn in_one_partition(
        network: &'a Network,
        config: &Config,
        policy: &'a P,
        workload: Workload,
        part: OnePartition,
    ) -> Result<Self, SetupError> {
        Self::prepare(network, config, policy, workload, part.count, Some(part.number))
    }

    fn prepare(
        network: &'a Network,
        config: &Config,
        policy: &'a P,
        workload: Workload,
        partitions: usize,
        only: Option<usize>,
    ) -> Result<Self, SetupError> {
        let classes = setup::check(network, config, policy, &workload)?;
        let (jobs, scheduler, traffic, beside) = match workload {
            Workload::Jobs(jobs) => (jobs, None, None, false),
            Workload::Scheduled(jobs, scheduler) => (jobs, Some(scheduler), None, false),
            Workload::OpenLoop(traffic) => (Vec::new(), None, Some((traffic, None)), false),
            Workload::Beside(jobs, scheduler, background) => {
                let nodes = nodes_of(&background, network, &jobs);
                (jobs, scheduler, Some((background.traffic(), nodes)), true)
            }
        };
        let placements: Vec<_> = jobs.iter().map(|job| job.placement.clone()).collect();
        let jobs: Arc<[RunningJob]> = jobs.into_iter().map(RunningJob::new).collect();
        let commander = commander(network, config, policy, &placements, &jobs);
        // A change of a rate acts on the whole network at once.
        let partitions = partition::assign(network, if config.unit.is_packet() { partitions } else { 1 });
        let owners = Arc::new(Owners::new(network, &partitions));
        let lookahead = |traffic| window::lookahead(network, config, &classes, &owners, traffic);
        let open_loop = traffic.as_ref().map(|(traffic, _)| traffic);
        let lookahead = lookahead(open_loop).min(if beside { lookahead(None) } else { u64::MAX });
        let mut coordinator = Coordinator::new(config, open_loop.filter(|_| !beside), lookahead, commander);
        if beside || jobs.iter().any(RunningJob::is_again) {
            coordinator = coordinator.ended_by(&jobs);
        }
        let mut simulation = Simulation {
            network,
            shards: Vec::new(),
            coordinator: match scheduler {
                Some(scheduler) => coordinator.scheduled(scheduler),
                None => coordinator,
            },
            capacity: {
                let nodes = traffic.as_ref().and_then(|(_, nodes)| nodes.as_ref());
                Capacity::new(config, nodes.map_or(network.nodes, |nodes| nodes.len() as u32))
            },
            unloaded: open_loop.map(|traffic| Unloaded::new(config, traffic)),
            traffic,
            jobs,
            over_time: None,
        };
        let output_queues = config.switch.output_queues().is_some();
        let graph = if config.audit { audit::dependency_graph(network, config) } else { None };
        let here = |number: &usize| only.is_none_or(|only| only == *number);
        for (_, switches) in (0..).zip(partitions).filter(|(number, _)| here(number)) {
            let partition = Partition::new(network, switches, output_queues);
            let nodes = partition.all_nodes.clone();
            let (mut switches, mut trunks) = setup::switches(network, partition, config, policy, &classes);
            if let Some(cap) = simulation.coordinator.cap() {
                trunks.begin_under_cap(&mut switches, cap.start());
            }
            if config.transport.is_some() {
                switches.follow_wake_delays();
            }
            let sources = simulation.sources(config, &nodes, &mut switches)?;
            let (mut nics, mailboxes) = (Nics::new(nodes, config), Mailboxes::new(Arc::clone(&owners)));
            if matches!(network.geometry, Geometry::Ideal(_)) {
                nics.transports = None;
            }
            let flows = config.unit.flows().map(|model| Flows::new(config, &classes, model, &switches));
            // Its laws are those of packets.
            let audited = config.audit && flows.is_none();
            let audit = audited.then(|| Audit::new(config, graph.clone()));
            let mut shard = Shard::new(switches, trunks, nics, sources, mailboxes, audit);
            if let Some(rules) = extrapolation_setup::rules(config, policy) {
                shard.extrapolate_by(rules);
            }
            shard.arrivals = Arrivals::new(network, config);
            simulation.shards.push(match flows {
                Some(flows) => shard.with_flows(flows),
                None => shard,
            });
        }
        Ok(simulation)
    }

    /// Prepares the sources of messages at some nodes.
    fn sources(&self, config: &Config, nodes: &Spans, switches: &mut Switches<P>) -> Result<Sources, SetupError> {
        let open_loop = self.traffic.as_ref().map(|(traffic, among)| {
            let mut open_loop = OpenLoop::new(self.network, nodes, config, traffic, among.as_deref())?;
            open_loop.start(&mut switches.events);
            Ok(open_loop)
        });
        let scheduled = self.coordinator.scheduling().is_some();
        let has_ranks = open_loop.is_none() || self.coordinator.ends_with_ranks();
        let ranks = has_ranks.then(|| {
            if config.unit.is_packet() {
                switches.follow_wake_delays();
            }
            let rules = self.coordinator.rules();
            let mut ranks = Ranks::new(Arc::clone(&self.jobs), nodes.clone(), config.node.clone(), rules);
            if self.coordinator.governor().is_some() {
                ranks.report_wake_delays();
            }
            if scheduled || self.coordinator.ends_with_ranks() {
                ranks.note_ends();
            }
            if config.unit.extrapolates().is_some() {
                ranks.follow_marks();
            }
            ranks.prepare(&mut switches.events);
            if !scheduled {
                ranks.start(&mut switches.events);
            }
            ranks
        });
        Ok(Sources { ranks, open_loop: open_loop.transpose()? })
    }

    /// Lets two halves of the shards take turns, like the red and the black squares of a checkerboard: no link leads from
    /// one to another of the same half, so that a half advances by up to two lookaheads. What it has in a cache is used for
    /// longer then. To be called before the run begins. Returns whether it is done: under open-loop traffic alone, where
    /// there are such halves and so many consecutive shards, those of a thread, have as many of one as of the other. Not
    /// in audit mode, which follows packets from one bucket to the next.
    pub fn alternate(&mut self, each: usize) -> bool {
        let owners = self.shards.first().map(|shard| shard.mailboxes.owners());
        let halves = owners.and_then(|owners| partition::halves(self.network, owners)).unwrap_or_default();
        let even = halves.chunks(each.max(1)).all(|chunk| 2 * chunk.iter().sum::<usize>() == chunk.len());
        let audited = self.shards.iter().any(Shard::is_audited);
        if halves.len() != self.shards.len() || !even || audited || !self.coordinator.alternate() {
            return false;
        }
        self.shards.iter_mut().zip(halves).for_each(|(shard, half)| shard.join_half(half));
        true
    }

    /// Handles events until done or about `events` have been handled; the shards take turns.
    pub fn advance(&mut self, events: u64) -> Result<Progress, Failure> {
        let until = self.events().saturating_add(events.max(1));
        loop {
            let report = self.report();
            self.mailboxes();
            match self.coordinator.decide(report, until) {
                Step::Advance(window) => self.shards.iter_mut().for_each(|shard| shard.advance(&window)),
                step => return self.stopped(&step),
            }
        }
    }

    /// Lends out what is needed to let the shards advance on several threads, which must do as [`Simulation::advance`]
    /// does:
    ///
    /// 1. Each shard reports; the reports are joined, and the coordinator decides from them what comes next.
    /// 2. Each shard receives what lies in the outboxes of the others for it, in the order of the shards.
    /// 3. If there is a window, each shard advances by it, and it goes on with the reports. Else
    ///    [`Simulation::stopped`] tells what has become of the run.
    ///
    /// Nothing else orders the shards: between two decisions they need not wait for each other.
    pub fn lend(&mut self) -> (&mut Coordinator<'a>, &mut [Shard<'a, P>]) {
        (&mut self.coordinator, &mut self.shards)
    }

    /// Returns what has become of a run whose shards have stopped after a step that is no window.
    pub fn stopped(&mut self, step: &Step) -> Result<Progress, Failure> {
        if *step != Step::End {
            return Ok(Progress::Running(self.coordinator.now()));
        }
        self.refuse(&self.standing())?;
        // Packets that were left when traffic was given up are no standstill.
        let stuck = self.coordinator.stuck();
        let find = || deadlock::find(&self.shards, self.network, &self.jobs, stuck);
        let deadlock = if self.coordinator.gave_up() { None } else { find() };
        deadlock.map_or(Ok(Progress::Done), |deadlock| Err(Failure::Deadlock(deadlock)))
    }

    /// Returns how the shards here stand after a step that is no window.
    pub fn standing(&self) -> Standing {
        Standing::of(&self.shards, &self.jobs)
    }

    /// Does as [`Simulation::stopped`] where shards of other processes are joined with those here: `all` tells how all stand.
    pub fn stopped_together(&self, step: &Step, all: &Standing) -> Result<Progress, Failure> {
        if *step != Step::End {
            return Ok(Progress::Running(self.coordinator.now()));
        }
        self.refuse(all)?;
        let packets = if self.coordinator.stuck().is_some() { 0 } else { all.packets };
        if self.coordinator.gave_up() || packets + all.ranks == 0 {
            return Ok(Progress::Done);
        }
        Err(Failure::Standstill { at: all.at, packets, ranks: all.ranks })
    }

    /// Returns an error if operations could not be had, or something is left to do at the end of simulated time. Wakeups
    /// are not: the patience of a packet that has gone, the window of a trunk.
    fn refuse(&self, all: &Standing) -> Result<(), Failure> {
        if let Some((_, error)) = &all.trouble {
            return Err(Failure::Source(error.clone()));
        }
        let unfinished = self.coordinator.generates() || all.packets + all.ranks > 0;
        if self.coordinator.too_long() && unfinished {
            return Err(Failure::TooLong(all.too_long.clone()));
        }
        Ok(())
    }

    /// Returns the number of shards.
    pub fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Returns the number of events handled so far.
    pub fn events(&self) -> u64 {
        self.shards.iter().map(|shard| shard.tally.events).sum()
    }

    /// Joins the reports of all shards.
    fn report(&mut self) -> Report {
        self.shards.iter_mut().map(Shard::report).fold(Report::NOTHING, Report::plus)
    }

    /// Delivers the mailboxes of all shards.
    fn mailboxes(&mut self) {
        for to in 0..self.shards.len() {
            for from in (0..self.shards.len()).filter(|&from| from != to) {
                let mut mailbox = std::mem::take(self.shards[from].outbox(to));
                self.shards[to].receive(&mut mailbox);
                // Empty again, but with the room that it has grown to.
                *self.shards[from].outbox(to) = mailbox;
            }
        }
    }

    /// Returns the number of operations that all ranks here have begun, those of jobs that start again excepted; those
    /// within collectives do not count.
    pub fn operations_begun(&self) -> u64 {
        let ranks = self.shards.iter().filter_map(Shard::ranks).flat_map(Ranks::of_jobs_that_end);
        ranks.map(Rank::operations_begun).sum()
    }

    /// Reads what ranks of other processes have run, in a run that is done, where that makes the warnings of its programs
    /// whole.
    pub fn read_for_warnings(&self) -> Result<(), SourceError> {
        let here = self.shards.iter().filter_map(Shard::ranks).flat_map(Ranks::iter);
        let here: HashSet<(u32, u32)> = here.map(|(_, rank)| (rank.job, rank.member.rank)).collect();
        for (number, job) in (0..).zip(&*self.jobs) {
            job.read_for_warnings((0..job.ranks).filter(|&rank| !here.contains(&(number, rank))))?;
        }
        Ok(())
    }

    /// Ends what is counted of ranks that would go on.
    pub(super) fn stop_ranks(&mut self) {
        let end = self.coordinator.end().unwrap_or_default();
        self.shards.iter_mut().filter_map(Shard::ranks_mut).for_each(|ranks| ranks.stop(end));
    }

    /// Returns the result of a run that is done.
    pub fn into_record(self) -> Record {
        self.into_record_and_states().0
    }

    /// Returns the result of a run that is done, and what the policy remembers of each channel, in the order of the
    /// record's; of none where no channel may sleep.
    pub fn into_record_and_states(mut self) -> (Record, Vec<P::State>) {
        let busy = self.busy_until();
        let shares = self.take_shares(busy);
        let states = record::take_states(&mut self.shards);
        (self.into_record_of(shares, busy), states)
    }

    /// Returns until when the shards here have been busy in a run that is done.
    pub fn busy_until(&self) -> Time {
        share::busy_until(&self.shards)
    }

    /// Returns until when a run that is done is measured whose shards have been busy until some time; `None` for open-loop
    /// traffic without programs.
    ///
    /// Programs are measured from the start until their end, or until a channel was woken after it: by a message that
    /// nobody receives, or at the end of a window of a governed trunk. With open-loop traffic beside them, until that has
    /// ended.
    fn measured_until(&self, busy: Time) -> Option<Time> {
        let end = self.coordinator.end();
        let has_ranks = self.traffic.is_none() || end.is_some();
        has_ranks.then(|| busy.max(end.unwrap_or_default()))
    }

    /// Takes what the shards here have measured in a run that is done; the last of all shards has been busy until some
    /// time.
    pub fn take_shares(&mut self, busy: Time) -> Vec<Share> {
        let until = self.measured_until(busy);
        self.stop_ranks();
        self.shards.iter_mut().map(|shard| Share::take(shard, until)).collect()
    }

    /// Makes the record from the shares of all shards, those of other processes included, in their order; the last of them
    /// has been busy until some time.
    pub fn into_record_of(self, shares: Vec<Share>, busy: Time) -> Record {
        let until = self.measured_until(busy);
        // The records take as much room as half of the run, which has done its work.
        drop(self.shards);
        let repetitions = (0..self.jobs.len()).map(|job| self.coordinator.repetitions(job)).collect();
        let finished = Finished {
            over_time: self.over_time,
            gave_up: self.coordinator.gave_up(),
            runtime: self.coordinator.runtime(),
            governor: self.coordinator.governor(),
            cap: self.coordinator.cap().map(CapGovernor::record),
            end: self.coordinator.end(),
            schedule: self.coordinator.into_scheduling(),
            jobs: self.jobs,
            traffic: self.traffic.map(|(traffic, _)| traffic),
            capacity: self.capacity,
            unloaded: self.unloaded,
            repetitions,
        };
        record::make(finished, shares, until)
    }
}

/// Prepares who commands links, if the policy wants that, for jobs on these nodes, as far as these are known.
fn commander<'a, P: Policy>(
    network: &'a Network,
    config: &Config,
    policy: &P,
    placements: &[Vec<NodeId>],
    jobs: &[RunningJob],
) -> Option<Commander<'a>> {
    let sleeping = (0..).zip(&config.classes).filter(|(_, class)| class.states.is_some());
    if let Some(rules) = sleeping.map(|(class, _)| class).find_map(|class| policy.governor(class)) {
        let ranks = jobs.iter().map(|job| job.ranks as usize);
        return Some(Commander::Governor(Box::new(Governor::new(rules, ranks))));
    }
    if let Some(rules) = bundles::rules(&config.classes, policy) {
        let bundles = bundles::all(network, &config.classes, config.sleep.both, policy);
        return Some(Commander::Cap(Box::new(CapGovernor::new(rules, bundles))));
    }
    let runtime = RuntimeSystem::new(network, config, |class| policy.runtime_rules(class), placements)?;
    Some(Commander::Runtime(Box::new(runtime)))
}

/// Refuses what [`Simulation::in_partitions`] refuses, without preparing a run.
pub fn check<P: Policy>(network: &Network, config: &Config, policy: &P, workload: &Workload) -> Result<(), SetupError> {
    setup::check(network, config, policy, workload)?;
    // As for a partition without nodes.
    let check = |traffic, among| OpenLoop::new(network, &Spans::default(), config, traffic, among).map(|_| ());
    match workload {
        Workload::OpenLoop(traffic) => check(traffic, None),
        Workload::Beside(jobs, _, background) => {
            check(&background.traffic(), nodes_of(background, network, jobs).as_deref())
        }
        Workload::Jobs(_) | Workload::Scheduled(..) => Ok(()),
    }
}

/// Returns the nodes that have open-loop traffic beside jobs, if not all do.
fn nodes_of(background: &Background, network: &Network, jobs: &[Job]) -> Option<Vec<u32>> {
    if background.nodes == BackgroundNodes::All {
        return None;
    }
    let mut free = vec![true; network.nodes as usize];
    jobs.iter().flat_map(|job| &job.placement).for_each(|node| free[node.index()] = false);
    Some((0..).zip(free).filter_map(|(node, free)| free.then_some(node)).collect())
}

/// Returns the clock cycles of a window of a run in `partitions` partitions: how long their shards can advance
/// independently.
pub fn window_cycles(
    network: &Network,
    config: &Config,
    traffic: Option<&Traffic>,
    partitions: usize,
) -> Result<u64, SetupError> {
    let classes = setup::classes(network, config)?;
    let owners = Owners::new(network, &partition::assign(network, partitions));
    Ok(window::lookahead(network, config, &classes, &owners, traffic))
}

/// Runs to the end.
pub fn run<P: Policy>(
    network: &Network,
    config: &Config,
    policy: &P,
    workload: Workload,
) -> Result<Result<Record, Failure>, SetupError> {
    let mut simulation = Simulation::new(network, config, policy, workload)?;
    loop {
        match simulation.advance(u64::MAX) {
            Ok(Progress::Done) => return Ok(Ok(simulation.into_record())),
            Ok(Progress::Running(_)) => {}
            Err(failure) => return Ok(Err(failure)),
        }
    }
}
