//! The flow of data: every algorithm of gathers, scatters, exchanges and reduce-scatters at every number of ranks. In
//! these models, a message can carry no more data than its bytes say.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::super::allgather::{bruck, neighbour_exchange, recursive_doubling, ring};
use super::super::gather::Algorithm::{Binomial, Linear, LinearSync};
use super::super::{alltoall, alltoallv, butterfly, gather, gatherv, reduce_scatter, scatter, scatterv};
use super::*;

/// Numbers of ranks, powers of two and others.
const SIZES: RangeInclusive<u32> = 1..=40;

/// Blocks of 2^i bytes for rank i, so that a message's bytes say exactly which blocks it carries.
#[derive(Clone)]
struct Blocks(Vec<u64>);

impl Data for Blocks {
    type Payload = u64;

    fn pack(&mut self, from: u32, _: u32, bytes: u64) -> u64 {
        assert_eq!(bytes & !self.0[from as usize], 0, "rank {from} sends a block that it does not have");
        bytes
    }

    fn unpack(&mut self, _: u32, to: u32, blocks: u64) {
        assert_eq!(self.0[to as usize] & blocks, 0, "rank {to} receives a block that it has");
        self.0[to as usize] |= blocks;
    }
}

#[test]
fn allgathers_give_every_block_to_every_rank_once() {
    let any = SIZES.collect::<Vec<_>>();
    let powers = SIZES.filter(|size| size.is_power_of_two()).collect();
    let even = SIZES.filter(|size| size % 2 == 0).collect();
    allgathers(recursive_doubling, powers);
    allgathers(bruck, any.clone());
    allgathers(ring, any);
    allgathers(neighbour_exchange, even);
}

fn allgathers(algorithm: fn(Member, allgather::Block, &mut Vec<Operation>), sizes: Vec<u32>) {
    for size in sizes {
        let programs = programs(size, |member, operations| algorithm(member, &|rank| 1 << rank, operations));
        let Blocks(blocks) = run(&programs, &Blocks((0..size).map(|rank| 1 << rank).collect()));
        assert!(blocks.iter().all(|&blocks| blocks == (1 << size) - 1), "{size} ranks");
    }
}

/// Contributions to each rank's block. They leave a rank when it sends them, so none can be counted twice. Blocks have
/// 2^i bytes here, too.
#[derive(Clone)]
struct Contributions(Vec<Vec<BTreeSet<u32>>>);

impl Data for Contributions {
    type Payload = Vec<(usize, BTreeSet<u32>)>;

    fn pack(&mut self, from: u32, _: u32, bytes: u64) -> Self::Payload {
        let mine = &mut self.0[from as usize];
        let sent = (0..mine.len()).filter(|block| bytes & (1 << block) != 0);
        sent.map(|block| (block, std::mem::take(&mut mine[block]))).collect()
    }

    fn unpack(&mut self, _: u32, to: u32, payload: Self::Payload) {
        for (block, contributions) in payload {
            self.0[to as usize][block].extend(contributions);
        }
    }
}

#[test]
fn reduce_scatters_bring_every_contribution_to_its_rank() {
    for algorithm in [reduce_scatter::recursive_halving, reduce_scatter::ring, butterfly::expand] {
        for size in SIZES {
            let bytes: Vec<u64> = (0..size).map(|rank| 1 << rank).collect();
            let programs = programs(size, |member, operations| algorithm(member, &bytes, operations));
            let own = |rank| vec![BTreeSet::from([rank]); size as usize];
            let Contributions(parts) = run(&programs, &Contributions((0..size).map(own).collect()));
            for (rank, part) in parts.iter().enumerate() {
                assert_eq!(part[rank], (0..size).collect(), "rank {rank} of {size}");
            }
        }
    }
}

/// Bytes by sender and receiver, for algorithms whose messages go directly to the final destination of their data.
#[derive(Clone, Default)]
struct Direct(BTreeMap<(u32, u32), u64>);

impl Data for Direct {
    type Payload = u64;

    fn pack(&mut self, _: u32, _: u32, bytes: u64) -> u64 {
        bytes
    }

    fn unpack(&mut self, from: u32, to: u32, bytes: u64) {
        *self.0.entry((from, to)).or_default() += bytes;
    }
}

/// Runs an algorithm and compares the bytes sent between each pair of ranks with the expected ones.
fn goes_directly(
    size: u32,
    expected: impl Fn(u32, u32) -> u64,
    expand: impl Fn(Member, &mut Vec<Operation>),
) -> BTreeMap<(u32, u32), u64> {
    let Direct(mut sent) = run(&programs(size, expand), &Direct::default());
    let messages = sent.clone();
    sent.retain(|_, bytes| *bytes > 0);
    let pairs = (0..size).flat_map(|from| (0..size).map(move |to| (from, to))).filter(|(from, to)| from != to);
    let expected = pairs.map(|(from, to)| ((from, to), expected(from, to))).filter(|(_, bytes)| *bytes > 0).collect();
    assert_eq!(sent, expected, "{size} ranks");
    messages
}

/// Returns a size for each pair of ranks; some are zero.
fn of_pair(from: u32, to: u32) -> u64 {
    u64::from((from * 41 + to * 7) % 13) * 1_000 + u64::from((from + to) % 2)
}

#[test]
fn exchanges_go_directly() {
    for size in SIZES {
        goes_directly(size, |_, _| 5, |member, operations| alltoall::linear(member, 5, operations));
        goes_directly(size, |_, _| 5, |member, operations| alltoall::pairwise(member, |_| 5, operations));
        for algorithm in [alltoallv::expand, alltoallv::linear] {
            let messages = goes_directly(size, of_pair, |member, operations| {
                let bytes: Vec<u64> = (0..size).map(|to| of_pair(member.rank, to)).collect();
                algorithm(member, &bytes, operations);
            });
            assert_eq!(messages.len() as u32, size * (size - 1), "empty blocks are sent too");
        }
    }
}

#[test]
fn rooted_blocks_go_directly() {
    for (size, root) in SIZES.flat_map(|size| (0..size).map(move |root| (size, root))) {
        let up = |bytes| move |_, to| if to == root { bytes } else { 0 };
        let down = |bytes| move |from, _| if from == root { bytes } else { 0 };
        for (algorithm, bytes) in [(Linear, 5), (LinearSync(8), 5), (LinearSync(8), 100)] {
            goes_directly(size, up(bytes), |member, operations| gather::by(algorithm, member, root, bytes, operations));
        }
        goes_directly(size, down(5), |member, operations| scatter::linear(member, root, 5, operations));
        goes_directly(size, down(5), |member, operations| scatter::linear_nonblocking(member, root, 5, operations));
        let of_rank: Vec<u64> = (0..size).map(|rank| of_pair(rank, 3)).collect();
        let size_of = |rank: u32| of_rank[rank as usize];
        let messages = goes_directly(
            size,
            |from, to| if to == root { size_of(from) } else { 0 },
            |member, operations| gatherv::expand(member, root, &of_rank, operations),
        );
        assert!(messages.values().all(|&bytes| bytes > 0), "empty blocks are not sent");
        let messages = goes_directly(
            size,
            |from, to| if from == root { size_of(to) } else { 0 },
            |member, operations| scatterv::expand(member, root, &of_rank, operations),
        );
        assert!(messages.values().all(|&bytes| bytes > 0), "empty blocks are not sent");
    }
}

/// Equal blocks in bundles. The algorithm's rule says which blocks a message takes, and its bytes say how many.
#[derive(Clone)]
struct Bundles<'a, B> {
    held: Vec<BTreeSet<B>>,
    bytes: u64,
    /// Whether a message from one rank to another takes a block.
    takes: &'a dyn Fn(u32, u32, &B) -> bool,
}

impl<B: Ord + Clone> Data for Bundles<'_, B> {
    type Payload = BTreeSet<B>;

    fn pack(&mut self, from: u32, to: u32, bytes: u64) -> Self::Payload {
        let taken: BTreeSet<B> =
            self.held[from as usize].iter().filter(|block| (self.takes)(from, to, block)).cloned().collect();
        self.held[from as usize].retain(|block| !taken.contains(block));
        assert_eq!(taken.len() as u64 * self.bytes, bytes, "from {from} to {to}");
        taken
    }

    fn unpack(&mut self, _: u32, to: u32, blocks: Self::Payload) {
        self.held[to as usize].extend(blocks);
    }
}

/// A block travels by the binary digits of its remaining distance.
#[test]
fn bruck_brings_every_block_to_its_rank() {
    for size in SIZES {
        let distance = |from: u32, to: u32| (to + size - from) % size;
        let takes = |from: u32, to: u32, &(_, home): &(u32, u32)| distance(from, home) & distance(from, to) != 0;
        let held = (0..size).map(|rank| (0..size).map(|to| (rank, to)).collect()).collect();
        let programs = programs(size, |member, operations| alltoall::bruck(member, 3, operations));
        let end = run(&programs, &Bundles { held, bytes: 3, takes: &takes });
        for (rank, held) in (0..size).zip(end.held) {
            assert_eq!(held, (0..size).map(|from| (from, rank)).collect(), "rank {rank} of {size}");
        }
    }
}

/// Upwards, a rank sends all its blocks. Downwards, it sends a child the blocks of the child's subtree: consecutive
/// ranks from the child on, as many as the lowest set bit of its distance from the root.
#[test]
fn trees_gather_and_scatter_every_block() {
    for (size, root) in SIZES.flat_map(|size| (0..size).map(move |root| (size, root))) {
        let all: BTreeSet<u32> = (0..size).collect();
        let up = programs(size, |member, operations| gather::by(Binomial, member, root, 3, operations));
        let own = (0..size).map(|rank| BTreeSet::from([rank])).collect();
        let end = run(&up, &Bundles { held: own, bytes: 3, takes: &|_, _, _| true });
        assert_eq!(end.held[root as usize], all, "{size} ranks, root {root}");

        for scatter in [scatter::binomial, scatter::binomial_largest_first] {
            let down = programs(size, |member, operations| scatter(member, root, 3, operations));
            let from_root = |rank: u32| (rank + size - root) % size;
            let takes = |_, to: u32, &block: &u32| {
                let (to, block) = (from_root(to), from_root(block));
                block >= to && block - to < to & to.wrapping_neg()
            };
            let mut held = vec![BTreeSet::new(); size as usize];
            held[root as usize] = all.clone();
            let end = run(&down, &Bundles { held, bytes: 3, takes: &takes });
            for (rank, held) in (0..size).zip(end.held) {
                assert_eq!(held, BTreeSet::from([rank]), "{size} ranks, root {root}");
            }
        }
    }
}
