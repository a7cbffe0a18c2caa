//! `job.collectives`: what is checked of the algorithms of collective operations.

use drowse_core::model::units::Bytes;
use drowse_core::workload::algorithms::Algorithms;

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// The shortest segment: what is cut into more takes too much memory.
const SHORTEST: Bytes = Bytes(4 << 10);

/// The most channels: as many as NCCL has.
const MOST_CHANNELS: u32 = 64;

/// Checks algorithms; `path` is that of the table.
pub fn checked(algorithms: Algorithms, keys: &Keys, path: &str) -> Result<Algorithms, Diagnostic> {
    if let Some(segment) = algorithms.segment.filter(|&segment| segment < SHORTEST) {
        let path = join(path, "segment");
        let message = format!("`{path}` = {} B is too short", segment.0);
        return Err(keys.error(&path, message, "write at least \"4 KiB\""));
    }
    super::in_range(algorithms.channels, MOST_CHANNELS, keys, &join(path, "channels"))?;
    Ok(algorithms)
}
