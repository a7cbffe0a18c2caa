//! Every algorithm of collective operations by name, with its time in closed form: for large data, in units of S / B,
//! and for small, in rounds of one message's latency.

use std::sync::Arc;

use drowse_core::engine;
use drowse_core::model::balance::Balance;
use drowse_core::model::config::{
    Arbitration, ClassModel, Config, Escape, FlowControl, Forwarding, NodeModel, Queues, SleepRules, SwitchModel,
    TrunkChoice, VirtualChannels,
};
use drowse_core::model::ids::NodeId;
use drowse_core::model::unit::Unit;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{TopologySpec, Xgft};
use drowse_core::workload::algorithms::{
    Algorithms, Allgather, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter,
};
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SourceError};
use drowse_core::workload::{Job, Workload};

/// The bytes of large data.
pub const LARGE: u64 = 80_000 << 10;
/// The bytes of a block of small data.
pub const SMALL: u64 = 8;
/// The bandwidth of links.
const BANDWIDTH: u64 = 50_000_000_000;

/// An algorithm by name, and what it does to data of S bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Barrier(Barrier),
    Bcast(Bcast),
    Reduce(Reduce),
    Allreduce(Allreduce),
    Gather(Gather),
    Scatter(Scatter),
    Allgather(Allgather),
    Alltoall(Alltoall),
    Alltoallv(Alltoallv),
    ReduceScatter(ReduceScatter),
}

/// A time in closed form: as a page prints it, and its value.
pub struct Form(pub &'static str, pub f64);

impl Named {
    /// All but `hierarchical`, which follows the rules.
    pub fn all() -> Vec<Named> {
        let mut all = Vec::new();
        all.extend(Bcast::ALL.iter().map(|&named| Named::Bcast(named)));
        all.extend(Reduce::ALL.iter().map(|&named| Named::Reduce(named)));
        all.extend(Allreduce::ALL.iter().map(|&named| Named::Allreduce(named)));
        all.extend(Gather::ALL.iter().map(|&named| Named::Gather(named)));
        all.extend(Scatter::ALL.iter().map(|&named| Named::Scatter(named)));
        all.extend(Allgather::ALL.iter().map(|&named| Named::Allgather(named)));
        all.extend(Alltoall::ALL.iter().map(|&named| Named::Alltoall(named)));
        all.extend(Alltoallv::ALL.iter().map(|&named| Named::Alltoallv(named)));
        all.extend(ReduceScatter::ALL.iter().map(|&named| Named::ReduceScatter(named)));
        all.extend(Barrier::ALL.iter().map(|&named| Named::Barrier(named)));
        all.retain(|named| named.words().1 != "hierarchical");
        all
    }

    /// Returns the operation and the algorithm.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Named::Barrier(named) => ("barrier", named.word()),
            Named::Bcast(named) => ("bcast", named.word()),
            Named::Reduce(named) => ("reduce", named.word()),
            Named::Allreduce(named) => ("allreduce", named.word()),
            Named::Gather(named) => ("gather", named.word()),
            Named::Scatter(named) => ("scatter", named.word()),
            Named::Allgather(named) => ("allgather", named.word()),
            Named::Alltoall(named) => ("alltoall", named.word()),
            Named::Alltoallv(named) => ("alltoallv", named.word()),
            Named::ReduceScatter(named) => ("reduce_scatter", named.word()),
        }
    }

    /// Returns the time for large data in units of S / B, S being the data of one rank, or all blocks together.
    /// Barriers have none.
    pub fn large(self, ranks: u32) -> Option<Form> {
        let p = f64::from(ranks);
        let log = f64::from(ranks.next_power_of_two().ilog2());
        let two = f64::from(ranks.min(3) - 1);
        let once = Form("(P - 1) / P", (p - 1.0) / p);
        let twice = Form("2 (P - 1) / P", 2.0 * (p - 1.0) / p);
        let others = Form("P - 1", p - 1.0);
        let doublings = Form("log P", log);
        let chain = Form("1", 1.0);
        let binary = Form("2", two);
        Some(match self {
            Named::Barrier(_) => return None,
            Named::Bcast(named) => match named {
                Bcast::Linear | Bcast::LinearNonblocking => others,
                Bcast::Binomial => doublings,
                Bcast::Knomial => Form("the root's children", children_by_four(ranks)),
                Bcast::Binary => binary,
                Bcast::Chain | Bcast::NcclRing => chain,
                Bcast::SplitBinary => Form("3/2", if ranks == 2 { 1.0 } else { 1.5 }),
                _ => twice,
            },
            Named::Reduce(named) => match named {
                Reduce::Linear => others,
                Reduce::Binomial => doublings,
                Reduce::Binary => binary,
                Reduce::InOrderBinary => Form("3", two + 1.0),
                Reduce::Rabenseifner => twice,
                _ => chain,
            },
            Named::Allreduce(named) => match named {
                Allreduce::RecursiveDoubling => doublings,
                Allreduce::Linear => Form("2 (P - 1)", 2.0 * (p - 1.0)),
                Allreduce::ReduceBcast => Form("2", 2.0),
                Allreduce::DoubleBinaryTree => binary,
                _ => twice,
            },
            Named::Scatter(Scatter::Binomial) => Form("(2 P - 2 - log P) / P", (2.0 * p - 2.0 - log) / p),
            Named::Allgather(Allgather::GatherBcast) => Form("(P - 1) / P + log P", (p - 1.0) / p + log),
            Named::Alltoall(Alltoall::Bruck) => Form("log P / 2", log / 2.0),
            Named::ReduceScatter(ReduceScatter::Butterfly) => Form("1", if ranks > 2 { 1.0 } else { 0.5 }),
            Named::Alltoallv(Alltoallv::Linear) => Form("(P - 1) / 2", (p - 1.0) / 2.0),
            Named::ReduceScatter(ReduceScatter::ReduceScatterv) => Form("1 + (P - 1) / P", 1.0 + (p - 1.0) / p),
            _ => once,
        })
    }

    /// Returns how many messages follow each other for small data.
    pub fn small(self, ranks: u32) -> Form {
        let others = f64::from(ranks - 1);
        let up = f64::from(ranks.next_power_of_two().ilog2());
        let down = f64::from(ranks.ilog2());
        let one = Form("1", 1.0);
        let around = Form("P - 1", others);
        let doublings = Form("log P", up);
        let level = Form("log P, rounded down", down);
        let twice = Form("2 log P", 2.0 * up);
        // Few ranks reduce little data to a root linearly.
        let reduced = if ranks < 8 { 1.0 } else { down };
        match self {
            Named::Barrier(named) => match named {
                Barrier::Linear => Form("2", 2.0),
                Barrier::Tree => Form("2 log P", 2.0 * down),
                _ => doublings,
            },
            Named::Bcast(named) => match named {
                Bcast::Linear | Bcast::LinearNonblocking => one,
                Bcast::Binomial | Bcast::Binary => level,
                Bcast::Knomial => Form("digits of base 4 that are not 0", digits_of_four(ranks)),
                Bcast::SplitBinary => doublings,
                Bcast::ScatterAllgather => twice,
                Bcast::ScatterAllgatherRing => Form("log P + P - 1", down + others),
                _ => around,
            },
            Named::Reduce(named) => match named {
                Reduce::Linear => one,
                Reduce::Binomial | Reduce::Binary => level,
                Reduce::InOrderBinary => Form("log P + 1", down + 1.0),
                Reduce::Rabenseifner => twice,
                _ => around,
            },
            Named::Allreduce(named) => match named {
                Allreduce::RecursiveDoubling => doublings,
                Allreduce::ReduceBcast => Form("2 log P", reduced + down),
                Allreduce::Linear => Form("2", 2.0),
                Allreduce::Ring | Allreduce::NcclRing => Form("2 (P - 1)", 2.0 * others),
                Allreduce::DoubleBinaryTree => Form("2 log P", 2.0 * f64::from((ranks - 1).ilog2() + 1)),
                _ => twice,
            },
            Named::Gather(named) => match named {
                Gather::Linear => one,
                Gather::LinearSync => Form("2 (P - 1)", 2.0 * others),
                Gather::Binomial => doublings,
            },
            Named::Allgather(named) => match named {
                Allgather::RecursiveDoubling | Allgather::Bruck => doublings,
                Allgather::NeighbourExchange if ranks.is_multiple_of(2) => Form("P / 2", f64::from(ranks / 2)),
                Allgather::GatherBcast => Form("1 + log P", 1.0 + down),
                _ => around,
            },
            Named::Scatter(Scatter::Linear | Scatter::LinearNonblocking)
            | Named::Alltoall(Alltoall::Linear)
            | Named::Alltoallv(Alltoallv::Linear) => one,
            Named::Scatter(_) | Named::Alltoall(Alltoall::Bruck) => doublings,
            Named::Alltoall(_) | Named::Alltoallv(_) => around,
            Named::ReduceScatter(named) => match named {
                ReduceScatter::RecursiveHalving => doublings,
                ReduceScatter::Butterfly => Form("log P + 1", up + if ranks > 2 { 1.0 } else { 0.0 }),
                ReduceScatter::ReduceScatterv => Form("log P + 1", reduced + 1.0),
                _ => around,
            },
        }
    }

    fn algorithms(self) -> Algorithms {
        let none = Algorithms::default();
        match self {
            Named::Barrier(named) => Algorithms { barrier: Some(named), ..none },
            Named::Bcast(named) => Algorithms { bcast: Some(named), ..none },
            Named::Reduce(named) => Algorithms { reduce: Some(named), ..none },
            Named::Allreduce(named) => Algorithms { allreduce: Some(named), ..none },
            Named::Gather(named) => Algorithms { gather: Some(named), ..none },
            Named::Scatter(named) => Algorithms { scatter: Some(named), ..none },
            Named::Allgather(named) => Algorithms { allgather: Some(named), ..none },
            Named::Alltoall(named) => Algorithms { alltoall: Some(named), ..none },
            Named::Alltoallv(named) => Algorithms { alltoallv: Some(named), ..none },
            Named::ReduceScatter(named) => Algorithms { reduce_scatter: Some(named), ..none },
        }
    }

    /// Returns the operation, with so many bytes in each of as many blocks as there are ranks.
    fn collective(self, ranks: u32, block: u64) -> Collective {
        let (root, bytes, compute) = (0, u64::from(ranks) * block, Time::ZERO);
        let count = bytes;
        match self {
            Named::Barrier(_) => Collective::Barrier,
            Named::Bcast(_) => Collective::Bcast { root, bytes, count },
            Named::Reduce(_) => Collective::Reduce { root, bytes, count, compute },
            Named::Allreduce(_) => Collective::Allreduce { bytes, count, compute },
            Named::Gather(_) => Collective::Gather { root, bytes: block },
            Named::Scatter(_) => Collective::Scatter { root, bytes: block },
            Named::Allgather(_) => Collective::Allgather { bytes: block },
            Named::Alltoall(_) => Collective::Alltoall { bytes: block },
            Named::Alltoallv(_) => Collective::Alltoallv { bytes: vec![block; ranks as usize].into() },
            Named::ReduceScatter(_) => Collective::ReduceScatter { bytes: vec![block; ranks as usize].into(), compute },
        }
    }

    /// Runs it with large data; returns the time in units of S / B.
    pub fn run_large(self, ranks: u32, eager_limit: Bytes) -> f64 {
        let block = LARGE / u64::from(ranks);
        let time = run(&self.algorithms(), &self.collective(ranks, block), ranks, eager_limit);
        time.0 as f64 * 1e-12 * BANDWIDTH as f64 / (block * u64::from(ranks)) as f64
    }

    /// Runs it with small data; returns the time in units of the latency of one message.
    pub fn run_small(self, ranks: u32) -> f64 {
        let limit = NodeModel::default().eager_limit;
        let one = run(&Algorithms::default(), &Collective::Scan { bytes: SMALL, compute: Time::ZERO }, 2, limit);
        run(&self.algorithms(), &self.collective(ranks, SMALL), ranks, limit).0 as f64 / one.0 as f64
    }
}

/// Returns the children of the root in a tree of base 4: three for each digit, fewer for the last.
fn children_by_four(ranks: u32) -> f64 {
    f64::from((0..16).map(|digit| ((ranks - 1) >> (2 * digit)).min(3)).sum::<u32>())
}

/// Returns the most digits of base 4 that are not 0 in the number of a rank.
fn digits_of_four(ranks: u32) -> f64 {
    let digits = |rank: u32| (0..16).filter(|digit| rank >> (2 * digit) & 3 != 0).count() as u32;
    f64::from((0..ranks).map(digits).max().unwrap_or(0))
}

/// Runs one collective among ranks, each on a node of its own, at one switch. Links have 50 GB/s and 100 ns.
pub fn run(algorithms: &Algorithms, collective: &Collective, ranks: u32, eager_limit: Bytes) -> Time {
    let one_switch = Xgft { children: vec![ranks], parents: Vec::new(), links: Vec::new() };
    let network = TopologySpec::Xgft(one_switch).build().unwrap();
    let clock = Time(640);
    let latency = Time::from_ns(100);
    let class = ClassModel {
        bandwidth: BitRate::from_bytes_per_second(BANDWIDTH),
        lanes: 1,
        latency,
        hop: Time(clock.0 + latency.0),
        states: None,
    };
    let switch = SwitchModel {
        clock,
        flit: Bytes(32),
        packet_flits: 128,
        vcs: VirtualChannels::any(4),
        buffer_flits: 2_048,
        flow_control: FlowControl::Credits,
        input_speedup: 1,
        queues: Queues::Input,
        forwarding: Forwarding::CutThrough,
        escape: Escape::Dateline,
        arbitration: Arbitration::default(),
        request_busy: false,
        allocation_gap: Time::ZERO,
        trunks: TrunkChoice::Balanced,
        balance: Balance::Adaptive,
        marking: None,
        padding: false,
    };
    let config = Config {
        switch,
        classes: vec![class; network.classes.len()],
        node: NodeModel { eager_limit, ..NodeModel::default() },
        routing: RoutingKind::Adaptive,
        sleep: SleepRules::default(),
        unit: Unit::Packet,
        transport: None,
        seed: 1,
        audit: false,
    };
    let source =
        Box::new(Once { algorithms: *algorithms, collective: collective.clone(), left: vec![true; ranks as usize] });
    let placement = (0..ranks).map(NodeId).collect();
    let job = Job { name: "collective".into(), source, placement, start: Time::ZERO };
    let policy = StallTimer::always_on(network.classes.len());
    let record = engine::run(&network, &config, &policy, Workload::Jobs(vec![job])).unwrap().unwrap();
    record.ranks.iter().map(|rank| rank.finish).max().unwrap_or(Time::ZERO)
}

/// A program of one collective.
struct Once {
    algorithms: Algorithms,
    collective: Collective,
    left: Vec<bool>,
}

impl OperationSource for Once {
    fn ranks(&self) -> u32 {
        self.left.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::new(Communicators::of(self.ranks()))
    }

    fn algorithms(&self) -> Algorithms {
        self.algorithms
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        if std::mem::take(&mut self.left[rank as usize]) {
            operations.push(Operation::collective(self.collective.clone()));
        }
        Ok(())
    }
}
