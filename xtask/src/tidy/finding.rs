//! What breaks a law.

use std::fmt::{self, Display, Formatter};

/// A fault, where it is, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// By what it is known in `known.txt`: a file, a word in a file, a pair of folders.
    pub key: String,
    /// How much there is of it: files of a circle, lines, uses of a word.
    pub extent: usize,
    pub file: String,
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}
