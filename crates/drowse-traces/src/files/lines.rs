//! Reads text in blocks of whole lines. Between blocks no file is open and no text in memory.
//!
//! A rank's position in its text is a [`LineCursor`] of three numbers, so thousands of ranks need little memory. The
//! caller owns the block and uses it for one rank after the other.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use memchr::{memchr, memchr_iter, memrchr};

use super::spool::{Extent, Spool, read_full, read_positioned};
use crate::error::{Place, TraceError};
use crate::line_error::LineError;

/// The longest line that is read; an `alltoallv` of 100,000 ranks has about 2 MB.
const LONGEST_LINE: usize = 64 << 20;

/// The byte order mark that some editors begin texts with. It says nothing of a text in UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// Block size of passes over a whole text.
pub(crate) const SCAN_BYTES: usize = 256 << 10;

/// The text of one rank.
pub(crate) struct RankText {
    /// The name in messages: the file, inside an archive with the member.
    pub label: String,
    /// Where the text is.
    pub location: Location,
}

/// Where a text is.
pub(crate) enum Location {
    File(PathBuf),
    /// A part of a file.
    Part(PathBuf, Extent),
    Spooled(Vec<Extent>),
}

/// The position at which reading continues.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineCursor {
    extent: usize,
    offset: u64,
    lines_before: u64,
}

/// Whole lines of one text.
#[derive(Default)]
pub(crate) struct LineBlock {
    bytes: Vec<u8>,
    end: usize,
    lines_before: u64,
}

impl LineBlock {
    /// Returns the lines without their line ends, each with its number in the text, counted from one.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut rest = &self.bytes[..self.end];
        let mut number = self.lines_before;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            number += 1;
            Some((number, line))
        })
    }
}

impl LineCursor {
    /// Returns the beginning of a part of a text that has so many lines before it.
    pub fn after_lines(lines_before: u64) -> Self {
        LineCursor { lines_before, ..LineCursor::default() }
    }
}

impl RankText {
    /// Makes the text of a plain file.
    pub fn file(path: PathBuf) -> Self {
        RankText { label: path.display().to_string(), location: Location::File(path) }
    }

    /// Returns a part of the text, which is a file or in one piece.
    pub fn part(&self, part: Extent) -> Self {
        let location = match &self.location {
            Location::File(path) => Location::Part(path.clone(), part),
            Location::Part(path, whole) => {
                Location::Part(path.clone(), Extent { offset: whole.offset + part.offset, ..part })
            }
            Location::Spooled(extents) => {
                let offset = extents.first().map_or(0, |whole| whole.offset) + part.offset;
                Location::Spooled(vec![Extent { offset, ..part }])
            }
        };
        RankText { label: self.label.clone(), location }
    }

    /// Reads the next whole lines, about `size` bytes of them, into `block`; false at the end of the text.
    pub fn next_lines(
        &self,
        spool: Option<&Spool>,
        cursor: &mut LineCursor,
        block: &mut LineBlock,
        size: usize,
    ) -> Result<bool, TraceError> {
        let mut size = size;
        loop {
            let Some(limit) = self.limit(cursor) else { return Ok(false) };
            let want = size.min(usize::try_from(limit - cursor.offset).unwrap_or(usize::MAX));
            if block.bytes.len() < want {
                block.bytes.resize(want, 0);
            }
            let filled = self.read(spool, cursor, &mut block.bytes[..want])?;
            let at_end = filled < want || cursor.offset + filled as u64 == limit;
            if filled == 0 {
                return Ok(false);
            }
            let last_line_end = memrchr(b'\n', &block.bytes[..filled]);
            block.end = match last_line_end {
                _ if at_end => filled,
                Some(newline) => newline + 1,
                None if size >= LONGEST_LINE => {
                    let place = Place { file: self.label.clone(), line: cursor.lines_before + 1 };
                    return Err(TraceError::Line {
                        place,
                        problem: LineError::TooLong { megabytes: LONGEST_LINE >> 20 },
                    });
                }
                None => {
                    size *= 2;
                    continue;
                }
            };
            block.lines_before = cursor.lines_before;
            if cursor.offset == 0 {
                blank_mark(&mut block.bytes[..block.end]);
            }
            let text = &block.bytes[..block.end];
            if let Some(line) = old_line_end(text) {
                let place = Place { file: self.label.clone(), line: cursor.lines_before + line };
                return Err(TraceError::Line { place, problem: LineError::CarriageReturn });
            }
            cursor.lines_before += memchr_iter(b'\n', text).count() as u64 + u64::from(!text.ends_with(b"\n"));
            cursor.offset += block.end as u64;
            return Ok(true);
        }
    }

    /// Calls `visit` with the number and the bytes of each line.
    pub fn for_each_line(
        &self,
        spool: Option<&Spool>,
        mut visit: impl FnMut(u64, &[u8]) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        let (mut cursor, mut block) = (LineCursor::default(), LineBlock::default());
        while self.next_lines(spool, &mut cursor, &mut block, SCAN_BYTES)? {
            for (number, line) in block.lines() {
                visit(number, line)?;
            }
        }
        Ok(())
    }

    /// Returns the end of the cursor's extent. Advances to the next extent at the end of one.
    fn limit(&self, cursor: &mut LineCursor) -> Option<u64> {
        match &self.location {
            Location::File(_) => Some(u64::MAX),
            Location::Part(_, extent) => (cursor.offset < extent.length).then_some(extent.length),
            Location::Spooled(extents) => loop {
                let Extent { length, .. } = extents.get(cursor.extent)?;
                if cursor.offset < *length {
                    return Some(*length);
                }
                (cursor.extent, cursor.offset) = (cursor.extent + 1, 0);
            },
        }
    }

    /// Fills `buffer` from a position of the text on, which is in one piece. Returns the number of bytes, which is
    /// smaller than the buffer only at the end.
    pub fn read_at(&self, spool: Option<&Spool>, offset: u64, buffer: &mut [u8]) -> Result<usize, TraceError> {
        let mut cursor = LineCursor { offset, ..LineCursor::default() };
        let Some(limit) = self.limit(&mut cursor).filter(|_| cursor.extent == 0) else { return Ok(0) };
        let most = buffer.len().min(usize::try_from(limit - offset).unwrap_or(usize::MAX));
        self.read(spool, &cursor, &mut buffer[..most])
    }

    /// Reads at the cursor. A plain file is opened only for this block, so that any number of ranks can be read.
    fn read(&self, spool: Option<&Spool>, cursor: &LineCursor, buffer: &mut [u8]) -> Result<usize, TraceError> {
        let of_file = |path: &PathBuf, offset, buffer| {
            File::open(path).and_then(|file| read_full(buffer, offset, |part, at| read_positioned(&file, part, at)))
        };
        let result = match (&self.location, spool) {
            (Location::File(path), _) => of_file(path, cursor.offset, buffer),
            (Location::Part(path, extent), _) => of_file(path, extent.offset + cursor.offset, buffer),
            (Location::Spooled(extents), Some(spool)) => {
                extents.get(cursor.extent).map_or(Ok(0), |extent| spool.read_at(extent.offset + cursor.offset, buffer))
            }
            (Location::Spooled(_), None) => Err(io::Error::other("the decompressed text is gone")),
        };
        result.map_err(|source| TraceError::Unreadable { file: self.label.clone(), source })
    }
}

/// Makes blanks of the byte order mark at the beginning of a text, so that all places in it stay where they are.
fn blank_mark(text: &mut [u8]) {
    if text.starts_with(MARK) {
        text[..MARK.len()].fill(b' ');
    }
}

/// Returns the line, from 1, in which a line ends with a carriage return alone, as on old machines: all the lines behind
/// it would be taken for one.
pub(crate) fn old_line_end(text: &[u8]) -> Option<u64> {
    let ends = |&at: &usize| text.get(at + 1).is_some_and(|&next| next != b'\n' && next != b'\r');
    let at = memchr_iter(b'\r', text).find(ends)?;
    Some(memchr_iter(b'\n', &text[..at]).count() as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::super::spool::SpoolWriter;
    use super::*;

    /// Reads a text stored in the given pieces, `size` bytes at a time.
    fn read(pieces: &[&str], size: usize) -> Vec<(u64, String)> {
        let mut writer = SpoolWriter::new();
        let extents = pieces.iter().map(|piece| writer.append(piece.as_bytes()).unwrap()).collect();
        let spool = writer.finish().unwrap();
        let text = RankText { label: "text".into(), location: Location::Spooled(extents) };
        let (mut cursor, mut block, mut lines) = (LineCursor::default(), LineBlock::default(), Vec::new());
        while text.next_lines(Some(&spool), &mut cursor, &mut block, size).unwrap() {
            lines.extend(block.lines().map(|(number, line)| (number, String::from_utf8_lossy(line).into_owned())));
        }
        lines
    }

    #[test]
    fn lines_do_not_depend_on_the_block_size() {
        let pieces = ["0 init\n0 compute 1000\n", "\n", "0 send 1 0 8 0\n0 finalize"];
        let whole = read(&pieces, 1 << 20);
        assert_eq!(whole.len(), 5);
        assert_eq!(whole[1], (2, "0 compute 1000".into()));
        assert_eq!(whole[4], (5, "0 finalize".into()));
        for size in 1..40 {
            assert_eq!(read(&pieces, size), whole, "blocks of {size} bytes");
        }
    }

    #[test]
    fn a_byte_order_mark_is_blank() {
        assert_eq!(read(&["\u{feff}0 init\n0 \u{feff}"], 1 << 20), [(1, "   0 init".into()), (2, "0 \u{feff}".into())]);
    }

    #[test]
    fn carriage_returns_alone_are_found() {
        assert_eq!(old_line_end(b"a\r\nb\r\r\nc\r"), None);
        assert_eq!(old_line_end(b"a\r\nb\rc"), Some(2));
    }

    #[test]
    fn an_empty_text_has_no_lines() {
        assert_eq!(read(&[], 16), []);
        assert_eq!(read(&[""], 16), []);
    }
}
