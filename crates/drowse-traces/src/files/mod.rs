//! Opens a trace: a directory, an index, a merged file or an archive becomes one text per rank.
//!
//! Nothing is read whole into memory: archives are decompressed once into a [`spool`], merged files are split into one
//! ([`shared`]), plain files stay where they are and are opened for one block at a time ([`lines`]).

mod archive;
mod container;
mod fingerprint;
mod index;
mod lines;
mod shared;
mod spool;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub(crate) use container::Content;
use container::HEAD_BYTES;
pub(crate) use index::shortened;
pub(crate) use lines::{LineBlock, LineCursor};
pub(crate) use shared::first_column;
use spool::{Extent, Spool};

use crate::error::TraceError;

/// Block size of passes over a whole text.
pub(crate) const SCAN_BYTES: usize = 256 << 10;

/// The texts of all ranks of a trace.
pub(crate) struct TraceFiles {
    /// The text of each rank.
    pub texts: Vec<RankText>,
    /// What each line begins with.
    pub first_column: FirstColumn,
    spool: Option<Spool>,
}

/// What the first column of a rank's text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstColumn {
    /// The rank, the same on every line.
    Rank,
    /// The line's number in the merged file that the text was split from.
    LineNumber,
}

/// The text of one rank.
pub(crate) struct RankText {
    /// The name in messages: the file, inside an archive with the member.
    pub label: String,
    location: Location,
}

/// Where a text is.
enum Location {
    File(PathBuf),
    Spooled(Vec<Extent>),
}

impl TraceFiles {
    /// Opens the trace at `path`.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let label = path.display().to_string();
        match look_at(path)? {
            Found::Directory => {
                let index = index::in_directory(path)?;
                let text = RankText { label: index.display().to_string(), location: Location::File(index.clone()) };
                Self::open_text(&index, &text)
            }
            Found::File(Content::Text) => {
                Self::open_text(path, &RankText { label, location: Location::File(path.to_owned()) })
            }
            Found::File(Content::Tar) => Self::open_archive(archive::unpack(path, None)?),
            Found::File(Content::Compressed(compression)) => {
                Self::open_archive(archive::unpack(path, Some(compression))?)
            }
            Found::File(Content::Foreign(format)) => Err(TraceError::OtherFormat { file: label, format }),
            Found::File(Content::Binary) => Err(TraceError::UnknownFormat { file: label }),
        }
    }

    /// Reads the next whole lines of a rank, about `size` bytes of them, into `block`; false at the end of the text.
    pub fn next_lines(
        &self,
        rank: u32,
        cursor: &mut LineCursor,
        block: &mut LineBlock,
        size: usize,
    ) -> Result<bool, TraceError> {
        let Some(text) = self.texts.get(rank as usize) else { return Ok(false) };
        text.next_lines(self.spool.as_ref(), cursor, block, size)
    }

    /// Opens a text file: an index, or a merged trace.
    fn open_text(path: &Path, text: &RankText) -> Result<Self, TraceError> {
        if is_merged(text, None)? {
            return Self::split(text, None);
        }
        let mut texts = Vec::new();
        index::for_each_listed(text, None, |listed| {
            let found = index::find_file(path, &listed).map_err(|error| match error {
                // The first line decides what the file is taken for.
                TraceError::MissingFile { place, listed, .. } if texts.is_empty() && !looks_like_path(&listed) => {
                    TraceError::NotATrace { place, listed }
                }
                other => other,
            })?;
            texts.push(RankText { label: found.display().to_string(), location: Location::File(found) });
            Ok(())
        })?;
        Self::from_listed(&text.label, texts, None)
    }

    /// Opens an unpacked archive.
    fn open_archive(archive: archive::Archive) -> Result<Self, TraceError> {
        let index = archive.index()?;
        let member = |name: &str| RankText {
            label: format!("{}:{name}", archive.label),
            location: Location::Spooled(archive.members.get(name).copied().into_iter().collect()),
        };
        let text = member(index);
        if is_merged(&text, Some(&archive.spool))? {
            return Self::split(&text, Some(&archive.spool));
        }
        let mut texts = Vec::new();
        index::for_each_listed(&text, Some(&archive.spool), |listed| {
            texts.push(member(&index::find_member(&archive, index, &listed)?));
            Ok(())
        })?;
        Self::from_listed(&text.label, texts, Some(archive.spool))
    }

    /// Takes the listed texts as the ranks', or splits the one that is listed for all.
    fn from_listed(index: &str, texts: Vec<RankText>, spool: Option<Spool>) -> Result<Self, TraceError> {
        match &texts[..] {
            [] => Err(TraceError::EmptyIndex { file: index.to_owned() }),
            [first, others @ ..] if others.iter().all(|other| other.label == first.label) => {
                let files = Self::split(first, spool.as_ref())?;
                let (listed, ranks) = (texts.len(), files.texts.len());
                if listed > 1 && listed != ranks {
                    let (index, file) = (index.to_owned(), first.label.clone());
                    return Err(TraceError::ListedOften { index, file, listed, ranks });
                }
                Ok(files)
            }
            _ => Ok(TraceFiles { texts, first_column: FirstColumn::Rank, spool }),
        }
    }

    /// Splits a merged file.
    fn split(text: &RankText, spool: Option<&Spool>) -> Result<Self, TraceError> {
        let (texts, spool) = shared::split(text, spool)?;
        Ok(TraceFiles { texts, first_column: FirstColumn::LineNumber, spool: Some(spool) })
    }
}

/// What stands at a path.
pub(crate) enum Found {
    Directory,
    /// A file; a compressed one holds a tar archive.
    File(Content),
}

/// Returns what stands at a path from the first bytes, for a compressed file also from the first decompressed ones.
pub(crate) fn look_at(path: &Path) -> Result<Found, TraceError> {
    let label = path.display().to_string();
    let unreadable = |source| TraceError::Unreadable { file: label.clone(), source };
    if std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(Found::Directory);
    }
    let content = container::recognise(&head(File::open(path).map_err(unreadable)?).map_err(unreadable)?);
    if let Content::Compressed(compression) = content {
        let file = File::open(path).map_err(unreadable)?;
        let inner = compression.decompress(file).and_then(head).map_err(|source| TraceError::DamagedArchive {
            file: label.clone(),
            at: "its start".into(),
            source,
        })?;
        match container::recognise(&inner) {
            Content::Tar => {}
            Content::Foreign(format) => return Err(TraceError::OtherFormat { file: label, format }),
            _ => return Err(TraceError::NotAnArchive { file: label, compression: compression.name() }),
        }
    }
    Ok(Found::File(content))
}

/// Reads the first bytes of a stream.
fn head(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES);
    stream.take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns whether a text holds actions rather than paths: its first line starts with a rank and has a second field.
fn is_merged(text: &RankText, spool: Option<&Spool>) -> Result<bool, TraceError> {
    let (mut cursor, mut block) = (LineCursor::default(), LineBlock::default());
    while text.next_lines(spool, &mut cursor, &mut block, SCAN_BYTES)? {
        if let Some((rank, rest)) = block.lines().find_map(|(_, line)| first_column(line)) {
            return Ok(rank.is_ok() && !rest.is_empty());
        }
    }
    Ok(false)
}

/// Returns whether a line of text could be meant as a path.
fn looks_like_path(line: &str) -> bool {
    !line.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\u{fffd}')
}

/// Checks that a directory holds one index.
pub(crate) fn check_directory(path: &Path) -> Result<(), TraceError> {
    index::in_directory(path).map(|_| ())
}
