//! The problem classes of the NAS Parallel Benchmarks (version 3.3).

use serde::{Deserialize, Serialize};

/// A problem class; the order is that of the sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Class {
    /// Sample, for tests of the program.
    S,
    /// Workstation.
    W,
    /// The smallest of the standard problems.
    A,
    /// About four times A.
    B,
    /// About four times B.
    C,
    /// About sixteen times C.
    D,
    /// About sixteen times D.
    E,
}

impl Class {
    /// Returns the entry of this class in a table of all seven.
    pub(super) fn of<T: Copy>(self, table: [T; 7]) -> T {
        table[self as usize]
    }
}

/// Returns the points in each dimension of the grids of BT, SP and LU, which differ only in class W (`workstation`).
pub(super) fn grid(class: Class, workstation: u64) -> u64 {
    class.of([12, workstation, 64, 102, 162, 408, 1020])
}

/// Returns how many of `length` points partition `index` of `count` has. The first partitions have one more where the
/// points do not divide evenly.
pub(super) fn share(length: u64, count: u32, index: u32) -> u64 {
    let (count, index) = (u64::from(count), u64::from(index));
    length / count + u64::from(index < length % count)
}
