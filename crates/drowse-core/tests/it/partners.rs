//! For whom ranks wait: the rank whose message, or answer, has ended a wait.

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::rank_waits::{RankWait, RankWaits};
use drowse_core::measure::timeline::RankState;
use drowse_core::measure::{Record, Waits};
use drowse_core::model::config::{Config, Overheads};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{ByClass, StallTimer};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use proptest::prelude::*;

use crate::common::*;
use crate::random_programs::program;
use crate::small;

const PAUSE: Time = Time::from_us(30);

fn recorded(
    (network, config): (&Network, &Config),
    policy: &ByClass,
    workload: Workload,
    parts: usize,
) -> (Record, Vec<RankWaits>) {
    let mut simulation = Simulation::in_partitions(network, config, policy, workload, parts).unwrap();
    simulation.record_waits();
    while simulation.advance(1_000).unwrap() != Progress::Done {}
    let waits = simulation.take_waits();
    (simulation.into_record(), waits)
}

/// Runs a program on a ring of four switches whose links are always on.
fn run_program(ranks: &[Vec<Operation>], eager_limit: u64) -> (Record, Vec<RankWaits>) {
    let network = torus(&[4], 1, 1);
    let mut config = config(&network, 3);
    config.node.eager_limit = Bytes(eager_limit);
    let nodes: Vec<u32> = (0..ranks.len() as u32).collect();
    let policy = by_class(&StallTimer::always_on(network.classes.len()));
    recorded((&network, &config), &policy, job(ranks.to_vec(), &nodes), 1)
}

/// Each rank of a chain waits for the one before it, which is its partner, and for nobody else.
#[test]
fn a_chain() {
    let forward = |from: u32| vec![recv(from), compute(PAUSE), send(from + 2, 16)];
    let ranks = [vec![compute(PAUSE), send(1, 16)], forward(0), forward(1), vec![recv(2)]];
    let (record, waits) = run_program(&ranks, u64::MAX);
    assert!(waits[0].by_partner.is_empty() && waits[0].longest.is_empty());
    for rank in 1..4 {
        let RankWaits { rank: number, by_partner, longest } = &waits[rank as usize];
        let all = record.ranks[rank as usize].times.waits;
        assert_eq!((*number, by_partner.len(), by_partner[&Some(rank - 1)]), (rank, 1, all));
        let wait = RankWait {
            from: Time::ZERO,
            to: all.total(),
            partner: Some(rank - 1),
            state: RankState::Receiving,
            causes: all,
        };
        assert_eq!(longest, &[wait]);
    }
    // The second message is sent when the first has come and the pause is over.
    let causes = waits[2].by_partner[&Some(1)];
    assert_eq!((causes.partner_working, causes.partner_waiting), (PAUSE, waits[1].longest[0].length()));
}

/// A large send waits for its receiver, and a receiver that has come late for its sender, though it has ended the wait of
/// that itself.
#[test]
fn both_ends_of_a_large_message() {
    let ranks = [vec![compute(PAUSE), send(1, 16)], vec![recv(0)]];
    for ranks in [ranks, [vec![send(1, 16)], vec![compute(PAUSE), recv(0)]]] {
        let (record, waits) = run_program(&ranks, 0);
        for (rank, partner) in [(0, 1), (1, 0)] {
            let all = record.ranks[rank].times.waits;
            assert_eq!((waits[rank].by_partner.len(), waits[rank].by_partner[&Some(partner)]), (1, all), "{rank}");
        }
        assert_eq!(waits[0].longest[0].state, RankState::Sending);
    }
}

proptest! {
    #![proptest_config(proptest_config(40))]

    /// What ranks wait for each other sums to all of their waits, in any partitions; recording changes nothing.
    #[test]
    fn waits_by_partner_are_all_waits(
        small in prop::sample::select(small::all()),
        idle in (0u64..5_000, 0u64..300_000),
        program in program(),
        costs in prop::option::of((0u64..50_000, 0u64..300, 0u64..50_000, 0u64..300)),
        parts in 2usize..6,
    ) {
        let network = small.network();
        let mut config = small.config(&network);
        config.node.eager_limit = Bytes(program.eager_limit);
        let costs = costs.unwrap_or_default();
        let [message, byte, gap, gap_per_byte] = [costs.0, costs.1, costs.2, costs.3].map(Time);
        config.node.overheads = Overheads { message, byte, gap, gap_per_byte };
        let policy = by_class(&StallTimer::uniform(network.classes.len(), Some(Time(idle.0)), Some(Time(idle.1))));
        let workload = || program.workload(&network, Time::ZERO);
        let (record, waits) = recorded((&network, &config), &policy, workload(), 1);
        prop_assert_eq!(waits.len(), record.ranks.len());
        for (of_rank, rank) in waits.iter().zip(&record.ranks) {
            let sum = of_rank.by_partner.values().fold(Waits::default(), |sum, causes| sum.plus(*causes));
            prop_assert_eq!(sum, rank.times.waits);
            prop_assert!(of_rank.longest.iter().all(|wait| wait.causes.total() == wait.length()));
        }
        let (other, in_parts) = recorded((&network, &config), &policy, workload(), parts);
        prop_assert_eq!(&in_parts, &waits);
        let plain = run_with(&network, &config, &policy, workload());
        prop_assert_eq!(without_events(record), without_events(plain));
        prop_assert_eq!(other.makespan.is_some(), true);
    }
}
