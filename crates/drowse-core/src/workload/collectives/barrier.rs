//! Barrier: recursive doubling for powers of two (one exchange for two ranks), else Bruck's dissemination.

use super::member::{Member, exchange};
use crate::workload::operation::Operation;

pub(super) fn expand(member: Member, operations: &mut Vec<Operation>) {
    let Member { rank, size } = member;
    let mut distance = 1;
    while distance < size {
        let (to, from) = if size.is_power_of_two() {
            (rank ^ distance, rank ^ distance)
        } else {
            ((rank + distance) % size, (rank + size - distance) % size)
        };
        exchange(to, from, distance, 0, operations);
        distance *= 2;
    }
}
