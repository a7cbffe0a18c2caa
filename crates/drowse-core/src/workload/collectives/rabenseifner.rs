//! Rabenseifner's algorithm as Open MPI runs it (Thakur, Rabenseifner and Gropp 2005): ranks beyond a power of two fold
//! into their lower neighbour, partners at doubling distances exchange the half that the other keeps, and then each
//! rank's block goes back the same way, to all or to a root.

use super::exchange::exchange;
use crate::workload::member::{Member, power_of_two_below};
use crate::workload::operation::Operation;

/// The last message between a folded rank and its neighbour, or the root.
const LAST: u32 = u32::MAX;

/// One exchange, and its elements.
#[derive(Clone, Copy)]
struct Step {
    number: u32,
    given: u64,
    kept: u64,
}

/// The ranks that are left, a power of two, when those beyond have folded.
#[derive(Clone, Copy)]
struct Folded {
    /// How many there are.
    adjusted: u32,
    /// How many of them stand for a neighbour, too.
    extra: u32,
}

impl Folded {
    fn of(size: u32) -> Self {
        let adjusted = power_of_two_below(size);
        Folded { adjusted, extra: size - adjusted }
    }

    /// Returns the rank of one of those that are left.
    fn real(self, mine: u32) -> u32 {
        if mine < self.extra { 2 * mine } else { mine + self.extra }
    }

    /// Halves the data with the neighbour that folds, and returns the number among those that are left; `None` if this
    /// rank has folded.
    fn fold(self, member: Member, count: u64, element: u64, operations: &mut Vec<Operation>) -> Option<u32> {
        let Member { rank, .. } = member;
        let lower = count / 2;
        let upper = count - lower;
        if rank >= 2 * self.extra {
            Some(rank - self.extra)
        } else if rank.is_multiple_of(2) {
            exchange(rank + 1, rank + 1, 0, upper * element, operations);
            operations.push(Operation::recv(rank + 1, 1));
            Some(rank / 2)
        } else {
            exchange(rank - 1, rank - 1, 0, lower * element, operations);
            operations.push(Operation::send(rank - 1, 1, upper * element));
            None
        }
    }

    /// Returns the exchanges of one of those that are left, at doubling distances.
    fn steps(self, mine: u32, count: u64) -> Vec<Step> {
        let mut window = count;
        let halve = |number: u32| {
            let (smaller, larger) = (window / 2, window - window / 2);
            let lower = mine & (1 << number) == 0;
            let (given, kept) = if lower { (larger, smaller) } else { (smaller, larger) };
            window = kept;
            Step { number, given, kept }
        };
        (0..self.adjusted.ilog2()).map(halve).collect()
    }

    /// Exchanges halves until each of those that are left has one block.
    fn scatter(self, mine: u32, steps: &[Step], element: u64, operations: &mut Vec<Operation>) {
        for step in steps {
            let other = self.real(mine ^ (1 << step.number));
            exchange(other, other, 2 + step.number, step.given * element, operations);
        }
    }
}

/// Combines the data of all ranks at all ranks.
pub(super) fn allreduce(member: Member, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let (folded, element) = (Folded::of(size), bytes / count);
    if let Some(mine) = folded.fold(member, count, element, operations) {
        let steps = folded.steps(mine, count);
        folded.scatter(mine, &steps, element, operations);
        for step in steps.iter().rev() {
            let other = folded.real(mine ^ (1 << step.number));
            exchange(other, other, 2 + folded.adjusted + step.number, step.kept * element, operations);
        }
    }
    if rank < 2 * folded.extra {
        operations.push(match rank % 2 {
            0 => Operation::send(rank + 1, LAST, bytes),
            _ => Operation::recv(rank - 1, LAST),
        });
    }
}

/// Combines the data of all ranks at a root. If that has folded, it takes the place of rank 0.
pub(super) fn reduce(member: Member, root: u32, bytes: u64, count: u64, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let (folded, element) = (Folded::of(size), bytes / count);
    let mine = folded.fold(member, count, element, operations);
    if let Some(mine) = mine {
        folded.scatter(mine, &folded.steps(mine, count), element, operations);
    }
    let root_folds = root < 2 * folded.extra && root % 2 == 1;
    let real = |other: u32| if other == 0 && root_folds { root } else { folded.real(other) };
    let root_mine = match root {
        _ if root_folds => 0,
        root if root < 2 * folded.extra => root / 2,
        root => root - folded.extra,
    };
    let mine = match mine {
        Some(0) if root_folds => {
            let block = folded.steps(0, count).last().map_or(count, |step| step.kept);
            operations.push(Operation::send(root, LAST, block * element));
            None
        }
        None if rank == root => {
            operations.push(Operation::recv(0, LAST));
            Some(0)
        }
        mine => mine,
    };
    let Some(mine) = mine else { return };
    for step in folded.steps(mine, count).iter().rev() {
        let (other, tag) = (mine ^ (1 << step.number), 2 + folded.adjusted + step.number);
        if other >> step.number == root_mine >> step.number {
            operations.push(Operation::send(real(other), tag, step.kept * element));
            return;
        }
        operations.push(Operation::recv(real(other), tag));
    }
}
