//! Opens traces that are text: a directory, an index, a merged file or an archive becomes one text per rank.
//!
//! Nothing is read whole into memory. An archive is decompressed once into a [`spool`]. A merged file is split into one
//! ([`merged`]). Plain files stay where they are and are opened for one block at a time ([`lines`]).

mod archive;
mod container;
mod fingerprint;
mod first_column;
mod found;
mod index;
mod lines;
mod merged;
mod spool;
mod trace_files;

pub(crate) use fingerprint::fingerprint;
pub(crate) use first_column::{FirstColumn, first_column};
pub(crate) use found::{Found, look_at};
pub(crate) use index::in_directory;
pub(crate) use lines::{LineBlock, LineCursor, SCAN_BYTES};
pub(crate) use trace_files::TraceFiles;
