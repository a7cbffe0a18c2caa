//! How a rank spends its time by kind of operation, where somebody wants to know.

use std::collections::BTreeMap;

use crate::measure::{OperationTimes, RankTimes};
use crate::workload::operation_kind::OperationKind;

/// Splits the time of a rank by kind of operation: what it spends from the begin of one to that of the next.
#[derive(Debug, Default)]
pub struct OperationLog {
    /// That of the operation that has begun last.
    pub(super) current: Option<OperationKind>,
    /// How the rank had spent its time when that was counted last.
    counted: RankTimes,
    pub(super) kinds: BTreeMap<OperationKind, OperationTimes>,
}

impl OperationLog {
    /// Counts what has been spent since the operation began.
    pub(super) fn count(&mut self, times: RankTimes) {
        if let Some(kind) = self.current {
            let since = std::mem::replace(&mut self.counted, times);
            let spent = &mut self.kinds.entry(kind).or_default().times;
            *spent = spent.plus(times.minus(since));
        }
    }

    /// Counts the begin of an operation.
    pub(super) fn begin(&mut self, kind: OperationKind, times: RankTimes) {
        self.count(times);
        self.current = Some(kind);
        self.kinds.entry(kind).or_default().calls += 1;
    }
}
