//! Placements: every core is taken at most once, and in the promised order.

use drowse_core::model::ids::NodeId;
use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::workload::placement::{FreeCores, PlacementError};
use proptest::prelude::*;

/// Returns nodes with the given numbers of free cores.
fn free(cores: &[u32]) -> FreeCores {
    let most = cores.iter().copied().max().unwrap_or(0);
    let mut free = FreeCores::new(cores.len() as u32, most);
    for (node, &left) in (0..).zip(cores) {
        (left..most).for_each(|_| assert_eq!(free.take(node), Some(NodeId(node))));
    }
    free
}

fn stream(seed: u64, job: u32) -> Stream {
    Stream::new(seed, Purpose::Placement, job)
}

/// Places a number of ranks, with a seed.
type Place = fn(&mut FreeCores, u32, u64) -> Result<Vec<NodeId>, PlacementError>;

fn numbers(placed: Result<Vec<NodeId>, PlacementError>) -> Vec<u32> {
    placed.unwrap().into_iter().map(|node| node.0).collect()
}

#[test]
fn linear_fills_a_node_before_the_next() {
    let mut cores = FreeCores::new(3, 2);
    assert_eq!(numbers(cores.linear(3)), [0, 0, 1]);
    assert_eq!(numbers(cores.linear(3)), [1, 2, 2]);
}

#[test]
fn round_robin_takes_second_cores_last() {
    let mut cores = FreeCores::new(3, 2);
    assert_eq!(numbers(cores.round_robin(2)), [0, 1]);
    assert_eq!(numbers(cores.round_robin(3)), [2, 0, 1], "continues after the job before");
    let mut cores = FreeCores::new(3, 2);
    assert_eq!(numbers(cores.linear(1)), [0]);
    assert_eq!(numbers(cores.round_robin(4)), [1, 2, 0, 1]);
}

/// Random draws are frozen. The values come from an independent implementation of the generator and of the Fisher-Yates
/// shuffle on a list of all free cores.
#[test]
fn random_draws_are_frozen() {
    assert_eq!(numbers(free(&[1; 8]).random(8, &mut stream(1, 0))), [6, 1, 2, 5, 4, 0, 3, 7]);
    assert_eq!(numbers(free(&[2, 0, 1, 2]).random(4, &mut stream(1, 1))), [3, 0, 3, 0]);
    assert_eq!(numbers(free(&[2, 0, 1, 2]).random(5, &mut stream(7, 0))), [0, 3, 3, 2, 0]);
}

/// For two ranks on three nodes, each of the six ordered pairs is equally likely.
#[test]
fn random_is_uniform() {
    let mut counts = [[0u32; 3]; 3];
    for seed in 0..6_000 {
        let placed = numbers(FreeCores::new(3, 1).random(2, &mut stream(seed, 0)));
        counts[placed[0] as usize][placed[1] as usize] += 1;
    }
    let expected = 1_000.0;
    let pairs = (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let chi2: f64 = pairs.map(|(a, b)| (f64::from(counts[a][b]) - expected).powi(2) / expected).sum();
    assert!(chi2 < 20.5, "chi-squared {chi2} with 5 degrees of freedom; 20.5 is its 99.9th percentile");
    assert!((0..3).all(|node| counts[node][node] == 0), "one core holds one rank");
}

/// Nodes are filled one after the other in random order. For three nodes, each of the six orders is equally likely.
#[test]
fn random_nodes_are_filled_one_by_one() {
    let mut counts = [[0u32; 3]; 3];
    for seed in 0..6_000 {
        let placed = numbers(free(&[2, 2, 2]).random_nodes(5, &mut stream(seed, 0)));
        let [a, b, c] = [placed[0], placed[2], placed[4]];
        assert_eq!(placed, [a, a, b, b, c]);
        counts[a as usize][b as usize] += 1;
    }
    let pairs = (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let chi2: f64 = pairs.map(|(a, b)| (f64::from(counts[a][b]) - 1_000.0).powi(2) / 1_000.0).sum();
    assert!(chi2 < 20.5, "chi-squared {chi2} with 5 degrees of freedom; 20.5 is its 99.9th percentile");
    assert_eq!(
        numbers(free(&[0, 3, 0]).random_nodes(2, &mut stream(1, 0))),
        [1, 1],
        "nodes without a free core are left out"
    );
}

#[test]
fn too_many_ranks_are_refused_and_take_nothing() {
    let mut cores = free(&[1, 0, 2]);
    let refused = PlacementError::TooManyRanks { ranks: 4, free: 3 };
    let tried = [cores.linear(4), cores.round_robin(4), cores.random(4, &mut stream(1, 0))];
    assert!(tried.iter().all(|tried| *tried == Err(refused)));
    assert_eq!(cores, free(&[1, 0, 2]));
    assert_eq!((cores.take(1), cores.take(3), cores.of(2), cores.of(3)), (None, None, Some(2), None));
    let mut wide = FreeCores::new(2, u32::MAX);
    let free = 2 * u64::from(u32::MAX);
    assert_eq!(wide.random(1, &mut stream(1, 0)), Err(PlacementError::TooManyCores { free }));
}

proptest! {
    #[test]
    fn each_core_is_taken_once(cores in prop::collection::vec(0u32..4, 1..20), percent in 0u32..=100, seed in any::<u64>()) {
        let total: u32 = cores.iter().sum();
        let ranks = total * percent / 100;
        let place: [Place; 4] = [
            |free, ranks, _| free.linear(ranks),
            |free, ranks, _| free.round_robin(ranks),
            |free, ranks, seed| free.random(ranks, &mut stream(seed, 3)),
            |free, ranks, seed| free.random_nodes(ranks, &mut stream(seed, 3)),
        ];
        for place in place {
            let mut left = free(&cores);
            let placed = numbers(place(&mut left, ranks, seed));
            prop_assert_eq!(&placed, &numbers(place(&mut free(&cores), ranks, seed)), "the same each time");
            prop_assert_eq!(placed.len(), ranks as usize);
            for (node, &cores) in (0..).zip(&cores) {
                let taken = placed.iter().filter(|&&other| other == node).count() as u32;
                prop_assert_eq!(left.of(node), cores.checked_sub(taken));
            }
        }
    }
}
