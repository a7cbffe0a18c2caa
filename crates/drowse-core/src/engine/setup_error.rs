//! Why a run cannot be set up.

/// Why a run cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {reason}")]
pub struct SetupError {
    /// The experiment key to change.
    pub key: &'static str,
    /// What is wrong and what is allowed.
    pub reason: String,
}
