//! Benchmarks and codes: volumes in closed form, what is sent is received, and the order of steps by hand.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::tests::operations;
use super::*;
use crate::model::units::Time;
use crate::workload::application::{Application, Phase, Work};
use crate::workload::operation::{Collective, Operation, SendMode};

/// What each rank computes in an iteration, as in the other tests.
use super::tests::COMPUTE;

fn codes() -> impl Strategy<Value = Chain> {
    prop_oneof![
        (1u32..40, 1u32..20, 1u32..9)
            .prop_map(|(ranks, scale, levels)| { Graph500::new(ranks, scale, levels).map(Chain::from) }),
        (1u32..9).prop_map(|ranks| Isam::new(ranks).map(Chain::from)),
        (2u32..20, 1u32..9, 1u32..30, any::<u64>()).prop_map(|(ranks, times, ahead, seed)| {
            RandomAccess::new(ranks, ranks * times + times - 1, ahead, seed).map(Chain::from)
        }),
        (0u32..4, 1u32..6, 1u32..70, 1u32..9).prop_map(|(rows, columns, size, block)| {
            Linpack::new([1 << rows, columns], size, block).map(Chain::from)
        }),
    ]
    .prop_map(Result::unwrap)
}

/// What ranks have sent less what they have received: by sender, receiver and tag, and by receiver and tag where the
/// sender does not matter.
#[derive(Default)]
struct Balance {
    named: BTreeMap<(u32, u32, u32), i64>,
    any: BTreeMap<(u32, u32), i64>,
}

impl Balance {
    fn receive(&mut self, from: Option<u32>, to: u32, tag: u32) {
        match from {
            Some(from) => *self.named.entry((from, to, tag)).or_default() -= 1,
            None => *self.any.entry((to, tag)).or_default() -= 1,
        }
    }

    fn settles(mut self) -> bool {
        let left: Vec<_> = self.named.into_iter().filter(|&(_, left)| left != 0).collect();
        for ((_, to, tag), left) in left {
            *self.any.entry((to, tag)).or_default() += left;
        }
        self.any.values().all(|&left| left == 0)
    }
}

proptest! {
    /// As many messages of each tag are received as sent. Their number and bytes, and the numbers of waits and
    /// collectives, are those of the closed forms; nothing is larger than they say. All ranks compute as long.
    #[test]
    fn volumes_of_codes_are_their_closed_forms(chain in codes()) {
        let (mut messages, mut bytes, mut largest, mut calls, mut receives) = (0, 0, 0, 0, 0);
        let mut balance = Balance::default();
        let ranks = operations(chain.clone(), 1, SendMode::Ready);
        let all: usize = ranks.iter().map(Vec::len).sum();
        for (rank, operations) in (0..).zip(ranks) {
            let mut computed = Vec::new();
            for operation in operations {
                largest = largest.max(operation.largest());
                match operation {
                    Operation::Send { to, tag, bytes: size, .. } | Operation::Isend { to, tag, bytes: size, .. } => {
                        prop_assert!(to != rank && to < chain.ranks());
                        (messages, bytes) = (messages + 1, bytes + size);
                        *balance.named.entry((rank, to, tag)).or_default() += 1;
                    }
                    Operation::Recv { from, tag: Some(tag), .. } | Operation::Irecv { from, tag: Some(tag), .. } => {
                        receives += 1;
                        balance.receive(from, rank, tag);
                    }
                    Operation::Wait { .. } | Operation::WaitAll | Operation::Collective { .. } => calls += 1,
                    Operation::Compute(time) => computed.push(time.0),
                    Operation::Iteration => {}
                    _ => prop_assert!(false, "{:?}", operation),
                }
            }
            prop_assert_eq!(computed.iter().sum::<u64>(), COMPUTE.0);
            prop_assert_eq!(computed.len() as u64, chain.computations());
        }
        prop_assert!(balance.settles());
        prop_assert_eq!(receives, messages);
        prop_assert_eq!((messages, bytes, calls), (chain.messages(), chain.bytes(), chain.calls()));
        prop_assert!(largest <= chain.largest(), "{largest}");
        let phase = Phase { work: Work::Chain(chain), iterations: 1, compute: COMPUTE.into(), mode: SendMode::Ready };
        prop_assert_eq!(Application::new(vec![phase]).unwrap().operations(), all as u64);
    }
}

/// What a rank does: `>3:8` sends 8 B to rank 3, `<3` receives from it, `<` from any, `a8` gathers from all, `+` sums.
fn told(chain: impl Into<Chain>, rank: usize) -> String {
    let word = |operation: &Operation| match operation {
        Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => Some(format!(">{to}:{bytes}")),
        Operation::Recv { from, .. } | Operation::Irecv { from, .. } => {
            Some(from.map_or("<".into(), |from| format!("<{from}")))
        }
        Operation::Compute(_) => Some("c".into()),
        Operation::Collective { collective: Collective::Allgather { bytes }, .. } => Some(format!("a{bytes}")),
        Operation::Collective { .. } => Some("+".into()),
        _ => None,
    };
    let ranks = operations(chain, 1, SendMode::Ready);
    ranks[rank].iter().filter_map(word).collect::<Vec<_>>().join(" ")
}

/// A scale of 14 on 64 ranks has 256 vertices for each: one word of summary, for 64 words. With scale 20 on 128 ranks it
/// is two words for 8,192 vertices.
#[test]
fn searches_of_graph500() {
    assert_eq!(told(Graph500::new(64, 14, 1).unwrap(), 5), "c +");
    assert_eq!(told(Graph500::new(64, 14, 3).unwrap(), 5), "c + a512 a8 c + a512 a8 c +");
    assert_eq!(told(Graph500::new(128, 20, 2).unwrap(), 0), "c + a1024 a16 c +");
}

/// Rounds go to all others in an order of their own. Each rank takes one message for each that it sends from the second
/// round on.
#[test]
fn rounds_of_random_access() {
    let told = told(RandomAccess::new(5, 10, 1, 3).unwrap(), 2);
    let words: Vec<&str> = told.split(' ').collect();
    // A bucket has one update, so two updates for each other rank need two rounds of four messages.
    let sends: Vec<&str> = words.iter().filter(|word| word.starts_with('>')).copied().collect();
    for round in sends.chunks(4) {
        let mut round = round.to_vec();
        round.sort_unstable();
        assert_eq!(round, [">0:8", ">1:8", ">3:8", ">4:8"]);
    }
    assert_eq!(sends.len(), 12);
    assert_eq!(&words[..3], &["c", sends[0], "c"]);
    assert_eq!(&words[8..11], &["c", sends[4], "<"]);
    assert_eq!(&words[20..], &[">0:8", "<", ">1:8", "<", ">3:8", "<", ">4:8", "<", "<", "<", "<", "<"]);
}

/// A rank that looks 1,024 updates ahead and sends the fullest of its buckets sends as many at once as the closed form
/// says, within a tenth.
#[test]
fn buckets_are_as_full_as_the_closed_form_says() {
    for ranks in [17, 64, 128, 512] {
        let mut stream = crate::model::rng::Stream::new(7, crate::model::rng::Purpose::Buckets, 0);
        let (mut buckets, mut pending, mut sent) = (vec![0u64; ranks as usize - 1], 0, 0);
        let rounds = 12 * u64::from(ranks);
        for round in 0..rounds {
            while pending < 1_024 {
                buckets[stream.below(ranks - 1) as usize] += 1;
                pending += 1;
            }
            let fullest = (0..buckets.len()).max_by_key(|&bucket| buckets[bucket]).unwrap();
            let updates = std::mem::take(&mut buckets[fullest]);
            pending -= updates;
            sent += if round >= rounds / 3 { updates } else { 0 };
        }
        let (mean, closed) = (sent as f64 / (rounds - rounds / 3) as f64, RandomAccess::bucket(ranks, 1_024) as f64);
        assert!((mean / closed - 1.0).abs() < 0.1, "{ranks}: {mean} and {closed}");
    }
}

/// Four equations in two panels on two rows and two columns of processes, by hand.
#[test]
fn steps_of_linpack() {
    let linpack = Linpack::new([2, 2], 4, 2).unwrap();
    // Two pivots: 4 numbers and two rows of 2. The panel: nothing below its block of 4 numbers, 2 pivots and 1 more. A
    // pivot's row for the right-hand side, spread and rolled.
    let first = "<2 >2:64 <2 >2:64 >1:56 >2:8 <2 >2:8 c";
    // Rank 1 has the second panel, and its pivots come from the second row of processes.
    let second = "<1 <2 <2 >2:8 c";
    // The right-hand side goes to the last block's column, which changes the two rows of the first block. That block's
    // solution is told in its column.
    let solution = ">1:16 <1 >2:16";
    assert_eq!(told(linpack, 0), format!("{first} {second} {solution}"));
}

#[test]
fn what_no_code_can_be_is_refused() {
    let text = |error: crate::workload::graph::GraphError| error.to_string();
    assert_eq!(
        text(RandomAccess::new(8, 7, 1, 0).unwrap_err()),
        "updates = 7 is out of range: write a number from 8 to 1073741824"
    );
    assert_eq!(
        text(Linpack::new([3, 2], 8, 2).unwrap_err()),
        "grid = [3, 2] is out of range: write rows and columns of processes; the rows are a power of two of at most 16384"
    );
    assert!(Linpack::new([2, 0], 8, 2).is_err() && Linpack::new([2, 2], 0, 2).is_err());
    assert!(Graph500::new(1, 49, 1).is_err() && Graph500::new(0, 4, 1).is_err() && Isam::new(0).is_err());
}

/// Times are shares of what is given.
#[test]
fn ranks_of_isam_only_compute() {
    assert_eq!(operations(Isam::new(3).unwrap(), 2, SendMode::Ready)[2], {
        let iteration = [Operation::Iteration, Operation::Compute(Time(COMPUTE.0))];
        [iteration.clone(), iteration].concat()
    });
}
