//! Algorithms that follow the nodes: the volumes of NCCL's rings and trees in closed form, and what goes between nodes.

use super::super::nccl::double_tree::double;
use super::received::Received;
use super::*;
use crate::model::ids::NodeId;
use crate::model::units::Bytes;
use crate::workload::algorithms::{Allgather, Allreduce, Barrier, Bcast, Reduce, ReduceScatter};

/// Runs a collective among ranks of these nodes; returns messages and bytes by sender and receiver.
fn sent(algorithms: &Algorithms, nodes: &[u32], collective: &Collective) -> Received {
    let groups = Groups::new(&nodes.iter().copied().map(NodeId).collect::<Vec<_>>());
    let expand = |member: Member, operations: &mut Vec<Operation>| {
        expand_among(algorithms, Some(&groups), collective, member, operations);
    };
    run(&programs(nodes.len() as u32, expand), &Received::default())
}

impl Received {
    /// What a rank sends.
    fn by(&self, rank: u32) -> (u32, u64) {
        self.sum(|from, _| from == rank)
    }

    fn sum(&self, counts: impl Fn(u32, u32) -> bool) -> (u32, u64) {
        let counted = self.0.iter().filter(|&(&(from, to), _)| counts(from, to)).map(|(_, sent)| sent);
        counted.fold((0, 0), |(messages, bytes), sent| (messages + sent.0, bytes + sent.1))
    }

    /// What goes from one node to another.
    fn between(&self, nodes: &[u32]) -> (u32, u64) {
        self.sum(|from, to| nodes[from as usize] != nodes[to as usize])
    }
}

/// Every rank sends 2 (n - 1) / n of the data around the rings, in as many messages as there are steps, channels and
/// rounds.
#[test]
fn rings_send_all_blocks_but_one_twice() {
    for (size, channels, rounds) in [(2u32, 1u32, 1u32), (3, 2, 1), (7, 1, 4), (8, 4, 2), (64, 2, 3), (130, 1, 1)] {
        let nodes: Vec<u32> = (0..size).collect();
        // Each channel has in each round a chunk of 80 B for each rank.
        let bytes = u64::from(size * channels * rounds) * 80;
        let named = |allreduce| Algorithms {
            allreduce: Some(allreduce),
            segment: Some(Bytes(80)),
            channels: Some(channels),
            ..Algorithms::default()
        };
        let collective = Collective::Allreduce { bytes, count: bytes / 8, compute: Time::ZERO };
        let sent = sent(&named(Allreduce::NcclRing), &nodes, &collective);
        for rank in 0..size {
            let expected = (2 * (size - 1) * channels * rounds, 2 * u64::from(size - 1) * (bytes / u64::from(size)));
            assert_eq!(sent.by(rank), expected, "rank {rank} of {size}");
            assert_eq!(sent.sum(|from, to| from == rank && to == (rank + 1) % size), expected, "to the next rank only");
        }
    }
}

/// Rings of blocks: a rank sends all blocks but one, once. Chains: every rank but one sends or receives all data once,
/// in segments.
#[test]
fn rings_of_blocks_and_chains_by_closed_form() {
    for (size, channels) in [(2u32, 1u32), (5, 3), (16, 2), (67, 1)] {
        let nodes: Vec<u32> = (0..size).collect();
        let list: Box<[u64]> = (0..size).map(|rank| u64::from(rank % 5) * 30 * u64::from(channels)).collect();
        let total: u64 = list.iter().sum();
        let named = Algorithms {
            bcast: Some(Bcast::NcclRing),
            reduce: Some(Reduce::NcclRing),
            allgather: Some(Allgather::NcclRing),
            reduce_scatter: Some(ReduceScatter::NcclRing),
            segment: Some(Bytes(30)),
            channels: Some(channels),
            ..Algorithms::default()
        };
        let gathered = sent(&named, &nodes, &Collective::Allgatherv { bytes: list.clone() });
        let scattered = sent(&named, &nodes, &Collective::ReduceScatter { bytes: list.clone(), compute: Time::ZERO });
        for rank in 0..size {
            let next = list[((rank + 1) % size) as usize];
            assert_eq!(gathered.by(rank).1, total - next, "all but the next rank's block, {rank} of {size}");
            assert_eq!(scattered.by(rank).1, total - list[rank as usize], "all but the own block, {rank} of {size}");
        }
        let (root, bytes) = (size / 2, u64::from(channels) * 300);
        let cast = sent(&named, &nodes, &Collective::Bcast { root, bytes, count: bytes });
        let reduced = sent(&named, &nodes, &Collective::Reduce { root, bytes, count: bytes, compute: Time::ZERO });
        for rank in 0..size {
            // The chain ends before the root; data that flows to the root begins behind it. All segments but the first
            // are granted by their receiver.
            let chain = |sends: u32, receives: u32| ((10 * sends + 9 * receives) * channels, bytes * u64::from(sends));
            let [last, root, first] = [(rank + 1) % size == root, rank == root, rank == (root + 1) % size];
            let [goes_on, other, later] = [!last, !root, !first].map(u32::from);
            assert_eq!(cast.by(rank), chain(goes_on, other), "rank {rank} of {size}");
            assert_eq!(reduced.by(rank), chain(other, later), "rank {rank} of {size}");
        }
    }
}

/// Two binary trees among 2 to 300 places: parents and children agree, all places are below the one root, which has one
/// child, and a place that is not a leaf in one tree is one in the other. With an odd number of places there are as
/// many leaves as other places in two trees less one, so the root of the first has no leaf to be: it has one child in
/// each tree.
#[test]
fn leaves_of_one_tree_are_inner_places_of_the_other() {
    for size in 2..=300u32 {
        for second in [false, true] {
            let mut roots = 0;
            for place in 0..size {
                let here = double(second, place, size);
                assert!(here.children.len() <= 2, "{place} among {size}");
                roots += u32::from(here.parent.is_none());
                assert!(here.parent.is_some() || here.children.len() == 1, "{place} among {size}");
                for &child in &here.children {
                    assert_eq!(double(second, child, size).parent, Some(place), "{child} below {place} among {size}");
                }
                if let Some(parent) = here.parent {
                    assert!(double(second, parent, size).children.contains(&place), "{place} among {size}");
                }
                // No place is further from the root than the digits of their number.
                let path = std::iter::successors(Some(place), |&place| double(second, place, size).parent);
                assert!(path.take(40).count() as u32 <= size.ilog2() + 2, "{place} among {size}");
            }
            assert_eq!(roots, 1, "{size} places");
        }
        for place in 0..size {
            let children = [false, true].map(|second| double(second, place, size).children.len());
            let odd_root = size % 2 == 1 && place == 0;
            let expected = if odd_root { children == [1, 1] } else { children.contains(&0) && children != [0, 0] };
            assert!(expected, "{place} among {size}: {children:?}");
        }
    }
    // The first tree among 8, as in NCCL: 0 - 4 - (2, 6) - (1, 3), (5, 7); the second is its mirror.
    assert_eq!(
        [0, 4, 2, 6].map(|place| double(false, place, 8).children),
        [vec![4], vec![2, 6], vec![1, 3], vec![5, 7]]
    );
    assert_eq!(
        [7, 3, 5, 1].map(|place| double(true, place, 8).children),
        [vec![3], vec![5, 1], vec![6, 4], vec![2, 0]]
    );
}

/// In two trees, a rank sends at most twice the data: a half to its parent and to two children in one, and a half to
/// its parent in the other. All together send the data up and down n - 1 times, in four segments of each half, of which
/// all but the first are granted.
#[test]
fn trees_send_at_most_twice_the_data() {
    let named =
        Algorithms { allreduce: Some(Allreduce::DoubleBinaryTree), segment: Some(Bytes(128)), ..Algorithms::default() };
    for size in (2..=40u32).chain([64, 99, 300]) {
        let nodes: Vec<u32> = (0..size).collect();
        let bytes = 1_024;
        let sent = sent(&named, &nodes, &Collective::Allreduce { bytes, count: bytes / 8, compute: Time::ZERO });
        assert_eq!(sent.sum(|_, _| true), ((16 + 12) * (size - 1), 2 * u64::from(size - 1) * bytes), "{size} ranks");
        for rank in 0..size {
            let (_, all) = sent.by(rank);
            assert!((bytes..=2 * bytes).contains(&all), "rank {rank} of {size} sends {all} B");
        }
    }
}

/// Rings and trees among nodes of several ranks. A ring leaves each node once; a tree connects the nodes by one edge
/// less than there are. Channels begin a node at its ranks in turn.
#[test]
fn few_edges_are_between_nodes() {
    // Nodes of 4, 3, 1 and 4 ranks, mixed.
    let nodes = [0, 1, 0, 2, 3, 0, 1, 3, 3, 1, 0, 3];
    let (size, bytes) = (12u64, 12 * 800);
    for channels in [1u32, 2, 4] {
        let share = bytes / u64::from(channels);
        let named =
            |allreduce| Algorithms { allreduce: Some(allreduce), channels: Some(channels), ..Algorithms::default() };
        let collective = Collective::Allreduce { bytes, count: bytes / 8, compute: Time::ZERO };
        let ring = sent(&named(Allreduce::NcclRing), &nodes, &collective);
        assert_eq!(ring.between(&nodes), (22 * 4 * channels, 2 * 4 * 11 * (bytes / size)));
        let tree = sent(&named(Allreduce::DoubleBinaryTree), &nodes, &collective);
        assert_eq!(tree.between(&nodes), (2 * 2 * 3 * channels, 2 * 3 * u64::from(channels) * share));
        // Each of the four ranks of node 0 sends to node 1 in a channel of its own.
        let senders = [0, 2, 5, 10].map(|rank| ring.sum(|from, to| from == rank && nodes[to as usize] == 1).0);
        assert_eq!(senders.iter().filter(|&&messages| messages > 0).count() as u32, channels, "{senders:?}");
        let within = ring.sum(|from, to| nodes[from as usize] == nodes[to as usize]).0;
        assert_eq!(within, 22 * 8 * channels);
    }
}

/// Hierarchical collectives: only leaders send between nodes, and what the rules say for as many ranks as there are
/// nodes.
#[test]
fn only_leaders_send_between_nodes() {
    let nodes = [0, 1, 0, 2, 3, 0, 1, 3, 3, 1, 0, 3];
    let (bytes, count, compute) = (512, 64, Time::ZERO);
    let named = Algorithms {
        barrier: Some(Barrier::Hierarchical),
        bcast: Some(Bcast::Hierarchical),
        reduce: Some(Reduce::Hierarchical),
        allreduce: Some(Allreduce::Hierarchical),
        allgather: Some(Allgather::Hierarchical),
        reduce_scatter: Some(ReduceScatter::Hierarchical),
        ..Algorithms::default()
    };
    // Rank 8, the root, leads node 3; the lowest ranks lead the others.
    let list: Box<[u64]> = (0..12).map(|rank| 10 + rank).collect();
    let of_nodes = [10 + 12 + 15 + 20, 11 + 16 + 19, 13, 14 + 17 + 18 + 21];
    let total: u64 = of_nodes.iter().sum();
    for (collective, leaders, messages, all) in [
        // Recursive doubling among 4, twice 4 messages.
        (Collective::Barrier, [0, 1, 3, 4], 8, 0),
        // A binomial tree, also for 512 B of a reduction among less than 8.
        (Collective::Bcast { root: 8, bytes, count }, [0, 1, 3, 8], 3, 3 * bytes),
        (Collective::Reduce { root: 8, bytes, count, compute }, [0, 1, 3, 8], 3, 3 * bytes),
        (Collective::Allreduce { bytes, count, compute }, [0, 1, 3, 4], 8, 8 * bytes),
        // Bruck's algorithm: every block goes to three others.
        (Collective::Allgatherv { bytes: list.clone() }, [0, 1, 3, 4], 8, 3 * total),
        // Recursive halving: every node sends all blocks but its own.
        (Collective::ReduceScatter { bytes: list.clone(), compute }, [0, 1, 3, 4], 8, 3 * total),
    ] {
        let sent = sent(&named, &nodes, &collective);
        assert_eq!(sent.between(&nodes), (messages, all), "{collective:?}");
        let others = sent.sum(|from, to| nodes[from as usize] != nodes[to as usize] && !leaders.contains(&from));
        assert_eq!(others, (0, 0), "{collective:?}");
    }
}
