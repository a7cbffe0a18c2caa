//! Programs in their order on an ideal network: makespans by hand, and by a plain model of their operations.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use drowse_core::model::config::VirtualChannels;
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::topology::{Ideal, TopologySpec};
use drowse_core::workload::operation::{Operation, OperationSource, SendMode};
use drowse_core::workload::programs::{
    AllToAll, Application, BinaryTree, Butterfly, Destinations, Iterate, NBodies, OneAndAll, Phase, Stencil, Wavefront,
    Waves, Way, Work,
};
use drowse_core::workload::{Job, Workload};

use crate::common::*;

/// Microseconds: the latency, the transfer of a message of 5,000 B, and a computation.
const L: u64 = 3;
const T: u64 = 5;
const C: u64 = 20;

fn application(chain: impl Into<Work>, iterations: u32, mode: SendMode) -> Arc<Application> {
    let phase = Phase { work: chain.into(), iterations, compute: Time::from_us(C).into(), mode };
    Arc::new(Application::new(vec![phase]).unwrap())
}

/// Returns the makespan in microseconds. Standard sends are complete at once; ready ones when they have left.
fn makespan(chain: impl Into<Work>, iterations: u32, mode: SendMode) -> u64 {
    let application = application(chain, iterations, mode);
    let nodes = application.ranks();
    let bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    let ideal = TopologySpec::Ideal(Ideal { nodes, latency: Time::from_us(L), bandwidth }).build().unwrap();
    let mut config = config(&ideal, 1);
    config.switch.vcs = VirtualChannels::any(1);
    config.node.eager_limit = Bytes(if mode == SendMode::Standard { 1 << 30 } else { 0 });
    let source = Box::new(Iterate::new(application, 1));
    let placement = (0..nodes).map(NodeId).collect();
    let job = Job { name: "chain".into(), source, placement, start: Time::ZERO };
    let record = run(&ideal, &config, Workload::Jobs(vec![job]));
    assert_eq!(record.warnings, []);
    record.makespan.unwrap().0 / 1_000_000
}

#[test]
fn makespans_by_hand() {
    use SendMode::{Ready, Standard};
    // One message for each of the four levels or stages.
    assert_eq!(makespan(BinaryTree::new(16, 5_000).unwrap(), 1, Standard), C + 4 * (L + T));
    assert_eq!(makespan(Butterfly::new(16, 5_000, false).unwrap(), 1, Standard), C + 4 * (L + T));
    assert_eq!(makespan(Butterfly::new(16, 5_000, false).unwrap(), 1, Ready), C + 4 * (L + T));
    assert_eq!(makespan(Butterfly::new(16, 5_000, true).unwrap(), 1, Standard), C + 4 * L + 15 * T);
    // All at once, or one after the other: three messages of a group of four.
    assert_eq!(makespan(AllToAll::in_groups(8, 1, 5_000, Destinations::FromNext).unwrap(), 1, Standard), C + L + T);
    assert_eq!(makespan(AllToAll::in_groups(8, 1, 5_000, Destinations::FromNext).unwrap(), 1, Ready), C + 7 * T + L);
    assert_eq!(makespan(AllToAll::in_groups(8, 1, 5_000, Destinations::FromZero).unwrap(), 1, Ready), C + 7 * T + L);
    assert_eq!(makespan(AllToAll::in_groups(8, 2, 5_000, Destinations::FromNext).unwrap(), 1, Ready), C + 3 * T + L);
    assert_eq!(makespan(Stencil::new(vec![3, 4], false, 5_000).unwrap(), 1, Standard), C + L + T);
    // All of a torus of three by three send four, and the middle of an open grid does.
    assert_eq!(makespan(Stencil::new(vec![3, 3], true, 5_000).unwrap(), 1, Ready), C + 4 * T + L);
    let one = |way, mode| makespan(OneAndAll::new(way, 8, 3, 5_000).unwrap(), 1, mode);
    assert_eq!(one(Way::OneToAll, Ready), C + 7 * T + L);
    // All arrive at once: an ideal network has no contention.
    assert_eq!(one(Way::AllToOne, Ready), C + L + T);
    // Four stops of a ring of eight, a fourth of the time at each, and the way home.
    assert_eq!(makespan(NBodies::new(8, 5_000).unwrap(), 1, Standard), 4 * (L + T + C / 4) + L + T);
    // The middle of a grid of three by three sends four messages in turn.
    assert_eq!(makespan(Stencil::new(vec![3, 3], false, 5_000).unwrap(), 1, Ready), C + 4 * T + L);
}

/// From corner to corner of a grid of 4 x 3 there are five hops, and six ranks that compute. Where a message leaves after
/// another, the way along the second dimension first is the longest: each of its two hops waits for the message in the
/// first dimension.
#[test]
fn wavefronts_by_hand() {
    let sweep = |iterations, mode| makespan(Wavefront::new(vec![4, 3], 5_000).unwrap(), iterations, mode);
    assert_eq!(sweep(1, SendMode::Standard), 6 * C + 5 * (L + T));
    assert_eq!(sweep(1, SendMode::Ready), 6 * C + 5 * (L + T) + 2 * T);
    // Sweeps follow each other like in a pipeline, one computation apart.
    assert_eq!(sweep(10, SendMode::Standard), (6 + 9) * C + 5 * (L + T));
}

/// Plays the operations of all ranks without a network: a message arrives so long after it was sent.
fn played(mut source: Iterate) -> u64 {
    let ranks = source.ranks();
    let all = |rank| {
        let mut operations = Vec::new();
        while {
            let before = operations.len();
            source.refill(rank, &mut operations).unwrap();
            operations.len() > before
        } {}
        VecDeque::from(operations)
    };
    let mut left: Vec<VecDeque<Operation>> = (0..ranks).map(all).collect();
    let mut clocks = vec![0; ranks as usize];
    let mut arrivals: BTreeMap<(u32, u32), VecDeque<u64>> = BTreeMap::new();
    while left.iter().any(|operations| !operations.is_empty()) {
        let before: usize = left.iter().map(VecDeque::len).sum();
        for (rank, operations) in (0..).zip(&mut left) {
            let clock = &mut clocks[rank as usize];
            while let Some(operation) = operations.front() {
                match *operation {
                    Operation::Compute(time) => *clock += time.0 / 1_000_000,
                    Operation::Send { to, .. } => arrivals.entry((rank, to)).or_default().push_back(*clock + L + T),
                    Operation::Recv { from: Some(from), .. } => {
                        let Some(at) = arrivals.entry((from, rank)).or_default().pop_front() else { break };
                        *clock = at.max(*clock);
                    }
                    _ => {}
                }
                operations.pop_front();
            }
        }
        assert!(left.iter().map(VecDeque::len).sum::<usize>() < before, "a circle of waits");
    }
    clocks.into_iter().max().unwrap()
}

/// The longest chain of random messages, wave by wave.
#[test]
fn waves_take_as_long_as_in_a_plain_model() {
    let mut times = Vec::new();
    for (wave, seed) in [(1, 1), (1, 2), (8, 1), (100, 1), (400, 1)] {
        let waves = Waves::new(20, 400, wave, 5_000, seed).unwrap();
        let time = makespan(waves, 2, SendMode::Standard);
        assert_eq!(time, played(Iterate::new(application(waves, 2, SendMode::Standard), 1)), "{wave}");
        times.push(time);
    }
    // Two iterations of 400 messages that are all independent.
    assert_eq!(times[4], 2 * (C + L + T));
    assert!(times[0] > times[2] && times[2] > times[3] && times[3] > times[4], "{times:?}");
}

/// Programs whose ranks send before they receive end on a network that fills, whatever the size of messages: a ready
/// send waits for nobody.
#[test]
fn ready_sends_end_on_a_full_mesh() {
    let network = mesh(&[4, 4], 1, 1);
    let chains: [Work; 9] = [
        AllToAll::in_groups(16, 1, 700, Destinations::FromNext).unwrap().into(),
        BinaryTree::new(16, 700).unwrap().into(),
        Butterfly::new(16, 700, true).unwrap().into(),
        Stencil::new(vec![4, 2, 2], false, 7_000).unwrap().into(),
        Stencil::new(vec![4, 2, 2], true, 7_000).unwrap().into(),
        NBodies::new(16, 7_000).unwrap().into(),
        OneAndAll::new(Way::AllToOne, 16, 2, 7_000).unwrap().into(),
        Wavefront::new(vec![2, 8], 7_000).unwrap().into(),
        Waves::new(16, 300, 64, 500, 1).unwrap().into(),
    ];
    for chain in chains {
        for eager_limit in [0, 1 << 20] {
            let mut config = config(&network, 3);
            config.node.eager_limit = Bytes(eager_limit);
            let source = Box::new(Iterate::new(application(chain.clone(), 2, SendMode::Ready), 1));
            let placement = (0..16).map(NodeId).collect();
            let job = Job { name: "chain".into(), source, placement, start: Time::ZERO };
            let record = run(&network, &config, Workload::Jobs(vec![job]));
            assert_eq!(record.warnings, []);
            assert_eq!(record.ranks.iter().map(|rank| rank.messages).sum::<u64>(), 2 * chain.messages());
            assert_eq!(record.ranks.iter().map(|rank| rank.bytes).sum::<u64>(), 2 * chain.bytes());
        }
    }
}
