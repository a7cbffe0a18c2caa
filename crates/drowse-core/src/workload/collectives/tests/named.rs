//! Algorithms by name: each brings the data where it must be, with the messages and bytes of its closed form.

use super::*;
use crate::model::units::Bytes;
use crate::workload::algorithms::{
    Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter,
};

/// Returns what each rank knows after a collective, and the messages and bytes that each sends.
fn by(algorithms: &Algorithms, collective: &Collective, size: u32) -> (Vec<BTreeSet<u32>>, Vec<(u32, u64)>) {
    let programs = programs(size, |member, operations| expand_by(algorithms, collective, member, operations));
    let sent = |program: &Vec<Operation>| {
        let bytes = program.iter().filter_map(|operation| match operation {
            Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => Some(*bytes),
            _ => None,
        });
        bytes.fold((0, 0), |(messages, all), bytes| (messages + 1, all + bytes))
    };
    let sent = programs.iter().map(sent).collect();
    (run(&programs, &Knowledge((0..size).map(|rank| BTreeSet::from([rank])).collect())).0, sent)
}

fn sum(sent: &[(u32, u64)]) -> (u32, u64) {
    sent.iter().fold((0, 0), |(messages, bytes), sent| (messages + sent.0, bytes + sent.1))
}

fn doublings(size: u32) -> u32 {
    size.next_power_of_two().ilog2()
}

fn sizes() -> impl Strategy<Value = u64> {
    prop_oneof![0u64..100, 0u64..100_000, 0u64..(1 << 30)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, ..ProptestConfig::default() })]

    /// An allreduce brings all data to all ranks. By recursive doubling, ranks of the power of two send all data in
    /// each round. By Rabenseifner's algorithm they send in twice as many rounds what is not theirs, twice; so they do
    /// on a ring, in as many rounds as there are other ranks, twice. Folding takes two messages for each rank beyond.
    #[test]
    fn allreduces(size in 2u32..131, count in sizes(), wide: bool) {
        let (element, compute) = (if wide { 8 } else { 1 }, Time::ZERO);
        let bytes = count * element;
        let collective = Collective::Allreduce { bytes, count, compute };
        let all: BTreeSet<u32> = (0..size).collect();
        let power = 1 << size.ilog2();
        let folds = size - power;
        let (ranks, folded) = (u64::from(power), u64::from(folds) * bytes);
        for (named, messages, expected) in [
            (Allreduce::RecursiveDoubling, power * doublings(power), ranks * u64::from(doublings(power)) * bytes),
            (Allreduce::Rabenseifner, 2 * power * doublings(power), 2 * (ranks - 1) * bytes),
        ] {
            let (known, sent) = by(&Algorithms { allreduce: Some(named), ..Algorithms::default() }, &collective, size);
            prop_assert!(known.iter().all(|known| *known == all), "{:?}", named);
            prop_assert_eq!(sum(&sent), (messages + 2 * folds, expected + 2 * folded), "{:?}", named);
        }
        let ring = Algorithms { allreduce: Some(Allreduce::Ring), ..Algorithms::default() };
        let (known, sent) = by(&ring, &collective, size);
        prop_assert!(known.iter().all(|known| *known == all));
        prop_assert_eq!(sum(&sent), (2 * size * (size - 1), 2 * u64::from(size - 1) * bytes));
        // The rules cut longer data into many segments.
        if bytes < 100_000 {
            let two = Algorithms { allreduce: Some(Allreduce::ReduceBcast), ..Algorithms::default() };
            let (known, sent) = by(&two, &collective, size);
            prop_assert!(known.iter().all(|known| *known == all));
            prop_assert_eq!(sum(&sent).1, 2 * u64::from(size - 1) * bytes);
        }
    }

    /// A broadcast brings the root's data to all, and a reduction all data to the root: every byte once to or from each
    /// rank but the root, in as many messages as it has segments. The root serves as many ranks as the tree has
    /// children.
    #[test]
    fn trees(size in 2u32..131, root in 0u32..131, bytes in sizes(), pieces in prop::option::of(1u64..9)) {
        let root = root % size;
        let others = size - 1;
        let all: BTreeSet<u32> = (0..size).collect();
        let segment = pieces.map(|pieces| bytes.div_ceil(pieces).max(1));
        let pieces = |segment: Option<u64>| segment.map_or(1, |segment| bytes.div_ceil(segment).max(1)) as u32;
        let segments = pieces(segment);
        // Chains and binary trees are cut all the same.
        let pipelined = pieces(segment.or(Some(32 << 10)));
        prop_assume!(pipelined < 1_000);
        let named = Algorithms { segment: segment.map(Bytes), ..Algorithms::default() };
        for (bcast, children, pieces) in [
            (Bcast::Linear, others, 1),
            (Bcast::LinearNonblocking, others, 1),
            (Bcast::Binomial, doublings(size), segments),
            // Three for each digit of base 4 of which there are as many ranks, fewer for the last.
            (Bcast::Knomial, (0..4).map(|digit| (others >> (2 * digit)).min(3)).sum(), segments),
            (Bcast::Binary, others.min(2), pipelined),
            (Bcast::Chain, 1, pipelined),
        ] {
            let collective = Collective::Bcast { root, bytes, count: bytes };
            let (known, sent) = by(&Algorithms { bcast: Some(bcast), ..named }, &collective, size);
            prop_assert!(known.iter().all(|known| known.contains(&root)), "{:?}", bcast);
            prop_assert_eq!(sum(&sent), (others * pieces, u64::from(others) * bytes), "{:?}", bcast);
            prop_assert_eq!(sent[root as usize].0, children * pieces, "{:?}", bcast);
        }
        let split = Algorithms { bcast: Some(Bcast::SplitBinary), ..named };
        let (known, sent) = by(&split, &Collective::Bcast { root, bytes, count: bytes }, size);
        prop_assert!(known.iter().all(|known| known.contains(&root)));
        prop_assert_eq!(sum(&sent).1, u64::from(others) * bytes);
        for (reduce, pieces) in
            [(Reduce::Linear, 1), (Reduce::Binomial, segments), (Reduce::Binary, pipelined), (Reduce::Chain, pipelined)]
        {
            let collective = Collective::Reduce { root, bytes, count: bytes, compute: Time::ZERO };
            let (known, sent) = by(&Algorithms { reduce: Some(reduce), ..named }, &collective, size);
            prop_assert_eq!(&known[root as usize], &all, "{:?}", reduce);
            prop_assert_eq!(sum(&sent), (others * pieces, u64::from(others) * bytes), "{:?}", reduce);
        }
    }

    /// Allgathers, alltoalls, gathers, scatters, reduce-scatters and barriers: everybody learns what it must, in as
    /// many rounds as the algorithm has.
    #[test]
    fn exchanges(size in 2u32..131, root in 0u32..131, bytes in 0u64..(1 << 20)) {
        let root = root % size;
        let all: BTreeSet<u32> = (0..size).collect();
        let (others, rounds) = (size - 1, doublings(size));
        let none = Algorithms::default();
        for (named, rounds) in [
            (Allgather::RecursiveDoubling, rounds),
            (Allgather::Bruck, rounds),
            (Allgather::Ring, others),
            (Allgather::NeighbourExchange, if size % 2 == 0 { size / 2 } else { others }),
        ] {
            let algorithms = Algorithms { allgather: Some(named), ..none };
            let list = vec![bytes; size as usize].into();
            for collective in [Collective::Allgather { bytes }, Collective::Allgatherv { bytes: list }] {
                let (known, sent) = by(&algorithms, &collective, size);
                prop_assert!(known.iter().all(|known| *known == all), "{:?}", named);
                prop_assert!(sent.iter().all(|&sent| sent == (rounds, u64::from(others) * bytes)), "{:?}", named);
            }
        }
        for (named, rounds) in [(Alltoall::Linear, others), (Alltoall::Pairwise, others), (Alltoall::Bruck, rounds)] {
            let algorithms = Algorithms { alltoall: Some(named), ..none };
            let (known, sent) = by(&algorithms, &Collective::Alltoall { bytes }, size);
            prop_assert!(known.iter().all(|known| *known == all), "{:?}", named);
            prop_assert!(sent.iter().all(|sent| sent.0 == rounds), "{:?}", named);
        }
        let gathers = [(Gather::Linear, others), (Gather::Binomial, others), (Gather::LinearSync, 3 * others)];
        for (named, messages) in gathers {
            let algorithms = Algorithms { gather: Some(named), ..none };
            let (known, sent) = by(&algorithms, &Collective::Gather { root, bytes }, size);
            prop_assert_eq!(&known[root as usize], &all, "{:?}", named);
            prop_assert_eq!(sum(&sent).0, messages);
        }
        for (named, children) in [(Scatter::Linear, others), (Scatter::Binomial, rounds)] {
            let algorithms = Algorithms { scatter: Some(named), ..none };
            let (known, sent) = by(&algorithms, &Collective::Scatter { root, bytes }, size);
            prop_assert!(known.iter().all(|known| known.contains(&root)), "{:?}", named);
            prop_assert_eq!((sum(&sent).0, sent[root as usize].0), (others, children), "{:?}", named);
        }
        for named in [ReduceScatter::RecursiveHalving, ReduceScatter::Ring] {
            let algorithms = Algorithms { reduce_scatter: Some(named), ..none };
            let list = vec![bytes + 1; size as usize].into();
            let collective = Collective::ReduceScatter { bytes: list, compute: Time::ZERO };
            let (known, _) = by(&algorithms, &collective, size);
            prop_assert!(known.iter().all(|known| *known == all), "{:?}", named);
        }
        for named in [Barrier::RecursiveDoubling, Barrier::Dissemination] {
            let (known, sent) = by(&Algorithms { barrier: Some(named), ..none }, &Collective::Barrier, size);
            prop_assert!(known.iter().all(|known| *known == all), "{:?}", named);
            prop_assert!(sent.iter().all(|&sent| sent == (rounds, 0)), "{:?}", named);
        }
    }
}

/// Partners of barriers tell the two algorithms apart; operations that are not named follow the rules.
#[test]
fn what_is_named_is_done() {
    let first = |algorithms: &Algorithms, collective: &Collective| {
        let mut operations = Vec::new();
        expand_by(algorithms, collective, Member { rank: 3, size: 8 }, &mut operations);
        operations[1].clone()
    };
    let barrier = |named| Algorithms { barrier: Some(named), ..Algorithms::default() };
    assert_eq!(first(&barrier(Barrier::RecursiveDoubling), &Collective::Barrier), Operation::send(2, 1, 0));
    assert_eq!(first(&barrier(Barrier::Dissemination), &Collective::Barrier), Operation::send(4, 1, 0));
    let alltoall = Collective::Alltoall { bytes: 5 };
    assert_eq!(first(&barrier(Barrier::Dissemination), &alltoall), first(&Algorithms::default(), &alltoall));
}

/// The blocks of Rabenseifner's algorithm, by hand: rank 1 of 4 gives away the upper half, then its partner's block,
/// and collects them again.
#[test]
fn rabenseifner_by_hand() {
    let mut operations = Vec::new();
    let named = Algorithms { allreduce: Some(Allreduce::Rabenseifner), ..Algorithms::default() };
    let collective = Collective::Allreduce { bytes: 7 * 8, count: 7, compute: Time::ZERO };
    expand_by(&named, &collective, Member { rank: 1, size: 4 }, &mut operations);
    let sends = operations.iter().filter_map(|operation| match *operation {
        Operation::Send { to, bytes, .. } => Some((to, bytes)),
        _ => None,
    });
    // Blocks of 2, 2, 2 and 1 elements.
    assert_eq!(sends.collect::<Vec<_>>(), [(3, 24), (0, 16), (0, 16), (3, 32)]);
}

/// The bytes and messages of Open MPI's form of Rabenseifner's algorithm. Among a power of two of ranks, a round moves
/// all data once for each rank of a block: all but one times the data in all rounds, and as much on the way back. A
/// pair that folds exchanges halves, and sends the upper one back before and all data behind. To a root, half of the
/// data takes each round back.
#[test]
fn rabenseifner_doubling_by_closed_form() {
    for size in 2u32..70 {
        let power: u32 = 1 << size.ilog2();
        let (rounds, folds) = (power.ilog2(), u64::from(size - power));
        let (ranks, count) = (u64::from(power), u64::from(power) * 6 + 1);
        let upper = 8 * count.div_ceil(2);
        let collective = Collective::Allreduce { bytes: 8 * count, count, compute: Time::ZERO };
        let named = Algorithms { allreduce: Some(Allreduce::RabenseifnerDoubling), ..Algorithms::default() };
        let (_, sent) = by(&named, &collective, size);
        let bytes = 2 * (ranks - 1) * 8 * count + folds * (16 * count + upper);
        assert_eq!(sum(&sent), (2 * power * rounds + 4 * folds as u32, bytes), "{size} ranks");

        let (count, bytes) = (ranks * 6, ranks * 48);
        let named = Algorithms { reduce: Some(Reduce::Rabenseifner), ..Algorithms::default() };
        for root in 0..size {
            let collective = Collective::Reduce { root, bytes, count, compute: Time::ZERO };
            let (_, sent) = by(&named, &collective, size);
            // A root that has folded takes the block of rank 0 first.
            let takes = u32::from(root < 2 * folds as u32 && root % 2 == 1);
            let messages = power * rounds + 3 * folds as u32 + (power - 1) + takes;
            let all = (ranks - 1) * bytes + bytes / 2 * u64::from(rounds) + folds * (bytes + bytes / 2);
            assert_eq!(sum(&sent), (messages, all + u64::from(takes) * 48), "{size} ranks, root {root}");
        }
    }
}

/// The binary tree in order: every rank but the last sends all data once, and the last sends the result unless it is
/// the root. Barriers: a report and an answer for each rank but one; folding takes two messages for each rank beyond.
#[test]
fn trees_of_open_mpi_by_closed_form() {
    for size in 2u32..70 {
        for root in [0, size / 2, size - 1] {
            let named =
                Algorithms { reduce: Some(Reduce::InOrderBinary), segment: Some(Bytes(400)), ..Algorithms::default() };
            let collective = Collective::Reduce { root, bytes: 1_000, count: 1_000, compute: Time::ZERO };
            let (known, sent) = by(&named, &collective, size);
            assert_eq!(known[root as usize].len() as u32, size);
            let moved = u32::from(root != size - 1);
            assert_eq!(sum(&sent), (3 * (size - 1) + moved, 1_000 * u64::from(size - 1 + moved)));
        }
        let power: u32 = 1 << size.ilog2();
        for (barrier, messages) in [
            (Barrier::Linear, 2 * (size - 1)),
            (Barrier::Tree, 2 * (size - 1)),
            (Barrier::FoldedDoubling, power * power.ilog2() + 2 * (size - power)),
        ] {
            let named = Algorithms { barrier: Some(barrier), ..Algorithms::default() };
            let (_, sent) = by(&named, &Collective::Barrier, size);
            assert_eq!(sum(&sent), (messages, 0), "{barrier:?} among {size}");
        }
    }
}

/// Blocks of a broadcast. Down the tree, a block travels once for each binary digit of its distance from the root.
/// Around the ring, every rank sends all blocks but the next one's. Among a power of two of ranks, doubling sends as
/// much.
#[test]
fn scattered_broadcasts_by_closed_form() {
    for size in 2u32..70 {
        let count = u64::from(size) * 5;
        let scattered = (1..size).map(|rank| u64::from(rank.count_ones()) * 40).sum::<u64>();
        let collected = u64::from(size) * u64::from(size - 1) * 40;
        for (named, messages) in [
            (Bcast::ScatterAllgatherRing, Some(size - 1 + size * (size - 1))),
            (Bcast::ScatterAllgather, size.is_power_of_two().then(|| size - 1 + size * size.ilog2())),
        ] {
            let Some(messages) = messages else { continue };
            let named = Algorithms { bcast: Some(named), ..Algorithms::default() };
            let (_, sent) = by(&named, &Collective::Bcast { root: 1, bytes: 8 * count, count }, size);
            assert_eq!(sum(&sent), (messages, scattered + collected), "{named:?} among {size}");
        }
    }
    // 6 ranks, blocks of 1: 4 gets 4 and 5, 2 gets 2 and 3; 1, 3 and 5 one each. Pairs exchange. 0 and 1 exchange pairs
    // with 2 and 3; then four blocks for two with 4 and 5, who have no more partners: 0 and 1 pass 4 and 5 on to 2 and
    // 3.
    let named = Algorithms { bcast: Some(Bcast::ScatterAllgather), ..Algorithms::default() };
    let (_, sent) = by(&named, &Collective::Bcast { root: 0, bytes: 6, count: 6 }, 6);
    assert_eq!(
        sent,
        [(7, 5 + 1 + 2 + 4 + 2), (4, 1 + 2 + 4 + 2), (3, 1 + 1 + 2), (2, 1 + 2), (3, 1 + 1 + 2), (2, 1 + 2)]
    );
}

/// An odd number of elements has halves of different sizes, which go down both halves of the tree all the same.
#[test]
fn unequal_halves_are_split_too() {
    let named = Algorithms { bcast: Some(Bcast::SplitBinary), ..Algorithms::default() };
    let (_, sent) = by(&named, &Collective::Bcast { root: 0, bytes: 24, count: 3 }, 5);
    // The root sends 2 elements to the odd half and 1 to the even one; 1 and 2 pass them on; pairs exchange.
    assert_eq!(sent, [(2, 24), (2, 32), (2, 16), (1, 16), (1, 8)]);
}
