//! Opens what holds a trace: a folder, a single file or an archive; and for texts with an index, one text per rank.
//!
//! Nothing is read whole into memory. An archive is decompressed once into a [`spool`]. A merged file is split into one
//! ([`merged`]). Plain files stay where they are and are opened for one block at a time ([`lines`]).

mod archive;
mod by_rank;
mod byte_file;
mod container;
mod fingerprint;
mod first_column;
mod found;
mod index;
mod lines;
mod merged;
mod not_unpacked;
mod refusal;
mod spool;
mod trace_files;
mod unpacked;
mod zip;

pub(crate) use by_rank::by_rank;
pub(crate) use byte_file::ByteFile;
pub(crate) use container::{Content, recognise};
pub(crate) use fingerprint::{FNV_OFFSET, add_line, fnv1a};
pub(crate) use first_column::{FirstColumn, first_column};
pub(crate) use found::{Found, Stored, look_at};
pub(crate) use index::{Listed, could_be_path, is_index_name, is_listed};
pub(crate) use lines::{LineBlock, LineCursor, Location, RankText, SCAN_BYTES, old_line_end};
pub use refusal::Refusal;
pub(crate) use spool::{Extent, Spool};
pub(crate) use trace_files::TraceFiles;
pub(crate) use unpacked::{unpacked_head, unpacked_members};
