//! `job.collectives`: the algorithms of collective operations, and what is checked of them.

use drowse_core::model::units::Bytes;
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::own_algorithms::OwnAlgorithm;

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// The shortest segment: what is cut into more takes too much memory.
const SHORTEST: Bytes = Bytes(4 << 10);

/// The most channels: as many as NCCL has.
const MOST_CHANNELS: u32 = 64;

/// Takes the table out of a job where it names algorithms of other crates; `None` where it names none of these.
pub fn take(job: &mut Node<'_>, known: &[OwnAlgorithm], keys: &Keys) -> Result<Option<Algorithms>, Diagnostic> {
    let named = |table: &Node<'_>, own: &OwnAlgorithm| table.text_of(own.operation.key()) == Some(own.word);
    let path = join(&job.path, "collectives");
    if known.is_empty() || !known.iter().any(|own| keys.contains(&join(&path, own.operation.key()))) {
        return Ok(None);
    }
    let Some(mut table) = job.take("collectives") else { return Ok(None) };
    let found: Vec<OwnAlgorithm> = known.iter().filter(|own| named(&table, own)).copied().collect();
    for own in &found {
        table.take(own.operation.key());
    }
    let mut algorithms: Algorithms = table.read(keys)?;
    found.into_iter().for_each(|own| algorithms.own.set(own));
    Ok(Some(algorithms))
}

/// Checks algorithms; `path` is that of the table.
pub fn check(algorithms: &Algorithms, keys: &Keys, path: &str) -> Result<(), Diagnostic> {
    if let Some(segment) = algorithms.segment.filter(|&segment| segment < SHORTEST) {
        let path = join(path, "segment");
        let message = format!("`{path}` = {} B is too short", segment.0);
        return Err(keys.error(&path, message, "write at least \"4 KiB\""));
    }
    super::in_range(algorithms.channels, MOST_CHANNELS, keys, &join(path, "channels"))?;
    Ok(())
}
