//! Unpacks a tar archive once into a spool and stores the position of each member.
//!
//! Members may have any order and folder. Links, folders and devices are skipped.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use rustc_hash::FxHashMap;

use super::container::Compression;
use super::lines::{Location, RankText};
use super::refusal::{Refusal, not_unpacked};
use super::spool::{Extent, Spool, SpoolWriter};
use crate::error::{TraceError, shortened};

/// An unpacked archive.
pub(crate) struct Archive {
    pub label: String,
    pub members: FxHashMap<String, Extent>,
    pub spool: Spool,
}

impl Archive {
    /// Returns the text of a member; an empty one if there is none of this name.
    pub fn member(&self, name: &str) -> RankText {
        RankText {
            label: format!("{}:{name}", self.label),
            location: Location::Spooled(self.members.get(name).copied().into_iter().collect()),
        }
    }

    /// Returns the name of the only member; `None` if there are several or none.
    pub fn only_member(&self) -> Option<&str> {
        let mut names = self.members.keys();
        names.next().filter(|_| names.next().is_none()).map(String::as_str)
    }
}

/// Unpacks the archive at `path`.
pub(crate) fn unpack(path: &Path, compression: Option<Compression>) -> Result<Archive, TraceError> {
    let label = path.display().to_string();
    let unreadable = |source| TraceError::Unreadable { file: label.clone(), source };
    let file = File::open(path).map_err(unreadable)?;
    let packed = file.metadata().map_or(u64::MAX, |metadata| metadata.len());
    let file = BufReader::with_capacity(1 << 16, file);
    match compression {
        None => unpack_tar(&label, packed, file),
        Some(compression) => unpack_tar(&label, packed, compression.decompress(file).map_err(unreadable)?),
    }
}

/// Copies the members of an uncompressed tar stream, of a file of a length, into a spool.
fn unpack_tar(label: &str, packed: u64, stream: impl Read) -> Result<Archive, TraceError> {
    let mut at = "its first member".to_owned();
    let mut archive = tar::Archive::new(stream);
    let mut writer = SpoolWriter::new();
    let mut members = FxHashMap::default();
    let entries = archive.entries().map_err(|source| not_unpacked(label, &at, source))?;
    for entry in entries {
        let mut entry = entry.map_err(|source| not_unpacked(label, &at, source))?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        at = format!("member {}", shortened(&path));
        if !entry.header().entry_type().is_file() {
            continue;
        }
        if leads_out(&path) {
            return Err(not_unpacked(label, &at, Refusal::Path.into()));
        }
        let extent = writer.copy(&mut entry, packed).map_err(|error| error.of(label, &at))?;
        if extent.length < entry.size() {
            return Err(not_unpacked(label, &at, ends_early()));
        }
        // As with tar itself, a later member replaces an earlier one of the same name.
        members.insert(normalize(&path), extent);
    }
    let spool = writer.finish().map_err(|source| TraceError::Spool { file: label.to_owned(), source })?;
    Ok(Archive { label: label.to_owned(), members, spool })
}

/// Returns the error of a member that is shorter than the archive says.
pub(super) fn ends_early() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it ends too early")
}

/// Returns whether a member's path is absolute, or climbs out of the archive.
pub(super) fn leads_out(path: &str) -> bool {
    let mut depth = 0_i64;
    let climbs = path.split('/').any(|part| {
        depth += match part {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        depth < 0
    });
    climbs || path.starts_with('/')
}

/// Writes a member's path without `.`, `..`, empty parts and a leading slash.
pub(crate) fn normalize(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_names_are_normalized() {
        assert_eq!(normalize("./a//b/../rank0.txt"), "a/rank0.txt");
        assert_eq!(normalize("/rank0.txt"), "rank0.txt");
        assert_eq!(normalize("../.."), "");
    }

    #[test]
    fn paths_that_lead_out_are_known() {
        assert!(["/a", "..", "../a", "a/../../b", "./../a"].into_iter().all(leads_out));
        assert!(!["a", "./a", "a/../b", "a/b/../../c", "..a/b.."].into_iter().any(leads_out));
    }
}
