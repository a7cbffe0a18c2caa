//! One rank's file for all ranks, where others are not there: by the name of the format only, never recognised.
//!
//! Each rank computes as that one, and calls the same, in the groups that it has in an even grid of ranks.

use std::sync::Arc;

use super::load;
use crate::error::TraceError;
use crate::files::Found;
use crate::reader::{Opened, Reader};

/// The name in results.
pub(crate) const NAME: &str = "kineto-one-rank";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "by name only, one rank's file of PyTorch's profiler for all ranks";

/// Returns that nothing is recognised: who wants it, names it.
#[expect(clippy::unnecessary_wraps, reason = "as all formats are recognised")]
pub(crate) fn recognises(_: &Found) -> Result<bool, TraceError> {
    Ok(false)
}

/// Opens the file that was found: reads and checks it.
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    Ok(Arc::new(Opened(Arc::new(load::load_one(found, NAME)?))))
}
