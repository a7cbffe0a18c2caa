//! What each rank sends and receives: both sides of every bound of Open MPI's decision functions, told apart by the
//! shape of the messages, and the bytes of each rank in closed form.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{alltoall, bcast};
use super::*;

/// Counts the bytes that each rank receives, per sender.
#[derive(Clone, Default)]
pub(super) struct Received(pub(super) BTreeMap<(u32, u32), (u32, u64)>);

impl Data for Received {
    type Payload = u64;

    fn pack(&mut self, _: u32, _: u32, bytes: u64) -> u64 {
        bytes
    }

    fn unpack(&mut self, from: u32, to: u32, bytes: u64) {
        let (messages, all) = self.0.entry((from, to)).or_default();
        (*messages, *all) = (*messages + 1, *all + bytes);
    }
}

/// Messages and bytes by sender and receiver.
fn received(collective: &Collective, size: u32) -> BTreeMap<(u32, u32), (u32, u64)> {
    run(&programs(size, |member, operations| expand(collective, member, operations)), &Received::default()).0
}

/// Returns how many ranks send to a rank, and the messages that a rank sends.
fn children_and_sent(collective: &Collective, size: u32, parent: u32, sender: u32) -> (usize, u32) {
    let received = received(collective, size);
    let children = received.keys().filter(|key| key.1 == parent).count();
    (children, received.iter().filter(|(key, _)| key.0 == sender).map(|(_, sent)| sent.0).sum())
}

/// Returns the blocks of elements of each rank: the first have one more where they do not divide evenly.
fn dealt(elements: u64, size: u32) -> Vec<u64> {
    let mut blocks = vec![0; size as usize];
    (0..elements).for_each(|element| blocks[(element % u64::from(size)) as usize] += 1);
    blocks
}

/// All bounds of reductions. Below the root, a linear one has all ranks, a binomial tree a logarithmic number, a binary
/// tree two, a chain one. Rank 1 is a child of the root in all of them and sends a message per segment.
#[test]
fn bounds_of_reductions() {
    let root = |size, bytes, count| {
        children_and_sent(&Collective::Reduce { root: 0, bytes, count, compute: Time::ZERO }, size, 0, 1)
    };
    let shape = |size, bytes| root(size, bytes, bytes);
    let segments = |bytes: u64, kib: u64| bytes.div_ceil(kib << 10) as u32;
    // Fewer than 8 ranks and 512 B: linear. Fewer than 8 ranks and 20 KiB: binomial in one piece.
    assert_eq!([shape(7, 511), shape(7, 512), shape(8, 511)], [(6, 1), (3, 1), (3, 1)]);
    assert_eq!([shape(7, 20_479), shape(7, 20_480)], [(3, 1), (2, 1)]);
    // 2,048 B: in segments of 1 KiB. An only element is not cut.
    assert_eq!([shape(8, 2_047), shape(8, 2_048)], [(3, 1), (3, 2)]);
    assert_eq!([root(8, 9_000, 1), root(8, 9_000, 2)], [(3, 1), (3, 9)]);
    // 16 > 0.6016 n + 1.3496 up to 24,936 B, 64 up to 106,638 B. Then a chain, in the same segments.
    assert_eq!([shape(16, 24_936), shape(16, 24_937)], [(4, 25), (1, 25)]);
    assert_eq!([shape(64, 106_638), shape(64, 106_639)], [(6, 105), (1, 105)]);
    // 16 > 0.0410 n + 9.7128 up to 157,026 B, 64 up to 1,355,855 B. Then a binary tree in segments of 32 KiB.
    assert_eq!([shape(16, 157_026), shape(16, 157_027)], [(1, segments(157_026, 1)), (2, 5)]);
    assert_eq!([shape(64, 1_355_855), shape(64, 1_355_856)], [(1, segments(1_355_855, 1)), (2, 42)]);
    // Among 8, it is never a chain in segments of 1 KiB.
    assert_eq!([shape(8, 11_319), shape(8, 11_320)], [(3, 12), (2, 1)]);
    // 16 > 0.0422 n + 1.1614 up to 360,064 B, 64 up to 1,524,803 B. Then a chain.
    assert_eq!([shape(16, 360_064), shape(16, 360_065)], [(2, 11), (1, 11)]);
    assert_eq!([shape(64, 1_524_803), shape(64, 1_524_804)], [(2, 47), (1, 47)]);
    // 16 > 0.0033 n + 1.6761 up to 4,444,749 B, 64 up to 19,339,295 B. Then in segments of 64 KiB.
    assert_eq!([shape(16, 4_444_749), shape(16, 4_444_750)], [(1, segments(4_444_749, 32)), (1, 68)]);
    assert_eq!([shape(64, 19_339_295), shape(64, 19_339_296)], [(1, segments(19_339_295, 32)), (1, 296)]);
}

/// More than 60 ranks gather along a tree whatever the block up to 6,000 B, more than 10 only blocks below 1 KiB.
#[test]
fn bounds_of_gathers_and_scatters() {
    let gather = |size, bytes| received(&Collective::Gather { root: 0, bytes }, size).keys().count() as u32;
    let senders = |size, bytes| {
        let received = received(&Collective::Gather { root: 0, bytes }, size);
        received.keys().filter(|key| key.1 == 0).count() as u32
    };
    assert_eq!([senders(60, 2_000), senders(61, 2_000), senders(61, 6_000), senders(61, 6_001)], [59, 6, 6, 60]);
    assert_eq!([senders(10, 1_023), senders(11, 1_023), senders(11, 1_024)], [9, 4, 10]);
    // Every rank but the root sends in any algorithm; with the handshake the root sends to each, too.
    assert_eq!([gather(61, 2_000), gather(11, 10), gather(11, 6_001)], [60, 10, 20]);
    let scatter = |size, bytes| {
        let received = received(&Collective::Scatter { root: 0, bytes }, size);
        received.keys().filter(|key| key.0 == 0).count()
    };
    assert_eq!([scatter(10, 299), scatter(11, 299), scatter(11, 300)], [9, 4, 10]);
}

/// In a handshake, the first message of a rank has the first segment, the second the rest.
#[test]
fn segments_of_handshakes() {
    for (bytes, first) in [(6_001, 1 << 10), (92_160, 1 << 10), (92_161, 32 << 10), (1 << 20, 32 << 10)] {
        for rank in [1, 5, 8] {
            let mut operations = Vec::new();
            expand(&Collective::Gather { root: 3, bytes }, Member { rank, size: 9 }, &mut operations);
            let sizes = operations.iter().filter_map(|operation| match *operation {
                Operation::Send { to: 3, bytes, .. } => Some(bytes),
                _ => None,
            });
            assert_eq!(sizes.collect::<Vec<_>>(), [first, bytes - first], "rank {rank}, {bytes} B");
        }
    }
}

/// Totals up to 12 KiB, and up to 256 KiB among powers of two, are halved; so are larger ones while there are
/// 0.0012 ranks per byte and 8 more. A ring takes one step less than there are ranks.
#[test]
fn bounds_of_reduce_scatters() {
    let sent = |size: u32, block: u64| {
        let list = vec![block; size as usize].into();
        let last = size - 1;
        children_and_sent(&Collective::ReduceScatter { bytes: list, compute: Time::ZERO }, size, 0, last).1
    };
    assert_eq!([sent(6, 2_048), sent(6, 2_049)], [2, 5], "12 KiB");
    assert_eq!([sent(16, 16 << 10), sent(16, (16 << 10) + 1)], [4, 15], "256 KiB");
    // 48 = 0.0012 * 33,333 + 8.
    assert_eq!([sent(48, 694), sent(48, 695)], [5, 47]);
    // 512 = 0.0012 * 420,000 + 8.
    assert_eq!([sent(512, 820), sent(512, 821)], [9, 511]);
}

/// Below 10,000 B partners double. More elements than ranks go around the ring, up to 1 MiB per rank in one phase.
#[test]
fn bounds_of_allreduces() {
    let sent = |size: u32, bytes: u64, count: u64| {
        children_and_sent(&Collective::Allreduce { bytes, count, compute: Time::ZERO }, size, 0, 1).1
    };
    assert_eq!([sent(16, 9_999, 9_999), sent(16, 10_000, 10_000)], [4, 30]);
    // 16 elements of 1,000 B are reduced up a binomial tree and broadcast in halves: 1 message of rank 1 in 16
    // segments up, 8 segments of its half to each of two children down, and the half to its neighbour.
    assert_eq!([sent(16, 17_000, 17), sent(16, 16_000, 16)], [30, 16 + 2 * 8 + 1]);
    let mebibytes = |size: u64| size << 20;
    let elements = |bytes: u64| sent(4, bytes, bytes / 8);
    let phases = |phases: u32| phases * 3 + 3;
    assert_eq!([elements(mebibytes(4)), elements(mebibytes(4) + 8)], [phases(1), phases(2)]);
    assert_eq!([elements(mebibytes(8)), elements(mebibytes(8) + 8)], [phases(2), phases(3)]);
}

/// Halves of less than a segment are not sent: all goes down a chain. Halves have whole elements.
#[test]
fn halves_have_whole_elements_and_a_segment_at_least() {
    let sent = |bytes, count| received(&Collective::Bcast { root: 0, bytes, count }, 4);
    // Three elements of 1,000 B: the second half would have 1,000 of 1,024 B.
    assert_eq!(sent(3_000, 3), BTreeMap::from([(0, 1), (1, 2), (2, 3)].map(|pair| (pair, (3, 3_000)))));
    // Three of 1,024 B: two to the odd half, one to the even one. Ranks 1 and 2 exchange theirs. Rank 3 is under rank 1
    // and gets the other half from the root.
    let halves = [((0, 1), (2, 2_048)), ((0, 2), (1, 1_024)), ((1, 3), (2, 2_048)), ((0, 3), (1, 1_024))];
    let exchanged = [((1, 2), (1, 2_048)), ((2, 1), (1, 1_024))];
    assert_eq!(sent(3_072, 3), halves.into_iter().chain(exchanged).collect());
}

/// More than 12 ranks bundle blocks below 200 B. Below 3,000 B all receives are posted at once, except between two ranks.
#[test]
fn bounds_of_exchanges() {
    let sent = |size, bytes| children_and_sent(&Collective::Alltoall { bytes }, size, 0, 0).1;
    assert_eq!([sent(12, 199), sent(13, 199), sent(13, 200)], [11, 4, 12]);
    let first = |size, bytes| {
        let mut operations = Vec::new();
        alltoall::expand(Member { rank: 0, size }, bytes, &mut operations);
        operations.iter().take_while(|operation| matches!(operation, Operation::Irecv { .. })).count()
    };
    assert_eq!([first(3, 2_999), first(3, 3_000), first(2, 2_999)], [2, 1, 1]);
}

proptest! {
    /// Every rank but the root receives all data in a broadcast, and sends all of it in a reduction, whatever the
    /// algorithm.
    #[test]
    fn every_rank_receives_a_broadcast_and_sends_a_reduction_once(
        size in 2u32..40,
        root in 0u32..40,
        count in prop_oneof![1u64..4_000, 1u64..2_000_000],
        element in 1u64..20,
    ) {
        let (root, bytes) = (root % size, count * element);
        let mut down = BTreeMap::<u32, u64>::new();
        for ((_, to), (_, bytes)) in received(&Collective::Bcast { root, bytes, count }, size) {
            *down.entry(to).or_default() += bytes;
        }
        let mut up = BTreeMap::<u32, u64>::new();
        for ((from, _), (_, bytes)) in
            received(&Collective::Reduce { root, bytes, count, compute: Time::ZERO }, size)
        {
            *up.entry(from).or_default() += bytes;
        }
        let others: BTreeMap<u32, u64> = (0..size).filter(|&rank| rank != root).map(|rank| (rank, bytes)).collect();
        prop_assert_eq!(&down, &others);
        prop_assert_eq!(&up, &others);
    }

    /// On the ring, a rank sends all blocks but its successor's combined, then all but the next one's complete.
    #[test]
    fn the_ring_sends_all_blocks_but_one_twice(size in 2u32..12, more in 1u64..400_000, element in 1u64..20) {
        let count = u64::from(size) + more;
        let bytes = count * element;
        prop_assume!(bytes >= 10_000);
        let blocks = dealt(count, size);
        let sent = received(&Collective::Allreduce { bytes, count, compute: Time::ZERO }, size);
        for rank in 0..size {
            let block = |ahead: u32| blocks[((rank + ahead) % size) as usize] * element;
            let (_, all) = sent[&(rank, (rank + 1) % size)];
            prop_assert_eq!(all, 2 * bytes - block(1) - block(2), "rank {}", rank);
        }
        prop_assert_eq!(sent.len() as u32, size);
    }
}

/// The shares of a block in several phases: every phase has an equal number of elements, the first perhaps one more.
#[test]
fn phases_of_the_ring_are_equal() {
    // 3 * 2^20 + 15 elements of 8 B among 4 ranks in 7 phases: blocks of 786,436 (three times) and 786,435 elements.
    let count = (3 << 20) + 15;
    let blocks = dealt(count, 4);
    let mut operations = Vec::new();
    let collective = Collective::Allreduce { bytes: 8 * count, count, compute: Time::ZERO };
    expand(&collective, Member { rank: 2, size: 4 }, &mut operations);
    let sizes: Vec<u64> = operations
        .iter()
        .filter_map(|operation| match *operation {
            Operation::Send { to: 3, bytes, .. } => Some(bytes),
            _ => None,
        })
        .collect();
    let mut expected: Vec<u64> = Vec::new();
    for phase in 0..7 {
        expected.extend([2, 1, 0].map(|block: usize| 8 * (dealt(blocks[block], 7)[phase])));
    }
    expected.extend([3, 2, 1].map(|block: usize| 8 * blocks[block]));
    assert_eq!(sizes, expected);
}

/// No message of a broadcast names its sender, the root or a rank out of range.
#[test]
fn peers_are_other_ranks() {
    for size in 2..20 {
        for bytes in [10, 3_000, 400_000, 8_000_000] {
            for root in 0..size {
                let mut peers = BTreeSet::new();
                for rank in 0..size {
                    let mut operations = Vec::new();
                    bcast::expand(Member { rank, size }, root, bytes, bytes, &mut operations);
                    peers.extend(operations.iter().filter_map(|operation| match *operation {
                        Operation::Isend { to, .. } | Operation::Send { to, .. } => Some((rank, to)),
                        _ => None,
                    }));
                }
                assert!(peers.iter().all(|&(from, to)| from != to && to < size && to != root));
            }
        }
    }
}
