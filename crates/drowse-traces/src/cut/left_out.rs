//! What a part leaves out of a program, in numbers.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::Part;
use crate::check::each;

/// What lies on one side of a part.
#[derive(Default)]
struct Side {
    /// What the rank computes that computes most there.
    computing: Time,
    messages: u64,
    /// Calls of collectives, by all ranks.
    calls: u64,
}

/// Says what is left out before and behind a part.
pub(super) fn notes(source: &mut dyn OperationSource, parts: &[Part]) -> Result<Vec<String>, SourceError> {
    let mut sides = [Side::default(), Side::default()];
    for (rank, part) in (0..).zip(parts) {
        let mut computed = [part.skips, Time::ZERO];
        each(source, rank, |at, operation| {
            let number = at.operation - 1;
            let Some(side) = part.side(number) else { return };
            match operation {
                Operation::Compute(time) => {
                    let kept = if number == part.operations.end { part.keeps } else { Time::ZERO };
                    computed[side] = computed[side].saturating_add(time.saturating_sub(kept));
                }
                Operation::Send { .. } | Operation::Isend { .. } => sides[side].messages += 1,
                _ => sides[side].calls += u64::from(operation.called().is_some()),
            }
        })?;
        sides.iter_mut().zip(computed).for_each(|(side, computed)| side.computing = side.computing.max(computed));
    }
    let words = |(place, side): (&str, &Side)| {
        let Side { computing, messages, calls } = side;
        let is_empty = *computing == Time::ZERO && messages + calls == 0;
        let what =
            format!("up to {computing} of computing of a rank, {messages} messages, {calls} calls of collectives");
        (!is_empty).then(|| format!("left out {place} the part: {what}"))
    };
    Ok(["before", "behind"].into_iter().zip(&sides).filter_map(words).collect())
}

impl Part {
    /// Returns on which side of it an operation lies: 0 before it, 1 behind it.
    fn side(&self, number: u64) -> Option<usize> {
        if number < self.operations.start {
            return Some(0);
        }
        (number >= self.operations.end).then_some(1)
    }
}
