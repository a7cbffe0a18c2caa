//! Every algorithm by name against its closed form, on one switch.

use drowse_core::model::config::NodeModel;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::workload::algorithms::{
    Algorithms, Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter,
};
use drowse_core::workload::operation::Collective;

use crate::collective_cases::{Form, Named, run};

/// By how much a time may differ from its closed form.
const WITHIN: f64 = 0.1;

/// Says what differs from its closed form.
fn differs(named: Named, ranks: u32, ours: f64, form: &Form) -> Option<String> {
    let close = (ours / form.1 - 1.0).abs() <= WITHIN;
    (!close).then(|| format!("{named:?} among {ranks}: {ours:.3}, not {} = {:.3}", form.0, form.1))
}

/// Fails with all that differs.
fn none(differing: &[String]) {
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// Whether an algorithm has a closed form among so many ranks: some have one among a power of two only.
fn applies(named: Named, ranks: u32) -> bool {
    let doubles = match named {
        Named::Barrier(named) => named == Barrier::FoldedDoubling,
        Named::Bcast(named) => named == Bcast::ScatterAllgather,
        Named::Reduce(named) => named == Reduce::Rabenseifner,
        Named::Allreduce(named) => {
            matches!(named, Allreduce::RecursiveDoubling | Allreduce::Rabenseifner | Allreduce::RabenseifnerDoubling)
        }
        Named::Gather(named) => named == Gather::Binomial,
        Named::Scatter(named) => matches!(named, Scatter::Binomial | Scatter::BinomialLargestFirst),
        Named::Alltoall(named) => named == Alltoall::Bruck,
        Named::ReduceScatter(named) => matches!(named, ReduceScatter::RecursiveHalving | ReduceScatter::Butterfly),
        _ => false,
    };
    !doubles || ranks.is_power_of_two()
}

/// Large data is sent at the bound of each algorithm, where all is sent eagerly.
#[test]
fn large_data_takes_what_bandwidth_bounds() {
    let mut differing = Vec::new();
    for ranks in [2, 5, 8, 13] {
        for named in Named::all().into_iter().filter(|named| applies(*named, ranks)) {
            let Some(form) = named.large(ranks) else { continue };
            differing.extend(differs(named, ranks, named.run_large(ranks, Bytes(1 << 40)), &form));
        }
    }
    none(&differing);
}

/// Small data takes a message's latency for each round. Among many ranks, what one sends to all, one after the other,
/// takes longer.
#[test]
fn small_data_takes_what_latency_bounds() {
    let mut differing = Vec::new();
    for ranks in [2, 5, 8, 13, 16] {
        let in_turn = |named: &Named| ranks > 8 && named.words().1.starts_with("linear");
        for named in Named::all().into_iter().filter(|named| applies(*named, ranks) && !in_turn(named)) {
            differing.extend(differs(named, ranks, named.run_small(ranks), &named.small(ranks)));
        }
    }
    none(&differing);
}

/// With the usual limit of rendezvous, NCCL's algorithms and what is cut into short segments are as fast. Of the others,
/// exchanges of Open MPI may take turns: `docs/collectives.md` says why.
#[test]
fn rendezvous_does_not_slow_pipelines() {
    let (limit, mut differing) = (NodeModel::default().eager_limit, Vec::new());
    for ranks in [2, 5, 8, 13] {
        for named in [
            Named::Bcast(Bcast::NcclRing),
            Named::Bcast(Bcast::Chain),
            Named::Bcast(Bcast::Binary),
            Named::Reduce(Reduce::NcclRing),
            Named::Reduce(Reduce::Chain),
            Named::Reduce(Reduce::Binary),
            Named::Allreduce(Allreduce::Ring),
            Named::Allreduce(Allreduce::NcclRing),
            Named::Allreduce(Allreduce::DoubleBinaryTree),
            Named::Allgather(Allgather::NcclRing),
        ] {
            let Some(form) = named.large(ranks) else { continue };
            differing.extend(differs(named, ranks, named.run_large(ranks, limit), &form));
        }
    }
    none(&differing);
}

/// 100 MB on a double tree among 8 ranks, in long chunks and in short ones: 2 S / B are 4.0 ms.
#[test]
fn a_double_tree_moves_twice_the_data() {
    let (bytes, compute) = (100_000_000, Time::ZERO);
    for segment in [512 << 10, 60 << 10] {
        let allreduce = Some(Allreduce::DoubleBinaryTree);
        let algorithms = Algorithms { allreduce, segment: Some(Bytes(segment)), ..Algorithms::default() };
        let time = run(&algorithms, &Collective::Allreduce { bytes, count: bytes, compute }, 8, Bytes(64 << 10));
        assert!((time.0 as f64 / 4.0e9 - 1.0).abs() <= WITHIN, "{time:?} in chunks of {segment} B");
    }
}

/// Where everything is sent by rendezvous, all ranks end: any number of ranks, of channels, and any size of segments.
#[test]
fn all_end_by_rendezvous() {
    let compute = Time::ZERO;
    for ranks in [2, 3, 6, 7, 11] {
        for (segment, channels) in [(4 << 10, 1), (5_001, 3), (1 << 20, 2)] {
            let named = Algorithms {
                bcast: Some(Bcast::NcclRing),
                reduce: Some(Reduce::NcclRing),
                allreduce: Some(Allreduce::DoubleBinaryTree),
                segment: Some(Bytes(segment)),
                channels: Some(channels),
                ..Algorithms::default()
            };
            let (root, bytes, count) = (ranks - 1, 300_001, 300_001);
            for collective in [
                Collective::Bcast { root, bytes, count },
                Collective::Reduce { root, bytes, count, compute },
                Collective::Allreduce { bytes, count, compute },
            ] {
                let time = run(&named, &collective, ranks, Bytes(0));
                assert!(time.0 as f64 >= 300_001.0 * 20.0, "{collective:?} among {ranks} takes {time:?}");
            }
        }
    }
}
