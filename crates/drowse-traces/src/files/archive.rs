//! Unpacks a tar archive once into a spool and stores the position of each member.
//!
//! Members may have any order and folder. Links, folders and devices are skipped.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use rustc_hash::FxHashMap;
use tar::{Entry, EntryType, PaxExtensions};

use super::container::Compression;
use super::lines::{Location, RankText};
use super::not_unpacked::not_unpacked;
use super::refusal::Refusal;
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
    // Headers that name the next member are read here: the crate would take all that they say they hold into memory.
    let mut told = Told::default();
    for entry in entries.raw(true) {
        let mut entry = entry.map_err(|source| not_unpacked(label, &at, source))?;
        if told.takes(&mut entry).map_err(|source| not_unpacked(label, &at, source))? {
            continue;
        }
        let path = told.path(&entry);
        at = format!("member {}", shortened(&path));
        let (kind, told) = (entry.header().entry_type(), std::mem::take(&mut told));
        if kind.is_gnu_sparse() || told.is_special {
            return Err(not_unpacked(label, &at, Refusal::Form.into()));
        }
        if !kind.is_file() {
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

/// The longest header of a member that is read: paths have up to 4 KiB, and their attributes some more.
const MOST_HEADER: u64 = 1 << 20;

/// What headers have told of the next member.
#[derive(Default)]
struct Told {
    path: Option<Vec<u8>>,
    /// Whether it is packed in a form that is not read.
    is_special: bool,
}

impl Told {
    /// Returns whether an entry is a header; takes what it tells.
    fn takes(&mut self, entry: &mut Entry<'_, impl Read>) -> io::Result<bool> {
        let kind = entry.header().entry_type();
        if !(kind.is_gnu_longname() || kind.is_gnu_longlink() || is_pax(kind)) {
            return Ok(false);
        }
        if entry.size() > MOST_HEADER {
            return Err(Refusal::Header.into());
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < entry.size() {
            return Err(ends_early());
        }
        if kind.is_gnu_longname() {
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            bytes.truncate(end);
            self.path = Some(bytes);
        } else if is_pax(kind) {
            self.take_pax(&bytes)?;
        }
        Ok(true)
    }

    /// Takes what an extended header tells.
    fn take_pax(&mut self, bytes: &[u8]) -> io::Result<()> {
        for extension in PaxExtensions::new(bytes) {
            let extension = extension?;
            match extension.key_bytes() {
                b"path" => self.path = Some(extension.value_bytes().to_owned()),
                // A member of more than 8 GiB, or one with holes.
                key => self.is_special |= key == b"size" || key.starts_with(b"GNU.sparse"),
            }
        }
        Ok(())
    }

    /// Returns the path of the member that they are of.
    fn path(&self, entry: &Entry<'_, impl Read>) -> String {
        let own = entry.path_bytes();
        String::from_utf8_lossy(self.path.as_deref().unwrap_or(&own)).into_owned()
    }
}

/// Returns whether an entry is an extended header, of the next member or of all that follow.
fn is_pax(kind: EntryType) -> bool {
    kind.is_pax_local_extensions() || kind.is_pax_global_extensions()
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

    /// Returns a header and what follows it.
    fn entry(kind: EntryType, name: &str, size: u64, data: &[u8]) -> Vec<u8> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(size);
        assert!(header.set_path(name).is_ok());
        header.set_cksum();
        let padding = vec![0; data.len().next_multiple_of(512) - data.len()];
        [header.as_bytes().as_slice(), data, &padding].concat()
    }

    fn unpacked(entries: &[Vec<u8>]) -> Result<Vec<String>, String> {
        let stream = [entries.concat(), vec![0; 1024]].concat();
        let archive = unpack_tar("x.tar", stream.len() as u64, stream.as_slice()).map_err(|error| error.to_string())?;
        Ok(archive.members.into_keys().collect())
    }

    #[test]
    fn headers_name_the_next_member() {
        let file = |name| entry(EntryType::Regular, name, 2, b"x\n");
        let long = format!("{}/rank0.txt", "a".repeat(300));
        let gnu = entry(EntryType::GNULongName, "././@LongLink", 311, &[long.as_bytes(), b"\0"].concat());
        assert_eq!(unpacked(&[gnu.clone(), file("a")]).as_ref(), Ok(&vec![long.clone()]));
        let record = format!("320 path={long}\n");
        let pax = entry(EntryType::XHeader, "pax", 320, record.as_bytes());
        assert_eq!(unpacked(&[pax, file("a")]).as_ref(), Ok(&vec![long]));
        assert_eq!(unpacked(&[gnu, file("a"), file("b")]).map(|names| names.len()), Ok(2), "only of the next");
    }

    /// Such a header took as much memory as it says.
    #[test]
    fn headers_that_say_they_are_long_are_refused() {
        for kind in [EntryType::GNULongName, EntryType::GNULongLink, EntryType::XHeader, EntryType::XGlobalHeader] {
            let told =
                unpacked(&[entry(kind, "x", 16 << 30, b"name")]).map_err(|told| told.contains("more than 1 MiB"));
            assert_eq!(told, Err(true), "{kind:?}");
            let told = unpacked(&[entry(kind, "x", 4096, b"name")]).map_err(|told| told.contains("ends too early"));
            assert_eq!(told, Err(true), "{kind:?}");
        }
    }

    #[test]
    fn members_with_holes_are_refused() {
        let sparse = entry(EntryType::XHeader, "pax", 22, b"22 GNU.sparse.major=1\n");
        for entries in
            [vec![sparse, entry(EntryType::Regular, "a", 2, b"x\n")], vec![entry(EntryType::GNUSparse, "a", 0, b"")]]
        {
            assert_eq!(unpacked(&entries).map_err(|told| told.contains("has holes")), Err(true));
        }
    }
}
