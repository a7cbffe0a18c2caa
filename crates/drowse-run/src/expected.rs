//! What a run will move, before it starts: messages, packets, and packets times the switches that they pass.
//!
//! Of each program, the first iterations of some ranks are read, or the first operations where none are marked, and stand
//! for all: an estimate, the same on every machine.
//! How long the simulation takes follows from rates that are stated here, not measured on this machine.

use std::collections::HashMap;

use drowse_core::model::config::SwitchModel;
use drowse_core::model::ids::NodeId;
use drowse_core::topology::search;
use drowse_core::workload::Traffic;
use drowse_core::workload::collectives::expand_in;
use drowse_core::workload::operation::{Operation, OperationSource};
use drowse_experiment::{Case, System, WorkloadSpec};

use crate::inputs::{Inputs, Readable};

/// Hops of packets that one core simulates in a second: 2.4 to 14 million, by network and policy (docs/performance.md).
pub const HOPS_PER_S: f64 = 3e6;
/// Messages that one core simulates in a second as flows: 15 thousand where most share links, 90 thousand where few do.
pub const MESSAGES_PER_S: f64 = 2e4;

/// Ranks of a program whose operations are read.
const RANKS: u32 = 16;
/// Operations of each that are read; where iterations are marked, at least, and whole iterations.
const OPERATIONS: u64 = 512;
/// Messages of each, those of collectives among them, after which no more is read.
const MESSAGES: f64 = 200_000.0;

/// What a run will move: an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// Messages through the network.
    pub messages: f64,
    /// Their packets.
    pub packets: f64,
    /// Packets times the switches that they pass.
    pub hops: f64,
}

impl Expected {
    /// Estimates what a case will move, but for traffic beside jobs, which ends with them.
    pub fn of(case: &Case, inputs: &Inputs) -> Self {
        let system = &case.system;
        let moved = match &case.workload {
            WorkloadSpec::Traffic(traffic) => of_traffic(traffic, system),
            WorkloadSpec::Jobs(_) => of_jobs(case, inputs),
        };
        Expected { messages: moved.messages, packets: moved.packets, hops: moved.packets * switches_passed(system) }
    }

    /// Returns the seconds of one core by packets.
    pub fn packets_s(&self) -> f64 {
        self.hops / HOPS_PER_S
    }

    /// Returns the seconds of one core by flows.
    pub fn flows_s(&self) -> f64 {
        self.messages / MESSAGES_PER_S
    }

    /// Returns as much work, so many times.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Expected { messages: self.messages * factor, packets: self.packets * factor, hops: self.hops * factor }
    }
}

/// Messages and their packets.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    messages: f64,
    packets: f64,
}

impl Moved {
    fn add(&mut self, other: Moved, factor: f64) {
        self.messages += other.messages * factor;
        self.packets += other.packets * factor;
    }

    /// Adds a message.
    fn message(&mut self, bytes: u64, switch: &SwitchModel) {
        self.messages += 1.0;
        self.packets += switch.message_flits(bytes).div_ceil(u64::from(switch.packet_flits.max(1))).max(1) as f64;
    }
}

/// Returns the switches that a packet passes, in the mean over all pairs of nodes on shortest paths; 0 where there are none.
fn switches_passed(system: &System) -> f64 {
    if system.network.channels() == 0 {
        return 0.0;
    }
    let metrics = system.topology.metrics().or_else(|| search(&system.network).map(|found| found.metrics));
    metrics.map_or(1.0, |metrics| metrics.mean_distance_distinct + 1.0)
}

/// Counts what open-loop traffic offers until the end of its window.
fn of_traffic(traffic: &Traffic, system: &System) -> Moved {
    let config = &system.config;
    let flits = traffic.packets.mean_flits(&config.switch).max(1.0);
    let bytes_per_s = config.classes.first().map_or(0.0, |class| class.bandwidth.0 as f64 / 8.0);
    let messages_per_s = traffic.load * bytes_per_s / (flits * config.switch.flit.0 as f64);
    let time = traffic.warmup.saturating_add(traffic.measure).seconds();
    let messages = f64::from(system.network.nodes) * messages_per_s * time;
    Moved { messages, packets: messages * (flits / f64::from(config.switch.packet_flits.max(1))).max(1.0) }
}

/// Estimates what all jobs send. Jobs of a log that run one program on as many ranks are alike.
fn of_jobs(case: &Case, inputs: &Inputs) -> Moved {
    let switch = &case.system.config.switch;
    let mut known: HashMap<(&str, u32), Moved> = HashMap::new();
    let mut all = Moved::default();
    for job in inputs.readable(case) {
        if let Some((messages, bytes)) = job.exchanged() {
            let mut one = Moved::default();
            one.message(bytes, switch);
            all.add(one, messages as f64);
            continue;
        }
        let each = *known.entry((job.spec.path.as_str(), job.ranks)).or_insert_with(|| of_operation(&job, switch));
        all.add(each, job.operations as f64);
    }
    all
}

/// Returns what an operation of a job sends, in the mean over those that are read. What cannot be read ends the run
/// with a message of its own.
fn of_operation(job: &Readable<'_>, switch: &SwitchModel) -> Moved {
    let mut source = job.source();
    let (mut read, mut sent) = (0, Moved::default());
    for rank in (0..job.ranks).step_by(job.ranks.div_ceil(RANKS).max(1) as usize) {
        read += of_rank(source.as_mut(), rank, job.placement, switch, &mut sent);
    }
    let mut each = Moved::default();
    if read > 0 {
        each.add(sent, 1.0 / read as f64);
    }
    each
}

/// Adds what the first operations of a rank send. Returns how many these are.
fn of_rank(
    source: &mut dyn OperationSource,
    rank: u32,
    placement: &[NodeId],
    switch: &SwitchModel,
    sent: &mut Moved,
) -> u64 {
    let (communicators, algorithms) = (source.communicators(), source.algorithms());
    let node = |rank: u32| placement.get(rank as usize);
    let is_near = |to: u32| node(rank).is_some() && node(rank) == node(to);
    let most = sent.messages + MESSAGES;
    let (mut block, mut expanded, mut read) = (Vec::new(), Vec::new(), 0);
    // Sums often come last in an iteration: a part of one stands for nothing.
    let mut is_marked = false;
    while is_marked || read < OPERATIONS {
        block.clear();
        if source.refill(rank, &mut block).is_err() || block.is_empty() {
            break;
        }
        for operation in &block {
            let begins = matches!(operation, Operation::Iteration);
            if read >= OPERATIONS && (begins || !is_marked) || sent.messages >= most {
                return read;
            }
            is_marked |= begins;
            read += 1;
            expanded.clear();
            match operation {
                Operation::Collective { comm, collective } => {
                    expand_in(&communicators, &algorithms, None, *comm, rank, collective, &mut expanded);
                }
                Operation::Icollective { comm, collective, .. } => {
                    expand_in(&communicators, &algorithms, None, *comm, rank, collective, &mut expanded);
                }
                other => expanded.push(other.clone()),
            }
            for operation in &expanded {
                if let Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } = *operation
                    && !is_near(to)
                {
                    sent.message(bytes, switch);
                }
            }
        }
    }
    read
}
