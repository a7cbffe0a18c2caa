//! The text of an open trace, with its outline.

use super::outline::Outline;
use crate::files::Stored;

/// An open trace.
pub(crate) struct TextTrace {
    pub stored: Stored,
    pub outline: Outline,
}
