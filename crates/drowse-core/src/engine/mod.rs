//! The simulation: buckets of the event queue are taken one after the other, each ending at a clock edge.
//!
//! In a bucket, what happens at nodes comes first, in the order of time; then the heads that have reached input queues
//! by the edge; then the allocators that have something to look at. A hop costs one arrival and, where a packet must
//! wait, an alarm; tails, free times, credits and power states are arithmetic. All state is indexed by the ids of the
//! network and touched only by its owner: what crosses a channel is a timestamped event or credit, delayed by at least
//! the channel's latency, so that the switches can be dealt out to shards.

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
mod rank;
mod ranks;
mod setup;
mod wheel;

pub use setup::SetupError;

use crate::config::Config;
use crate::measure::{ChannelRecord, Histogram, Record, Warning};
use crate::power::{LinkState, Policy};
use crate::topology::Network;
use crate::units::Time;
use crate::workload::Workload;
use crate::workload::operation::SourceError;

use allocate::Scratch;
use fabric::Fabric;
use message::Purpose;
use nic::Nics;
use nodes::{NodeEvent, Phase};
use open_loop::OpenLoop;
use ranks::Ranks;
use wheel::Bucket;

/// Why a run could not end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Nothing can happen any more, but ranks or packets wait.
    #[error("deadlock at {at}: {}", .waits.join("; "))]
    Deadlock {
        /// When the last event was.
        at: Time,
        /// Who waits for whom.
        waits: Vec<String>,
    },
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

/// Where messages come from.
enum Driver {
    Ranks(Ranks),
    OpenLoop(Box<OpenLoop>),
}

/// One run: a pure function of its inputs.
pub struct Simulation<'a, P: Policy> {
    fabric: Fabric<'a, P>,
    nics: Nics,
    driver: Driver,
    /// The capacity to audit credits against, when auditing.
    audit: Option<u16>,
    nic_latency: u64,
    bucket: Bucket,
    scratch: Scratch,
    /// The measured time: fixed for open-loop traffic, up to the last rank's end for jobs.
    window: (u64, u64),
    at_start: Option<Vec<ChannelRecord>>,
    at_end: Option<Vec<ChannelRecord>>,
    packets_delivered: u64,
    events: u64,
    packet_latency: Histogram,
    message_latency: Histogram,
}

impl<'a, P: Policy> Simulation<'a, P> {
    /// Prepares a run; checks that the parameters fit each other and the network.
    pub fn new(network: &'a Network, config: &Config, policy: &'a P, workload: Workload) -> Result<Self, SetupError> {
        let mut fabric = setup::fabric(network, config, policy)?;
        let (driver, window) = match workload {
            Workload::Jobs(jobs) => {
                let ranks = Ranks::new(setup::check_jobs(network, jobs)?, config.node.clone());
                ranks.start(&mut fabric);
                (Driver::Ranks(ranks), (0, u64::MAX))
            }
            Workload::OpenLoop(traffic) => {
                let open_loop = OpenLoop::new(network, config, traffic);
                let mut open_loop = open_loop.map_err(|reason| SetupError { key: "traffic.load", reason })?;
                open_loop.start(&mut fabric);
                let window = open_loop.window();
                (Driver::OpenLoop(Box::new(open_loop)), window)
            }
        };
        Ok(Simulation {
            nics: Nics::new(network.nodes, config),
            fabric,
            driver,
            audit: config.audit.then_some(config.switch.buffer_flits),
            nic_latency: config.node.nic_latency.0,
            bucket: Bucket::default(),
            scratch: Scratch::new(network.radix() as usize),
            window,
            at_start: None,
            at_end: None,
            packets_delivered: 0,
            events: 0,
            packet_latency: Histogram::default(),
            message_latency: Histogram::default(),
        })
    }

    /// Handles events until done or about `events` have been handled.
    pub fn advance(&mut self, events: u64) -> Result<Progress, Failure> {
        let until = self.events.saturating_add(events);
        while self.events < until {
            let Some(edge) = self.fabric.wheel.next() else { return self.end() };
            let t = edge * self.fabric.clock;
            self.measure(t);
            if let Driver::OpenLoop(open_loop) = &mut self.driver
                && open_loop.control(t)
            {
                return Ok(Progress::Done);
            }
            self.step(edge)?;
            if let Some(capacity) = self.audit {
                audit::check(&self.fabric, capacity, self.nics.injected, self.packets_delivered);
            }
        }
        Ok(Progress::Running(Time(self.fabric.wheel.now() * self.fabric.clock)))
    }

    /// Handles one bucket.
    fn step(&mut self, edge: u64) -> Result<(), Failure> {
        let mut bucket = std::mem::take(&mut self.bucket);
        self.fabric.wheel.take(edge, &mut bucket);
        self.events += (bucket.arrivals.len() + bucket.alarms.len()) as u64;
        self.handle_nodes(&mut bucket.nodes)?;
        self.fabric.wheel.take_late_arrivals(&mut bucket.arrivals);
        for id in bucket.arrivals.drain(..) {
            self.fabric.arrive(id, edge);
        }
        for alarm in bucket.alarms.drain(..) {
            self.fabric.alarm(alarm, edge);
        }
        self.bucket = bucket;
        let mut active = std::mem::take(&mut self.fabric.active);
        self.events += active.len() as u64;
        for switch in active.drain(..) {
            self.fabric.allocate(&mut self.scratch, switch, edge);
        }
        self.fabric.active = active;
        self.deliver_ejected();
        Ok(())
    }

    /// Handles the node events of a bucket in order, those included that they cause within it.
    fn handle_nodes(&mut self, nodes: &mut Vec<NodeEvent>) -> Result<(), Failure> {
        // Latest first, so that the next is taken from the end.
        nodes.sort_unstable_by(|a, b| b.cmp(a));
        let mut late = Vec::new();
        while let Some(event) = nodes.pop() {
            self.events += 1;
            self.handle_node(event)?;
            self.fabric.wheel.take_late_nodes(&mut late);
            for event in late.drain(..) {
                let position = nodes.partition_point(|other| *other > event);
                nodes.insert(position, event);
            }
        }
        Ok(())
    }

    fn handle_node(&mut self, event: NodeEvent) -> Result<(), Failure> {
        let (fabric, nics, t) = (&mut self.fabric, &mut self.nics, event.time);
        match (event.phase, &mut self.driver) {
            (Phase::Nic, _) => nics.advance(fabric, event.at, t),
            (Phase::Generate, Driver::OpenLoop(open_loop)) => open_loop.generate(fabric, nics, event.at, t),
            (Phase::Announced, Driver::Ranks(ranks)) => ranks.announced(fabric, nics, event.data, t),
            (Phase::Delivered, Driver::Ranks(ranks)) => ranks.delivered(fabric, nics, event.data, t),
            (Phase::Sent, Driver::Ranks(ranks)) => ranks.sent(fabric, event.at, event.data, t),
            (Phase::Resume, Driver::Ranks(ranks)) => {
                ranks.resume(fabric, nics, event.at, t)?;
                if ranks.finished() && self.at_end.is_none() {
                    self.window.1 = t;
                    self.at_end = Some(self.snapshot(t));
                }
            }
            (phase, _) => debug_assert!(false, "{phase:?} does not belong to this workload"),
        }
        Ok(())
    }

    /// Lets messages progress by the packets whose last bits have been scheduled at this edge.
    fn deliver_ejected(&mut self) {
        let mut ejected = std::mem::take(&mut self.fabric.ejected);
        for packet in ejected.drain(..) {
            self.packets_delivered += 1;
            let at = packet.at + self.nic_latency;
            let message = &mut self.nics.messages[packet.message];
            message.packets_left -= 1;
            message.done_at = message.done_at.max(at);
            let (complete, message) = (message.packets_left == 0, *message);
            match &mut self.driver {
                Driver::OpenLoop(open_loop) => {
                    if open_loop.deliver(&message) {
                        self.packet_latency.add(Time(at - message.created));
                        self.message_latency.add(Time(at - message.created));
                    }
                    self.nics.messages.remove(packet.message);
                }
                Driver::Ranks(_) => {
                    if message.measured {
                        self.packet_latency.add(Time(at - message.created));
                    }
                    if complete {
                        if message.measured {
                            self.message_latency.add(Time(message.done_at - message.created));
                        }
                        self.fabric.put_node(message.event(Phase::Delivered, packet.message));
                    } else if packet.first && message.purpose == Purpose::Eager {
                        let event = NodeEvent { time: at, ..message.event(Phase::Announced, packet.message) };
                        self.fabric.put_node(event);
                    }
                }
            }
        }
        self.fabric.ejected = ejected;
    }

    /// Takes the snapshots of the channels that are due before something happens at time `t`.
    fn measure(&mut self, t: u64) {
        if self.at_start.is_none() && t > self.window.0 {
            self.at_start = Some(self.snapshot(self.window.0));
        }
        if self.at_end.is_none() && t > self.window.1 {
            self.at_end = Some(self.snapshot(self.window.1));
        }
    }

    /// Gives what all channels have done up to time `t`.
    fn snapshot(&mut self, t: u64) -> Vec<ChannelRecord> {
        let channels = &mut self.fabric.channels;
        (0..channels.hot.len())
            .map(|channel| {
                channels.settle(channel, t);
                let account = &channels.accounts[channel];
                let mut residency = account.residency.map(Time);
                let asleep: u64 = account.residency.iter().sum();
                residency[LinkState::On as usize] = Time(t - asleep);
                ChannelRecord {
                    residency,
                    wakes: account.wakes,
                    delayed_messages: account.delayed_messages,
                    packets: account.packets,
                    flits: account.flits,
                }
            })
            .collect()
    }

    /// Ends the run when nothing can happen any more.
    fn end(&mut self) -> Result<Progress, Failure> {
        let now = Time(self.fabric.wheel.now() * self.fabric.clock);
        self.measure(u64::MAX);
        let mut waits = self.fabric.describe_waits();
        if let Driver::Ranks(ranks) = &self.driver
            && !ranks.finished()
        {
            waits.extend(ranks.describe_waits(8));
        }
        if waits.is_empty() { Ok(Progress::Done) } else { Err(Failure::Deadlock { at: now, waits }) }
    }

    /// Gives the result of a run that is done.
    pub fn into_record(mut self) -> Record {
        self.measure(u64::MAX);
        let (from, to) = self.window;
        let at_start = self.at_start.take().unwrap_or_default();
        let at_end = self.at_end.take().unwrap_or_default();
        let channels = at_end.iter().zip(&at_start).map(|(end, start)| difference(end, start)).collect();
        let (mut ranks, mut jobs, mut open_loop, mut makespan) = (Vec::new(), Vec::new(), None, None);
        let mut warnings = Vec::new();
        match &self.driver {
            Driver::Ranks(driver) => {
                (ranks, jobs) = driver.records();
                makespan = Some(driver.makespan());
                warnings.extend(driver.source_warnings().into_iter().map(Warning::Source));
                let messages = driver.unreceived();
                if messages > 0 {
                    warnings.push(Warning::UnmatchedSends { messages });
                }
            }
            Driver::OpenLoop(driver) => {
                let (record, said) = driver.record();
                open_loop = Some(record);
                warnings = said;
            }
        }
        Record {
            makespan,
            measured: Time(to - from),
            packets_injected: self.nics.injected,
            packets_delivered: self.packets_delivered,
            hops: self.fabric.hops,
            events: self.events,
            packet_latency: self.packet_latency,
            message_latency: self.message_latency,
            channels,
            ranks,
            jobs,
            open_loop,
            warnings,
        }
    }
}

/// Gives what a channel did between two snapshots; packets and flits are those of the whole run.
fn difference(end: &ChannelRecord, start: &ChannelRecord) -> ChannelRecord {
    let mut residency = end.residency;
    residency.iter_mut().zip(start.residency).for_each(|(time, before)| *time = *time - before);
    ChannelRecord {
        residency,
        wakes: end.wakes - start.wakes,
        delayed_messages: end.delayed_messages - start.delayed_messages,
        packets: end.packets,
        flits: end.flits,
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
