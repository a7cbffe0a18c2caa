//! What is wrong with a dump, which is read as a stream: places are lines.

use crate::model::wrong::shown;

/// A dump cannot be read, or is not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// A line is wrong.
    #[error("line {line}: {message}; {help}")]
    Wrong {
        /// The line, from 1 on.
        line: u64,
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
}

impl DumpError {
    /// Says what is wrong with a line.
    pub(super) fn new(line: u64, message: impl Into<String>, help: impl Into<String>) -> Self {
        DumpError::Wrong { line, message: message.into(), help: help.into() }
    }

    /// Says that a line is none of a dump.
    pub(super) fn unknown(line: u64, text: &[u8], what: &str, help: &str) -> Self {
        DumpError::new(line, format!("`{}` is no line of {what}", shown(&String::from_utf8_lossy(text))), help)
    }
}
