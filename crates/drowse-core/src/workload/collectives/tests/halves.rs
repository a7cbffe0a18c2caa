//! What partners give each other in Rabenseifner's algorithm: conservation of elements, whatever their number.

use super::*;
use crate::workload::algorithms::{Allreduce, Reduce};

/// Returns what a rank sends and receives in each of its exchanges, in their order.
fn exchanges(programs: &[Vec<Operation>], rank: u32) -> Vec<(u64, u64)> {
    let sends = |from: u32| {
        programs[from as usize].iter().filter_map(|operation| match *operation {
            Operation::Send { to, tag, bytes, .. } => Some((to, tag, bytes)),
            _ => None,
        })
    };
    let answer = |to: u32, tag: u32| sends(to).find(|&(back, other, _)| (back, other) == (rank, tag));
    sends(rank).filter_map(|(to, tag, bytes)| Some((bytes, answer(to, tag)?.2))).collect()
}

/// Partners share what both have: what one keeps, the other gives. So of its share a rank gives all but what it
/// receives, which is its share from then on. On the way back it sends its share, which grows by what it receives, until
/// it has all. No rank that has folded is looked at, and in a reduction to a root none on the way back.
#[test]
fn partners_give_what_the_other_keeps() {
    for (size, count) in (2u32..20).flat_map(|size| [1, 2, 5, 7, 16, 61, 1_000, 1_023].map(|count| (size, count))) {
        let (bytes, compute) = (8 * count, Time::ZERO);
        let (power, rounds) = (1 << size.ilog2(), size.ilog2() as usize);
        let all = Collective::Allreduce { bytes, count, compute };
        let one = Collective::Reduce { root: 0, bytes, count, compute };
        let of_all = |named| Algorithms { allreduce: Some(named), ..Algorithms::default() };
        for (algorithms, collective) in [
            (of_all(Allreduce::Rabenseifner), all.clone()),
            (of_all(Allreduce::RabenseifnerDoubling), all),
            (Algorithms { reduce: Some(Reduce::Rabenseifner), ..Algorithms::default() }, one),
        ] {
            let programs = programs(size, |member, operations| expand_by(&algorithms, &collective, member, operations));
            for rank in 2 * (size - power)..size {
                let exchanges = exchanges(&programs, rank);
                let mut share = bytes;
                for &(sent, received) in &exchanges[..rounds] {
                    assert_eq!(sent + received, share, "{algorithms:?}: {rank} of {size}, {count} elements");
                    share = received;
                }
                // Blocks of equal sizes, as far as elements can be shared out evenly.
                let even = 8 * (count / u64::from(power));
                assert!((even..=even + 8).contains(&share), "{algorithms:?}: {rank} of {size}, {count} elements");
                for &(sent, received) in &exchanges[rounds..] {
                    assert_eq!(sent, share, "{algorithms:?}: {rank} of {size}, {count} elements");
                    share += received;
                }
                assert!(exchanges.len() == rounds || share == bytes, "{algorithms:?}: {rank} of {size}");
            }
        }
    }
}
