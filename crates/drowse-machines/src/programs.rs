//! What the ranks of a case do is what their programs say, whatever the times are: a second count, of the operations alone.

use drowse_core::measure::{RankRecord, Record};
use drowse_core::model::config::{Config, Overheads};
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::power::RuntimePolicy;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{End, Geometry, Network};
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::by_node::ByNode;
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Operation, SendMode};
use drowse_core::workload::{Job, Workload, collectives};
use drowse_experiment::{Case, System};
use drowse_run::inputs::Inputs;

use crate::finding::{Checked, holds};

/// Operations of programs that are counted anew: those of a large case would take most of the time of all.
const MOST_OPERATIONS: u64 = 300_000;

/// What one rank does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Said {
    messages: u64,
    bytes: u64,
    computing: u64,
}

/// What the messages of all ranks do to a network on which packets move.
#[derive(Debug, Default)]
struct Carried {
    packets: u64,
    /// Channels between switches on shortest routes, and one to each node.
    hops: u64,
    /// Summed over all channels of shortest routes.
    flits: u64,
    /// The smallest possible sum of packet latencies, without packets that only ask and answer.
    latency: u128,
    /// The smallest possible sum of message latencies.
    message_latency: u128,
}

/// Checks the record of a case against its programs.
pub fn check(case: &Case, inputs: &Inputs, record: &Record) -> Checked {
    // A scheduler places jobs, traffic beside jobs sends packets of its own, and calls of a runtime system take time.
    let policy = &case.system.policy;
    let controlled = (0..case.system.config.classes.len() as u8).any(|class| policy.runtime_rules(class).is_some());
    if controlled || case.background.is_some() || inputs.operations(case) > MOST_OPERATIONS {
        return Ok(());
    }
    let Workload::Jobs(jobs) = inputs.workload(case) else { return Ok(()) };
    let is_bounded = |job: &Job| job.source.repetitions().is_some() && job.source.limit().is_none();
    if !jobs.iter().all(is_bounded) {
        return Ok(());
    }
    let mut counter = Counter::new(&case.system);
    for job in jobs {
        if !counter.add(job) {
            return Ok(());
        }
    }
    counter.check(record)
}

/// Counts the operations of jobs.
struct Counter<'a> {
    network: &'a Network,
    config: &'a Config,
    /// By switch, the distances of all others; empty where not asked yet.
    distances: Vec<Vec<u32>>,
    ranks: Vec<Said>,
    carried: Carried,
}

impl<'a> Counter<'a> {
    fn new(system: &'a System) -> Self {
        let distances = vec![Vec::new(); system.network.switches() as usize];
        let (network, config) = (&*system.network, &system.config);
        Counter { network, config, distances, ranks: Vec::new(), carried: Carried::default() }
    }

    /// Adds a job; returns whether its program could be read.
    fn add(&mut self, mut job: Job) -> bool {
        let communicators = job.source.communicators();
        let algorithms = job.source.algorithms();
        let by_node = ByNode::new(&communicators, &job.placement);
        let mut operations = Vec::new();
        for rank in 0..job.source.ranks() {
            let mut said = Said::default();
            loop {
                operations.clear();
                if job.source.refill(rank, &mut operations).is_err() {
                    return false;
                }
                if operations.is_empty() {
                    break;
                }
                for operation in flat(&operations, rank, &communicators, &by_node, &algorithms) {
                    self.count(&mut said, &operation, job.placement[rank as usize], &job.placement);
                }
            }
            self.ranks.push(said);
        }
        true
    }

    fn count(&mut self, said: &mut Said, operation: &Operation, from: NodeId, placement: &[NodeId]) {
        match *operation {
            Operation::Compute(time) => said.computing += time.0,
            Operation::Send { to, bytes, mode, .. } | Operation::Isend { to, bytes, mode, .. } => {
                said.messages += 1;
                said.bytes += bytes;
                self.carry(from, placement[to as usize], bytes, mode);
            }
            _ => {}
        }
    }

    /// Counts what a message does to the network.
    fn carry(&mut self, from: NodeId, to: NodeId, bytes: u64, mode: SendMode) {
        if from == to {
            return;
        }
        let Config { switch, node, classes, .. } = self.config;
        if let Geometry::Ideal(ideal) = &self.network.geometry {
            let flight = ideal.latency + ideal.bandwidth.transfer_time(bytes);
            self.carried.message_latency += u128::from(flight.0 + 2 * node.nic_latency.0);
            return;
        }
        let distance = u64::from(self.distance(from, to));
        let flits = switch.message_flits(bytes);
        let packets = flits.div_ceil(u64::from(switch.packet_flits));
        // A rendezvous has two empty messages before the data: request to send and clear to send.
        let asks = match mode {
            SendMode::Standard | SendMode::Buffered => bytes >= node.eager_limit.0,
            SendMode::Synchronous => true,
            SendMode::Ready => false,
        };
        let protocol = if asks { 2 } else { 0 };
        let empty = switch.message_flits(0);
        self.carried.packets += packets + protocol;
        self.carried.hops += (packets + protocol) * (distance + 1);
        self.carried.flits += (flits + protocol * empty) * (distance + 2);
        let shortest = classes[1..].iter().map(|class| class.hop.0).min().unwrap_or(0);
        let route = classes[0].latency.0 + shortest * distance + classes[0].hop.0 + 2 * node.nic_latency.0;
        self.carried.latency += u128::from(route) * u128::from(packets);
    }

    /// Returns the number of channels between the switches of two nodes, by a search over the links.
    fn distance(&mut self, from: NodeId, to: NodeId) -> u32 {
        let [from, to] = [from, to].map(|node| self.network.node_switch(node).index());
        if self.distances[from].is_empty() {
            self.distances[from] = distances(self.network, from as u32);
        }
        self.distances[from][to]
    }

    fn check(&self, record: &Record) -> Checked {
        let did =
            |rank: &RankRecord| Said { messages: rank.messages, bytes: rank.bytes, computing: rank.times.computing.0 };
        let differs = record.ranks.iter().map(did).zip(&self.ranks).enumerate().find(|(_, (did, said))| did != *said);
        let whole = record.ranks.len() == self.ranks.len() && differs.is_none();
        holds("ranks do what their programs say", whole, || format!("{differs:?} of {} ranks", self.ranks.len()))?;
        match &self.network.geometry {
            Geometry::Ideal(_) if self.config.node.overheads != Overheads::NONE => Ok(()),
            Geometry::Ideal(_) => {
                let (least, sum) = (self.carried.message_latency, record.message_latency.sum());
                holds("on an ideal network no message waits for another", least == sum, || {
                    format!("{sum}, not {least}")
                })
            }
            // Nodes that answer send more.
            _ if self.config.unit.is_packet() && self.config.transport.is_none() => self.check_packets(record),
            _ => Ok(()),
        }
    }

    fn check_packets(&self, record: &Record) -> Checked {
        let Carried { packets, hops, flits, latency, .. } = self.carried;
        let sent = [record.packets_injected, record.packets_delivered];
        holds("the packets are those of the messages", sent == [packets; 2], || format!("{sent:?}, not {packets}"))?;
        let carried: u64 = record.channels.iter().map(|channel| channel.flits).sum();
        let took = (record.hops, carried);
        let is_shortest = routes_are_shortest(self.network, self.config.routing);
        let long_enough = if is_shortest { took == (hops, flits) } else { took >= (hops, flits) && carried >= flits };
        holds("routes are as long as routing says", long_enough, || {
            format!("{took:?} hops and flits, {hops} and {flits} on shortest routes")
        })?;
        let sum = record.packet_latency.sum();
        holds("no packet is faster than in an empty network", sum >= latency, || format!("{sum}, at least {latency}"))
    }
}

/// Replaces collectives by their messages. What those beside the program compute does not count as the rank's.
fn flat(
    operations: &[Operation],
    rank: u32,
    communicators: &Communicators,
    by_node: &ByNode,
    algorithms: &Algorithms,
) -> Vec<Operation> {
    let mut flat = Vec::new();
    for operation in operations {
        let (Some(comm), Some(collective)) = (operation.comm(), operation.called()) else {
            flat.push(operation.clone());
            continue;
        };
        let before = flat.len();
        collectives::expand_in(communicators, algorithms, Some(by_node), comm, rank, collective, &mut flat);
        if matches!(operation, Operation::Icollective { .. }) {
            let mut sent = flat.split_off(before);
            sent.retain(|operation| !matches!(operation, Operation::Compute(_)));
            flat.append(&mut sent);
        }
    }
    flat
}

/// Returns whether a routing takes shortest routes only.
fn routes_are_shortest(network: &Network, routing: RoutingKind) -> bool {
    match &network.geometry {
        Geometry::Grid(_) | Geometry::Levels(_) => true,
        Geometry::HyperX(_) => matches!(routing, RoutingKind::Minimal | RoutingKind::DimensionOrder),
        Geometry::Graph(_) => routing == RoutingKind::Minimal,
        // Over groups, a route with the fewest links between groups may be longer than another.
        Geometry::Groups(_) | Geometry::Ideal(_) => false,
    }
}

/// Returns the distances of all switches from one, by a search over the links.
fn distances(network: &Network, from: u32) -> Vec<u32> {
    let mut distances = vec![u32::MAX; network.switches() as usize];
    distances[from as usize] = 0;
    let mut found = vec![from];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        for port in network.first_port[at as usize]..network.first_port[at as usize + 1] {
            let End::Port(there) = network.target(ChannelId(port)) else { continue };
            let neighbour = network.port_switch(there.index());
            if distances[neighbour as usize] == u32::MAX {
                distances[neighbour as usize] = distances[at as usize] + 1;
                found.push(neighbour);
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use drowse_run::inputs::{self, Traces};

    use super::*;
    use crate::laws::tests::{JOB, ran};

    #[test]
    fn what_no_program_says_is_found() {
        let run = ran(JOB);
        let inputs = inputs::open(&run.case, &Traces::default()).unwrap_or_else(|error| panic!("{error}"));
        let broken = |change: &dyn Fn(&mut Record)| {
            let mut record = run.record.clone();
            change(&mut record);
            check(&run.case, &inputs, &record).err().map(|finding| finding.law)
        };
        assert_eq!(broken(&|_| ()), None);
        assert_eq!(broken(&|record| record.ranks[1].bytes += 1), Some("ranks do what their programs say"));
        assert_eq!(broken(&|record| record.packets_injected += 1), Some("the packets are those of the messages"));
        assert_eq!(broken(&|record| record.hops += 1), Some("routes are as long as routing says"));
        let faster = |record: &mut Record| record.packet_latency = drowse_core::measure::Histogram::default();
        assert_eq!(broken(&faster), Some("no packet is faster than in an empty network"));
    }
}
