//! Graphs against closed forms. A test of `drowse-experiment` compares those of the NAS Parallel Benchmarks with
//! traces.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::*;

/// Messages of one iteration by sender, receiver and size, for every pair.
pub(super) type Sent = BTreeMap<(u32, u32, u64), u64>;

pub(super) fn sent_by_all(graph: &dyn Communication) -> Sent {
    let mut sent = Sent::new();
    for from in 0..graph.ranks() {
        graph.flows(from, &mut |flow| *sent.entry((from, flow.to, flow.bytes)).or_default() += flow.messages);
        for to in (0..graph.ranks()).filter(|&to| to != from) {
            if let Some(bytes) = graph.to_all() {
                *sent.entry((from, to, bytes)).or_default() += 1;
            }
        }
    }
    sent
}

/// Returns whether each pair exchanges the same messages in both directions.
fn is_symmetric(sent: &Sent) -> bool {
    sent.iter().all(|(&(from, to, bytes), messages)| sent.get(&(to, from, bytes)) == Some(messages))
}

/// Returns the number of ranks that a rank sends to.
fn degree(sent: &Sent, rank: u32) -> usize {
    let mut to: Vec<u32> = sent.keys().filter(|key| key.0 == rank && key.1 != rank).map(|key| key.1).collect();
    to.dedup();
    to.sort_unstable();
    to.dedup();
    to.len()
}

pub(super) fn total(sent: &Sent) -> (u64, u64) {
    let add = |(messages, bytes), (key, more): (&(u32, u32, u64), &u64)| (messages + more, bytes + more * key.2);
    sent.iter().fold((0, 0), add)
}

proptest! {
    /// In a periodic grid of k dimensions of several ranks, each rank sends 2 k messages. Other grids lack two for each
    /// line of each dimension. Both are symmetric, and coordinates of neighbours differ by one.
    #[test]
    fn stencils(dims in prop::collection::vec(1u32..6, 1..5), periodic: bool, bytes in 0u64..1000) {
        let graph = Stencil::new(dims.clone(), periodic, bytes).unwrap();
        let sent = sent_by_all(&graph);
        let ranks: u32 = dims.iter().product();
        let lines: u32 = dims.iter().filter(|&&size| size > 1).map(|size| ranks / size).sum();
        let all = 2 * dims.iter().filter(|&&size| size > 1).count() as u64 * u64::from(ranks);
        let messages = if periodic { all } else { all - 2 * u64::from(lines) };
        prop_assert_eq!(total(&sent), (messages, messages * bytes));
        prop_assert!(is_symmetric(&sent));
        for &(from, to, _) in sent.keys() {
            let coordinates = |rank: u32| {
                let mut rest = rank;
                dims.iter().map(move |size| { let x = rest % size; rest /= size; x })
            };
            let apart: u32 = coordinates(from).zip(coordinates(to)).zip(&dims)
                .map(|((x, y), size)| if periodic { x.abs_diff(y).min(size - x.abs_diff(y)) } else { x.abs_diff(y) })
                .sum();
            prop_assert_eq!(apart, 1);
        }
    }

    /// Where the rows of the matrix divide evenly, all ranks of CG send the same. Partners differ in one digit of the
    /// column, or are transposed.
    #[test]
    fn cg(exponent in 0u32..9) {
        let sent = sent_by_all(&Cg::new(1 << exponent, Class::B).unwrap());
        let halvings = exponent.div_ceil(2);
        let messages = (26 + 52 + 1) * halvings + if halvings > 0 { 26 } else { 0 };
        prop_assert_eq!(total(&sent).0, u64::from(messages) << exponent);
        let partners: BTreeMap<_, u64> = sent.iter().fold(BTreeMap::new(), |mut partners, (key, messages)| {
            *partners.entry((key.0, key.1)).or_default() += messages;
            partners
        });
        for (&(from, to), messages) in &partners {
            prop_assert_eq!(partners.get(&(to, from)), Some(messages), "{} and {} are partners", from, to);
        }
        for rank in 0..1 << exponent {
            prop_assert!(degree(&sent, rank) <= halvings as usize + 1);
        }
    }

    /// MG's graph is symmetric, except for what is sent to idle ranks.
    #[test]
    fn mg(exponent in 0u32..10) {
        let graph = Mg::new(1 << exponent, Class::S).unwrap();
        let mut exchanged = Sent::new();
        let mut given = 0;
        for rank in 0..1 << exponent {
            for (level, partition) in (1..).zip(graph.partitions(rank)) {
                let times = if level == 1 { 2 } else { 3 };
                if !partition.is_idle() {
                    graph.exchange(rank, &partition, times, &mut |flow| {
                        *exchanged.entry((rank, flow.to, flow.bytes)).or_default() += flow.messages;
                    });
                }
                graph.give(rank, &partition, &mut |flow| given += flow.messages);
            }
        }
        prop_assert!(is_symmetric(&exchanged));
        let all = total(&sent_by_all(&graph)).0;
        prop_assert_eq!(all, total(&exchanged).0 + given);
    }

    /// A rank of LU sends to its neighbours in the grid of ranks: one message per inner plane, and the residual.
    #[test]
    fn lu(exponent in 0u32..9) {
        let sent = sent_by_all(&Lu::new(1 << exponent, Class::A).unwrap());
        let (rows, columns) = (1u64 << exponent.div_ceil(2), 1u64 << (exponent / 2));
        let edges = (rows - 1) * columns + rows * (columns - 1);
        prop_assert_eq!(total(&sent).0, 2 * edges * (62 + 1));
        prop_assert!(is_symmetric(&sent));
    }

    /// In each dimension a rank sends a face and q - 1 stages in both directions. Its successor's predecessor is
    /// itself.
    #[test]
    fn multipartitions(side in 1u32..9, block: bool) {
        let solver = if block { Solver::BlockTridiagonal } else { Solver::ScalarPentadiagonal };
        let graph = Multipartition::new(solver, side * side, Class::A).unwrap();
        for rank in 0..side * side {
            for axis in 0..3 {
                let [predecessor, successor] = graph.neighbours(rank, axis);
                prop_assert_eq!(graph.neighbours(successor, axis)[0], rank);
                prop_assert_eq!(graph.neighbours(predecessor, axis)[1], rank);
                // The cell of a slice adjoins the successor's cell of the next slice.
                for slice in 1..side {
                    let cell = |rank, slice| (0..side).map(|c| graph.cell(rank, c)).find(|cell| cell[axis] == slice);
                    let (here, there) = (cell(rank, slice - 1).unwrap(), cell(successor, slice).unwrap());
                    prop_assert!(across(axis).iter().all(|&other| here[other] == there[other]));
                }
            }
        }
        let messages = if side == 1 { 0 } else { u64::from(side * side) * 3 * (2 + 2 * u64::from(side - 1)) };
        prop_assert_eq!(total(&sent_by_all(&graph)).0, messages);
    }

    /// In a bisection, each rank of an even number sends to the one that sends to it.
    #[test]
    fn bisections(ranks in 1u32..60, seed: u64) {
        let to = permuted(ranks, Rule::Bisection, seed);
        prop_assert!((0..).zip(&to).all(|(rank, &other)| to[other as usize] == rank));
        let alone = (0..).zip(&to).filter(|&(rank, &other)| rank == other).count() as u32;
        prop_assert_eq!(alone, ranks % 2);
    }

    /// A random graph has the requested number of messages, and no rank sends to itself.
    #[test]
    fn random(ranks in 2u32..50, degree in 1u32..9, seed: u64) {
        let sent = sent_by_all(&Random::new(ranks, degree, None, 5, seed).unwrap());
        prop_assert_eq!(total(&sent), (u64::from(ranks * degree), u64::from(ranks * degree) * 5));
        prop_assert!(sent.keys().all(|&(from, to, _)| from != to && to < ranks));
    }
}

/// Returns whom each rank sends to, in a permutation of one message a rank.
fn permuted(ranks: u32, rule: Rule, seed: u64) -> Vec<u32> {
    let graph = Permutation::new(ranks, rule, 1, 9, seed).unwrap();
    let sent = sent_by_all(&graph);
    assert!(sent.iter().all(|(key, messages)| key.2 == 9 && *messages == 1));
    sent.into_keys().map(|(_, to, _)| to).collect()
}

/// Tables by hand; with several messages, each goes to the same rank.
#[test]
fn permutations() {
    assert_eq!(permuted(5, Rule::Shift(2), 1), [2, 3, 4, 0, 1]);
    assert_eq!(permuted(5, Rule::Tornado, 1), [2, 3, 4, 0, 1]);
    assert_eq!(permuted(6, Rule::Tornado, 1), [2, 3, 4, 5, 0, 1]);
    assert_eq!(permuted(3, Rule::Complement, 1), [2, 1, 0]);
    assert_eq!(permuted(4, Rule::Transpose, 1), [0, 2, 1, 3]);
    assert_eq!(permuted(8, Rule::BitReversal, 1), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(permuted(8, Rule::Shuffle, 1), [0, 2, 4, 6, 1, 3, 5, 7]);
    // Those of the traffic pattern of the same seed.
    assert_eq!(permuted(8, Rule::Random, 1), [3, 0, 1, 2, 4, 7, 6, 5]);
    let graph = Permutation::new(6, Rule::Shift(1), 7, 9, 1).unwrap();
    assert_eq!(total(&sent_by_all(&graph)), (6 * 7, 6 * 7 * 9));
}

/// Of a hot region, a share of the messages is sent on purpose, and its part of the rest by chance: of 100 ranks that send
/// 1,000 messages each, within five standard deviations.
#[test]
fn a_hot_region() {
    let region = |ranks, share| Some(Region { ranks, share });
    let graph = |region| Random::new(100, 1_000, region, 1, 7).unwrap();
    for (ranks, share, expected) in [(10, 250_000_000, 0.25 + 0.75 / 10.0), (2, 1_000_000_000, 1.0), (50, 0, 0.5)] {
        let sent = sent_by_all(&graph(region(ranks, share)));
        assert_eq!(total(&sent).0, 100_000);
        assert!(sent.keys().all(|key| key.0 != key.1));
        let inside: u64 = sent.iter().filter(|(key, _)| key.1 < ranks).map(|(_, messages)| messages).sum();
        let deviation = (expected * (1.0 - expected) / 100_000.0_f64).sqrt();
        assert!((inside as f64 / 100_000.0 - expected).abs() <= 5.0 * deviation, "{ranks}: {inside}");
    }
}

/// Returns the other two dimensions.
fn across(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// On a lattice of 4^4 ranks with 4^4 sites each, a rank has eight neighbours. A face has 32 sites of one parity, three
/// layers have three times as many.
#[test]
fn milc() {
    let lattice = |sums| Milc::new(vec![4; 4], [4; 4], sums).unwrap();
    let sent = sent_by_all(&lattice(0));
    assert_eq!(total(&sent), (256 * 8 * 4, 256 * 8 * 2 * (32 + 96) * 48));
    assert!(is_symmetric(&sent) && (0..256).all(|rank| degree(&sent, rank) == 8));
    // A sum takes a message of 8 bytes to each of 8 partners.
    assert_eq!(total(&sent_by_all(&lattice(2))).0, 256 * 8 * 4 + 2 * 256 * 8);
}

/// Up to 128 ranks (the planes of class A), all exchange with all. 1,024 ranks exchange in rows of 8 and columns of
/// 128. For the checksum, all ranks but the root send one message of 16 bytes.
#[test]
fn ft() {
    let graph = |ranks| Ft::new(ranks, Class::A).unwrap();
    let points = 256 * 256 * 128 * 16;
    assert_eq!(total(&sent_by_all(&graph(64))), (64 * 63 + 63, points / 64 * 63 + 63 * 16));
    let sent = sent_by_all(&graph(1024));
    assert_eq!([graph(64).to_all(), graph(1024).to_all()], [Some(points / 64 / 64), None]);
    let (row, column) = (1024 * 7, 1024 * 127);
    let bytes = row * (points / 1024 / 8) + column * (points / 1024 / 128) + 1023 * 16;
    assert_eq!(total(&sent), (row + column + 1023, bytes));
}

/// Each of 64 ranks sums 1,029 integers in 6 messages, exchanges sizes in 6 (32 blocks each), and sends 2^23 / 64^2
/// keys to each.
#[test]
fn is() {
    let sent = sent_by_all(&Is::new(64, Class::A).unwrap());
    assert_eq!(total(&sent), (64 * (6 + 6 + 63), 64 * (6 * 1_029 * 4 + 6 * 32 * 4 + 63 * 2_048 * 4)));
}

#[test]
fn all_to_all() {
    let sent = sent_by_all(&AllToAll::new(9, 3).unwrap());
    assert_eq!(total(&sent), (72, 216));
    assert!(is_symmetric(&sent));
}

#[test]
fn what_a_program_refuses() {
    let key = |refused: ProgramError| refused.key;
    assert_eq!(Stencil::new(vec![], true, 1).map_err(key), Err("dims"));
    assert_eq!(Stencil::new(vec![65_536, 65_536], true, 1).map_err(key), Err("dims"));
    assert_eq!(Stencil::new(vec![4, 0], true, 1).map_err(key), Err("dims"));
    assert_eq!(Milc::new(vec![4; 3], [4; 4], 0).map_err(key), Err("dims"));
    assert_eq!(Milc::new(vec![4; 4], [5; 4], 0).map_err(key), Err("local"));
    assert_eq!(Cg::new(48, Class::A).map_err(key), Err("ranks"));
    assert_eq!(Cg::new(0, Class::A).map_err(key), Err("ranks"));
    assert_eq!(Lu::new(1 << 20, Class::S).map_err(key), Err("ranks"));
    assert_eq!(Multipartition::new(Solver::BlockTridiagonal, 8, Class::A).map_err(key), Err("ranks"));
    assert_eq!(Ft::new(1 << 20, Class::S).map_err(key), Err("ranks"));
    assert_eq!(Is::new(4, Class::E).map_err(key), Err("class"));
    assert_eq!(Random::new(1, 1, None, 1, 1).map_err(key), Err("ranks"));
    let hot = |ranks| Random::new(8, 1, Some(Region { ranks, share: 1 }), 1, 1).map(|_| ()).map_err(key);
    assert_eq!([hot(1), hot(9), hot(8)], [Err("region.ranks"), Err("region.ranks"), Ok(())]);
    let permutation = |ranks, rule| Permutation::new(ranks, rule, 1, 1, 1).map(|_| ()).map_err(key);
    assert_eq!(permutation(6, Rule::Shift(6)), Err("by"));
    assert_eq!(permutation(8, Rule::Transpose), Err("ranks"));
    assert_eq!(permutation(12, Rule::Shuffle), Err("ranks"));
    assert_eq!(permutation(0, Rule::Random), Err("ranks"));
    assert_eq!(AllToAll::new(0, 1).map_err(key), Err("ranks"));
}
