//! The simulation: buckets of the event queue are taken one after the other, each ending at a clock edge.
//!
//! In a bucket, what happens at nodes comes first, in the order of time; then the heads that have reached input queues
//! by the edge; then the allocators that have something to look at. A hop costs one arrival and, where a packet must
//! wait, an alarm; tails, free times, credits and power states are arithmetic.
//!
//! The network is cut into parts, each simulated by a shard. Shards advance by windows and exchange what
//! crosses the cut between two of them; whatever is global acts between windows, at times that do not depend on the
//! cut. One part is the rule.

mod allocate;
mod audit;
mod channel;
mod deadlock;
mod fabric;
mod message;
mod nic;
mod nodes;
mod open_loop;
mod packet;
mod park;
mod part;
mod rank;
mod ranks;
mod record;
mod setup;
mod shard;
mod wheel;

pub use deadlock::{Deadlock, Standstill};
pub use setup::SetupError;

use crate::config::Config;
use crate::measure::Record;
use crate::power::Policy;
use crate::topology::Network;
use crate::units::Time;
use crate::workload::operation::SourceError;
use crate::workload::{Job, Traffic, Workload};

use nic::Nics;
use open_loop::{Counts, OpenLoop};
use part::Part;
use ranks::Ranks;
use shard::{Crossing, Driver, Shard};

/// Why a run could not end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Nothing can happen any more, but ranks or packets wait.
    #[error("{0}")]
    Deadlock(Deadlock),
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

/// Clock cycles between two looks at whether open-loop traffic has been drained.
const CONTROL_CYCLES: u64 = 1_024;
/// How many times the length of warm-up and window the drain may take before the run is ended as not drained.
const PATIENCE: u64 = 10;

/// One run: a pure function of its inputs.
pub struct Simulation<'a, P: Policy> {
    network: &'a Network,
    shards: Vec<Shard<'a, P>>,
    jobs: Vec<Job>,
    traffic: Option<Traffic>,
    /// The next bucket before which open-loop traffic is looked at.
    control: u64,
    /// Open-loop traffic was ended before it was drained.
    gave_up: bool,
    /// Buckets that shards may be apart.
    lookahead: u64,
    /// Flits that all injection channels could carry in the measured window of open-loop traffic.
    capacity_flits: f64,
    /// The capacity to audit credits against, when auditing.
    audit: Option<u16>,
    clock: u64,
}

impl<'a, P: Policy> Simulation<'a, P> {
    /// Prepares a run; checks that the parameters fit each other and the network.
    pub fn new(network: &'a Network, config: &Config, policy: &'a P, workload: Workload) -> Result<Self, SetupError> {
        Self::in_parts(network, config, policy, workload, 1)
    }

    /// Prepares a run that is cut into at most `parts` shards; the record does not depend on their number.
    pub fn in_parts(
        network: &'a Network,
        config: &Config,
        policy: &'a P,
        workload: Workload,
        parts: usize,
    ) -> Result<Self, SetupError> {
        let classes = setup::classes(network, config)?;
        let (jobs, traffic) = match workload {
            Workload::Jobs(jobs) => (jobs, None),
            Workload::OpenLoop(traffic) => (Vec::new(), Some(traffic)),
        };
        setup::check_jobs(network, &jobs)?;
        let clock = config.switch.clock.0;
        let end_of_window = traffic.as_ref().map(|traffic| (traffic.warmup + traffic.measure).0);
        let mut simulation = Simulation {
            network,
            shards: Vec::new(),
            control: end_of_window.map_or(u64::MAX, |end| end.div_ceil(clock)),
            gave_up: false,
            lookahead: setup::lookahead(config, &classes),
            capacity_flits: traffic.as_ref().map_or(0.0, |traffic| open_loop::capacity(network, config, traffic)),
            traffic,
            audit: config.audit.then_some(config.switch.buffer_flits),
            clock,
            jobs,
        };
        for switches in part::deal(network, parts) {
            let part = Part::new(network, switches);
            let nodes = part.all_nodes.clone();
            let mut fabric = setup::fabric(network, part, config, policy, &classes);
            let driver = simulation.driver(config, &nodes, &mut fabric)?;
            let nics = Nics::new(nodes, config);
            simulation.shards.push(Shard::new(fabric, nics, driver, config.node.nic_latency));
        }
        Ok(simulation)
    }

    /// Prepares the sources of messages at some nodes.
    fn driver(
        &self,
        config: &Config,
        nodes: &std::ops::Range<u32>,
        fabric: &mut fabric::Fabric<P>,
    ) -> Result<Driver, SetupError> {
        let Some(traffic) = &self.traffic else {
            let ranks = Ranks::new(&self.jobs, nodes, config.node.clone());
            ranks.start(&self.jobs, fabric);
            return Ok(Driver::Ranks(ranks));
        };
        let mut open_loop = OpenLoop::new(self.network, nodes, config, traffic)?;
        open_loop.start(fabric);
        Ok(Driver::OpenLoop(open_loop))
    }

    /// Handles events until done or about `events` have been handled.
    pub fn advance(&mut self, events: u64) -> Result<Progress, Failure> {
        let until = self.events().saturating_add(events);
        loop {
            let Some(next) = self.shards.iter().filter_map(|shard| shard.fabric.wheel.next()).min() else {
                return self.end();
            };
            if next >= self.control && self.look_at_traffic(next) {
                return Ok(Progress::Done);
            }
            // A single shard need not stop for others; it comes back now and then to tell how far it is.
            let window = if self.shards.len() == 1 { 1_024 } else { self.lookahead };
            let window = if self.audit.is_some() { 1 } else { window };
            let end = next.saturating_add(window);
            let end = if next < self.control { end.min(self.control) } else { end };
            for shard in &mut self.shards {
                shard.advance(&mut self.jobs, end)?;
            }
            self.exchange();
            self.check();
            if self.events() >= until {
                return Ok(Progress::Running(Time(next * self.clock)));
            }
        }
    }

    fn events(&self) -> u64 {
        self.shards.iter().map(|shard| shard.tally.events).sum()
    }

    /// Hands over what crosses the cut.
    fn exchange(&mut self) {
        if self.shards.len() == 1 {
            return;
        }
        let crossings: Vec<Crossing> = self.shards.iter_mut().flat_map(|shard| shard.outbox.drain(..)).collect();
        for crossing in crossings {
            let port = match &crossing {
                Crossing::Message(message) => self.network.node_port[message.to_node as usize],
                Crossing::Packet(port, _, _) => *port,
                Crossing::Credit(credit) => credit.channel,
            };
            let to = self.shards.partition_point(|shard| shard.fabric.part.all_ports.end <= port);
            self.shards[to].receive(&crossing);
        }
    }

    /// Checks the conservation laws, when auditing.
    fn check(&self) {
        let Some(capacity) = self.audit else { return };
        let sum = |count: fn(&Shard<P>) -> u64| self.shards.iter().map(count).sum::<u64>();
        let injected = sum(|shard| shard.nics.injected);
        let delivered = sum(|shard| shard.tally.packets_delivered);
        let in_flight = sum(|shard| u64::from(shard.fabric.packets.live()));
        assert_eq!(injected, delivered + in_flight, "packets injected = delivered + in flight");
        self.shards.iter().for_each(|shard| audit::check(&shard.fabric, capacity));
    }

    /// Decides whether open-loop traffic goes on, from bucket `next` on; tells whether the run is over.
    fn look_at_traffic(&mut self, next: u64) -> bool {
        let Some(traffic) = &self.traffic else { return false };
        let (end, drain) = ((traffic.warmup + traffic.measure).0, traffic.drain);
        let drained = self.counts().outstanding() == 0;
        let late = next * self.clock > end.saturating_mul(PATIENCE + 1);
        self.gave_up = !drain || (late && !drained);
        if drained || self.gave_up {
            self.shards.iter_mut().for_each(Shard::stop_traffic);
            self.control = u64::MAX;
        } else {
            self.control = next + CONTROL_CYCLES - next % CONTROL_CYCLES;
        }
        self.gave_up
    }

    /// Gives what has been counted of open-loop traffic.
    fn counts(&self) -> Counts {
        let count = |shard: &Shard<P>| match &shard.driver {
            Driver::OpenLoop(open_loop) => open_loop.counts,
            Driver::Ranks(_) => Counts::default(),
        };
        self.shards.iter().map(count).fold(Counts::default(), Counts::plus)
    }

    /// Ends the run when nothing can happen any more.
    fn end(&mut self) -> Result<Progress, Failure> {
        match self.deadlock() {
            Some(deadlock) => Err(Failure::Deadlock(deadlock)),
            None => Ok(Progress::Done),
        }
    }

    /// Gives the number of operations that all ranks together have begun; those within collectives do not count.
    pub fn operations_begun(&self) -> u64 {
        let ranks = self.shards.iter().filter_map(|shard| match &shard.driver {
            Driver::Ranks(ranks) => Some(ranks),
            Driver::OpenLoop(_) => None,
        });
        ranks.flat_map(Ranks::iter).map(|(_, rank)| rank.operations_begun()).sum()
    }

    /// Gives the result of a run that is done.
    pub fn into_record(mut self) -> Record {
        record::make(&mut self)
    }
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
