//! The bytes of a binary file, plain or in a spool.

use std::sync::Arc;

use super::found::Stored;
use super::lines::{Location, RankText};
use super::spool::Spool;
use crate::error::TraceError;

/// The bytes of a file.
pub(crate) struct ByteFile {
    text: RankText,
    spool: Option<Arc<Spool>>,
}

impl ByteFile {
    /// Makes that of a file, which the spool holds if it is not plain.
    pub fn new(text: RankText, spool: Option<Arc<Spool>>) -> Self {
        ByteFile { text, spool }
    }

    /// Makes that of a file that stands alone.
    pub fn alone(stored: Stored) -> Self {
        ByteFile { text: stored.text, spool: stored.spool.map(Arc::new) }
    }

    /// Returns the name in messages.
    pub fn label(&self) -> &str {
        &self.text.label
    }

    /// Returns the number of bytes.
    pub fn length(&self) -> Result<u64, TraceError> {
        match &self.text.location {
            Location::File(path) => match std::fs::metadata(path) {
                Ok(metadata) => Ok(metadata.len()),
                Err(source) => Err(TraceError::Unreadable { file: self.text.label.clone(), source }),
            },
            Location::Part(_, extent) => Ok(extent.length),
            Location::Spooled(extents) => Ok(extents.iter().map(|extent| extent.length).sum()),
        }
    }

    /// Fills `buffer` from `offset` on. Returns the number of bytes, which is smaller than the buffer only at the end.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, TraceError> {
        self.text.read_at(self.spool.as_deref(), offset, buffer)
    }
}
