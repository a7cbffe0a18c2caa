//! Every algorithm, and the rules, on random communicators of a job: sizes from 2 to 130 ranks in any order, any root,
//! 0 B to 1 GiB.
//!
//! Messages carry all that their senders know, so that a rank that ends up knowing what it must has got it along a
//! chain of messages in time. And no rank sends or receives less than it must: a rank that is to get data that it does
//! not have receives at least as many bytes, and a rank whose data others need sends at least as many.

use super::*;
use crate::model::ids::NodeId;
use crate::model::units::Bytes;
use crate::workload::algorithms::{
    Allgather, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter,
};

/// A set of up to 192 ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Ranks([u64; 3]);

impl Ranks {
    fn one(rank: u32) -> Self {
        let mut ranks = Ranks::default();
        ranks.0[rank as usize / 64] = 1 << (rank % 64);
        ranks
    }

    fn and(self, other: Self) -> Self {
        Ranks([0, 1, 2].map(|word| self.0[word] | other.0[word]))
    }

    fn contains(self, other: Self) -> bool {
        self.and(other) == self
    }
}

/// What ranks know, and how many bytes each has sent and received.
#[derive(Clone)]
struct Known {
    known: Vec<Ranks>,
    sent: Vec<u64>,
    received: Vec<u64>,
}

impl Data for Known {
    type Payload = (Ranks, u64);

    fn pack(&mut self, from: u32, _: u32, bytes: u64) -> Self::Payload {
        self.sent[from as usize] += bytes;
        (self.known[from as usize], bytes)
    }

    fn unpack(&mut self, _: u32, to: u32, (news, bytes): Self::Payload) {
        let known = &mut self.known[to as usize];
        *known = known.and(news);
        self.received[to as usize] += bytes;
    }
}

/// A job with a communicator of some of its ranks.
struct Setting {
    communicators: Communicators,
    nodes: ByNode,
    ranks: Vec<u32>,
}

impl Setting {
    /// Takes ranks of a job of 140 in a random order. They are on 50 nodes, or all on two.
    fn new(size: u32, seed: u64) -> Self {
        let mut all: Vec<u32> = (0..140).collect();
        let mut random = seed | 1;
        for place in (1..all.len()).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            all.swap(place, (random >> 33) as usize % (place + 1));
        }
        all.truncate(size as usize);
        let mut communicators = Communicators::of(140);
        communicators.add(all.clone()).unwrap();
        let nodes = if seed.is_multiple_of(3) { 2 } else { 50 };
        let placement: Vec<NodeId> = (0..140).map(|rank| NodeId((random >> (rank % 32)) as u32 % nodes)).collect();
        Setting { nodes: ByNode::new(&communicators, &placement), communicators, ranks: all }
    }

    /// Runs what each rank of the communicator does, and returns the result in the order of its ranks, which are told
    /// apart by their numbers there. Ranks outside do nothing.
    fn run(&self, algorithms: &Algorithms, collective: &dyn Fn(u32) -> Collective) -> Known {
        let mut programs = vec![Vec::new(); 140];
        let mut known = vec![Ranks::default(); 140];
        for (rank, &in_job) in (0..).zip(&self.ranks) {
            let collective = collective(rank);
            let operations = &mut programs[in_job as usize];
            expand_in(&self.communicators, algorithms, Some(&self.nodes), 1, in_job, &collective, operations);
            known[in_job as usize] = Ranks::one(rank);
        }
        let end = run(&programs, &Known { known, sent: vec![0; 140], received: vec![0; 140] });
        let order = |values: &[u64]| self.ranks.iter().map(|&rank| values[rank as usize]).collect();
        Known {
            known: self.ranks.iter().map(|&rank| end.known[rank as usize]).collect(),
            sent: order(&end.sent),
            received: order(&end.received),
        }
    }
}

/// All algorithms of an operation, and both rules. Without a segment, data is whole.
fn each<T: Copy>(all: &[T], name: impl Fn(T) -> Algorithms, segment: Option<Bytes>) -> Vec<Algorithms> {
    let segment = segment.or(Some(Bytes(Algorithms::WHOLE)));
    let rules = [Rules::Classic, Rules::OpenMpi41].map(|rules| Algorithms { rules, ..Algorithms::default() });
    let named = all.iter().map(|&algorithm| Algorithms { segment, channels: Some(3), ..name(algorithm) });
    let among_rules = all.iter().map(|&algorithm| Algorithms { rules: Rules::OpenMpi41, segment, ..name(algorithm) });
    rules.into_iter().chain(named).chain(among_rules).collect()
}

macro_rules! every {
    ($field:ident: $algorithm:ident, $segment:expr) => {
        each($algorithm::ALL, |named| Algorithms { $field: Some(named), ..Algorithms::default() }, $segment.map(Bytes))
    };
}

/// From nothing to a gibibyte, mostly little; elements of 1 or 8 B.
fn data() -> impl Strategy<Value = (u64, u64)> {
    let count = prop_oneof![Just(0u64), 1u64..200, 0u64..50_000, 0u64..(1 << 24), Just(1 << 27)];
    (count, prop_oneof![Just(1u64), Just(8)]).prop_map(|(count, element)| (count * element, count))
}

/// A segment that makes at most 6 pieces.
fn segment(bytes: u64, pieces: Option<u64>) -> Option<u64> {
    pieces.map(|pieces| bytes.div_ceil(pieces).max(1))
}

/// Random blocks, a third of them empty.
fn blocks(size: u32, bytes: u64, seed: u64) -> Box<[u64]> {
    let block = |rank: u64| {
        let random = (seed ^ (rank << 32)).wrapping_mul(6_364_136_223_846_793_005) >> 33;
        if random.is_multiple_of(3) { 0 } else { random % (bytes + 1) }
    };
    (0..u64::from(size)).map(block).collect()
}

fn all(size: u32) -> Ranks {
    (0..size).map(Ranks::one).fold(Ranks::default(), Ranks::and)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Broadcasts and reductions.
    #[test]
    fn rooted_data(
        size in 2u32..131, root in 0u32..131, (bytes, count) in data(), seed: u64, pieces in prop::option::of(1u64..7),
    ) {
        let (setting, root, compute) = (Setting::new(size, seed), root % size, Time::ZERO);
        let segment = segment(bytes, pieces);
        for algorithms in every!(bcast: Bcast, segment) {
            // The classic rules cut a gibibyte into pieces of a kibibyte, which only takes long.
            if matches!(algorithms.bcast, None | Some(Bcast::Hierarchical)) && bytes > 1 << 22 && algorithms.rules == Rules::Classic { continue; }
            let end = setting.run(&algorithms, &|_| Collective::Bcast { root, bytes, count });
            for rank in (0..size as usize).filter(|&rank| rank as u32 != root) {
                prop_assert!(end.known[rank].contains(Ranks::one(root)), "{:?}: rank {}", algorithms, rank);
                prop_assert!(end.received[rank] >= bytes, "{:?}: rank {}", algorithms, rank);
            }
        }
        for algorithms in every!(reduce: Reduce, segment) {
            if matches!(algorithms.reduce, None | Some(Reduce::Hierarchical)) && bytes > 1 << 22 && algorithms.rules == Rules::Classic { continue; }
            let end = setting.run(&algorithms, &|_| Collective::Reduce { root, bytes, count, compute });
            prop_assert_eq!(end.known[root as usize], all(size), "{:?}", algorithms);
            prop_assert!(end.received[root as usize] >= bytes, "{:?}", algorithms);
            for rank in (0..size as usize).filter(|&rank| rank as u32 != root) {
                prop_assert!(end.sent[rank] >= bytes, "{:?}: rank {}", algorithms, rank);
            }
        }
    }

    /// Barriers, and reductions to all.
    #[test]
    fn data_of_all(size in 2u32..131, (bytes, count) in data(), seed: u64, pieces in prop::option::of(1u64..7)) {
        let (setting, compute) = (Setting::new(size, seed), Time::ZERO);
        for algorithms in every!(barrier: Barrier, None) {
            let end = setting.run(&algorithms, &|_| Collective::Barrier);
            prop_assert!(end.known.iter().all(|&known| known == all(size)), "{:?}", algorithms);
        }
        for algorithms in every!(allreduce: Allreduce, segment(bytes, pieces)) {
            let by_rules = matches!(algorithms.allreduce, None | Some(Allreduce::ReduceBcast | Allreduce::Hierarchical));
            if by_rules && bytes > 1 << 22 && algorithms.rules == Rules::Classic { continue; }
            let end = setting.run(&algorithms, &|_| Collective::Allreduce { bytes, count, compute });
            for rank in 0..size as usize {
                prop_assert_eq!(end.known[rank], all(size), "{:?}: rank {}", algorithms, rank);
                prop_assert!(end.sent[rank] >= bytes, "{:?}: rank {}", algorithms, rank);
                prop_assert!(end.received[rank] >= bytes, "{:?}: rank {}", algorithms, rank);
            }
        }
    }

    /// Gathers and scatters.
    #[test]
    fn rooted_blocks(
        size in 2u32..131, root in 0u32..131, (bytes, _) in data(), seed: u64, pieces in prop::option::of(1u64..7),
    ) {
        let (setting, root) = (Setting::new(size, seed), root % size);
        let others = u64::from(size - 1);
        for algorithms in every!(gather: Gather, segment(bytes, pieces)) {
            let end = setting.run(&algorithms, &|_| Collective::Gather { root, bytes });
            prop_assert_eq!(end.known[root as usize], all(size), "{:?}", algorithms);
            prop_assert_eq!(end.received[root as usize], others * bytes, "{:?}", algorithms);
        }
        for algorithms in every!(scatter: Scatter, None) {
            let end = setting.run(&algorithms, &|_| Collective::Scatter { root, bytes });
            prop_assert!(end.known.iter().all(|known| known.contains(Ranks::one(root))), "{:?}", algorithms);
            prop_assert_eq!(end.sent[root as usize], others * bytes, "{:?}", algorithms);
            for rank in (0..size as usize).filter(|&rank| rank as u32 != root) {
                prop_assert_eq!(end.received[rank] - end.sent[rank], bytes, "{:?}: rank {}", algorithms, rank);
            }
        }
    }

    /// Blocks of all for all: allgathers, alltoalls and reduce-scatters, of one size and several.
    #[test]
    fn blocks_of_all(size in 2u32..131, (bytes, _) in data(), seed: u64, pieces in prop::option::of(1u64..7)) {
        let (setting, compute) = (Setting::new(size, seed), Time::ZERO);
        let (list, whole) = (blocks(size, bytes, seed), all(size));
        let total: u64 = list.iter().sum();
        for algorithms in every!(allgather: Allgather, segment(bytes, pieces)) {
            let named = algorithms.allgather;
            let cuts = matches!(named, Some(Allgather::GatherBcast | Allgather::Hierarchical));
            if cuts && bytes > 1 << 16 && algorithms.rules == Rules::Classic { continue; }
            let end = setting.run(&algorithms, &|_| Collective::Allgather { bytes });
            for rank in 0..size as usize {
                // Empty blocks are not gathered.
                prop_assert!(bytes == 0 || end.known[rank] == whole, "{:?}: rank {}", algorithms, rank);
                prop_assert!(end.received[rank] >= u64::from(size - 1) * bytes, "{:?}: rank {}", algorithms, rank);
            }
            let end = setting.run(&algorithms, &|_| Collective::Allgatherv { bytes: list.clone() });
            for rank in 0..size as usize {
                let filled = (0..size).filter(|&rank| list[rank as usize] > 0).map(Ranks::one);
                prop_assert!(end.known[rank].contains(filled.fold(Ranks::default(), Ranks::and)), "{:?}", algorithms);
                prop_assert!(end.received[rank] >= total - list[rank], "{:?}: rank {}", algorithms, rank);
            }
        }
        for algorithms in every!(alltoall: Alltoall, None) {
            let end = setting.run(&algorithms, &|_| Collective::Alltoall { bytes });
            for rank in 0..size as usize {
                prop_assert_eq!(end.known[rank], whole, "{:?}: rank {}", algorithms, rank);
                prop_assert!(end.received[rank] >= u64::from(size - 1) * bytes, "{:?}: rank {}", algorithms, rank);
            }
        }
        for algorithms in every!(alltoallv: Alltoallv, None) {
            let of = |from: u32| blocks(size, bytes, seed ^ u64::from(from) << 8);
            let end = setting.run(&algorithms, &|rank| Collective::Alltoallv { bytes: of(rank) });
            for rank in 0..size {
                let senders = (0..size).filter(|&from| from != rank);
                let expected: u64 = senders.map(|from| of(from)[rank as usize]).sum();
                prop_assert_eq!(end.received[rank as usize], expected, "{:?}: rank {}", algorithms, rank);
                prop_assert_eq!(end.known[rank as usize], whole, "{:?}: rank {}", algorithms, rank);
            }
        }
        for algorithms in every!(reduce_scatter: ReduceScatter, segment(total, pieces)) {
            let reduces = algorithms.reduce_scatter == Some(ReduceScatter::ReduceScatterv);
            let cuts = reduces || algorithms.reduce_scatter == Some(ReduceScatter::Hierarchical);
            if cuts && total > 1 << 20 && algorithms.rules == Rules::Classic { continue; }
            let end = setting.run(&algorithms, &|_| Collective::ReduceScatter { bytes: list.clone(), compute });
            for rank in 0..size as usize {
                prop_assert!(list[rank] == 0 || end.known[rank] == whole, "{:?}: rank {}", algorithms, rank);
                let least = if reduces && rank == 0 { 0 } else { total - list[rank] };
                prop_assert!(end.sent[rank] >= least, "{:?}: rank {}", algorithms, rank);
                prop_assert!(end.received[rank] >= list[rank], "{:?}: rank {}", algorithms, rank);
            }
        }
    }
}
