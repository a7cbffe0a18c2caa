//! Every expansion is run by a tiny message-passing machine: it must end, and leave nothing unreceived.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;

use super::*;
use crate::units::Time;

/// What each rank knows after the run, when every message carries all that its sender knew (a rank knows itself at first).
fn run(collective: Collective, size: u32) -> Vec<BTreeSet<u32>> {
    let mut programs: Vec<VecDeque<Operation>> = (0..size)
        .map(|rank| {
            let mut operations = Vec::new();
            expand(collective, Member { rank, size }, &mut operations);
            operations.into()
        })
        .collect();
    let mut known: Vec<BTreeSet<u32>> = (0..size).map(|rank| BTreeSet::from([rank])).collect();
    let mut wires: BTreeMap<(u32, u32, u32), VecDeque<BTreeSet<u32>>> = BTreeMap::new();
    let mut posted: Vec<BTreeMap<u32, (u32, u32)>> = vec![BTreeMap::new(); size as usize];
    let mut moved = true;
    while std::mem::take(&mut moved) {
        for rank in 0..size {
            let me = rank as usize;
            while let Some(&operation) = programs[me].front() {
                let receive = |wires: &mut BTreeMap<_, VecDeque<_>>, from, tag| {
                    wires.get_mut(&(from, rank, tag)).and_then(VecDeque::pop_front)
                };
                match operation {
                    Operation::Send { to, tag, .. } | Operation::Isend { to, tag, .. } => {
                        wires.entry((rank, to, tag)).or_default().push_back(known[me].clone());
                    }
                    Operation::Irecv { from: Some(from), tag: Some(tag), request } => {
                        assert!(posted[me].insert(request, (from, tag)).is_none(), "request {request} used twice");
                    }
                    Operation::Recv { from: Some(from), tag: Some(tag) } => match receive(&mut wires, from, tag) {
                        Some(news) => known[me].extend(news),
                        None => break,
                    },
                    Operation::Wait { request } => {
                        if let Some(&(from, tag)) = posted[me].get(&request) {
                            match receive(&mut wires, from, tag) {
                                Some(news) => known[me].extend(news),
                                None => break,
                            }
                            posted[me].remove(&request);
                        }
                    }
                    Operation::Compute(_) => {}
                    other => panic!("{other:?} in a collective"),
                }
                programs[me].pop_front();
                moved = true;
            }
        }
    }
    assert!(programs.iter().all(VecDeque::is_empty), "{collective:?} among {size} ranks does not end");
    assert!(wires.values().all(VecDeque::is_empty), "{collective:?} among {size} ranks leaves messages behind");
    assert!(posted.iter().all(BTreeMap::is_empty), "{collective:?} among {size} ranks leaves receives behind");
    known
}

/// Bytes sent by all ranks.
fn bytes_sent(collective: Collective, size: u32) -> u64 {
    let mut operations = Vec::new();
    (0..size).for_each(|rank| expand(collective, Member { rank, size }, &mut operations));
    operations
        .iter()
        .map(|operation| match operation {
            Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => *bytes,
            _ => 0,
        })
        .sum()
}

proptest! {
    /// After a barrier and an allreduce everyone has heard of everyone; after a reduce the root has; after a broadcast
    /// everyone has heard of the root.
    #[test]
    fn information_reaches_those_who_need_it(size in 1u32..40, root in 0u32..40, count in 1u64..600_000, wide: bool) {
        let root = root % size;
        let bytes = count * if wide { 8 } else { 1 };
        let compute = Time::ZERO;
        let all: BTreeSet<u32> = (0..size).collect();
        for known in run(Collective::Barrier, size) {
            prop_assert_eq!(&known, &all);
        }
        for known in run(Collective::Allreduce { bytes, count, compute }, size) {
            prop_assert_eq!(&known, &all);
        }
        for known in run(Collective::Bcast { root, bytes, count }, size) {
            prop_assert!(known.contains(&root));
        }
        prop_assert_eq!(&run(Collective::Reduce { root, bytes, count, compute }, size)[root as usize], &all);
    }

    /// Trees move every byte once to (or from) each rank but the root; a ring moves two blocks less than twice the data.
    #[test]
    fn volumes_by_closed_form(size in 2u32..40, count in 1u64..300_000) {
        let bytes = count * 8;
        let others = u64::from(size - 1);
        prop_assert_eq!(bytes_sent(Collective::Reduce { root: 0, bytes, count, compute: Time::ZERO }, size), others * bytes);
        prop_assert_eq!(bytes_sent(Collective::Bcast { root: 0, bytes, count }, size) >= others * bytes, true);
        if bytes >= 10_000 && count > u64::from(size) {
            let allreduce = Collective::Allreduce { bytes, count, compute: Time::ZERO };
            prop_assert_eq!(bytes_sent(allreduce, size), 2 * others * bytes);
        }
    }
}

/// Open MPI's decisions at sizes that the traces use: number of messages by algorithm, by hand.
#[test]
fn decisions_by_hand() {
    let messages = |collective: Collective, rank, size| {
        let mut operations = Vec::new();
        expand(collective, Member { rank, size }, &mut operations);
        operations.iter().filter(|o| matches!(o, Operation::Send { .. } | Operation::Isend { .. })).count()
    };
    // 8 bytes among 64: recursive doubling, one message in each of 6 rounds.
    assert_eq!(messages(Collective::Allreduce { bytes: 8, count: 1, compute: Time::ZERO }, 5, 64), 6);
    // A small broadcast among 64: the root of a binomial tree has 6 children.
    assert_eq!(messages(Collective::Bcast { root: 3, bytes: 100, count: 25 }, 3, 64), 6);
    // 64 KiB among 64: split binary tree, 32 segments of 1 KiB to either child, then one half to the last rank.
    assert_eq!(messages(Collective::Bcast { root: 0, bytes: 65_536, count: 8_192 }, 0, 64), 65);
    // 4 MiB among 64: 64 < 3.2118e-6 * 4194304 + 8.7936 does not hold, so a pipeline of 8 KiB segments.
    assert_eq!(messages(Collective::Bcast { root: 0, bytes: 4 << 20, count: 1 << 19 }, 0, 64), 512);
    // 80 KB among 64, 10,000 elements: ring, 63 steps twice.
    assert_eq!(messages(Collective::Allreduce { bytes: 80_000, count: 10_000, compute: Time::ZERO }, 0, 64), 126);
    // 1 KiB reduced among 64: binomial without segments; an odd rank is a leaf.
    assert_eq!(messages(Collective::Reduce { root: 0, bytes: 1_024, count: 128, compute: Time::ZERO }, 1, 64), 1);
    assert_eq!(messages(Collective::Barrier, 0, 48), 6);
}
