//! Whether the ranks of a program fit together: every message has a receive, every request a wait, the ranks of a
//! communicator call the same collectives, and no ranks wait for each other in a circle ([`blocking`]).
//!
//! The program is read rank after rank, as operations, so that all formats are checked alike. What is kept between
//! ranks are numbers: messages by sender, receiver, tag and communicator that are not received yet, and a hash of the
//! collectives of each rank. Only ranks that have a finding are read again, to say where it is.

mod blocking;
mod collectives;
mod each;
mod finding;
mod flow;
mod messages;
mod requests;
mod walk;

use drowse_core::workload::operation::{OperationSource, SourceError};

pub use finding::{At, Finding, Findings};

use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::reader::Reader;
use collectives::Collectives;
pub(crate) use each::each;
use finding::Collected;
use messages::Messages;
use requests::Requests;

/// Why a trace cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// It cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Its operations cannot be read.
    #[error("{0}")]
    Source(#[from] SourceError),
}

/// Checks the program that a trace holds. Keeps the `most` first findings, and counts all.
pub(crate) fn check(reader: &dyn Reader, most: usize) -> Result<Findings, CheckError> {
    let info = reader.info()?;
    let mut found = Collected::new(most);
    let mut stops = None;
    if info.not_simulated.is_empty() {
        let open = || reader.operations(ComputeModel::TEN_GIGAFLOPS);
        // Where a message or a call is missing, ranks wait for that.
        if check_operations(&open, &mut found)? {
            stops = Some(blocking::check(open(), &mut found)?);
        }
    }
    for lacking in &info.not_simulated {
        let what = format!("`{}` cannot be simulated: {}", lacking.action, lacking.obstacle);
        found.place(lacking.first.clone(), lacking.occurrences, what);
    }
    let mut findings = found.finish();
    locate(reader, &mut findings)?;
    findings.notes = info.warnings;
    if let Some(stops) = stops {
        findings.notes.extend(stops.notes);
        findings.eager = stops.eager;
    }
    Ok(findings)
}

/// Returns the first finding in a program that is made of a trace, with its rank and operation.
pub(crate) fn first_finding(open: &dyn Fn() -> Box<dyn OperationSource>) -> Result<Option<String>, SourceError> {
    let mut found = Collected::new(1);
    check_operations(open, &mut found)?;
    let words = |Finding { at, what, .. }| match at {
        Some(At { rank, operation }) => format!("rank {rank}, operation {operation}: {what}"),
        None => what,
    };
    Ok(found.finish().first.into_iter().next().map(words))
}

/// Adds the lines of findings, where the format has lines.
fn locate(reader: &dyn Reader, findings: &mut Findings) -> Result<(), TraceError> {
    let rank_of = |finding: &Finding| finding.at.map(|at| at.rank);
    for of_rank in findings.first.chunk_by_mut(|one, other| rank_of(one) == rank_of(other)) {
        let Some(rank) = of_rank.first().and_then(rank_of) else { continue };
        let mut wanted: Vec<u64> = of_rank.iter().filter_map(|finding| finding.at).map(|at| at.operation).collect();
        wanted.dedup();
        let places = reader.places(rank, &wanted)?;
        for finding in of_rank {
            let known = finding.at.and_then(|at| wanted.binary_search(&at.operation).ok());
            finding.place = known.and_then(|known| places.get(known).cloned());
        }
    }
    Ok(())
}

/// Checks the operations of a program, which can be read several times. Returns whether all messages and calls have their
/// partners.
fn check_operations(open: &dyn Fn() -> Box<dyn OperationSource>, found: &mut Collected) -> Result<bool, SourceError> {
    let mut source = open();
    let (mut messages, mut collectives) = (Messages::default(), Collectives::new(source.communicators()));
    for rank in 0..source.ranks() {
        let mut requests = Requests::default();
        let last = each(source.as_mut(), rank, |at, operation| {
            requests.add(at, operation, found);
            messages.add(rank, operation);
            collectives.add(rank, operation);
        })?;
        requests.finish(found);
        collectives.end_rank(last);
    }
    let before = found.total();
    messages.finish(open, found)?;
    collectives.finish(open, found)?;
    Ok(found.total() == before)
}
