//! Numbers of messages and bytes, by closed forms and by hand.

use super::super::{alltoall, gather, reduce_scatter};
use super::*;

/// Returns the messages and bytes that one rank sends.
fn sent(operations: &[Operation]) -> (u32, u64) {
    let bytes = operations.iter().filter_map(|operation| match operation {
        Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => Some(*bytes),
        _ => None,
    });
    bytes.fold((0, 0), |(messages, all), bytes| (messages + 1, all + bytes))
}

/// Returns the messages and bytes that each rank sends in a collective.
fn sent_by_ranks(collective: &Collective, size: u32) -> Vec<(u32, u64)> {
    programs(size, |member, operations| expand(collective, member, operations)).iter().map(|p| sent(p)).collect()
}

/// Returns the bytes that all ranks send.
fn bytes_sent(collective: &Collective, size: u32) -> u64 {
    sent_by_ranks(collective, size).iter().map(|(_, bytes)| bytes).sum()
}

/// Returns the number of rounds in which distances double until they reach a number of ranks.
fn doublings(size: u32) -> u32 {
    size.next_power_of_two().ilog2()
}

proptest! {
    /// Trees move every byte once to or from each rank but the root. A ring moves two blocks less than twice the data.
    #[test]
    fn volumes_by_closed_form(size in 2u32..40, count in 1u64..300_000) {
        let bytes = count * 8;
        let others = u64::from(size - 1);
        let compute = Time::ZERO;
        prop_assert_eq!(bytes_sent(&Collective::Reduce { root: 0, bytes, count, compute }, size), others * bytes);
        prop_assert_eq!(bytes_sent(&Collective::Bcast { root: 0, bytes, count }, size), others * bytes);
        if bytes >= 10_000 && count > u64::from(size) {
            prop_assert_eq!(bytes_sent(&Collective::Allreduce { bytes, count, compute }, size), 2 * others * bytes);
        }
        prop_assert_eq!(bytes_sent(&Collective::Scan { bytes, compute }, size), others * bytes);
    }

    /// In an allgather, every rank sends as many bytes as the others' blocks have, by any algorithm. The number of
    /// rounds is that of the algorithm.
    #[test]
    fn allgathers_by_closed_form(size in 2u32..40, bytes in 0u64..10_000) {
        let total = bytes * u64::from(size);
        let near = if size % 2 == 0 { size / 2 } else { size - 1 };
        let rounds = if total < 50_000 { doublings(size) } else { near };
        let expected = vec![(rounds, total - bytes); size as usize];
        prop_assert_eq!(sent_by_ranks(&Collective::Allgather { bytes }, size), expected.clone());
        let list = vec![bytes; size as usize].into();
        prop_assert_eq!(sent_by_ranks(&Collective::Allgatherv { bytes: list }, size), expected);
    }

    /// In an alltoall, every rank sends each block once. In Bruck's algorithm, a block travels once per set binary
    /// digit of its distance.
    #[test]
    fn exchanges_by_closed_form(size in 2u32..40, bytes in prop_oneof![0u64..400, 0u64..10_000]) {
        let digits: u32 = (1..size).map(u32::count_ones).sum();
        let expected = if bytes < 200 && size > 12 {
            (doublings(size), bytes * u64::from(digits))
        } else {
            (size - 1, bytes * u64::from(size - 1))
        };
        prop_assert_eq!(sent_by_ranks(&Collective::Alltoall { bytes }, size), vec![expected; size as usize]);
    }

    /// In a reduce-scatter, every rank sends all but its own block. Halving takes a logarithmic number of steps.
    #[test]
    fn reduce_scatters_by_closed_form(power in 0u32..6, bytes in 1u64..100_000) {
        let size = 1 << power;
        let list: Box<[u64]> = vec![bytes; size as usize].into();
        let total = bytes * u64::from(size);
        let halving = total <= 256 << 10 || f64::from(size) >= 0.0012 * total as f64 + 8.0;
        let rounds = if halving { power } else { size - 1 };
        let collective = Collective::ReduceScatter { bytes: list, compute: Time::ZERO };
        prop_assert_eq!(sent_by_ranks(&collective, size), vec![(rounds, total - bytes); size as usize]);
    }
}

/// A folding pair sends all data once more, and the folded rank's block back.
#[test]
fn halving_folds_ranks_beyond_a_power_of_two() {
    let sends = |rank| {
        let mut operations = Vec::new();
        reduce_scatter::recursive_halving(Member { rank, size: 5 }, &[1, 10, 100, 1_000, 10_000], &mut operations);
        sent(&operations)
    };
    assert_eq!(sends(0), (1, 11_111));
    // Rank 1 keeps the blocks of 0 and 1: it sends 3 and 4, then 2, then 0's.
    assert_eq!(sends(1), (3, 11_000 + 100 + 1));
    // Rank 4 sends those of 0, 1 and 2, then 3's.
    assert_eq!(sends(4), (2, 111 + 1_000));
}

/// Along a binomial tree of a power of two, a block travels once per set binary digit of its distance from the root.
#[test]
fn trees_by_closed_form() {
    let mut operations = Vec::new();
    for rank in 0..64 {
        gather::by(gather::Algorithm::Binomial, Member { rank, size: 64 }, 0, 10, &mut operations);
    }
    assert_eq!(sent(&operations), (63, 10 * 6 * 32));
    operations.clear();
    alltoall::bruck(Member { rank: 3, size: 64 }, 10, &mut operations);
    assert_eq!(sent(&operations), (6, 10 * 6 * 32));
}

/// Open MPI's choices at sizes that the traces use: number of messages by algorithm, by hand.
#[test]
fn decisions_by_hand() {
    let messages = |collective: Collective, rank: usize, size| sent_by_ranks(&collective, size)[rank].0;
    let compute = Time::ZERO;
    // 8 bytes among 64: recursive doubling, one message in each of 6 rounds.
    assert_eq!(messages(Collective::Allreduce { bytes: 8, count: 1, compute }, 5, 64), 6);
    // A small broadcast among 64: the root of a binomial tree has 6 children.
    assert_eq!(messages(Collective::Bcast { root: 3, bytes: 100, count: 25 }, 3, 64), 6);
    // 64 KiB among 64: split binary tree, 32 segments of 1 KiB to either child, then one half to the last rank.
    assert_eq!(messages(Collective::Bcast { root: 0, bytes: 65_536, count: 8_192 }, 0, 64), 65);
    // 4 MiB among 64: 64 < 3.2118e-6 * 4194304 + 8.7936 does not hold, so a pipeline of 8 KiB segments.
    assert_eq!(messages(Collective::Bcast { root: 0, bytes: 4 << 20, count: 1 << 19 }, 0, 64), 512);
    // 80 KB among 64, 10,000 elements: ring, 63 steps twice.
    assert_eq!(messages(Collective::Allreduce { bytes: 80_000, count: 10_000, compute }, 0, 64), 126);
    // 1 KiB reduced among 64: binomial without segments; an odd rank is a leaf.
    assert_eq!(messages(Collective::Reduce { root: 0, bytes: 1_024, count: 128, compute }, 1, 64), 1);
    assert_eq!(messages(Collective::Barrier, 0, 48), 6);
    // The root of a gather receives from 63 ranks. Linear and tree algorithms need no requests, the handshake one to
    // each.
    let gather = |bytes, size| messages(Collective::Gather { root: 0, bytes }, 0, size);
    assert_eq!([gather(5_000, 64), gather(6_000, 64), gather(6_001, 64), gather(100_000, 64)], [0, 0, 63, 63]);
    // Rank 32 of 64 sends its half of the tree or its own block at once, or in two segments.
    let gather = |bytes, size| sent_by_ranks(&Collective::Gather { root: 0, bytes }, size)[32];
    assert_eq!([gather(6_000, 64), gather(6_001, 64)], [(1, 32 * 6_000), (2, 6_001)]);
    assert_eq!([gather(1_023, 48), gather(1_024, 48)], [(1, 16 * 1_023), (1, 1_024)]);
    let first = |bytes| {
        let mut operations = Vec::new();
        expand(&Collective::Gather { root: 0, bytes }, Member { rank: 1, size: 64 }, &mut operations);
        operations[1].clone()
    };
    assert_eq!(first(92_160), Operation::send(0, 0, 1_024));
    assert_eq!(first(92_161), Operation::send(0, 0, 32_768));
    // A scatter's root has 6 children in a tree, else 63 receivers.
    let scatter = |bytes, size| messages(Collective::Scatter { root: 0, bytes }, 0, size);
    assert_eq!([scatter(299, 64), scatter(300, 64), scatter(299, 10), scatter(299, 11)], [6, 63, 9, 4]);
    // FT, class A on 64 ranks: 32 KiB to each, pairwise. Below 3,000 bytes: all at once. Below 200: in 6 bundles.
    let first = |bytes| {
        let mut operations = Vec::new();
        expand(&Collective::Alltoall { bytes }, Member { rank: 0, size: 64 }, &mut operations);
        operations.iter().take_while(|operation| matches!(operation, Operation::Irecv { .. })).count()
    };
    assert_eq!([first(32_768), first(3_000), first(2_999), first(200)], [1, 1, 63, 63]);
    assert_eq!(messages(Collective::Alltoall { bytes: 199 }, 0, 64), 6);
    assert_eq!(messages(Collective::Alltoall { bytes: 199 }, 0, 12), 11);
    // A reduce-scatter among 48: halving up to 12 KiB in total, then around the ring, except with many ranks.
    let scattered = |bytes: u64, size: u32| {
        let list = vec![bytes; size as usize].into();
        messages(Collective::ReduceScatter { bytes: list, compute }, size as usize - 1, size)
    };
    assert_eq!([scattered(256, 48), scattered(800, 48), scattered(8_192, 32), scattered(8_193, 32)], [5, 47, 5, 31]);
}

/// Both sides of every bound of Open MPI's decision function for broadcasts, told apart by the messages that the root
/// sends: a binomial tree sends as many as the root has children, a chain one for each segment, a split binary tree one
/// for each segment of both halves, and one more for an even number of ranks.
#[test]
fn bounds_of_broadcasts() {
    let root = |size: u32, bytes: u64| sent_by_ranks(&Collective::Bcast { root: 0, bytes, count: bytes }, size)[0].0;
    let chain = |bytes: u64, segment: u64| bytes.div_ceil(segment) as u32;
    let split = |bytes: u64, segment: u64, size: u32| {
        let left = bytes.div_ceil(2);
        chain(left, segment) + chain(bytes - left, segment) + u32::from(size.is_multiple_of(2))
    };
    // 2,048 B: from a binomial tree to halves in segments of 1 KiB.
    assert_eq!([root(64, 2_047), root(64, 2_048)], [6, 2 + 1]);
    assert_eq!([root(7, 2_047), root(7, 2_048)], [3, 2]);
    // An only element is not cut, however large.
    assert_eq!(sent_by_ranks(&Collective::Bcast { root: 0, bytes: 9_000, count: 1 }, 64)[0].0, 6);
    assert_eq!(
        sent_by_ranks(&Collective::Bcast { root: 0, bytes: 9_000, count: 2 }, 64)[0].0,
        split(9_000, 1 << 10, 64)
    );
    // 370,728 B: to larger segments.
    assert_eq!([root(12, 370_727), root(12, 370_728)], [split(370_727, 1 << 10, 12), split(370_728, 8 << 10, 12)]);
    assert_eq!(root(13, 370_727), split(370_727, 1 << 10, 13));
    // 13 < 3.2118e-6 * n + 8.7936 from n = 1,309,671 on; 64 from 17,188,617 on.
    assert_eq!([root(13, 1_309_670), root(13, 1_309_671)], [chain(1_309_670, 8 << 10), chain(1_309_671, 16 << 10)]);
    assert_eq!([root(64, 17_188_616), root(64, 17_188_617)], [chain(17_188_616, 8 << 10), chain(17_188_617, 16 << 10)]);
    // 13 < 2.3679e-6 * n + 1.1787 from n = 4,992,314 on; 64 from 26,530,386 on.
    assert_eq!([root(13, 4_992_313), root(13, 4_992_314)], [chain(4_992_313, 16 << 10), chain(4_992_314, 64 << 10)]);
    assert_eq!(
        [root(64, 26_530_385), root(64, 26_530_386)],
        [chain(26_530_385, 16 << 10), chain(26_530_386, 64 << 10)]
    );
    // 4 < 1.6134e-6 * n + 2.1102 from n = 1,171,316 on; 12 from 6,129,789 on, 13 from 6,749,598 on.
    assert_eq!([root(4, 1_171_315), root(4, 1_171_316)], [split(1_171_315, 8 << 10, 4), chain(1_171_316, 128 << 10)]);
    assert_eq!(
        [root(12, 6_129_788), root(12, 6_129_789)],
        [split(6_129_788, 8 << 10, 12), chain(6_129_789, 128 << 10)]
    );
    assert_eq!([root(13, 6_749_597), root(13, 6_749_598)], [chain(6_749_597, 64 << 10), chain(6_749_598, 128 << 10)]);
}
