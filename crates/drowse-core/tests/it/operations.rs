//! How ranks spend their time by kind of operation.

use std::collections::BTreeMap;

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::{OperationTimes, RankTimes, Record, Waits};
use drowse_core::model::config::{Config, Overheads};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::topology::{Ideal, Network, TopologySpec};
use drowse_core::workload::Workload;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_core::workload::operation_kind::{CollectiveKind, OperationKind};
use proptest::prelude::*;

use crate::common::*;
use crate::random_programs::program;

/// Runs a workload in so many partitions, and counts its operations.
fn counted(network: &Network, config: &Config, policy: &StallTimer, workload: Workload, partitions: usize) -> Record {
    let mut simulation = Simulation::in_partitions(network, config, policy, workload, partitions).unwrap();
    simulation.count_operations();
    while let Progress::Running(_) = simulation.advance(u64::MAX).unwrap() {}
    simulation.into_record()
}

fn ns(ns: u64) -> Time {
    Time::from_ns(ns)
}

/// Each operation of a program by hand has the time from its begin to that of the next. A message takes 2 us and 1 ns a
/// byte.
#[test]
fn a_program_by_hand() {
    let (latency, bandwidth) = (Time::from_us(2), BitRate::from_bytes_per_second(1_000_000_000));
    let network = TopologySpec::Ideal(Ideal { nodes: 8, latency, bandwidth }).build().unwrap();
    let mut config = config(&network, 1);
    config.node.eager_limit = Bytes(10_000);
    let barrier = || Operation::collective(Collective::Barrier);
    let asks = Operation::Send { to: 1, tag: 0, comm: 0, mode: SendMode::Synchronous, bytes: 0 };
    let first = vec![compute(ns(5_000)), send(1, 500), barrier(), asks];
    let second = vec![irecv(0, 0, 1), compute(ns(1_000)), Operation::WaitAll, barrier(), recv(0)];
    let record = counted(&network, &config, &StallTimer::always_on(1), job(vec![first, second], &[0, 1]), 1);
    let nothing = RankTimes::default();
    let computes = |time| RankTimes { computing: ns(time), ..nothing };
    let waits = |[working, waiting, network]: [u64; 3]| {
        let [partner_working, partner_waiting, network] = [working, waiting, network].map(ns);
        Waits { partner_working, partner_waiting, network, ..Waits::default() }
    };
    // In the barrier, the second rank is late, which waits for the message; then the first asks and is answered.
    let in_barrier = RankTimes { collectives: ns(4_500), waits: waits([0, 2_500, 2_000]), ..nothing };
    let sends = RankTimes { sending: ns(4_000), waits: waits([0, 0, 4_000]), ..nothing };
    // The second leaves the barrier at 7.5 us, and its partner at 9.5 us.
    let waits_for_all = RankTimes { receiving: ns(6_500), waits: waits([4_000, 0, 2_500]), ..nothing };
    let receives = RankTimes { receiving: ns(8_000), waits: waits([0, 2_000, 6_000]), ..nothing };
    let expected = [
        vec![
            (OperationKind::Compute, computes(5_000)),
            (OperationKind::Send(SendMode::Standard), nothing),
            (OperationKind::Send(SendMode::Synchronous), sends),
            (OperationKind::Collective(CollectiveKind::Barrier), in_barrier),
        ],
        vec![
            (OperationKind::Compute, computes(1_000)),
            (OperationKind::Recv, receives),
            (OperationKind::Irecv, nothing),
            (OperationKind::WaitAll, waits_for_all),
            (OperationKind::Collective(CollectiveKind::Barrier), nothing),
        ],
    ];
    for (rank, kinds) in expected.into_iter().enumerate() {
        let once = |(kind, times)| (kind, OperationTimes { calls: 1, times });
        let kinds: BTreeMap<OperationKind, OperationTimes> = kinds.into_iter().map(once).collect();
        assert_eq!(record.operations[rank], kinds, "rank {rank}");
    }
}

proptest! {
    #![proptest_config(proptest_config(30))]

    /// The times by kind of operation sum to those of the rank, and the calls to its program's operations. Counting
    /// changes nothing, and partitions change no count.
    #[test]
    fn kinds_sum_to_the_whole(
        program in program(),
        deep in prop::option::of(0u64..3_000_000),
        overhead in 0u64..50_000,
        costs in prop::option::of((0u64..50_000, 0u64..300, 0u64..50_000, 0u64..300)),
    ) {
        let network = torus(&[3, 3], 1, 1);
        let mut config = config(&network, 3);
        config.node.eager_limit = Bytes(program.eager_limit);
        config.node.receive_overhead = Time(overhead);
        let costs = costs.unwrap_or_default();
        let [message, byte, gap, gap_per_byte] = [costs.0, costs.1, costs.2, costs.3].map(Time);
        config.node.overheads = Overheads { message, byte, gap, gap_per_byte };
        let policy = StallTimer::uniform(network.classes.len(), None, deep.map(Time));
        let workload = || program.workload(&network, Time::ZERO);
        let record = counted(&network, &config, &policy, workload(), 1);
        for (rank, kinds) in record.ranks.iter().zip(&record.operations) {
            let sum = |sum: RankTimes, kind: &OperationTimes| sum.plus(kind.times);
            prop_assert_eq!(kinds.values().fold(RankTimes::default(), sum), rank.times);
        }
        let calls: Vec<u64> = record.operations.iter().map(|kinds| kinds.values().map(|kind| kind.calls).sum()).collect();
        let expected: Vec<u64> = program.ranks().iter().map(|operations| operations.len() as u64).collect();
        prop_assert_eq!(calls, expected);
        let parts = counted(&network, &config, &policy, workload(), 3);
        prop_assert_eq!(&parts.operations, &record.operations);
        prop_assert_eq!(parts.ranks, record.ranks.clone());
        let plain = run_with(&network, &config, &policy, workload());
        prop_assert_eq!(Record { operations: Vec::new(), ..record }, plain);
    }
}
