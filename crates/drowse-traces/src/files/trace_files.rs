//! The texts of all ranks of a trace, from whatever holds them.

use std::path::Path;

use super::archive::{self, Archive};
use super::first_column::{FirstColumn, first_column};
use super::found::Found;
use super::index;
use super::lines::{LineBlock, LineCursor, Location, RankText, SCAN_BYTES};
use super::merged;
use super::spool::Spool;
use crate::error::TraceError;

/// The texts of all ranks of a trace.
pub(crate) struct TraceFiles {
    /// The text of each rank.
    pub texts: Vec<RankText>,
    /// The meaning of the first column.
    pub first_column: FirstColumn,
    spool: Option<Spool>,
}

impl TraceFiles {
    /// Opens the trace at `path`, where `found` stands.
    pub fn open(path: &Path, found: Found) -> Result<Self, TraceError> {
        match found {
            Found::Directory => {
                let index = index::in_directory(path)?;
                Self::open_text(&index, &RankText::file(index.clone()))
            }
            Found::Text => Self::open_text(path, &RankText::file(path.to_owned())),
            Found::Archive(compression) => Self::open_archive(archive::unpack(path, compression)?),
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
            return Self::split(text, None, true);
        }
        let mut texts = Vec::new();
        index::for_each_listed(text, None, |listed| {
            let found = index::find_file(path, &listed).map_err(|error| match error {
                // The first line decides between an index and another file.
                TraceError::MissingFile { place, listed, .. } if texts.is_empty() && !looks_like_path(&listed) => {
                    TraceError::NotATrace { place, listed }
                }
                other => other,
            })?;
            texts.push(RankText::file(found));
            Ok(())
        })?;
        Self::from_listed(&text.label, texts, None)
    }

    /// Opens an unpacked archive.
    fn open_archive(archive: Archive) -> Result<Self, TraceError> {
        let index = index::in_archive(&archive)?;
        let member = |name: &str| RankText {
            label: format!("{}:{name}", archive.label),
            location: Location::Spooled(archive.members.get(name).copied().into_iter().collect()),
        };
        let text = member(index);
        if is_merged(&text, Some(&archive.spool))? {
            return Self::split(&text, Some(&archive.spool), true);
        }
        let mut texts = Vec::new();
        index::for_each_listed(&text, Some(&archive.spool), |listed| {
            texts.push(member(&index::find_member(&archive, index, &listed)?));
            Ok(())
        })?;
        Self::from_listed(&text.label, texts, Some(archive.spool))
    }

    /// Uses the listed texts as those of the ranks, or splits the one that is listed for all ranks.
    fn from_listed(index: &str, texts: Vec<RankText>, spool: Option<Spool>) -> Result<Self, TraceError> {
        match &texts[..] {
            [] => Err(TraceError::EmptyIndex { file: index.to_owned() }),
            [first, others @ ..] if others.iter().all(|other| other.label == first.label) => {
                let files = Self::split(first, spool.as_ref(), false)?;
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

    /// Splits a merged file, which the user has perhaps `named`.
    fn split(text: &RankText, spool: Option<&Spool>, named: bool) -> Result<Self, TraceError> {
        let (texts, spool) = merged::split(text, spool, named)?;
        Ok(TraceFiles { texts, first_column: FirstColumn::LineNumber, spool: Some(spool) })
    }
}

/// Returns whether a text holds actions and not paths: its first line starts with a rank and has a second field.
fn is_merged(text: &RankText, spool: Option<&Spool>) -> Result<bool, TraceError> {
    let (mut cursor, mut block) = (LineCursor::default(), LineBlock::default());
    while text.next_lines(spool, &mut cursor, &mut block, SCAN_BYTES)? {
        if let Some((rank, rest)) = block.lines().find_map(|(_, line)| first_column(line)) {
            return Ok(rank.is_ok() && !rest.is_empty());
        }
    }
    Ok(false)
}

/// Returns whether a line could be a path.
fn looks_like_path(line: &str) -> bool {
    !line.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\u{fffd}')
}
