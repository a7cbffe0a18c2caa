//! Small networks, parameters and programs for the tests.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use drowse_core::engine::{self, Failure, Progress, Simulation};
use drowse_core::measure::Record;
use drowse_core::model::config::{ClassModel, Config, SwitchModel, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId, PortId};
use drowse_core::model::units::Time;
use drowse_core::power::{ByClass, ClassPolicy, Policy, SleepState, SleepStates, StallTimer};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::grid::Grid;
use drowse_core::topology::{End, Geometry, Network, PerDimension, TopologySpec, Torus};
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SourceError};
use drowse_core::workload::{Job, Workload};

pub use crate::cases::proptest_config;

/// The sleep states of Saravanan and Carpenter 2018, in picoseconds.
pub const STATES: SleepStates = SleepStates::new(
    SleepState { power: 0.6, enter: Time::ZERO, wake: Time::from_ns(250) },
    SleepState { power: 0.1, enter: Time::from_ns(2_880), wake: Time::from_ns(4_480) },
);

pub fn torus(dims: &[u32], trunk: u32, nodes: u32) -> Network {
    let torus = Torus::new(dims.to_vec(), PerDimension::All(trunk), nodes);
    TopologySpec::Torus(torus).build().unwrap()
}

pub fn mesh(dims: &[u32], trunk: u32, nodes: u32) -> Network {
    let mesh = Torus::new(dims.to_vec(), PerDimension::All(trunk), nodes);
    TopologySpec::Mesh(mesh).build().unwrap()
}

/// Returns parameters: one flit of 16 B per cycle of 1.6 ns, packets of 8 flits, dimension order, hops of `pipeline`
/// cycles and a wire of one cycle.
pub fn config(network: &Network, pipeline: u64) -> Config {
    let clock = Time(1_600);
    let hop = Time(clock.0 * (pipeline + 1));
    let class = ClassModel { latency: clock, hop, states: Some(STATES), ..ClassModel::default() };
    Config {
        switch: SwitchModel::with(VirtualChannels::grid(0, 4)),
        classes: vec![class; network.classes.len()],
        routing: RoutingKind::DimensionOrder,
        audit: true,
        ..Config::new(network)
    }
}

/// A program given rank by rank.
pub struct Program {
    ranks: Vec<VecDeque<Operation>>,
    communicators: Arc<Communicators>,
}

impl Program {
    pub fn new(ranks: Vec<Vec<Operation>>) -> Self {
        let communicators = Communicators::of(ranks.len() as u32);
        Program::within(ranks, &communicators)
    }

    pub fn within(ranks: Vec<Vec<Operation>>, communicators: &Communicators) -> Self {
        let ranks = ranks.into_iter().map(VecDeque::from).collect();
        Program { ranks, communicators: Arc::new(communicators.clone()) }
    }
}

impl OperationSource for Program {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        operations.extend(self.ranks[rank as usize].pop_front());
        Ok(())
    }
}

/// Returns one of the 15 kinds of collectives; `list` has a size per rank.
pub fn collective(kind: u32, root: u32, bytes: u64, list: Box<[u64]>, compute: Time) -> Collective {
    let count = bytes / 8;
    match kind {
        0 => Collective::Barrier,
        1 => Collective::Bcast { root, bytes, count },
        2 => Collective::Reduce { root, bytes, count, compute },
        3 => Collective::Allreduce { bytes, count, compute },
        4 => Collective::Gather { root, bytes },
        5 => Collective::Gatherv { root, bytes: list },
        6 => Collective::Scatter { root, bytes },
        7 => Collective::Scatterv { root, bytes: list },
        8 => Collective::Allgather { bytes },
        9 => Collective::Allgatherv { bytes: list },
        10 => Collective::Alltoall { bytes },
        11 => Collective::Alltoallv { bytes: list },
        12 => Collective::ReduceScatter { bytes: list, compute },
        13 => Collective::Scan { bytes, compute },
        _ => Collective::Exscan { bytes, compute },
    }
}

/// Returns a job with one rank on each of the named nodes.
pub fn job(ranks: Vec<Vec<Operation>>, nodes: &[u32]) -> Workload {
    let placement = nodes.iter().map(|&node| NodeId(node)).collect();
    let source = Box::new(Program::new(ranks));
    Workload::Jobs(vec![Job { name: "test".into(), source, placement, start: Time::ZERO }])
}

pub fn send(to: u32, bytes: u64) -> Operation {
    Operation::send(to, 0, bytes)
}

pub fn recv(from: u32) -> Operation {
    Operation::recv(from, 0)
}

pub fn compute(time: Time) -> Operation {
    Operation::Compute(time)
}

pub fn run_with<P: Policy>(network: &Network, config: &Config, policy: &P, workload: Workload) -> Record {
    engine::run(network, config, policy, workload).unwrap().unwrap()
}

/// Returns one policy for all classes. The engine is compiled for each type of policy, which takes seconds; all that
/// experiments may name are of this one type.
pub fn everywhere(network: &Network, policy: ClassPolicy) -> ByClass {
    ByClass::new(vec![policy; network.classes.len()])
}

/// Returns stall timers as an experiment has them beside other policies.
pub fn by_class(policy: &StallTimer) -> ByClass {
    ByClass::new(policy.timers.iter().copied().map(ClassPolicy::StallTimer).collect())
}

pub fn run(network: &Network, config: &Config, workload: Workload) -> Record {
    run_with(network, config, &StallTimer::always_on(network.classes.len()), workload)
}

/// Returns a posted receive from a rank with a tag.
pub fn irecv(from: u32, tag: u32, request: u32) -> Operation {
    Operation::irecv(from, tag, request)
}

pub fn isend(to: u32, tag: u32, bytes: u64, request: u32) -> Operation {
    Operation::isend(to, tag, bytes, request)
}

pub fn wait(request: u32) -> Operation {
    Operation::Wait { request }
}

/// Runs with all channels always on. Returns the failure, if the run fails.
pub fn try_run(network: &Network, config: &Config, workload: Workload) -> Result<Record, Failure> {
    engine::run(network, config, &StallTimer::always_on(network.classes.len()), workload).unwrap()
}

/// Returns the torus or mesh that a network was built from.
pub fn grid(network: &Network) -> &Grid {
    let Geometry::Grid(grid) = &network.geometry else { panic!("not a grid") };
    grid
}

/// Returns the coordinates of a switch by definition: its number in the mixed radix of the dimensions.
pub fn coordinates(network: &Network, switch: u32) -> Vec<u32> {
    let mut rest = switch;
    let digit = |&k: &u32| {
        let x = rest % k;
        rest /= k;
        x
    };
    grid(network).dims.iter().map(digit).collect()
}

/// Returns the number of channels of each switch-to-switch class on a minimal route between two nodes. On a torus or
/// mesh, this is the distance in each dimension; on a tree, one up and one down per level to climb.
pub fn distances(network: &Network, from: u32, to: u32) -> Vec<u64> {
    if let Geometry::Levels(levels) = &network.geometry {
        let [a, b] = [from, to].map(|node| network.node_switch(NodeId(node)).0);
        return levels
            .reach
            .iter()
            .skip(1)
            .zip(&levels.reach)
            .map(|(_, r)| if a / r == b / r { 0 } else { 2 })
            .collect();
    }
    let [a, b] = [from, to].map(|node| coordinates(network, network.node_switch(NodeId(node)).0));
    let steps = |(d, (&x, &y)): (usize, (&u32, &u32))| {
        let straight = x.abs_diff(y);
        u64::from(if grid(network).wraps[d] { straight.min(grid(network).dims[d] - straight) } else { straight })
    };
    a.iter().zip(&b).enumerate().map(steps).collect()
}

/// Returns the number of switch-to-switch channels between two nodes.
pub fn distance(network: &Network, from: u32, to: u32) -> u64 {
    distances(network, from, to).iter().sum()
}

/// Returns the largest distance between two nodes.
pub fn diameter(network: &Network) -> u64 {
    if let Geometry::Levels(levels) = &network.geometry {
        return 2 * levels.blocks.iter().position(|&blocks| blocks == 1).unwrap() as u64;
    }
    if !matches!(network.geometry, Geometry::Grid(_)) {
        // On any route, each channel uses virtual channels of its own.
        return u64::from(VirtualChannels::MAX);
    }
    let longest = |(&k, &w): (&u32, &bool)| u64::from(if w { k / 2 } else { k - 1 });
    grid(network).dims.iter().zip(&grid(network).wraps).map(longest).sum()
}

/// Returns the first channel of the trunk that leaves a switch in dimension `d`; `up` is towards larger coordinates.
pub fn channel_of(network: &Network, switch: u32, d: usize, up: bool) -> usize {
    network.first_port[switch as usize] as usize + usize::from(grid(network).trunk_of(switch, d, up))
}

/// Returns the channel from a node to its switch.
pub fn injection_of(network: &Network, node: u32) -> usize {
    (network.ports() + node) as usize
}

/// Returns the channel from a switch to its node.
pub fn ejection_of(network: &Network, node: u32) -> usize {
    network.node_port[node as usize] as usize
}

/// Returns the same jobs, started at time `start`.
pub fn started(workload: Workload, start: Time) -> Workload {
    let Workload::Jobs(mut jobs) = workload else { panic!("no jobs") };
    jobs.iter_mut().for_each(|job| job.start = start);
    Workload::Jobs(jobs)
}

/// Returns the switch at the other end of a port; `None` where that is a node.
pub fn neighbour(network: &Network, port: u32) -> Option<u32> {
    match network.target(ChannelId(port)) {
        End::Port(PortId(there)) => Some(network.port_switch(there as usize)),
        End::Node(_) => None,
    }
}

/// Returns the ports of a switch.
pub fn ports(network: &Network, switch: u32) -> Range<u32> {
    network.first_port[switch as usize]..network.first_port[switch as usize + 1]
}

/// Returns the distances of all switches from one, by a search over the links.
pub fn distances_from(network: &Network, from: u32) -> Vec<u32> {
    let mut distance = vec![u32::MAX; network.switches() as usize];
    let mut queue = VecDeque::from([from]);
    distance[from as usize] = 0;
    while let Some(at) = queue.pop_front() {
        for next in ports(network, at).filter_map(|port| neighbour(network, port)) {
            if distance[next as usize] == u32::MAX {
                distance[next as usize] = distance[at as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    distance
}

/// Runs a few events at a time, in several partitions.
pub fn run_in<P: Policy>(
    partitions: usize,
    network: &Network,
    config: &Config,
    policy: &P,
    workload: Workload,
) -> Record {
    let mut simulation = Simulation::in_partitions(network, config, policy, workload, partitions).unwrap();
    while simulation.advance(3).unwrap() != Progress::Done {}
    simulation.into_record()
}

/// Leaves out the number of events, which depends on the partitioning.
pub fn without_events(record: Record) -> Record {
    Record { events: 0, ..record }
}
