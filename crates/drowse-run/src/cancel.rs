//! Stopping a run or a sweep from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::RunError;

/// Stops what it was given to, from any thread; clones stop the same.
///
/// A run ends within some hundredths of a second with [`RunError::Cancelled`], and leaves nothing behind. A sweep keeps
/// the cases that have finished, and continues with the others when it is run again.
///
/// ```
/// use drowse_experiment::case_of;
/// use drowse_run::{error::RunError, request::RunRequest};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = r#"
///     network = { kind = "torus", dims = [4, 4] }
///     traffic = { pattern = "uniform", load = 0.5, warmup = "1 ms", measure = "1000 s" }
/// "#;
/// let case = case_of(text)?;
/// let request = RunRequest::new(&case);
/// let cancel = request.cancel.clone();
/// std::thread::spawn(move || cancel.cancel());
/// // Without that, it would take years.
/// assert!(matches!(request.run(), Err(RunError::Cancelled)));
/// # Ok(())
/// # }
/// ```
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
