//! Why a program cannot be written in a format.

use std::io;

use drowse_core::workload::operation::SourceError;

/// Why a program cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The program cannot be read.
    #[error("{0}")]
    Source(#[from] SourceError),
    /// The file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The format cannot say what the program does.
    #[error("rank {rank}, operation {operation} (`{line}`): {why}")]
    Refused {
        /// The rank.
        rank: u32,
        /// The number of its operation, from 1.
        operation: u64,
        /// The operation.
        line: String,
        /// Why not, and what to do.
        why: String,
    },
}
