//! Finds out what stands at a path, by its first bytes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::container::{self, Compression, Content, HEAD_BYTES};
use crate::error::TraceError;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Directory,
    Text,
    /// A tar archive, perhaps compressed.
    Archive(Option<Compression>),
}

/// Returns what stands at a path. Reads the first bytes, and for a compressed file also the first decompressed bytes.
/// Refuses formats that are not read and names them.
pub(crate) fn look_at(path: &Path) -> Result<Found, TraceError> {
    let label = path.display().to_string();
    let unreadable = |source| TraceError::Unreadable { file: label.clone(), source };
    if std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(Found::Directory);
    }
    match container::recognise(&head(File::open(path).map_err(unreadable)?).map_err(unreadable)?) {
        Content::Text => Ok(Found::Text),
        Content::Tar => Ok(Found::Archive(None)),
        Content::Compressed(compression) => {
            check_inner(&label, compression, File::open(path).map_err(unreadable)?)?;
            Ok(Found::Archive(Some(compression)))
        }
        Content::Foreign(format) => Err(TraceError::OtherFormat { file: label, format }),
        Content::Binary => Err(TraceError::UnknownFormat { file: label }),
    }
}

/// Checks that a compressed file holds a tar archive.
fn check_inner(label: &str, compression: Compression, file: File) -> Result<(), TraceError> {
    let inner = compression.decompress(file).and_then(head).map_err(|source| TraceError::DamagedArchive {
        file: label.to_owned(),
        at: "its start".into(),
        source,
    })?;
    match container::recognise(&inner) {
        Content::Tar => Ok(()),
        Content::Foreign(format) => Err(TraceError::OtherFormat { file: label.to_owned(), format }),
        _ => Err(TraceError::NotAnArchive { file: label.to_owned(), compression: compression.name() }),
    }
}

/// Reads the first bytes of a stream.
fn head(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES);
    stream.take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
