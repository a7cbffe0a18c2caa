//! Volumes in closed form, what is sent is received, and the order of steps by hand.

mod codes;
mod graphs;
mod models;
mod nas;
mod phased;

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::model::units::Time;
use crate::workload::operation::{Operation, OperationSource, SendMode};

/// What each rank computes in an iteration; every share of it is more than none.
pub(super) const COMPUTE: Time = Time(1_260_000);

/// Draws a small program of any kind.
fn chains() -> impl Strategy<Value = Work> {
    let power = || (0u32..7).prop_map(|exponent| 1 << exponent);
    let dims = || prop::collection::vec(1u32..5, 1..4);
    prop_oneof![
        (1u32..9, 1u32..5, prop::sample::select(vec![Destinations::FromNext, Destinations::FromZero]))
            .prop_map(|(group, groups, order)| AllToAll::in_groups(group * groups, groups, 7, order).map(Work::from)),
        power().prop_map(|ranks| BinaryTree::new(ranks, 7).map(Work::from)),
        (power(), any::<bool>()).prop_map(|(ranks, growing)| Butterfly::new(ranks, 7, growing).map(Work::from)),
        (dims(), any::<bool>()).prop_map(|(dims, periodic)| Stencil::new(dims, periodic, 7).map(Work::from)),
        (2u32..20).prop_map(|ranks| NBodies::new(ranks, 7).map(Work::from)),
        (1u32..20, any::<bool>(), any::<u32>()).prop_map(|(ranks, to_one, root)| {
            let way = if to_one { Way::AllToOne } else { Way::OneToAll };
            OneAndAll::new(way, ranks, root % ranks, 7).map(Work::from)
        }),
        dims().prop_map(|dims| Wavefront::new(dims, 7).map(Work::from)),
        (2u32..20, 1u32..200, 1u32..50, any::<u64>())
            .prop_map(|(ranks, messages, wave, seed)| Waves::new(ranks, messages, wave, 7, seed).map(Work::from)),
        transformer::tests::transformers().prop_map(|transformer| Ok(Work::from(transformer))),
    ]
    .prop_map(Result::unwrap)
}

/// Returns the operations of each rank, which computes as long as the program knows, or the same time.
pub(super) fn operations(chain: impl Into<Work>, iterations: u32, mode: SendMode) -> Vec<Vec<Operation>> {
    let chain = chain.into();
    let compute = chain.time().unwrap_or(COMPUTE).into();
    let phase = Phase { work: chain, iterations, compute, mode };
    let mut source = Iterate::new(Arc::new(Application::new(vec![phase]).unwrap()), 1);
    let ranks = source.ranks();
    let all = |rank| {
        let mut operations = Vec::new();
        loop {
            let before = operations.len();
            source.refill(rank, &mut operations).unwrap();
            assert!(operations.len() - before < 100, "blocks are short");
            if operations.len() == before {
                return operations;
            }
        }
    };
    (0..ranks).map(all).collect()
}

fn computing(operation: &Operation) -> Option<u64> {
    if let Operation::Compute(time) = operation { Some(time.0) } else { None }
}

proptest! {
    /// Between two ranks, as many messages of each tag are received as sent. Their number and bytes are those of the
    /// closed forms. Each rank marks each iteration, and computes so often and so long in it.
    #[test]
    fn what_is_sent_is_received_and_counted(chain in chains(), iterations in 1u32..3) {
        let (mut messages, mut bytes, mut largest, mut computations) = (0, 0, 0, 0);
        let mut balance = BTreeMap::new();
        let ranks = operations(chain.clone(), iterations, SendMode::Ready);
        let all: usize = ranks.iter().map(Vec::len).sum();
        prop_assert_eq!(ranks.len() as u32, chain.ranks());
        for (rank, operations) in (0..).zip(ranks) {
            let marks = operations.iter().filter(|operation| **operation == Operation::Iteration).count();
            let computed: Vec<u64> = operations.iter().filter_map(computing).collect();
            prop_assert_eq!((marks as u32, computed.iter().sum()), (iterations, u64::from(iterations) * COMPUTE.0));
            computations += computed.len() as u64;
            for operation in operations {
                match operation {
                    Operation::Send { to, tag, bytes: size, mode: SendMode::Ready, .. } => {
                        prop_assert!(to != rank && to < chain.ranks());
                        (messages, bytes, largest) = (messages + 1, bytes + size, size.max(largest));
                        *balance.entry((rank, to, tag)).or_insert(0i64) += 1;
                    }
                    Operation::Recv { from: Some(from), tag: Some(tag), .. } => {
                        *balance.entry((from, rank, tag)).or_insert(0) -= 1;
                    }
                    Operation::Iteration | Operation::Compute(_) => {}
                    _ => prop_assert!(false, "{:?}", operation),
                }
            }
        }
        prop_assert!(balance.values().all(|&left| left == 0), "{balance:?}");
        let times = u64::from(iterations);
        prop_assert_eq!(computations, times * chain.all_computations());
        prop_assert_eq!((messages, bytes), (chain.messages() * times, chain.bytes() * times));
        prop_assert!(messages == 0 || largest == chain.largest());
        let phase = Phase { work: chain, iterations, compute: COMPUTE.into(), mode: SendMode::Ready };
        prop_assert_eq!(Application::new(vec![phase]).unwrap().operations(), all as u64);
    }
}

/// The volumes of the paper's programs on 4,096 ranks, by hand.
#[test]
fn volumes_of_4096_ranks() {
    let volume = |chain: Work| (chain.messages(), chain.bytes());
    assert_eq!(
        volume(AllToAll::in_groups(4_096, 1, 512, Destinations::FromNext).unwrap().into()),
        (4_096 * 4_095, 4_096 * 4_095 * 512)
    );
    assert_eq!(
        volume(AllToAll::in_groups(4_096, 64, 1, Destinations::FromNext).unwrap().into()),
        (4_096 * 63, 4_096 * 63)
    );
    assert_eq!(volume(BinaryTree::new(4_096, 10).unwrap().into()), (4_095, 40_950));
    assert_eq!(volume(Butterfly::new(4_096, 10, false).unwrap().into()), (49_152, 491_520));
    // 1 + 2 + 4 + ... + 2,048 = 4,095 messages' worth of each rank.
    assert_eq!(volume(Butterfly::new(4_096, 10, true).unwrap().into()), (49_152, 4_096 * 40_950));
    assert_eq!(volume(Stencil::new(vec![64, 64], false, 10).unwrap().into()), (4 * 64 * 63, 40 * 64 * 63));
    assert_eq!(volume(Stencil::new(vec![16, 16, 16], false, 1).unwrap().into()), (6 * 256 * 15, 6 * 256 * 15));
    // Each rank of a torus has four neighbours; those of a dimension of two, two messages each.
    assert_eq!(volume(Stencil::new(vec![64, 64], true, 10).unwrap().into()), (4 * 4_096, 40 * 4_096));
    assert_eq!(volume(Stencil::new(vec![2, 2_048, 1], true, 1).unwrap().into()), (4 * 4_096, 4 * 4_096));
    assert_eq!(volume(OneAndAll::new(Way::OneToAll, 4_096, 5, 10).unwrap().into()), (4_095, 40_950));
    assert_eq!(volume(OneAndAll::new(Way::AllToOne, 4_096, 0, 10).unwrap().into()), (4_095, 40_950));
    // Half way round a ring there are 2,048 stops, and a way home.
    assert_eq!(volume(NBodies::new(4_096, 10).unwrap().into()), (4_096 * 2_049, 40_960 * 2_049));
    assert_eq!(volume(NBodies::new(4_095, 10).unwrap().into()), (4_095 * 2_048, 40_950 * 2_048));
    assert_eq!(volume(Wavefront::new(vec![64, 64], 1).unwrap().into()), (2 * 64 * 63, 2 * 64 * 63));
    assert_eq!(volume(Wavefront::new(vec![16, 16, 16], 1).unwrap().into()), (3 * 256 * 15, 3 * 256 * 15));
    assert_eq!(volume(Waves::new(4_096, 65_536, 1_024, 1_024, 1).unwrap().into()), (65_536, 1 << 26));
}

/// Returns what a rank does, as text: `>3` sends to rank 3, `<3` receives from it.
pub(super) fn told(chain: impl Into<Work>, rank: usize) -> String {
    let word = |operation: &Operation| match operation {
        Operation::Send { to, .. } => Some(format!(">{to}")),
        Operation::Recv { from: Some(from), .. } => Some(format!("<{from}")),
        Operation::Compute(_) => Some("c".into()),
        _ => None,
    };
    let ranks = operations(chain, 1, SendMode::Standard);
    ranks[rank].iter().filter_map(word).collect::<Vec<_>>().join(" ")
}

/// The orders of the generators of Navaridas, Miguel-Alonso and Ridruejo.
#[test]
fn steps_are_in_the_order_of_the_generators() {
    assert_eq!(told(AllToAll::in_groups(4, 1, 1, Destinations::FromNext).unwrap(), 1), "c >2 >3 >0 <0 <3 <2");
    assert_eq!(told(AllToAll::in_groups(6, 2, 1, Destinations::FromNext).unwrap(), 4), "c >5 >3 <3 <5");
    assert_eq!(told(AllToAll::in_groups(4, 1, 1, Destinations::FromZero).unwrap(), 1), "c >0 >2 >3 <0 <2 <3");
    assert_eq!(told(AllToAll::in_groups(6, 2, 1, Destinations::FromZero).unwrap(), 5), "c >3 >4 <3 <4");
    assert_eq!(told(BinaryTree::new(8, 1).unwrap(), 0), "c <1 <2 <4");
    assert_eq!(told(BinaryTree::new(8, 1).unwrap(), 4), "c <5 <6 >0");
    assert_eq!(told(BinaryTree::new(8, 1).unwrap(), 7), "c >6");
    assert_eq!(told(Butterfly::new(8, 1, false).unwrap(), 5), "c >4 <4 >7 <7 >1 <1");
    // Rank 4 of a 3 x 3 grid is its middle: x 3 and 5, y 1 and 7.
    assert_eq!(told(Stencil::new(vec![3, 3], false, 1).unwrap(), 4), "c >5 >3 >7 >1 <5 <7 <3 <1");
    assert_eq!(told(Stencil::new(vec![3, 3], false, 1).unwrap(), 0), "c >1 >3 <1 <3");
    assert_eq!(
        told(Stencil::new(vec![3, 3, 3], false, 1).unwrap(), 13),
        "c >14 >12 >16 >10 >22 >4 <14 <16 <22 <12 <10 <4"
    );
    assert_eq!(told(Stencil::new(vec![3, 3], true, 1).unwrap(), 0), "c >1 >2 >3 >6 <1 <3 <2 <6");
    assert_eq!(told(Stencil::new(vec![2, 1], true, 1).unwrap(), 0), "c >1 >1 <1 <1");
    assert_eq!(told(OneAndAll::new(Way::OneToAll, 4, 1, 1).unwrap(), 1), "c >2 >3 >0");
    assert_eq!(told(OneAndAll::new(Way::OneToAll, 4, 1, 1).unwrap(), 3), "c <1");
    assert_eq!(told(OneAndAll::new(Way::AllToOne, 4, 1, 1).unwrap(), 1), "c <2 <3 <0");
    assert_eq!(told(OneAndAll::new(Way::AllToOne, 4, 1, 1).unwrap(), 3), "c >1");
    // Bodies of ranks 1, 0 and 5 stop at rank 2 of six; its own come home from rank 5.
    assert_eq!(told(NBodies::new(6, 1).unwrap(), 2), ">3 <1 c >3 <1 c >3 <1 c >5 <5");
    assert_eq!(told(NBodies::new(5, 1).unwrap(), 0), ">1 <4 c >1 <4 c >3 <2");
    assert_eq!(told(Wavefront::new(vec![3, 3], 1).unwrap(), 4), "<1 <3 c >5 >7");
    assert_eq!(told(Wavefront::new(vec![3, 3, 3], 1).unwrap(), 13), "<4 <10 <12 c >14 >16 >22");
    assert_eq!(told(Wavefront::new(vec![3, 3], 1).unwrap(), 8), "<5 <7 c");
}

/// Plays a program in which messages take no time.
pub(super) fn played(chain: impl Into<Work>) -> u64 {
    let mut left: Vec<_> = operations(chain, 1, SendMode::Ready).into_iter().map(Vec::into_iter).collect();
    let mut waits: Vec<Option<(u32, u32)>> = vec![None; left.len()];
    let (mut clocks, mut sent) = (vec![0; left.len()], BTreeMap::<(u32, u32, u32), Vec<u64>>::new());
    let mut taken = BTreeMap::<(u32, u32, u32), usize>::new();
    loop {
        let mut moved = false;
        for rank in 0..left.len() {
            loop {
                if let Some((from, tag)) = waits[rank] {
                    let key = (from, rank as u32, tag);
                    let number = taken.entry(key).or_default();
                    let Some(&at) = sent.get(&key).and_then(|times| times.get(*number)) else { break };
                    (*number, clocks[rank], waits[rank]) = (*number + 1, at.max(clocks[rank]), None);
                }
                let Some(operation) = left[rank].next() else { break };
                moved = true;
                match operation {
                    Operation::Compute(time) => clocks[rank] += time.0,
                    Operation::Send { to, tag, .. } => {
                        sent.entry((rank as u32, to, tag)).or_default().push(clocks[rank]);
                    }
                    Operation::Recv { from: Some(from), tag: Some(tag), .. } => waits[rank] = Some((from, tag)),
                    _ => {}
                }
            }
        }
        if !moved {
            assert!(waits.iter().all(Option::is_none), "{waits:?}");
            return clocks.into_iter().max().unwrap_or(0);
        }
    }
}

/// Of two ranks, each message goes from one to the other. In one wave a rank sends all before it receives; in waves of
/// one message, both follow the drawn order; in all, the messages are the same.
#[test]
fn a_rank_ends_a_wave_before_the_next() {
    let waves = |wave| told(Waves::new(2, 12, wave, 1, 5).unwrap(), 0);
    let (one, alone) = (waves(12), waves(1));
    let (sends, receives): (Vec<&str>, Vec<&str>) = alone[2..].split(' ').partition(|word| word.starts_with('>'));
    assert!(!sends.is_empty() && !receives.is_empty(), "{alone}");
    assert_eq!(one, format!("c {} {}", sends.join(" "), receives.join(" ")));
    let by_four: Vec<String> = alone[2..]
        .split(' ')
        .collect::<Vec<_>>()
        .chunks(4)
        .map(|wave| {
            let (sends, receives): (Vec<&str>, Vec<&str>) = wave.iter().partition(|word| word.starts_with('>'));
            [sends, receives].concat().join(" ")
        })
        .collect();
    assert_eq!(waves(4), format!("c {}", by_four.join(" ")));
}

#[test]
fn what_no_program_can_be_is_refused() {
    let text = |error: ProgramError| error.to_string();
    assert_eq!(
        text(BinaryTree::new(12, 1).unwrap_err()),
        "ranks = 12 is out of range: write a power of two of at most 268435456, as the program demands"
    );
    assert!(Butterfly::new(0, 1, false).is_err());
    assert_eq!(
        text(AllToAll::in_groups(12, 5, 1, Destinations::FromNext).unwrap_err()),
        "groups = 5 is out of range: write a number that divides the 12 ranks"
    );
    assert!(Stencil::new(vec![], false, 1).is_err() && Wavefront::new(vec![4, 0], 1).is_err());
    assert!(Waves::new(1, 1, 1, 1, 0).is_err() && Waves::new(2, 0, 1, 1, 0).is_err());
    assert!(NBodies::new(1, 1).is_err() && OneAndAll::new(Way::AllToOne, 0, 0, 1).is_err());
    assert_eq!(
        text(OneAndAll::new(Way::OneToAll, 4, 4, 1).unwrap_err()),
        "root = 4 is out of range: write a number from 0 to 3"
    );
    assert!(Waves::new(2, 1, 0, 1, 0).is_err() && Waves::new(2, (1 << 24) + 1, 1, 1, 0).is_err());
}

/// 65,536 ranks begin without a table: what is kept of a rank is the number of its next step.
#[test]
fn many_ranks_are_listed_in_blocks() {
    let phase = |chain| Phase { work: chain, iterations: 1, compute: Time::ZERO.into(), mode: SendMode::Ready };
    let chain = Work::from(AllToAll::in_groups(65_536, 1, 8, Destinations::FromNext).unwrap());
    let mut source = Iterate::new(Arc::new(Application::new(vec![phase(chain)]).unwrap()), 1);
    let mut operations = Vec::new();
    for rank in [0, 40_000, 65_535] {
        for block in 0..3 {
            operations.clear();
            source.refill(rank, &mut operations).unwrap();
            assert!((31..34).contains(&operations.len()), "{block}");
        }
    }
}

/// 64,000 ranks of LULESH list all of an iteration in short blocks: 40 x 40 x 40, with twelve million operations.
#[test]
fn many_ranks_of_lulesh_need_no_memory() {
    let work = Work::from(Lulesh::new(64_000, 30).unwrap());
    let phase = Phase { work, iterations: 1, compute: COMPUTE.into(), mode: SendMode::Standard };
    let application = Arc::new(Application::new(vec![phase]).unwrap());
    let all = application.operations();
    let mut source = Iterate::new(application, 1);
    let (mut operations, mut listed, mut longest) = (Vec::new(), 0, 0);
    for rank in 0..64_000 {
        while {
            operations.clear();
            source.refill(rank, &mut operations).unwrap();
            !operations.is_empty()
        } {
            listed += operations.len() as u64;
            longest = operations.len().max(longest);
        }
    }
    assert_eq!(listed, all);
    // A block ends with the first step that fills 32, and a step waits for at most 52 requests.
    assert!(all > 10_000_000 && longest <= 31 + 52, "{all} {longest}");
}
