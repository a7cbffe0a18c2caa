//! The texts of all ranks of a trace, from whatever holds them.

use std::path::Path;

use super::archive::Archive;
use super::first_column::{FirstColumn, first_column};
use super::found::{Found, Stored};
use super::index;
use super::lines::{LineBlock, LineCursor, RankText, SCAN_BYTES};
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
    /// Opens the trace that was found.
    pub fn open(found: Found) -> Result<Self, TraceError> {
        match found {
            Found::Folder(path) => {
                let index = index::in_directory(&path)?;
                let stored = Stored { text: RankText::file(index.clone()), spool: None };
                Self::open_text(&index, stored)
            }
            Found::File(file) => {
                let path = file.path.clone();
                Self::open_text(&path, file.store()?)
            }
            Found::Archive(archive) => Self::open_archive(archive),
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
    fn open_text(path: &Path, Stored { text, spool }: Stored) -> Result<Self, TraceError> {
        if is_merged(&text, spool.as_ref())? {
            return Self::split(&text, spool.as_ref(), true);
        }
        let mut texts = Vec::new();
        index::for_each_listed(&text, spool.as_ref(), |listed| {
            texts.push(RankText::file(index::find_file(path, &listed)?));
            Ok(())
        })?;
        Self::from_listed(&text.label, texts, None)
    }

    /// Opens an unpacked archive.
    fn open_archive(archive: Archive) -> Result<Self, TraceError> {
        let index = index::in_archive(&archive)?;
        let text = archive.member(index);
        if is_merged(&text, Some(&archive.spool))? {
            return Self::split(&text, Some(&archive.spool), true);
        }
        let mut texts = Vec::new();
        index::for_each_listed(&text, Some(&archive.spool), |listed| {
            texts.push(archive.member(&index::find_member(&archive, index, &listed)?));
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
