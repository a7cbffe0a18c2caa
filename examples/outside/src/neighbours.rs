//! `job.collectives.allgather = "neighbours"`: ranks exchange blocks with the rank before and the rank behind by turns
//! (Chen et al., ICPP 2005, neighbour exchange). Half as many steps as around a ring, with twice the bytes.

use drowse_core::workload::own_algorithms::{Call, Called, CollectiveAlgorithm, Step};

/// Pairs of ranks exchange what they have got last; an odd number of ranks has no pairs, and sends around the ring.
pub struct Neighbours;

impl CollectiveAlgorithm for Neighbours {
    const OPERATION: Called = Called::Allgather;
    const WORD: &'static str = "neighbours";
    const ABOUT: &'static str = "Blocks with the rank before and the rank behind, by turns.";

    fn steps(call: &Call<'_>) -> Vec<Step> {
        let (rank, size) = (call.member.rank, call.member.size);
        let (before, behind) = ((rank + size - 1) % size, (rank + 1) % size);
        if size % 2 == 1 {
            let around = Step { send: Some((behind, call.bytes)), receive: Some(before) };
            return vec![around; size as usize - 1];
        }
        let exchange = |step: u32| {
            let other = if (rank + step).is_multiple_of(2) { behind } else { before };
            // First its own block, then the two that came last.
            let blocks = if step == 0 { 1 } else { 2 };
            Step { send: Some((other, blocks * call.bytes)), receive: Some(other) }
        };
        (0..size / 2).map(exchange).collect()
    }
}
