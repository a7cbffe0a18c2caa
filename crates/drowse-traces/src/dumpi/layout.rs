//! Where the sections of a rank's file are, and what the small ones hold.
//!
//! The file ends with its index: the magic number and the offsets of seven sections. Sections have no lengths: each
//! ends where the next one begins.

use std::ops::Range;
use std::sync::Arc;

use super::bytes::Bytes;
use super::problem::Problem;
use super::record::Version;
use crate::error::TraceError;
use crate::files::{ByteFile, fnv1a};

/// The first bytes of a file, and those of its index.
pub(crate) const MAGIC: [u8; 8] = [0xff, 0xaa, 0xdd, b'D', b'U', b'M', b'P', b'I'];

/// The sections in the order of the index.
const SECTIONS: [&str; 7] = ["datatype sizes", "addresses", "counters", "header", "body", "footer", "keywords"];

/// What is known of a rank's file without its calls.
pub(crate) struct Layout {
    pub version: Version,
    /// The calls.
    pub body: Range<u64>,
    /// Sizes of datatypes by number.
    pub sizes: Arc<[u32]>,
}

impl Layout {
    /// Reads the index, the version and the sizes of datatypes.
    pub fn read(file: &ByteFile) -> Result<Self, TraceError> {
        let at = |offset, problem| TraceError::Dumpi { file: file.label().to_owned(), offset, problem };
        let mut start = [0; 8];
        if file.read_at(0, &mut start)? < 8 || start != MAGIC {
            return Err(at(0, Problem::NoMagic));
        }
        let length = file.length()?;
        let (offsets, end) = index(file, length)?.ok_or_else(|| at(length, Problem::NoIndex))?;
        if let Some((place, &offset)) = offsets.iter().enumerate().find(|&(_, &offset)| offset >= end) {
            return Err(at(end, Problem::OutsideIndex { section: SECTIONS[place], offset, end }));
        }
        let section = |place: usize| {
            let start = offsets[place];
            let next = offsets.iter().copied().filter(|&offset| offset > start).min();
            start..next.unwrap_or(end)
        };
        let body = section(4);
        if body.start == 0 {
            return Err(at(end, Problem::NoIndex));
        }
        let version = match section(3) {
            Range { start: 0, .. } => (0, 0, 0),
            header => version(file, &header)?,
        };
        let sizes = match section(0) {
            Range { start: 0, .. } => Arc::default(),
            range => sizes(file, &range)?,
        };
        Ok(Layout { version, body, sizes })
    }

    /// Goes on with a hash of a file: what its calls mean, and the end.
    pub fn hash(&self, hash: u64) -> u64 {
        let (major, minor, patch) = self.version;
        let sizes = self.sizes.iter().flat_map(|size| size.to_le_bytes());
        let length = (self.sizes.len() as u64).to_le_bytes();
        [major, minor, patch].into_iter().chain(sizes).chain(length).fold(hash, fnv1a)
    }
}

/// Finds the index, which begins with the magic number. Older files have fewer sections in it. Returns the offsets,
/// zero for those that are absent, and where the index begins.
fn index(file: &ByteFile, length: u64) -> Result<Option<([u64; 7], u64)>, TraceError> {
    let mut tail = [0; 64];
    let have = length.min(64);
    let have = file.read_at(length - have, &mut tail[..have as usize])?;
    let tail = &tail[..have];
    let mut offsets = [0; 7];
    for (back, word) in (0..).zip(tail.rchunks_exact(8)) {
        if word == MAGIC {
            // The file itself begins with the same number.
            let begin = length - 8 * (back + 1);
            return Ok((back >= 4 && begin > 0).then_some((offsets, begin)));
        }
        let Some(place) = 6_usize.checked_sub(back as usize) else { break };
        offsets[place] = word.iter().fold(0, |offset, &byte| offset << 8 | u64::from(byte));
    }
    Ok(None)
}

fn version(file: &ByteFile, range: &Range<u64>) -> Result<Version, TraceError> {
    let mut version = [0; 3];
    if range.end - range.start < 3 || file.read_at(range.start, &mut version)? < 3 {
        let problem = Problem::Cut { what: "the header" };
        return Err(TraceError::Dumpi { file: file.label().to_owned(), offset: range.start, problem });
    }
    Ok(version.into())
}

/// Reads the sizes of datatypes, of which there can be 65,536.
fn sizes(file: &ByteFile, range: &Range<u64>) -> Result<Arc<[u32]>, TraceError> {
    let length = (range.end - range.start).min(4 + 4 * (1 << 16));
    let mut section = vec![0; length as usize];
    let have = file.read_at(range.start, &mut section)?;
    let mut bytes = Bytes::new(&section[..have], have as u64);
    let wide = |size: &[u8]| size.iter().fold(0, |number, &byte| number << 8 | u32::from(byte));
    let sizes = bytes.list(4).map_err(|_| {
        let problem = Problem::Cut { what: "the list of datatypes' sizes" };
        TraceError::Dumpi { file: file.label().to_owned(), offset: range.start, problem }
    })?;
    Ok(sizes.chunks_exact(4).map(wide).collect())
}
