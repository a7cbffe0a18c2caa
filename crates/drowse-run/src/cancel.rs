//! Stopping a run or a sweep from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::RunError;

/// Stops what it was given to, from any thread; clones stop the same.
///
/// A run ends within some hundredths of a second with [`RunError::Cancelled`], and leaves nothing behind. A sweep keeps
/// the cases that have finished, and continues with the others when it is run again.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops what it was given to.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether it has been called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Fails if it has been called.
    pub(crate) fn check(&self) -> Result<(), RunError> {
        if self.is_cancelled() { Err(RunError::Cancelled) } else { Ok(()) }
    }
}
