//! Reduce-scatter by a butterfly (Träff, EuroPVM/MPI 2005): partners at doubling distances exchange halves, after which
//! blocks lie at mirrored ranks and go to their own.

use super::exchange::exchange;
use crate::workload::member::{Member, power_of_two_below};
use crate::workload::operation::Operation;

/// Ranks beyond the power of two first fold into a neighbour, and get their blocks in the end.
pub(super) fn expand(member: Member, bytes: &[u64], operations: &mut Vec<Operation>) {
    const LAST: u32 = u32::MAX;
    let Member { rank, size } = member;
    let size_of = |rank: u32| bytes[rank as usize];
    let total = bytes.iter().copied().fold(0, u64::saturating_add);
    if size < 2 || total == 0 {
        return;
    }
    let adjusted = power_of_two_below(size);
    let extra = size - adjusted;
    let real = |mine: u32| if mine < extra { 2 * mine + 1 } else { mine + extra };
    let mirror = |mine: u32| if adjusted == 1 { mine } else { mine.reverse_bits() >> (32 - adjusted.ilog2()) };
    if rank < 2 * extra && rank.is_multiple_of(2) {
        operations.push(Operation::send(rank + 1, 0, total));
        operations.push(Operation::recv(real(mirror(rank / 2)), LAST));
        return;
    }
    let mine = if rank < 2 * extra { rank / 2 } else { rank - extra };
    if rank < 2 * extra {
        operations.push(Operation::recv(rank - 1, 0));
    }
    // A folded pair has its two blocks as one.
    let block = |of: u32| size_of(real(of)).saturating_add(if of < extra { size_of(2 * of) } else { 0 });
    let range = |first: u32, blocks: u32| (first..first + blocks).map(block).fold(0, u64::saturating_add);
    let (mut first, mut blocks) = (0, adjusted);
    for step in 0..adjusted.ilog2() {
        let other = real(mine ^ (1 << step));
        blocks /= 2;
        let upper = first + blocks;
        let (kept, given) = if mine & (1 << step) == 0 { (first, upper) } else { (upper, first) };
        exchange(other, other, 1 + step, range(given, blocks), operations);
        first = kept;
    }
    let home = mirror(mine);
    if home < extra {
        operations.push(Operation::send(2 * home, LAST, size_of(2 * home)));
    }
    if home != mine {
        exchange(real(home), real(home), LAST, size_of(real(home)), operations);
    }
}
