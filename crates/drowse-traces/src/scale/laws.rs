//! How sizes and computing change with the number of ranks, by a second trace of the program on another number.
//!
//! The first trace is scaled to the ranks of the second. There both must do the same, operation by operation, but for
//! sizes and tags. What has the same kind and size in one must have one size in the other, and the ratio of both sizes must be a
//! simple power of that of the ranks. Computing is measured: it goes with the power of any exponent that both tell.

use std::collections::BTreeMap;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SourceError};
use drowse_core::workload::operation_line::shown;
use rustc_hash::FxHashMap;

use super::error::ScaleError;
use super::pattern::without_tag;
use super::powers::Power;
use super::real_power::{Growth, RealPower};
use super::{Scaled, communicators, renumber};
use crate::Trace;
use crate::check::each;
use crate::cut::Walk;

/// What sizes and computing become.
pub(super) struct Laws {
    /// The sizes that messages and collectives get, by their kind and size in the first trace.
    sizes: FxHashMap<u64, u64>,
    /// By what computing is multiplied, if both traces compute.
    computing: Option<Growth>,
    /// The number of ranks of the second trace.
    other: u32,
}

/// Two sizes of what ranks do.
struct Sizes {
    other: u64,
    wanted: u64,
    power: Power,
}

/// The numbers of ranks: of both traces, and the wanted one.
#[derive(Clone, Copy)]
struct Ranks {
    traced: u32,
    other: u32,
    wanted: u32,
}

impl Laws {
    /// Finds how the program of a trace, scaled to the ranks of another one, changes to so many ranks. Returns what is
    /// to be said of it, too.
    pub fn find(at_other: &Scaled, other: &Trace, wanted: u32) -> Result<(Self, String), ScaleError> {
        let ranks = Ranks { traced: at_other.trace.ranks(), other: other.ranks(), wanted };
        let found = compare(at_other, other, ranks)?;
        let mut traced = at_other.trace.operations(at_other.compute);
        let computed = [computed(traced.as_mut())?, computed(other.operations(at_other.compute).as_mut())?];
        let (computing, said) = ranks.computing(computed);
        let notes = format!("{}; {said}", words(&found));
        let sizes = found.into_iter().map(|(kind, sizes)| (kind, sizes.wanted)).collect();
        Ok((Laws { sizes, computing, other: ranks.other }, notes))
    }

    /// Changes an operation of the first trace.
    pub fn apply(&self, operation: &mut Operation) -> Result<(), SourceError> {
        if let Operation::Compute(time) = operation {
            *time = Time(self.computing.map_or(time.0, |growth| growth.times(time.0)));
            return Ok(());
        }
        if size_of(operation).is_none() {
            return Ok(());
        }
        let Some(&size) = self.sizes.get(&without_tag(operation)) else {
            let (line, other) = (shown(operation), self.other);
            return Err(SourceError(format!("`{line}` is nothing that {other} ranks do, so its size is not known")));
        };
        resize(operation, size);
        Ok(())
    }
}

impl Ranks {
    /// Returns the power by which a size becomes the other.
    fn power(self, from: u64, to: u64) -> Option<Power> {
        let is =
            |power: &Power| power.growth(self.traced, self.other).is_some_and(|growth| growth.of(from) == Some(to));
        Power::ALL.into_iter().find(is)
    }

    /// Returns how computing grows, by what all ranks of each trace compute, and what is to be said of it.
    fn computing(self, [first, second]: [u128; 2]) -> (Option<Growth>, String) {
        let Ranks { traced, other, wanted } = self;
        // What a rank computes in the mean, times the ranks of both.
        let of_a_rank = [first.saturating_mul(other.into()), second.saturating_mul(traced.into())];
        let power = RealPower::of(of_a_rank, [traced, other]);
        let Some((power, growth)) = power.and_then(|power| Some((power, power.growth(traced, wanted)?))) else {
            return (None, "computing stays, as one of both traces has none".to_owned());
        };
        let said = format!(
            "computing goes with ranks^{:.3}, as a rank computes {:.3} times as long on {other} ranks as on {traced}",
            power.exponent(),
            of_a_rank[1] as f64 / of_a_rank[0] as f64,
        );
        (Some(growth), said)
    }
}

/// Compares what both programs do on the ranks of the second. Returns the sizes by kind and size in the first.
fn compare(at_other: &Scaled, other: &Trace, ranks: Ranks) -> Result<FxHashMap<u64, Sizes>, ScaleError> {
    let source = other.operations(at_other.compute);
    let (_, numbers) = communicators(&source.communicators(), ranks.other, ranks.other);
    let (mut ours, mut theirs) = (Walk::new(at_other.operations()), Walk::new(source));
    let mut found = FxHashMap::default();
    for rank in 0..ranks.other {
        loop {
            let [one, mut two] = [ours.take(rank)?, theirs.take(rank)?].map(|step| step.filter(is_no_computing));
            if one.is_none() && two.is_none() {
                break;
            }
            if let Some(two) = &mut two {
                renumber(two, &numbers);
            }
            if let Err(why) = add(&mut found, one.as_ref(), two.as_ref(), ranks) {
                let operation = theirs.taken(rank);
                let place = other.reader.places(rank, &[operation])?;
                let place = place.first().map_or_else(String::new, |place| format!("{place}: "));
                let line = two.map_or_else(|| "its end".to_owned(), |two| shown(&two));
                return Err(ScaleError::Sizes { place, rank, operation, ranks: ranks.other, line, why });
            }
        }
    }
    Ok(found)
}

fn is_no_computing(operation: &Operation) -> bool {
    !matches!(operation, Operation::Compute(_))
}

/// Adds the sizes of what one rank does in both programs, or says why they do not go on.
fn add(
    found: &mut FxHashMap<u64, Sizes>,
    one: Option<&Operation>,
    two: Option<&Operation>,
    ranks: Ranks,
) -> Result<(), String> {
    let Ranks { traced, other, wanted } = ranks;
    let (Some(one), Some(two)) = (one, two) else {
        return Err(match one {
            Some(one) => format!("by the trace of {traced} ranks, it would be `{}`", shown(one)),
            None => format!("by the trace of {traced} ranks, the rank would have ended"),
        });
    };
    if one.peer() != two.peer() || without_tag(&without_size(one)) != without_tag(&without_size(two)) {
        return Err(format!("by the trace of {traced} ranks, it would be `{}`", shown(one)));
    }
    let (Some(from), Some(to)) = (size_of(one), size_of(two)) else { return Ok(()) };
    // Stages of a butterfly differ in their tags, and the fewer ranks have fewer stages.
    let kind = without_tag(one);
    if let Some(known) = found.get(&kind) {
        return if known.other == to {
            Ok(())
        } else {
            Err(format!("{from} B on {traced} ranks are {} B elsewhere on {other} ranks, and {to} B here", known.other))
        };
    }
    let power = ranks.power(from, to);
    let power = power.ok_or_else(|| format!("{from} B on {traced} ranks and {to} B on {other} are no known power"))?;
    let size = power.growth(traced, wanted).and_then(|growth| growth.of(from));
    let size = size.ok_or_else(|| {
        format!("{from} B on {traced} ranks go with {power}, which is no whole number on {wanted} ranks")
    })?;
    found.insert(kind, Sizes { other: to, wanted: size, power });
    Ok(())
}

/// Returns how many picoseconds all ranks compute.
fn computed(source: &mut dyn OperationSource) -> Result<u128, SourceError> {
    let mut computed = 0_u128;
    for rank in 0..source.ranks() {
        each(source, rank, |_, operation| {
            if let Operation::Compute(time) = operation {
                computed += u128::from(time.0);
            }
        })?;
    }
    Ok(computed)
}

/// Says what sizes go with.
fn words(found: &FxHashMap<u64, Sizes>) -> String {
    let mut powers: BTreeMap<Power, u32> = BTreeMap::new();
    found.values().for_each(|sizes| *powers.entry(sizes.power).or_default() += 1);
    let constant = powers.iter().filter(|(power, _)| power.is_constant()).map(|(_, count)| count).sum::<u32>();
    let others = powers.iter().filter(|(power, _)| !power.is_constant());
    let others = others.map(|(power, count)| format!("of {count} go with {power}"));
    let constant = format!("of {} kinds of messages and collectives, the sizes of {constant} stay", found.len());
    [constant].into_iter().chain(others).collect::<Vec<_>>().join(", ")
}

/// Returns the size of what is sent; nothing if nothing is, or if each rank has a size.
fn size_of(operation: &Operation) -> Option<u64> {
    match operation {
        Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => Some(*bytes),
        _ => operation.called().filter(|called| called.sizes().is_none()).map(Collective::largest),
    }
}

fn without_size(operation: &Operation) -> Operation {
    let mut without = operation.clone();
    resize(&mut without, 0);
    without
}

/// Sets the size of an operation, and its number of elements in proportion.
fn resize(operation: &mut Operation, size: u64) {
    let collective = match operation {
        Operation::Send { bytes, .. } | Operation::Isend { bytes, .. } => {
            *bytes = size;
            return;
        }
        Operation::Collective { collective, .. } => collective,
        Operation::Icollective { collective, .. } => collective,
        _ => return,
    };
    match collective {
        Collective::Bcast { bytes, count, .. }
        | Collective::Reduce { bytes, count, .. }
        | Collective::Allreduce { bytes, count, .. } => {
            let elements = u128::from(*count) * u128::from(size) / u128::from((*bytes).max(1));
            (*bytes, *count) = (size, u64::try_from(elements).unwrap_or(u64::MAX));
        }
        Collective::Gather { bytes, .. }
        | Collective::Scatter { bytes, .. }
        | Collective::Allgather { bytes }
        | Collective::Alltoall { bytes }
        | Collective::Scan { bytes, .. }
        | Collective::Exscan { bytes, .. } => *bytes = size,
        Collective::Barrier
        | Collective::Gatherv { .. }
        | Collective::Scatterv { .. }
        | Collective::Allgatherv { .. }
        | Collective::Alltoallv { .. }
        | Collective::ReduceScatter { .. } => {}
    }
}
